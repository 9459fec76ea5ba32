// Runs in the report's frame after outlines.js: finds the nodes that carry numbers of pagelets, and
// handles the messages of the report.
(() => {
  let drawn = false;

  const split = (value) => value?.split(" ") ?? [];

  function textPlaces(element) {
    const texts = outlines.textsOf(element).filter(({ data }) => /\S/.test(data));
    return split(element.dataset.pageletText).map((mark) => {
      const [number, place] = mark.split(":").map(Number);
      return { number, element, text: texts[place] ?? element };
    });
  }

  function placesOf(element) {
    const whole = split(element.dataset?.pagelet).map((number) => ({ number: Number(number), element }));
    return element.dataset?.pageletText ? [...whole, ...textPlaces(element)] : whole;
  }

  function draw(message) {
    if (drawn || !message.items.length) return;
    drawn = true;
    document.body?.normalize();
    outlines.draw(message, outlines.elementsBelow(document).flatMap(placesOf));
  }

  const handlers = { ...outlines.handlers, draw };

  document.addEventListener("DOMContentLoaded", () => {
    addEventListener("message", ({ source, data }) => {
      if (source === parent && Object.hasOwn(handlers, data.type)) handlers[data.type](data);
    });
    outlines.listen();
    document.addEventListener("keydown", ({ key }) => key === "Escape" && outlines.post({ type: "escape" }));
    outlines.post({ type: "ready" });
  });
})();
