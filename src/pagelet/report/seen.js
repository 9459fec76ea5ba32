"use strict";
// The page as it was drawn: its picture with the segments over it, those of the answer or those
// of any threshold. Boxes and clusters are entities; each join makes one of several.
(() => {
  const { seen, pagelets } = JSON.parse(document.getElementById("data").textContent);
  const [views, drawing, section, slider, told, auto, answer, paper, picture, areas] =
    ["views", "drawing", "seen", "threshold", "told", "auto", "answer", "paper", "picture", "areas"]
      .map((id) => document.getElementById(id));
  const SLACK = 1e-6; // levels are rounded
  const own = pagelets.flatMap(({ kind, box, text }, number) =>
    (kind === "segment" && box ? [{ number, box, text }] : []));
  let chosen = -1;

  // -- segments of a threshold ----------------------------------------------------------

  function around(one, [left, top, right, bottom]) {
    if (!one) return [left, top, right, bottom];
    return [Math.min(one[0], left), Math.min(one[1], top),
      Math.max(one[2], right), Math.max(one[3], bottom)];
  }

  function segmentsAt(threshold) {
    const { boxes, parent, level } = seen;
    let joins = level.findIndex((value) => value > threshold + SLACK);
    if (joins < 0) joins = level.length;
    const end = boxes.length + joins;
    const top = new Int32Array(end);
    for (let entity = end - 1; entity >= 0; entity -= 1) { // a part stands before its whole
      const above = parent[entity];
      top[entity] = above >= 0 && above < end ? top[above] : entity;
    }
    const found = new Map();
    const loose = [];
    boxes.forEach((box, at) => {
      if (top[at] < boxes.length) loose.push({ box });
      else {
        const one = found.get(top[at]) ?? { count: 0 };
        found.set(top[at], { box: around(one.box, box), count: one.count + 1 });
      }
    });
    const down = (one, two) => one.box[1] - two.box[1] || one.box[0] - two.box[0];
    return { segments: [...found.values()].sort(down), loose };
  }

  // -- drawing --------------------------------------------------------------------------

  function area({ box: [left, top, right, bottom], number }, className, label) {
    const element = document.createElement("div");
    element.className = className;
    const percent = (part, whole) => `${(100 * part) / (whole || 1)}%`;
    Object.assign(element.style, {
      left: percent(left, seen.width), top: percent(top, seen.height),
      width: percent(right - left, seen.width), height: percent(bottom - top, seen.height),
    });
    if (number !== undefined) element.dataset.number = number;
    if (label) element.append(label);
    return element;
  }

  function labelled(text) {
    const label = document.createElement("span");
    label.textContent = text;
    return label;
  }

  const counted = (count, noun, several = `${noun}s`) => `${count} ${count === 1 ? noun : several}`;

  function showAnswer() {
    areas.replaceChildren(...own.map((one, at) => area(one, "area", labelled(at + 1))));
    areas.classList.remove("tried");
    told.textContent = `the answer: ${counted(own.length, "segment")}`;
    answer.ariaPressed = "true";
    auto.ariaPressed = "false";
    mark();
  }

  function showThreshold(threshold) {
    const { segments, loose } = segmentsAt(threshold);
    const drawn = segments.map((one, at) => {
      const element = area(one, "area", labelled(at + 1));
      element.title = counted(one.count, "box", "boxes");
      return element;
    });
    areas.replaceChildren(...loose.map((one) => area(one, "loose")), ...drawn);
    areas.classList.add("tried");
    const rest = loose.length ? `, ${counted(loose.length, "loose box", "loose boxes")}` : "";
    told.textContent = `${threshold.toFixed(3)}: ${counted(segments.length, "segment")}${rest}`;
    slider.setAttribute("aria-valuetext", told.textContent);
    answer.ariaPressed = "false";
    auto.ariaPressed = String(threshold === seen.auto);
  }

  function mark() {
    for (const element of areas.children) {
      element.classList.toggle("chosen", Number(element.dataset.number ?? -1) === chosen);
    }
  }

  // -- what the reader does -------------------------------------------------------------

  function show(asPicture) {
    drawing.hidden = asPicture;
    section.hidden = !asPicture;
    for (const button of views.children) {
      button.ariaPressed = String((button.dataset.view === "picture") === asPicture);
    }
  }

  views.addEventListener("click", ({ target }) => {
    const view = target.closest("button")?.dataset.view;
    if (view) show(view === "picture");
  });
  slider.addEventListener("input", () => showThreshold(Number(slider.value)));
  answer.addEventListener("click", showAnswer);
  auto.addEventListener("click", () => {
    slider.value = seen.auto;
    showThreshold(seen.auto);
  });
  areas.addEventListener("click", ({ target }) => {
    const number = target.closest("[data-number]")?.dataset.number;
    if (number !== undefined) dispatchEvent(new CustomEvent("pick", { detail: Number(number) }));
  });
  addEventListener("choose", ({ detail }) => {
    chosen = detail;
    mark();
    if (section.hidden) return;
    areas.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  });
  addEventListener("show", ({ detail }) => {
    areas.hidden = own.length > 0 && !detail.includes("segment");
  });

  paper.style.aspectRatio = `${seen.width || 1} / ${seen.height || 1}`;
  paper.style.maxWidth = `${seen.width}px`;
  if (!picture.getAttribute("src")) picture.remove();
  const joined = seen.boxes !== undefined;
  for (const element of [slider, auto, slider.previousElementSibling]) element.hidden = !joined;
  if (joined) slider.value = seen.auto;
  views.hidden = false;
  showAnswer();
})();
