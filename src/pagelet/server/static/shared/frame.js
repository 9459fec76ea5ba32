"use strict";
// Runs in the sandboxed frame after outlines.js: writes the drawing it is sent, finds the
// rows it is told of, and takes messages.
const frame = (() => {
  const KEY = /^(Escape|ArrowUp|ArrowDown|[a-z0-9?/[\]])$/;
  const elements = new Map(); // by row
  const answers = { ...outlines.answers, draw, load, scroll };

  function index() {
    elements.clear();
    for (const element of outlines.elementsBelow(document)) {
      const row = element.dataset?.row;
      if (row !== undefined) elements.set(Number(row), element);
    }
  }

  function draw(told) { // what stands around others is drawn first, so rows go in order
    const places = told.items.flatMap((item, number) =>
      item.places.map(({ row, text }) => ({ number, row, at: text ?? 0, element: elements.get(row) })));
    places.sort((one, two) => one.row - two.row || one.at - two.at);
    outlines.draw(told, places.filter(({ element }) => element).map(placed));
  }

  function placed({ number, element, at }) { // the place of a text counts blank ones too, from 1
    return { number, element, text: at && (outlines.textsOf(element)[at - 1] ?? element) };
  }

  // -- messages -------------------------------------------------------------------------

  function size() {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return { width: scrollWidth, height: scrollHeight };
  }

  function scroll({ share }) {
    scrollTo({ top: share * (size().height - innerHeight), behavior: "instant" });
  }

  function tellScroll() {
    const room = size().height - innerHeight;
    outlines.tell({ type: "scrolled", share: room > 0 ? scrollY / room : 0 });
  }

  function tellKey({ key, ctrlKey, metaKey, target }) {
    if (ctrlKey || metaKey || /^(input|textarea|select)$/.test(target.localName)) return;
    if (KEY.test(key)) outlines.tell({ type: "key", key });
  }

  function take({ source, data }) {
    if (source === parent && Object.hasOwn(answers, data.type)) answers[data.type](data);
  }

  // The document is opened anew, which forgets all listeners but keeps the policy it came with.
  function load({ drawing }) {
    document.open();
    document.write(drawing);
    document.close();
    document.body?.normalize();
    index();
    addEventListener("message", take);
    addEventListener("scroll", tellScroll, { passive: true });
    outlines.listen();
    document.addEventListener("keydown", tellKey);
    outlines.tell({ type: "loaded" });
  }

  addEventListener("message", take);
  return { answers, elements, size };
})();
