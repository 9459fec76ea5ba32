// Runs in the report's frame after outlines.js: finds the nodes that carry numbers of pagelets, and
// takes the messages of the report.
(() => {
  let drawn = false;

  const listed = (value) => value?.split(" ") ?? [];

  function textPlaces(element) {
    const texts = outlines.textsOf(element).filter(({ data }) => /\S/.test(data));
    return listed(element.dataset.pageletText).map((mark) => {
      const [number, place] = mark.split(":").map(Number);
      return { number, element, text: texts[place] ?? element };
    });
  }

  function placesOf(element) {
    const whole = listed(element.dataset?.pagelet).map((number) => ({ number: Number(number), element }));
    return element.dataset?.pageletText ? [...whole, ...textPlaces(element)] : whole;
  }

  function draw(told) {
    if (drawn || !told.items.length) return;
    drawn = true;
    document.body?.normalize();
    outlines.draw(told, outlines.elementsBelow(document).flatMap(placesOf));
  }

  const answers = { ...outlines.answers, draw };

  document.addEventListener("DOMContentLoaded", () => {
    addEventListener("message", ({ source, data }) => {
      if (source === parent && Object.hasOwn(answers, data.type)) answers[data.type](data);
    });
    outlines.listen();
    document.addEventListener("keydown", ({ key }) => key === "Escape" && outlines.tell({ type: "escape" }));
    outlines.tell({ type: "ready" });
  });
})();
