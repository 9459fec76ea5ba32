"use strict";
// The report around the drawing: legend, list and tooltip. The frame is not trusted: only numbers
// of pagelets and a position are accepted from it.
(() => {
  const { kinds, pagelets, methods, overlay, content } = JSON.parse(document.getElementById("data").textContent);
  const [drawing, legend, list, filter, tip, views] =
    ["drawing", "legend", "list", "filter", "tip", "views"].map((id) => document.getElementById(id));
  const PAGE_WIDTH = 1280; // px at which the page is drawn; it is scaled to fit
  const PHONE_WIDTH = 600; // px: on narrower screens the page has the width of the screen
  const colours = new Map(kinds.map((kind) => [kind.name, kind]));
  const shown = new Set(kinds.filter((kind) => !kind.quiet).map((kind) => kind.name));
  let scale = 1; // px of the screen for one of the drawing
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

  // A percentage where the score is a probability; the sentence begins with it.
  function formatScore({ score, likely }) {
    const [percent] = /[\d.]+ %/.exec(likely) ?? [];
    return percent ?? (Number.isInteger(score) ? String(score) : format(score));
  }

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
    const button = chip(words, shown.has(name), pagelets.filter((pagelet) => pagelet.kind === name).length);
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
      const on = shown.has(button.dataset.kind);
      button.ariaPressed = String(on);
      button.title = `${on ? "Hide" : "Show"} ${colours.get(button.dataset.kind).words}`;
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
      make("span", "kind", colours.get(pagelet.kind).words), make("span", "score", formatScore(pagelet)),
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

  function fill() { // in page order
    const order = (one, two) => pagelets[one.dataset.number].row - pagelets[two.dataset.number].row || one.dataset.number - two.dataset.number;
    list.append(...[...rows].sort(order));
  }

  function reason(pagelet) {
    const how = pagelet.profile === "default" ? pagelet.method : `${pagelet.method}, ${pagelet.profile}`;
    const measures = make("dl", "reason", make("dt", "", "method"), make("dd", "", how));
    if (pagelet.likely) {
      const [likely, needed] = pagelet.likely.split("; ");
      measures.append(make("dt", "", likely), make("dd", "", needed));
    }
    const most = Math.max(...pagelet.why.map(({ effect }) => Math.abs(effect)), 1e-9);
    for (const { text, effect } of pagelet.why) measures.append(make("dt", "", text), makeEffect(effect, most));
    for (const [name, value] of pagelet.why.length ? [] : Object.entries(pagelet.reason)) {
      measures.append(make("dt", "", name.replaceAll("_", " ")), make("dd", "", format(value)));
    }
    return measures;
  }

  // A bar to the right speaks for the answer, a bar to the left against it.
  function makeEffect(effect, most) {
    const bar = make("span", effect < 0 ? "effect against" : "effect for");
    bar.style.setProperty("--share", Math.abs(effect) / most);
    const value = make("dd", "effects", make("span", "", `${effect > 0 ? "+" : effect < 0 ? "−" : ""}${format(Math.abs(effect))}`), bar);
    value.title = effect < 0 ? "speaks against the answer" : "speaks for the answer";
    return value;
  }

  function showRows() {
    const words = filter.value.trim().toLowerCase();
    let count = 0;
    rows.forEach((item, number) => {
      const { kind, text, path } = pagelets[number];
      const fits = shown.has(kind) && `${kind} ${text} ${path}`.toLowerCase().includes(words);
      item.hidden = !fits && number !== chosen;
      count += fits;
    });
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
    const before = chosen;
    if (chosen >= 0) {
      rows[chosen].classList.remove("chosen");
      rows[chosen].firstChild.ariaExpanded = "false";
      rows[chosen].querySelector(".reason").remove();
    }
    chosen = number;
    if ([before, number].some((each) => each >= 0 && !shown.has(pagelets[each].kind))) showRows();
    if (number >= 0) {
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
      make("span", "swatch"), make("span", "kind", colours.get(pagelet.kind).words),
      make("span", "score", formatScore(pagelet)),
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
    const left = Math.min(frame.left + x * scale + 14, innerWidth - width - 8);
    const below = frame.top + y * scale + 18;
    const top = below + height > innerHeight - 8 ? frame.top + y * scale - height - 10 : below;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${Math.max(8, top)}px`;
  }

  // -- views ------------------------------------------------------------------------------

  // The page is drawn at a usual width, and scaled to fit.
  function fit() {
    const room = drawing.parentElement.clientWidth;
    if (!room) return;
    scale = room < PHONE_WIDTH ? 1 : Math.min(1, room / PAGE_WIDTH);
    const wide = room < PHONE_WIDTH ? room : Math.max(PAGE_WIDTH, room);
    post({ type: "zoom", scale });
    Object.assign(drawing.style, {
      width: `${wide}px`, height: `${100 / scale}%`, transform: scale < 1 ? `scale(${scale})` : "none",
    });
  }

  const LINK = /!?\[((?:[^\[\]\\]|\\.)*)\]\((?:<[^>]*>|[^()\s]*)(?:\s+"[^"]*")?\)/g;
  const plain = (text) => text.replaceAll(LINK, "$1").replaceAll(/(\*\*|__|`)(.+?)\1/g, "$2").replaceAll(/\\([^\w\s])/g, "$1");

  // One block of Markdown as an element; what is no heading, quote or list is a paragraph.
  function makeBlock(block) {
    const [, marks, title] = /^(#{1,6})\s+(.*)$/s.exec(block) ?? [];
    if (marks) return make(`h${Math.min(marks.length + 1, 6)}`, "", plain(title));
    if (/^(```|\|)/.test(block)) return make("pre", "", block);
    if (/^([-*+]|\d+\.)\s/.test(block)) {
      return make("ul", "", ...block.split(/\n(?=\s*(?:[-*+]|\d+\.)\s)/).map((item) => make("li", "", plain(item.replace(/^\s*(?:[-*+]|\d+\.)\s+/, "")))));
    }
    return block.startsWith(">") ? make("blockquote", "", plain(block.replaceAll(/^>\s?/gm, ""))) : make("p", "", plain(block));
  }

  function showView(name) {
    for (const button of views.children) button.ariaPressed = String(button.dataset.view === name);
    document.getElementById("content").hidden = name !== "content";
    drawing.hidden = name !== "page";
    announce("view", name);
  }

  function offerViews() {
    const blocks = content.split(/\n{2,}/).filter((block) => block.trim());
    document.getElementById("content").append(...blocks.map(makeBlock));
    views.querySelector("[data-view=content]").hidden = !blocks.length;
    views.hidden &&= !blocks.length;
    views.addEventListener("click", ({ target }) => target.closest("button") && showView(target.closest("button").dataset.view));
  }

  // -- the frame ------------------------------------------------------------------------

  function start() {
    const items = pagelets.map((pagelet) => ({ kind: pagelet.kind, label: `${colours.get(pagelet.kind).words} ${formatScore(pagelet)}` }));
    post({ type: "draw", kinds, items, overlay, scale });
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

  offerViews();
  new ResizeObserver(fit).observe(drawing.parentElement);
  fit();
  kinds.forEach(addKind);
  rows = pagelets.map(row);
  fill();
  filter.hidden = pagelets.length === 0;
  showRows();
  start();
})();
