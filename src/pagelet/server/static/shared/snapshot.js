"use strict";
// Runs in the sandboxed frame after frame.js: tells what is seen, which are the boxes of the
// page, and the page as XML, which a picture can be made of.
(() => {
  const MOST_BOXES = 100000;
  const SIDES = ["left", "top", "right", "bottom"];
  const STYLE = ["display", "color", "background-color", "background-image", "font-size", "font-weight",
    ...SIDES.flatMap((side) => [`border-${side}-width`, `border-${side}-color`])];
  const XML_NAME = /^[A-Za-z_][\w.-]*$/;
  const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
  const LOADS = /url\(|@import/i;

  // -- boxes ----------------------------------------------------------------------------

  const placed = ({ left, top, right, bottom }) =>
    [left + scrollX, top + scrollY, right + scrollX, bottom + scrollY];

  const large = ({ width, height }) => width > 0 && height > 0;

  function textBoxes(element, row) {
    return outlines.textsOf(element).flatMap((node, at) => {
      if (!/\S/.test(node.data)) return [];
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter(large).map(placed);
      return lines.length ? [{ row, text: at + 1, lines }] : [];
    });
  }

  function boxesOf(element, row) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    const rect = element.getBoundingClientRect();
    const computed = getComputedStyle(element);
    const style = Object.fromEntries(STYLE.map((name) => [name, computed.getPropertyValue(name)]));
    if (style["background-image"] !== "none") style["background-image"] = "url()";
    const own = large(rect) ? [{ row, box: placed(rect), style }] : [];
    return [...own, ...textBoxes(element, row)];
  }

  function layout() {
    const boxes = [];
    for (const [row, element] of frame.elements) {
      if (boxes.length > MOST_BOXES) break;
      boxes.push(...boxesOf(element, row));
    }
    return { ...frame.size(), boxes };
  }

  // -- the page as XML ------------------------------------------------------------------

  function tidy(element) { // what XML cannot hold, or what a picture must not load
    for (const { name, value } of [...element.attributes]) {
      const loads = name === "style" ? LOADS.test(value) && !value.includes("data:") : name === "srcset";
      if (!XML_NAME.test(name) || loads) element.removeAttribute(name);
    }
  }

  function xml() {
    const copy = document.documentElement.cloneNode(true);
    for (const gone of copy.querySelectorAll("pagelet-overlays, script, meta, template, link")) gone.remove();
    for (const element of [copy, ...copy.querySelectorAll("*")]) tidy(element);
    copy.style.setProperty("font-size", fontSize(), "important"); // the picture has a root of its own
    return new XMLSerializer().serializeToString(copy).replace(NOT_XML, "");
  }

  const fontSize = () => getComputedStyle(document.documentElement).fontSize;

  function ground() { // what is painted behind everything
    const colours = [document.documentElement, document.body].filter(Boolean)
      .map((element) => getComputedStyle(element).backgroundColor);
    return colours.find((colour) => !/, 0\)$/.test(colour)) ?? "#fff";
  }

  function snapshot() {
    const regions = outlines.regions().map(({ number, kind, at, label, fits }) =>
      ({ number, kind, at, label: fits ? label.textContent : "" }));
    return { ...frame.size(), fontSize: fontSize(), ground: ground(), regions, page: xml() };
  }

  const answer = (telling) => ({ id }) => outlines.tell({ type: "answer", id, value: telling() });

  Object.assign(frame.answers, { layout: answer(layout), snapshot: answer(snapshot) });
  outlines.tell({ type: "ready" });
})();
