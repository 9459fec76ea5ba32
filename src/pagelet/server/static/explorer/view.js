// The view: pagelets in the drawings and in the list, and the details of the chosen one.

import { byId } from "../shared/elements.js";
import { pathsOf } from "../shared/rows.js";
import { kindsOf, wordsOf } from "./kinds.js";
import { List, labelOf } from "./list.js";
import { showDetail } from "./detail.js";
import { LIST_ALL, explain, explainNoMenu, formatScore } from "./why.js";
import { listOverview } from "./requests.js";
import { effectiveValues } from "./options.js";
import { compare } from "./compare.js";
import { canRule, makeRuleButtons, pathOf } from "./rules.js";
import { showLegend, showProblem } from "./panel.js";
import { isNarrowed, narrow } from "./words.js";
import { app, profileOf, valuesOf } from "./state.js";

const keyOf = ({ pagelet }) => pathsOf(pagelet).join(" ");

function makeItems(answer) {
  return narrow(answer).pagelets.map((pagelet) => ({
    method: answer.method, answer, pagelet, kind: pagelet.kind, label: labelOf(pagelet, answer),
    places: pathsOf(pagelet).flatMap((path) => app.page.rows.find(path) ?? []),
  }));
}

function emptyMessage({ method }, answers) {
  if (answers[method]?.template?.known === false) {
    return "The template is found by comparing pages: add other pages of the site on the left, or open this page together with other pages of its site.";
  }
  if (isNarrowed(answers[method])) return "No record has these words.";
  return method === "all" ? "Nothing was found on this page." : `No ${app.methods.get(method).kinds.map(wordsOf).join(" or ")} was found on this page.`;
}

const toMessage = (items) => items.map(({ kind, label, places }) => ({ kind, label, places }));
const isBrief = ({ why, reason }) => !why?.length && !Object.keys(reason ?? {}).length;

export class View {
  items = []; // items of the first drawing, then those only in the second
  #own = 0; // number of items in the first drawing
  #second = []; // items of the second drawing
  #drawings;
  #on;
  #turn = 0; // number of the last choice
  #tried = new Map(); // answers with other values of options; promises
  #list = new List({ choose: (number) => this.choose(number), point: (number) => this.#drawings[0].point(number) });

  // on: {remember(), option(method, name, value), run(method, options), explain(method, path), ruled(action)}
  constructor(drawings, on) {
    this.#drawings = drawings;
    this.#on = on;
  }

  get shown() {
    return this.items.filter(({ kind }) => !app.state.hidden.has(kind));
  }

  show() {
    const { state, answers, other } = app;
    this.#tried.clear();
    const names = state.method === "all" ? listOverview() : [state.method];
    const own = names.map((name) => answers[name]).filter(Boolean).flatMap(makeItems);
    this.#second = other ? makeItems(other) : [];
    const { only, summary, differences } = other ? compare(own, this.#second) : { only: [], summary: "", differences: 0 };
    this.items = [...own, ...only];
    this.#own = own.length;
    const kinds = kindsOf([...own, ...this.#second].map(({ kind }) => kind));
    this.#drawings[0].draw(kinds, toMessage(own));
    if (other) this.#drawings[1].draw(kinds, toMessage(this.#second));
    this.#showTitles(summary, differences);
    this.#list.fill(this.items, { hidden: state.hidden, nothing: emptyMessage(state, answers), rows: app.page.rows });
    this.#showKinds();
    const { method, path } = state.chosen ?? {};
    const chosen = this.items.findIndex((item) => item.method === method && pathsOf(item.pagelet)[0] === path);
    this.choose(chosen, { keep: true });
  }

  clear() {
    this.items = [];
    byId("differences").checked = false;
    this.showDifferences(false);
    this.#list.clear();
    byId("legend").replaceChildren();
    showDetail();
  }

  #showTitles(summary, differences) {
    const { state, other } = app;
    if (!other && byId("agreement-bar").contains(document.activeElement)) byId(`tab-${state.tab}`).focus({ preventScroll: true });
    byId("title-one").hidden = byId("agreement-bar").hidden = byId("title-two").parentElement.hidden = !other;
    byId("agreement").textContent = summary;
    byId("next-difference").disabled = !differences;
    byId("title-one").textContent = `A: ${state.method}, ${profileOf(state.method)}`;
    byId("title-two").textContent = `B: ${state.compare.replace(":", ", ")}`;
    if (!other && byId("differences").checked) {
      byId("differences").checked = false;
      this.showDifferences(false);
    }
  }

  showDifferences(only) {
    this.#list.only(only);
  }

  nextDifference() {
    const number = this.#list.nextDifference();
    if (number >= 0) this.choose(number);
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
    if (!keep) this.#turn += 1;
    if (item || !keep) app.state.chosen = item ? { method: item.method, path: pathsOf(item.pagelet)[0] } : null;
    this.#list.choose(number);
    const other = item ? this.#second.findIndex((one) => keyOf(one) === keyOf(item)) : -1;
    this.#outline(0, item, number < this.#own ? number : -1);
    this.#outline(1, item, other);
    showDetail(item ? this.#describe(item) : this.#describeNoMenu());
    if (item && isBrief(item.pagelet)) this.#fetchReasons(item, this.#turn);
    this.#on.remember();
  }

  // A region that a drawing has no item for is outlined by its rows.
  #outline(which, item, number) {
    const rows = item && number < 0 ? item.places.map(({ row }) => row) : [];
    this.#drawings[which].choose(number, rows);
  }

  async #fetchReasons(item, turn) {
    const path = pathsOf(item.pagelet)[0];
    const told = item.answer === app.answers[item.method] ? await this.#on.explain(item.method, path).catch(() => undefined) : undefined;
    if (!told || turn !== this.#turn || !this.items.includes(item) || isBrief(told)) return;
    Object.assign(item.pagelet, { reason: told.reason, why: told.why, links: told.links });
    showDetail(this.#describe(item));
  }

  // Choose the innermost pagelet around the chosen one.
  chooseParent() {
    const number = this.#findAround(app.state.chosen?.path);
    if (number >= 0) this.choose(number);
  }

  #findAround(path) {
    const at = app.page?.rows.find(path ?? "");
    if (!at) return -1;
    const above = app.page.rows.ancestors(at.row);
    return this.#findInnermost(at.text ? above : above.slice(1));
  }

  #findInnermost(above) { // the item at the first of these rows that has one
    const numbers = new Map();
    this.items.forEach(({ places }, number) => {
      if (places[0] && !places[0].text && !numbers.has(places[0].row)) numbers.set(places[0].row, number);
    });
    return above.map((row) => numbers.get(row)).find((number) => number !== undefined) ?? -1;
  }

  #around(pagelet) { // a function that chooses what lies around; undefined where there is nothing
    const number = this.#findAround(pathsOf(pagelet)[0]);
    return number >= 0 ? () => this.choose(number) : undefined;
  }

  #describe({ answer, pagelet, method }) {
    const own = answer === app.answers[method];
    const values = own ? valuesOf(method) : effectiveValues(app.methods.get(method), answer.profile, {});
    const offered = own && !(answer.brief && isBrief(pagelet)); // its reasons come first
    const lines = explain(answer, pagelet, values).map((line) => (offered ? line : { ...line, set: undefined }));
    return {
      title: `${labelOf(pagelet, answer)} · ${method}, ${answer.profile}`, pagelet, lines, rule: this.#makeRule(pagelet),
      offers: this.#makeOffers(method, pagelet), around: this.#around(pagelet),
    };
  }

  // What values of options would change for a pagelet, and a way to use them.
  #makeOffers(method, pagelet) {
    const key = (one) => `${one.kind} ${pathsOf(one).join(" ")}`;
    const isIn = ({ pagelets }) => pagelets.some((one) => key(one) === key(pagelet));
    return {
      apply: ({ name, value }) => this.#on.option(method, name, value),
      changes: async ({ name, value }) => {
        const before = app.answers[method];
        const after = before && await this.#try(method, name, value);
        return Boolean(after) && isIn(before) !== isIn(after);
      },
    };
  }

  // The answer with another value of an option, requested once while the view stays as it is.
  #try(method, name, value) {
    const key = JSON.stringify([method, name, value]);
    if (!this.#tried.has(key)) this.#tried.set(key, this.#on.run(method, { [name]: value }).catch(() => undefined));
    return this.#tried.get(key);
  }

  #makeRule(pagelet) {
    if (!canRule() || !pathOf(pagelet)) return undefined;
    return makeRuleButtons(pagelet, {
      describe: async (one) => this.#drawings[0].query("describe", { row: app.page.rows.find(pathOf(one))?.row ?? -1 })
        .then((steps) => (Array.isArray(steps) && steps.length ? steps.map(toStep) : [{ tag: "body", id: "", classes: [] }])),
      run: (changes) => this.#on.run("content", changes),
      used: (action) => this.#on.ruled(action),
    });
  }

  #describeNoMenu() { // the best candidate that was not good enough
    const answer = app.state.method === "menu" ? app.answers.menu : undefined;
    const best = answer && !answer.pagelets.length ? explainNoMenu(answer, valuesOf("menu")) : undefined;
    if (!best) return undefined;
    this.#outlinePath(best.path);
    return { title: "No menu; best candidate", pagelet: best, lines: best.lines, offers: this.#makeOffers("menu", best), around: this.#around(best) };
  }

  #outlinePath(path) {
    const at = app.page.rows.find(path);
    if (at) this.#drawings[0].choose(-1, [at.row]);
  }

  // Explain why a row is not in a pagelet, if the method lists everything it considered.
  async #explainRow(row) {
    const name = app.state.method === "all" ? "clutter" : app.state.method;
    const inner = this.#findInnermost(app.page.rows.ancestors(row)); // of a hidden kind
    this.choose(name === "content" || app.state.method === "all" ? inner : -1);
    const turn = this.#turn;
    if (!LIST_ALL[name] || !Number.isInteger(row)) return;
    try {
      const all = await this.#on.run(name, LIST_ALL[name]);
      if (turn === this.#turn) this.#showExplanation(name, row, all);
    } catch (problem) {
      showProblem(problem);
    }
  }

  #showExplanation(name, row, all) {
    const byPath = new Map(all.pagelets.map((pagelet) => [pagelet.path, pagelet]));
    const pagelet = app.page.rows.ancestors(row).map((one) => byPath.get(app.page.rows.path(one))).find(Boolean);
    if (!pagelet) return;
    const lines = explain(all, pagelet, valuesOf(name));
    this.#outlinePath(pagelet.path);
    const title = `No ${name} here: ${formatScore(pagelet, all)}`;
    showDetail({ title, pagelet, lines, offers: this.#makeOffers(name, pagelet), around: this.#around(pagelet), rule: this.#makeRule(pagelet) });
  }
}

// The frame is not trusted: what it tells of an element is taken as text.
function toStep({ tag, id, classes } = {}) {
  return { tag: String(tag ?? "div"), id: String(id ?? ""), classes: Array.isArray(classes) ? classes.map(String) : [] };
}
