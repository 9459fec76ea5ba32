// The answer in view: as text, Markdown, JSON, table or tree, to read, to copy and to save.

import { byId, make, saveFile } from "../shared/elements.js";
import { app } from "./state.js";
import { listOverview } from "./requests.js";
import { drawPng, writeMarkdown } from "./export.js";
import { hasLinks, makeTable, tabulate, toCsv, writeRecords } from "./table.js";
import { isNarrowed, narrow } from "./words.js";
import { growTree, makeTree, writeTree } from "./tree.js";

const MAX_SHOWN_CHARS = 400_000; // of a text; copies and files have all of it
const TABS = [
  ["page", "Page", "The page with its parts outlined"],
  ["text", "Text", "The answer as plain text"],
  ["markdown", "Markdown", "The answer as Markdown"],
  ["json", "JSON", "What is shown, as JSON"],
  ["table", "Table", "Records, links or parts as a table"],
  ["tree", "Tree", "The menu, or the parts with what is in them, as a tree"],
];
const FILES = {
  text: ["txt", "text/plain"], markdown: ["md", "text/markdown"], json: ["json", "application/json"],
  table: ["csv", "text/csv"], tree: ["txt", "text/plain"], page: ["png", "image/png"],
};

// -- what is shown, as JSON ---------------------------------------------------------------

// An answer without the kinds that are hidden, and without reasons unless they are wanted.
export function filterAnswer(answer, hidden, withReasons) {
  const pagelets = answer.pagelets.filter(({ kind }) => !hidden.has(kind));
  const strip = ({ reason: _, why: __, ...rest }) => rest;
  return { ...answer, pagelets: withReasons ? pagelets : pagelets.map(strip) };
}

function mapValues(values, change) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

// A text to read; paragraphs of content stand apart.
function makeText(tab, text) {
  const isProse = tab === "text" && ["all", "content"].includes(app.state.method);
  const lines = isProse ? text.trimEnd().split("\n").map((line) => make("span", {}, line)) : [text];
  return make("pre", { class: { json: "code", text: "prose" }[tab] ?? "marked" }, ...lines);
}

export class Answers {
  #requests;
  #view;
  #drawing;
  #on;
  #written = new Map(); // answers in other formats, by method and format
  #turn = 0;

  // on: {tab(name), say(text), fail(error)}
  constructor({ requests, view, drawing, on }) {
    this.#requests = requests;
    this.#view = view;
    this.#drawing = drawing;
    this.#on = on;
    byId("tabs").append(...TABS.map(([name, label, title]) => make("button", {
      type: "button", role: "tab", id: `tab-${name}`, title, ariaSelected: "false", tabIndex: -1, data: { tab: name },
      "aria-controls": name === "page" ? "view-page" : "view-answer",
    }, label)));
    byId("tabs").addEventListener("click", ({ target }) => target.dataset.tab && on.tab(target.dataset.tab));
    byId("tabs").addEventListener("keydown", (event) => this.#step(event));
    byId("copy").addEventListener("click", () => this.#guard(() => this.#copy()));
    byId("download").addEventListener("click", () => this.#guard(() => this.#download()));
    byId("with-reasons").addEventListener("change", () => this.show());
  }

  // Forget what was written for another answer.
  clear() {
    this.#written.clear();
  }

  async show() {
    const { tab } = app.state;
    for (const button of byId("tabs").children) {
      const chosen = button.dataset.tab === tab;
      button.ariaSelected = String(chosen);
      button.tabIndex = chosen ? 0 : -1;
    }
    byId("view-page").hidden = tab !== "page";
    byId("view-answer").hidden = tab === "page";
    byId("view-answer").setAttribute("aria-labelledby", `tab-${tab}`);
    byId("reasons-field").hidden = tab !== "json";
    if (tab === "page" || !app.page) return;
    const turn = ++this.#turn;
    await this.#guard(async () => {
      const shown = await this.#make(tab);
      if (turn !== this.#turn) return;
      byId("answer").replaceChildren(shown);
      byId("answer").dataset.tab = tab;
    });
  }

  get stem() {
    const { page, state } = app;
    const base = page.loaded ? new URL(page.url).host + new URL(page.url).pathname : page.name;
    const stem = base.replace(/\.x?html?$/i, "").replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replaceAll(/^-+|-+$/g, "");
    return `${stem.slice(0, 60) || "page"}-${state.method === "all" ? "parts" : state.method}`;
  }

  // -- making -----------------------------------------------------------------------------

  async #make(tab) {
    if (tab === "table") return makeTable(await this.#tabulate());
    if (tab === "tree") return makeTree(growTree(this.#view.items));
    const text = await this.write(tab);
    if (!text.trim()) return make("p", { class: "soft" }, "Nothing was found, so there is nothing to show here.");
    const cut = text.length > MAX_SHOWN_CHARS;
    const shown = makeText(tab, cut ? text.slice(0, MAX_SHOWN_CHARS) : text);
    if (!cut) return shown;
    const note = `The first ${MAX_SHOWN_CHARS.toLocaleString("en")} of ${text.length.toLocaleString("en")} characters; Copy and Download give all.`;
    return make("div", {}, make("p", { class: "soft" }, note), shown);
  }

  // A table of links needs those of a brief answer.
  async #tabulate() {
    const items = this.#view.items.filter(({ kind }) => !app.state.hidden.has(kind));
    const { method } = app.state;
    if (!hasLinks(method) || !app.answers[method]?.brief) return tabulate(items);
    const { pagelets } = await this.#complete(method, false);
    return tabulate(pagelets.filter(({ kind }) => !app.state.hidden.has(kind)).map((pagelet) => ({ pagelet, answer: app.answers[method] })));
  }

  // What a tab shows, as text.
  async write(tab) {
    if (tab === "json") return this.writeJson(byId("with-reasons").checked);
    if (tab === "table") return toCsv(await this.#tabulate());
    if (tab === "tree") return writeTree(growTree(this.#view.items));
    const name = app.state.method === "all" ? "content" : app.state.method;
    if (tab === "text" && isNarrowed(app.answers[name])) return writeRecords(await this.#tabulate());
    if (!app.methods.get(name).formats.includes(tab)) {
      return writeMarkdown(app.page.title, this.#view.shown.map(({ pagelet }) => pagelet));
    }
    return this.#request(name, tab);
  }

  async writeJson(withReasons) {
    const { state, page, answers } = app;
    const names = state.method === "all" ? listOverview() : [state.method];
    const chosen = Object.fromEntries(names.filter((name) => answers[name]).map((name) => [name, answers[name]]));
    for (const [name, answer] of Object.entries(chosen)) {
      if (answer.brief) chosen[name] = await this.#complete(name, withReasons);
    }
    const shown = mapValues(chosen, (answer) => filterAnswer(narrow(answer), state.hidden, withReasons));
    const whole = state.method === "all" ? { schema: 1, url: page.url || null, methods: shown } : shown[state.method];
    return `${JSON.stringify(whole, null, 2)}\n`;
  }

  #request(name, format) {
    return this.#once(`${name} ${format}`, () => this.#requests.write(name, format));
  }

  #complete(name, reasons) {
    return this.#once(`${name} ${reasons ? "with reasons" : "whole"}`, () => this.#requests.complete(name, { reasons }));
  }

  async #once(key, make) {
    if (!this.#written.has(key)) this.#written.set(key, await make());
    return this.#written.get(key);
  }

  // -- taking away ------------------------------------------------------------------------

  async #copy() {
    const { tab } = app.state;
    if (tab === "page") {
      const { png } = await drawPng(this.#drawing);
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
      this.#on.say("picture copied");
      return;
    }
    const text = await this.write(tab);
    if (text.trim()) await this.copyText(text, `${tab} copied`);
    else this.#on.say("nothing was found, so nothing is copied");
  }

  async copyText(text, said) {
    await navigator.clipboard.writeText(text);
    this.#on.say(said);
  }

  async #download() {
    const { tab } = app.state;
    const [ending, type] = FILES[tab];
    const name = `${this.stem}${tab === "tree" ? "-tree" : ""}.${ending}`;
    const data = tab === "page" ? (await drawPng(this.#drawing)).png : await this.write(tab);
    if (typeof data === "string" && !data.trim()) return this.#on.say("nothing was found, so nothing is saved");
    saveFile(name, type, data);
    return this.#on.say(`saved ${name}`);
  }

  async #guard(run) {
    try {
      await run();
    } catch (problem) {
      this.#on.fail(problem);
    }
  }

  #step(event) {
    const tabs = [...byId("tabs").children];
    const at = tabs.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined || !tabs[to]) return;
    event.preventDefault();
    event.stopPropagation();
    tabs[to].focus();
    this.#on.tab(tabs[to].dataset.tab);
  }
}
