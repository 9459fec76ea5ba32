// What is on the screen: regions in the drawings, the list, the chosen one and why it is one.

import { byId } from "../shared/service.js";
import { pathsOf } from "../shared/rows.js";
import { KINDS } from "./kinds.js";
import { List, labelOf, showDetail } from "./list.js";
import { EXPLAINED, missedMenu, why } from "./why.js";
import { overview } from "./requests.js";
import { acting } from "./options.js";
import { compare } from "./compare.js";
import { showLegend, showProblem } from "./panel.js";
import { here, profileOf, valuesOf } from "./state.js";

const keyOf = ({ pagelet }) => pathsOf(pagelet).join(" ");

function itemsOf(answer) {
  return answer.pagelets.map((pagelet) => ({
    method: answer.method, answer, pagelet, kind: pagelet.kind, label: labelOf(pagelet),
    places: pathsOf(pagelet).flatMap((path) => here.page.rows.find(path) ?? []),
  }));
}

function nothingOf({ method }, answers) {
  if (answers[method]?.template?.known === false) {
    return "What a page shares with its site is seen by comparing: open the page and others of its site at once.";
  }
  return `Nothing found by ${method === "all" ? "any method" : method}.`;
}

const sent = (items) => items.map(({ kind, label, places }) => ({ kind, label, places }));

export class Shown {
  items = []; // those of the first drawing, then those that only the second has
  #own = 0; // how many the first drawing has
  #second = []; // those of the second drawing
  #drawings;
  #on;
  #list = new List({ choose: (number) => this.choose(number), point: (number) => this.#drawings[0].point(number) });

  // on: {remember(), option(method, name, value), everything(method, options)}
  constructor(drawings, on) {
    this.#drawings = drawings;
    this.#on = on;
  }

  show() {
    const { state, answers, other } = here;
    const names = state.method === "all" ? overview() : [state.method];
    const own = names.map((name) => answers[name]).filter(Boolean).flatMap(itemsOf);
    this.#second = other ? itemsOf(other) : [];
    const { only, told } = other ? compare(own, this.#second) : { only: [], told: "" };
    this.items = [...own, ...only];
    this.#own = own.length;
    this.#drawings[0].draw(KINDS, sent(own));
    if (other) this.#drawings[1].draw(KINDS, sent(this.#second));
    this.#titles(told);
    this.#list.fill(this.items, { hidden: state.hidden, nothing: nothingOf(state, answers), rows: here.page.rows });
    this.#kinds();
    const { method, path } = state.chosen ?? {};
    const again = this.items.findIndex((item) => item.method === method && pathsOf(item.pagelet)[0] === path);
    this.choose(again, { keep: true });
  }

  #titles(told) {
    const { state, other } = here;
    byId("title-one").hidden = byId("agreement").hidden = byId("title-two").parentElement.hidden = !other;
    byId("agreement").textContent = told;
    byId("title-one").textContent = `A: ${state.method}, ${profileOf(state.method)}`;
    byId("title-two").textContent = `B: ${state.compare.replace(":", ", ")}`;
  }

  #kinds() {
    const { hidden } = here.state;
    for (const drawing of this.#drawings) drawing.show(hidden);
    showLegend(this.items, hidden, (kind) => {
      if (!hidden.delete(kind)) hidden.add(kind);
      this.#list.hide(hidden);
      this.#kinds();
      this.#on.remember();
    });
  }

  unseen(numbers) {
    if (!here.other) this.#list.unseen(numbers);
  }

  click(which, number, row) {
    if (number < 0) this.#pick(row);
    else if (which === 0) this.choose(number);
    else this.choose(this.items.findIndex((item) => keyOf(item) === keyOf(this.#second[number])));
  }

  step(by) {
    this.choose(this.#list.next(by));
  }

  choose(number, { keep = false } = {}) {
    const item = this.items[number];
    if (item || !keep) here.state.chosen = item ? { method: item.method, path: pathsOf(item.pagelet)[0] } : null;
    this.#list.choose(number);
    this.#drawings[0].choose(number < this.#own ? number : -1);
    this.#drawings[1].choose(item ? this.#second.findIndex((one) => keyOf(one) === keyOf(item)) : -1);
    showDetail(item ? this.#told(item) : this.#missed());
    this.#on.remember();
  }

  // The innermost pagelet around the chosen one.
  up() {
    const { method, path } = here.state.chosen ?? {};
    const at = here.page?.rows.find(path ?? "");
    if (!method || !at) return;
    const above = at.text ? here.page.rows.upward(at.row) : here.page.rows.upward(at.row).slice(1);
    const found = this.#innermost(above);
    if (found >= 0) this.choose(found);
  }

  #innermost(above) { // the item at the first of these rows that has one
    const rows = this.items.map(({ places }) => (places[0]?.text ? -1 : places[0]?.row));
    return above.map((row) => rows.indexOf(row)).find((number) => number >= 0) ?? -1;
  }

  #told({ answer, pagelet, method }) {
    const own = answer === here.answers[method];
    const values = own ? valuesOf(method) : acting(here.methods.get(method), answer.profile, {});
    const lines = why(answer, pagelet, values).map((line) => (own ? line : { ...line, set: undefined }));
    return {
      title: `${labelOf(pagelet)} · ${method}, ${answer.profile}`, pagelet, lines,
      apply: ({ name, value }) => this.#on.option(method, name, value), up: () => this.up(),
    };
  }

  #missed() { // the menu that was not good enough
    const answer = here.state.method === "menu" ? here.answers.menu : undefined;
    const best = answer && !answer.pagelets.length ? missedMenu(answer, valuesOf("menu")) : undefined;
    if (!best) return undefined;
    const apply = ({ name, value }) => this.#on.option("menu", name, value);
    return { title: "No menu; the best place for one", pagelet: best, lines: best.lines, apply };
  }

  // What is no pagelet: tell what was measured there, where the method can say.
  async #pick(row) {
    const name = here.state.method === "all" ? "clutter" : here.state.method;
    const dropped = name === "content" ? this.#innermost(here.page.rows.upward(row)) : -1; // of a hidden kind
    this.choose(dropped);
    if (!EXPLAINED[name] || !Number.isInteger(row)) return;
    try {
      this.#tellPicked(name, row, await this.#on.everything(name, EXPLAINED[name]));
    } catch (problem) {
      showProblem(problem);
    }
  }

  #tellPicked(name, row, all) {
    const byPath = new Map(all.pagelets.map((pagelet) => [pagelet.path, pagelet]));
    const pagelet = here.page.rows.upward(row).map((one) => byPath.get(here.page.rows.path(one))).find(Boolean);
    if (!pagelet) return;
    const apply = (set) => this.#on.option(name, set.name, set.value);
    const lines = why(all, pagelet, valuesOf(name));
    showDetail({ title: `No ${name} here: score ${pagelet.score}`, pagelet, lines, apply });
  }
}
