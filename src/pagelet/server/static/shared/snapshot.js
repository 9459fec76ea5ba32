"use strict";
// Runs in the sandboxed frame after frame.js: reports the boxes of the page, and the page as XML,
// from which a picture can be made.
(() => {
  const MAX_BOXES = 100000;
  const SIDES = ["left", "top", "right", "bottom"];
  const STYLE = ["display", "color", "background-color", "background-image", "font-size", "font-weight",
    ...SIDES.flatMap((side) => [`border-${side}-width`, `border-${side}-color`])];
  const XML_NAME = /^[A-Za-z_][\w.-]*$/;
  const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
  const LOADS = /url\(|@import/i;

  // -- boxes ----------------------------------------------------------------------------

  const toPage = ({ left, top, right, bottom }) =>
    [left + scrollX, top + scrollY, right + scrollX, bottom + scrollY];

  const hasArea = ({ width, height }) => width > 0 && height > 0;

  function measureTexts(element, row) {
    return outlines.textsOf(element).flatMap((node, at) => {
      if (!/\S/.test(node.data)) return [];
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter(hasArea).map(toPage);
      return lines.length ? [{ row, text: at + 1, lines }] : [];
    });
  }

  function measureElement(element, row) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    const rect = element.getBoundingClientRect();
    const computed = getComputedStyle(element);
    const style = Object.fromEntries(STYLE.map((name) => [name, computed.getPropertyValue(name)]));
    if (style["background-image"] !== "none") style["background-image"] = "url()";
    const own = hasArea(rect) ? [{ row, box: toPage(rect), style }] : [];
    return [...own, ...measureTexts(element, row)];
  }

  function measureLayout() {
    const boxes = [];
    for (const [row, element] of frame.elements) {
      if (boxes.length > MAX_BOXES) break;
      boxes.push(...measureElement(element, row));
    }
    return { ...frame.pageSize(), boxes };
  }

  // -- the page as XML ------------------------------------------------------------------

  function cleanAttributes(element) { // remove what XML cannot hold and a picture must not load
    for (const { name, value } of [...element.attributes]) {
      const loads = name === "style" ? LOADS.test(value) && !value.includes("data:") : name === "srcset";
      if (!XML_NAME.test(name) || loads) element.removeAttribute(name);
    }
  }

  function writeXml() {
    const copy = document.documentElement.cloneNode(true);
    for (const element of copy.querySelectorAll("pagelet-overlays, script, meta, template, link")) element.remove();
    for (const element of [copy, ...copy.querySelectorAll("*")]) cleanAttributes(element);
    copy.style.setProperty("font-size", fontSize(), "important"); // the picture has a root of its own
    return new XMLSerializer().serializeToString(copy).replace(NOT_XML, "");
  }

  const fontSize = () => getComputedStyle(document.documentElement).fontSize;

  function findGround() { // colour behind everything
    const colours = [document.documentElement, document.body].filter(Boolean)
      .map((element) => getComputedStyle(element).backgroundColor);
    return colours.find((colour) => !/, 0\)$/.test(colour)) ?? "#fff";
  }

  function takeSnapshot() {
    const regions = outlines.regions().map(({ number, kind, at, text, place, around }) =>
      ({ number, kind, at, label: place ? text : "", place, around: Boolean(around) }));
    return { ...frame.pageSize(), fontSize: fontSize(), ground: findGround(), regions, page: writeXml() };
  }

  const answer = (measure) => (message) =>
    outlines.post({ type: "answer", id: message.id, value: measure(message) });

  Object.assign(frame.answers, {
    layout: answer(measureLayout), snapshot: answer(takeSnapshot), describe: answer(frame.describe),
  });
  outlines.post({ type: "ready" });
})();
