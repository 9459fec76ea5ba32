"use strict";
// The report around the drawing: legend, list and tooltip. The frame is not trusted: only numbers
// of pagelets and a position are accepted from it.
(() => {
  const { kinds, pagelets, methods, overlay } = JSON.parse(document.getElementById("data").textContent);
  const [drawing, legend, list, filter, tip] =
    ["drawing", "legend", "list", "filter", "tip"].map((id) => document.getElementById(id));
  const colours = new Map(kinds.map((kind) => [kind.name, kind]));
  const shown = new Set(colours.keys());
  const folded = new Set(kinds.filter((kind) => kind.quiet).map((kind) => kind.name));
  const folds = new Map();
  let rows = [];
  let chosen = -1;

  function make(tag, className, ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
  }

  function format(value) {
    if (typeof value === "number") return String(Math.round(value * 1000) / 1000);
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  }

  const formatScore = (score) => (Number.isInteger(score) ? String(score) : format(score));

  // Tells the view of the rendered page, if there is one, what is chosen and shown.
  const announce = (type, detail) => dispatchEvent(new CustomEvent(type, { detail }));

  function post(message) {
    drawing.contentWindow.postMessage(message, "*");
  }

  // -- legend ---------------------------------------------------------------------------

  function chip(text, pressed, count) {
    const button = make("button", "", make("span", "swatch"), text);
    if (count !== undefined) button.append(make("span", "number", String(count)));
    button.type = "button";
    button.ariaPressed = String(pressed);
    return button;
  }

  function addKind({ name, words, look }) {
    const button = chip(words, true, pagelets.filter((pagelet) => pagelet.kind === name).length);
    button.dataset.kind = name;
    button.className = look;
    button.addEventListener("click", () => {
      if (!shown.delete(name)) shown.add(name);
      showKinds();
    });
    legend.append(button);
  }

  function postShown() {
    post({ type: "show", without: [...colours.keys()].filter((name) => !shown.has(name)) });
  }

  function showKinds() {
    for (const button of legend.querySelectorAll("[data-kind]")) {
      button.ariaPressed = String(shown.has(button.dataset.kind));
    }
    postShown();
    announce("show", [...shown]);
    showRows();
  }

  // -- list -----------------------------------------------------------------------------

  function row(pagelet, number) {
    const others = pagelet.others ? ` and ${pagelet.others} more` : "";
    const path = make("span", "path", make("bdi", "", pagelet.path + others));
    const button = make(
      "button", "",
      make("span", "kind", pagelet.kind), make("span", "score", formatScore(pagelet.score)),
      make("span", "text", pagelet.text), path,
    );
    button.type = "button";
    button.tabIndex = -1;
    button.ariaExpanded = "false";
    const item = make("li", "", button);
    item.dataset.number = number;
    item.classList.add(colours.get(pagelet.kind).look);
    return item;
  }

  // Quiet kinds come last, behind a row that unfolds them.
  function fold(name) {
    const button = make("button", "", make("span", "kind", name), make("span", "score"));
    button.type = "button";
    button.addEventListener("click", () => {
      if (!folded.delete(name)) folded.add(name);
      showRows();
    });
    const item = make("li", "fold", button);
    item.classList.add(colours.get(name).look);
    folds.set(name, item);
    return item;
  }

  function fill() {
    const quiet = (item) => colours.get(pagelets[item.dataset.number].kind).quiet;
    list.append(...rows.filter((item) => !quiet(item)));
    for (const { name } of kinds.filter((kind) => kind.quiet)) {
      list.append(fold(name), ...rows.filter((item) => pagelets[item.dataset.number].kind === name));
    }
  }

  function showFold(name, item, count) {
    const open = !folded.has(name);
    item.hidden = count === 0;
    item.firstChild.ariaExpanded = String(open);
    item.querySelector(".score").textContent = `${count} ${open ? "▾" : "▸"}`;
  }

  function reason(pagelet) {
    const how = pagelet.profile === "default" ? pagelet.method : `${pagelet.method}, ${pagelet.profile}`;
    const measures = make("dl", "reason", make("dt", "", "method"), make("dd", "", how));
    for (const { text, effect } of pagelet.why) {
      measures.append(make("dt", "", text), make("dd", "", `${effect > 0 ? "+" : ""}${format(effect)}`));
    }
    for (const [name, value] of pagelet.why.length ? [] : Object.entries(pagelet.reason)) {
      measures.append(make("dt", "", name.replaceAll("_", " ")), make("dd", "", format(value)));
    }
    return measures;
  }

  function showRows() {
    const words = filter.value.trim().toLowerCase();
    let count = 0;
    const counts = new Map();
    rows.forEach((item, number) => {
      const { kind, text, path } = pagelets[number];
      const fits = shown.has(kind) && `${kind} ${text} ${path}`.toLowerCase().includes(words);
      item.hidden = !fits || folded.has(kind);
      count += fits;
      counts.set(kind, (counts.get(kind) ?? 0) + fits);
    });
    folds.forEach((item, name) => showFold(name, item, counts.get(name) ?? 0));
    const all = pagelets.length;
    const noun = all === 1 ? "pagelet" : "pagelets";
    document.getElementById("count").textContent =
      count === all ? `${all} ${noun}` : `${count} of ${all} ${noun}`;
    const nothing = document.getElementById("nothing");
    nothing.hidden = count > 0;
    nothing.textContent = all ? "No pagelet matches." : `No pagelets found by ${methods.join(", ") || "any method"}.`;
    const first = [...list.children].find((item) => !item.hidden);
    makeFocusable(chosen >= 0 && !rows[chosen].hidden ? rows[chosen] : first);
  }

  // One row at a time is in the tab order; arrow keys move between rows.
  function makeFocusable(item) {
    for (const button of list.querySelectorAll("button:not([tabindex='-1'])")) button.tabIndex = -1;
    if (item) item.firstChild.tabIndex = 0;
  }

  function choose(number) {
    if (chosen >= 0) {
      rows[chosen].classList.remove("chosen");
      rows[chosen].firstChild.ariaExpanded = "false";
      rows[chosen].querySelector(".reason").remove();
    }
    chosen = number;
    if (number >= 0) {
      if (folded.delete(pagelets[number].kind)) showRows();
      rows[number].classList.add("chosen");
      rows[number].firstChild.ariaExpanded = "true";
      rows[number].append(reason(pagelets[number]));
      makeFocusable(rows[number]);
      rows[number].scrollIntoView({ block: "nearest" });
    }
    post({ type: "choose", number });
    announce("choose", number);
  }

  function step(from, key) {
    const there = [...list.children].filter((item) => !item.hidden);
    const at = there.indexOf(from);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: there.length - 1 }[key];
    return to === undefined ? undefined : there[to];
  }

  const numberAt = (event) => Number(event.target.closest("li")?.dataset.number ?? -1);

  list.addEventListener("click", (event) => {
    const number = event.target.closest("button") ? numberAt(event) : -1;
    if (number >= 0) choose(number === chosen ? -1 : number);
  });
  list.addEventListener("keydown", (event) => {
    const next = step(event.target.closest("li"), event.key);
    if (!next) return;
    event.preventDefault();
    makeFocusable(next);
    next.firstChild.focus();
  });
  list.addEventListener("pointerover", (event) => post({ type: "point", number: numberAt(event) }));
  list.addEventListener("pointerleave", () => post({ type: "point", number: -1 }));
  filter.addEventListener("input", showRows);
  addEventListener("pick", ({ detail }) => choose(detail === chosen ? -1 : detail));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen >= 0) choose(-1);
  });

  // -- tooltip --------------------------------------------------------------------------

  function section(number) {
    const pagelet = pagelets[number];
    const title = make(
      "div", "title",
      make("span", "swatch"), make("span", "kind", pagelet.kind),
      make("span", "score", formatScore(pagelet.score)),
    );
    const part = make("section", "", title, reason(pagelet));
    part.className = colours.get(pagelet.kind).look;
    return part;
  }

  function showTip(numbers, x, y) {
    tip.hidden = numbers.length === 0;
    if (tip.hidden) return;
    tip.replaceChildren(...numbers.slice(0, 3).map(section));
    const frame = drawing.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const left = Math.min(frame.left + x + 14, innerWidth - width - 8);
    const below = frame.top + y + 18;
    const top = below + height > innerHeight - 8 ? frame.top + y - height - 10 : below;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${Math.max(8, top)}px`;
  }

  // -- the frame ------------------------------------------------------------------------

  function start() {
    const items = pagelets.map(({ kind, score }) => ({ kind, label: `${kind} ${formatScore(score)}` }));
    post({ type: "draw", kinds, items, overlay });
    postShown();
  }

  function markUnseen(numbers) {
    const unseen = new Set(numbers);
    rows.forEach((item, number) => item.classList.toggle("unseen", unseen.has(number)));
  }

  const isNumber = (value) => Number.isInteger(value) && value >= 0 && value < pagelets.length;
  const numbersOf = (value) => (Array.isArray(value) ? value.filter(isNumber) : []);

  addEventListener("message", ({ source, data }) => {
    if (source !== drawing.contentWindow || data === null || typeof data !== "object") return;
    if (data.type === "ready") start();
    if (data.type === "unseen") markUnseen(numbersOf(data.numbers));
    if (data.type === "over") showTip(numbersOf(data.numbers), Number(data.x) || 0, Number(data.y) || 0);
    if (data.type === "click" && isNumber(data.number)) choose(data.number);
    if (data.type === "escape") choose(-1);
  });

  kinds.forEach(addKind);
  rows = pagelets.map(row);
  fill();
  filter.hidden = pagelets.length === 0;
  showRows();
  start();
})();
