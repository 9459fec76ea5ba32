"use strict";
// Runs in the sandboxed frame after outlines.js: writes the page it receives, finds elements by row,
// and handles messages.
const frame = (() => {
  const KEY = /^(Escape|ArrowUp|ArrowDown|[a-z0-9?/[\]])$/;
  const elements = new Map(); // by row
  const answers = { ...outlines.handlers, draw, load, scroll, choose };

  function indexRows() {
    elements.clear();
    for (const element of outlines.elementsBelow(document)) {
      const row = element.dataset?.row;
      if (row !== undefined) elements.set(Number(row), element);
    }
  }

  // Items and places arrive as columns: kind and label of each item; item, row and text of each place.
  function readItems({ names, named }) {
    return Array.from({ length: named.length / 2 }, (_, number) =>
      ({ kind: names.kinds[named[2 * number]], label: names.labels[named[2 * number + 1]] }));
  }

  function readPlaces({ places }) {
    return Array.from({ length: places.length / 3 }, (_, at) => {
      const [number, row, text] = places.subarray(3 * at, 3 * at + 3);
      return { number, row, at: text, element: elements.get(row) };
    });
  }

  function draw(message) { // in row order, so that ancestors are drawn first
    const places = readPlaces(message);
    places.sort((one, two) => one.row - two.row || one.at - two.at);
    outlines.draw({ ...message, items: readItems(message) }, places.filter(({ element }) => element).map(locate));
  }

  function locate({ number, element, at }) { // texts are counted from 1, blank ones included
    return { number, element, text: at && (outlines.textsOf(element)[at - 1] ?? element) };
  }

  function choose({ number, rows = [] }) {
    outlines.handlers.choose({ number, elements: rows.map((row) => elements.get(row)).filter(Boolean) });
  }

  // Name, id and classes of an element and of those around it, from the inside out.
  function describe({ row }) {
    const steps = [];
    for (let at = elements.get(row); at instanceof Element; at = at.parentNode) {
      steps.push({ tag: at.localName, id: at.getAttribute("id") ?? "", classes: [...at.classList] });
    }
    return steps;
  }

  // -- messages -------------------------------------------------------------------------

  function pageSize() {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return { width: scrollWidth, height: scrollHeight };
  }

  function scroll({ share }) {
    scrollTo({ top: share * (pageSize().height - innerHeight), behavior: "instant" });
  }

  function reportScroll() {
    const room = pageSize().height - innerHeight;
    outlines.post({ type: "scrolled", share: room > 0 ? scrollY / room : 0 });
  }

  function reportKey({ key, ctrlKey, metaKey, target }) {
    if (ctrlKey || metaKey || /^(input|textarea|select)$/.test(target.localName)) return;
    if (KEY.test(key)) outlines.post({ type: "key", key });
  }

  function receive({ source, data }) {
    if (source === parent && Object.hasOwn(answers, data.type)) answers[data.type](data);
  }

  // Reopening the document removes all listeners, but keeps its content security policy.
  function load({ drawing }) {
    document.open();
    document.write(drawing);
    document.close();
    document.body?.normalize();
    indexRows();
    addEventListener("message", receive);
    addEventListener("scroll", reportScroll, { passive: true });
    outlines.listen();
    document.addEventListener("keydown", reportKey);
    outlines.post({ type: "loaded" });
  }

  addEventListener("message", receive);
  return { answers, describe, elements, pageSize };
})();
