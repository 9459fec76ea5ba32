"use strict";
// The rendered page: its picture with the segments over it, those of the result or of any
// threshold. Boxes and clusters are entities; each merge makes one cluster of several entities.
(() => {
  const { rendering, pagelets, kinds } = JSON.parse(document.getElementById("data").textContent);
  const [views, section, slider, status, auto, result, paper, picture, areas, parts] =
    ["views", "rendering", "threshold", "status", "auto", "result", "paper", "picture", "areas", "parts"]
      .map((id) => document.getElementById(id));
  const ROUNDING = 1e-6; // levels are rounded
  const MAX_PARTS = 3000; // pagelets drawn over the picture
  const MAX_COMPARED = 600; // pagelets that are compared with each other
  const own = pagelets.flatMap(({ kind, box, text }, number) =>
    (kind === "segment" && box ? [{ number, box, text }] : []));
  const others = pagelets.flatMap(({ kind, box }, number) => (kind !== "segment" && box ? [{ number, box, kind }] : []));
  const looks = new Map(kinds.map(({ name, look, words }) => [name, { look, words }]));
  let chosen = -1;

  // -- segments for a threshold ---------------------------------------------------------

  function boundingBox(one, [left, top, right, bottom]) {
    if (!one) return [left, top, right, bottom];
    return [Math.min(one[0], left), Math.min(one[1], top),
      Math.max(one[2], right), Math.max(one[3], bottom)];
  }

  function segmentsAt(threshold) {
    const { boxes, parent, level } = rendering;
    let merges = level.findIndex((value) => value > threshold + ROUNDING);
    if (merges < 0) merges = level.length;
    const end = boxes.length + merges;
    const root = new Int32Array(end);
    for (let entity = end - 1; entity >= 0; entity -= 1) { // a part comes before its whole
      const above = parent[entity];
      root[entity] = above >= 0 && above < end ? root[above] : entity;
    }
    const clusters = new Map();
    const loose = [];
    boxes.forEach((box, at) => {
      if (root[at] < boxes.length) loose.push({ box });
      else {
        const one = clusters.get(root[at]) ?? { count: 0 };
        clusters.set(root[at], { box: boundingBox(one.box, box), count: one.count + 1 });
      }
    });
    const down = (one, two) => one.box[1] - two.box[1] || one.box[0] - two.box[0];
    return { segments: [...clusters.values()].sort(down), loose };
  }

  // -- drawing --------------------------------------------------------------------------

  function area({ box: [left, top, right, bottom], number }, className, label) {
    const element = document.createElement("div");
    element.className = className;
    const percent = (part, whole) => `${(100 * part) / (whole || 1)}%`;
    Object.assign(element.style, {
      left: percent(left, rendering.width), top: percent(top, rendering.height),
      width: percent(right - left, rendering.width), height: percent(bottom - top, rendering.height),
    });
    if (number !== undefined) element.dataset.number = number;
    if (label) element.append(label);
    return element;
  }

  // A segment with its number, which is placed when its width can be measured.
  function numbered(one, at) {
    const label = document.createElement("span");
    label.textContent = at + 1;
    return Object.assign(area(one, "area kind-segment", label), { box: one.box, label });
  }

  // No number covers another, as those of segments that share a corner would.
  function placeNumbers() {
    const take = labels.startPage();
    const scale = paper.clientWidth / (rendering.width || 1);
    const drawn = [...areas.children].filter(({ label }) => label);
    for (const { label } of drawn) label.hidden = false;
    const widths = drawn.map(({ label }) => label.offsetWidth); // before anything is moved
    drawn.forEach(({ box, label }, at) => {
      const [right, y] = [box[2] * scale, box[1] * scale];
      const place = take({ x: 0, y, right }, widths[at]);
      label.hidden = !place;
      if (place) Object.assign(label.style, { right: `${right - place.right}px`, top: `${place.top - y}px` });
    });
  }

  const counted = (count, noun, several = `${noun}s`) => `${count} ${count === 1 ? noun : several}`;

  function showResult() {
    areas.replaceChildren(...own.map(numbered));
    placeNumbers();
    areas.classList.remove("tried");
    status.textContent = `Result: ${counted(own.length, "segment")}`;
    result.ariaPressed = "true";
    auto.ariaPressed = "false";
    mark();
  }

  function showThreshold(threshold) {
    const { segments, loose } = segmentsAt(threshold);
    const drawn = segments.map((one, at) => {
      const element = numbered(one, at);
      element.title = counted(one.count, "box", "boxes");
      return element;
    });
    areas.replaceChildren(...loose.map((one) => area(one, "loose kind-dropped")), ...drawn);
    placeNumbers();
    areas.classList.add("tried");
    const rest = loose.length ? `, ${counted(loose.length, "box", "boxes")} in no segment` : "";
    status.textContent = `${threshold.toFixed(3)}: ${counted(segments.length, "segment")}${rest}`;
    slider.setAttribute("aria-valuetext", status.textContent);
    result.ariaPressed = "false";
    auto.ariaPressed = String(threshold === rendering.auto);
  }

  function mark() {
    for (const element of [...areas.children, ...parts.children]) {
      element.classList.toggle("chosen", Number(element.dataset.number ?? -1) === chosen);
    }
  }

  // -- interaction ----------------------------------------------------------------------

  // The pagelets of the other kinds, each in the look of its kind; those with others inside have no fill.
  function showParts(kindsShown) {
    const there = others.filter(({ kind }) => kindsShown.includes(kind)).slice(0, MAX_PARTS);
    parts.replaceChildren(...there.map((one) => {
      const { look, words } = looks.get(one.kind);
      const element = area(one, `part ${look}${contains(one, there) ? " outer" : ""}`);
      element.title = words;
      return element;
    }));
    mark();
  }

  function contains(one, all) {
    if (all.length > MAX_COMPARED) return false;
    const [left, top, right, bottom] = one.box;
    return all.some(({ box, number }) => number !== one.number && box[0] >= left && box[1] >= top && box[2] <= right && box[3] <= bottom
      && (box[2] - box[0]) * (box[3] - box[1]) < (right - left) * (bottom - top));
  }

  function chooseAt({ target }) {
    const number = target.closest("[data-number]")?.dataset.number;
    if (number !== undefined) dispatchEvent(new CustomEvent("pick", { detail: Number(number) }));
  }

  slider.addEventListener("input", () => showThreshold(Number(slider.value)));
  result.addEventListener("click", showResult);
  auto.addEventListener("click", () => {
    slider.value = rendering.auto;
    showThreshold(rendering.auto);
  });
  for (const layer of [areas, parts]) layer.addEventListener("click", chooseAt);
  addEventListener("view", ({ detail }) => {
    section.hidden = detail !== "picture";
  });
  addEventListener("choose", ({ detail }) => {
    chosen = detail;
    if (chosen >= 0 && !paper.querySelector(`[data-number="${chosen}"]`)) addChosen();
    mark();
    if (section.hidden) return;
    paper.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  });
  addEventListener("show", ({ detail }) => {
    areas.hidden = own.length > 0 && !detail.includes("segment");
    showParts(detail);
  });

  // What is chosen in the list is outlined, also when its kind is hidden.
  function addChosen() {
    const one = others.find(({ number }) => number === chosen);
    if (one) parts.append(area(one, `part ${looks.get(one.kind).look}`));
  }

  paper.style.aspectRatio = `${rendering.width || 1} / ${rendering.height || 1}`;
  paper.style.maxWidth = `${rendering.width}px`;
  if (!picture.getAttribute("src")) picture.remove();
  const hasSlider = rendering.boxes !== undefined;
  for (const element of [slider, auto, slider.previousElementSibling]) element.hidden = !hasSlider;
  if (hasSlider) slider.value = rendering.auto;
  new ResizeObserver(placeNumbers).observe(paper);
  views.hidden = views.querySelector("[data-view=picture]").hidden = false;
  showResult();
  showParts(kinds.filter(({ quiet }) => !quiet).map(({ name }) => name));
})();
