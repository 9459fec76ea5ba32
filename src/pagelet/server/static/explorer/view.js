// The view: pagelets in the drawings and in the list, and the details of the chosen one.

import { byId } from "../shared/elements.js";
import { pathsOf } from "../shared/rows.js";
import { kindsOf } from "./kinds.js";
import { List, labelOf, showDetail } from "./list.js";
import { LIST_ALL, explain, explainNoMenu } from "./why.js";
import { listOverview } from "./requests.js";
import { effectiveValues } from "./options.js";
import { compare } from "./compare.js";
import { showLegend, showProblem } from "./panel.js";
import { app, profileOf, valuesOf } from "./state.js";

const keyOf = ({ pagelet }) => pathsOf(pagelet).join(" ");

function makeItems(answer) {
  return answer.pagelets.map((pagelet) => ({
    method: answer.method, answer, pagelet, kind: pagelet.kind, label: labelOf(pagelet),
    places: pathsOf(pagelet).flatMap((path) => app.page.rows.find(path) ?? []),
  }));
}

function emptyMessage({ method }, answers) {
  if (answers[method]?.template?.known === false) {
    return "The template is found by comparing pages: open this page together with other pages of its site.";
  }
  return `No pagelets found by ${method === "all" ? "any method" : method}.`;
}

const toMessage = (items) => items.map(({ kind, label, places }) => ({ kind, label, places }));

export class View {
  items = []; // items of the first drawing, then those only in the second
  #own = 0; // number of items in the first drawing
  #second = []; // items of the second drawing
  #drawings;
  #on;
  #list = new List({ choose: (number) => this.choose(number), point: (number) => this.#drawings[0].point(number) });

  // on: {remember(), option(method, name, value), run(method, options)}
  constructor(drawings, on) {
    this.#drawings = drawings;
    this.#on = on;
  }

  show() {
    const { state, answers, other } = app;
    const names = state.method === "all" ? listOverview() : [state.method];
    const own = names.map((name) => answers[name]).filter(Boolean).flatMap(makeItems);
    this.#second = other ? makeItems(other) : [];
    const { only, summary } = other ? compare(own, this.#second) : { only: [], summary: "" };
    this.items = [...own, ...only];
    this.#own = own.length;
    const kinds = kindsOf([...own, ...this.#second].map(({ kind }) => kind));
    this.#drawings[0].draw(kinds, toMessage(own));
    if (other) this.#drawings[1].draw(kinds, toMessage(this.#second));
    this.#showTitles(summary);
    this.#list.fill(this.items, { hidden: state.hidden, nothing: emptyMessage(state, answers), rows: app.page.rows });
    this.#showKinds();
    const { method, path } = state.chosen ?? {};
    const chosen = this.items.findIndex((item) => item.method === method && pathsOf(item.pagelet)[0] === path);
    this.choose(chosen, { keep: true });
  }

  #showTitles(summary) {
    const { state, other } = app;
    byId("title-one").hidden = byId("agreement").hidden = byId("title-two").parentElement.hidden = !other;
    byId("agreement").textContent = summary;
    byId("title-one").textContent = `A: ${state.method}, ${profileOf(state.method)}`;
    byId("title-two").textContent = `B: ${state.compare.replace(":", ", ")}`;
  }

  #showKinds() {
    const { hidden } = app.state;
    for (const drawing of this.#drawings) drawing.hideKinds(hidden);
    showLegend(this.items, hidden, (kind) => {
      if (!hidden.delete(kind)) hidden.add(kind);
      this.#list.hide(hidden);
      this.#showKinds();
      this.#on.remember();
    });
  }

  markUnseen(numbers) {
    if (!app.other) this.#list.markUnseen(numbers);
  }

  click(which, number, row) {
    if (number < 0) this.#explainRow(row);
    else if (which === 0) this.choose(number);
    else this.choose(this.items.findIndex((item) => keyOf(item) === keyOf(this.#second[number])));
  }

  step(by) {
    this.choose(this.#list.next(by));
  }

  choose(number, { keep = false } = {}) {
    const item = this.items[number];
    if (item || !keep) app.state.chosen = item ? { method: item.method, path: pathsOf(item.pagelet)[0] } : null;
    this.#list.choose(number);
    this.#drawings[0].choose(number < this.#own ? number : -1);
    this.#drawings[1].choose(item ? this.#second.findIndex((one) => keyOf(one) === keyOf(item)) : -1);
    showDetail(item ? this.#describe(item) : this.#describeNoMenu());
    this.#on.remember();
  }

  // Choose the innermost pagelet around the chosen one.
  chooseParent() {
    const { method, path } = app.state.chosen ?? {};
    const at = app.page?.rows.find(path ?? "");
    if (!method || !at) return;
    const above = at.text ? app.page.rows.ancestors(at.row) : app.page.rows.ancestors(at.row).slice(1);
    const number = this.#findInnermost(above);
    if (number >= 0) this.choose(number);
  }

  #findInnermost(above) { // the item at the first of these rows that has one
    const rows = this.items.map(({ places }) => (places[0]?.text ? -1 : places[0]?.row));
    return above.map((row) => rows.indexOf(row)).find((number) => number >= 0) ?? -1;
  }

  #describe({ answer, pagelet, method }) {
    const own = answer === app.answers[method];
    const values = own ? valuesOf(method) : effectiveValues(app.methods.get(method), answer.profile, {});
    const lines = explain(answer, pagelet, values).map((line) => (own ? line : { ...line, set: undefined }));
    return {
      title: `${labelOf(pagelet)} · ${method}, ${answer.profile}`, pagelet, lines,
      apply: ({ name, value }) => this.#on.option(method, name, value), up: () => this.chooseParent(),
    };
  }

  #describeNoMenu() { // the best candidate that was not good enough
    const answer = app.state.method === "menu" ? app.answers.menu : undefined;
    const best = answer && !answer.pagelets.length ? explainNoMenu(answer, valuesOf("menu")) : undefined;
    if (!best) return undefined;
    const apply = ({ name, value }) => this.#on.option("menu", name, value);
    return { title: "No menu; best candidate", pagelet: best, lines: best.lines, apply };
  }

  // Explain why a row is not in a pagelet, if the method lists everything it considered.
  async #explainRow(row) {
    const name = app.state.method === "all" ? "clutter" : app.state.method;
    const dropped = name === "content" ? this.#findInnermost(app.page.rows.ancestors(row)) : -1; // of a hidden kind
    this.choose(dropped);
    if (!LIST_ALL[name] || !Number.isInteger(row)) return;
    try {
      this.#showExplanation(name, row, await this.#on.run(name, LIST_ALL[name]));
    } catch (problem) {
      showProblem(problem);
    }
  }

  #showExplanation(name, row, all) {
    const byPath = new Map(all.pagelets.map((pagelet) => [pagelet.path, pagelet]));
    const pagelet = app.page.rows.ancestors(row).map((one) => byPath.get(app.page.rows.path(one))).find(Boolean);
    if (!pagelet) return;
    const apply = (set) => this.#on.option(name, set.name, set.value);
    const lines = explain(all, pagelet, valuesOf(name));
    showDetail({ title: `No ${name} here: score ${pagelet.score}`, pagelet, lines, apply });
  }
}
