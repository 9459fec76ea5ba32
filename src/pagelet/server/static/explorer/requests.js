// Requests to the service about the page.

import { abortPrevious, request } from "../shared/service.js";
import { Rows } from "../shared/rows.js";
import { app, changesOf, profileOf } from "./state.js";

const OVERVIEW = ["content", "menu", "clutter", "template"]; // methods that run on every page

// The methods that "all" stands for; a template needs other pages of the site.
export function listOverview() {
  return OVERVIEW.filter((name) => app.methods.has(name) && (name !== "template" || app.page.site.length));
}

const uses = (method, input) => method.needs.includes(input) || method.uses.includes(input);

function pageFields() {
  const { html, url } = app.page;
  return { ...(html === undefined ? {} : { html }), ...(url ? { url } : {}) };
}

function addExplain(name, changes) {
  const explains = app.methods.get(name).options.some((option) => option.name === "explain");
  return explains ? { explain: true, ...changes } : changes;
}

export class PageRequests {
  #drawing;
  #layout; // boxes of the drawn page; a promise
  #first = abortPrevious((signal, ...query) => this.#run(signal, ...query));
  #second = abortPrevious((signal, ...query) => this.#run(signal, ...query));

  constructor(drawing) {
    this.#drawing = drawing;
  }

  // Forget the boxes, because the drawing has changed.
  clearLayout() {
    this.#layout = undefined;
  }

  // The body of a request for one method.
  async makeForm(name, profile, changes) {
    const { page, methods } = app;
    const method = methods.get(name);
    const form = { ...pageFields(), profile, options: addExplain(name, changes) };
    if (page.site.length && (uses(method, "site"))) form.site = page.site;
    if (method.needs.includes("layout") && page.html !== undefined) form.layout = await this.#measure();
    return form;
  }

  // Request the drawing, and the answers of the overview methods.
  async inspect() {
    const { page, state } = app;
    const names = listOverview();
    const own = (values) => Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
    const form = { ...pageFields(), methods: names, profiles: own(state.profiles), options: own(state.options) };
    if (page.site.length) form.site = page.site;
    if (page.html === undefined && app.service.render) form.render = true; // after its scripts ran
    const answer = await request("/v1/inspect", form);
    page.html ??= answer.html;
    const { drawing, title, url } = answer;
    Object.assign(page, { drawing: page.drawing ?? drawing, title: title ?? "Untitled page", url: url ?? page.url, rows: new Rows(answer.rows) });
    app.answers = answer.methods;
  }

  // Request the chosen method again; false if a newer request has replaced this one.
  async refresh() {
    const { method } = app.state;
    if (method === "all") {
      await this.inspect();
      return true;
    }
    const answer = await this.#first(method, profileOf(method), changesOf(method));
    if (answer) app.answers[method] = answer;
    return Boolean(answer) && this.#refreshOther();
  }

  // The answer of a method with other options.
  async runWith(name, changes) {
    return this.#run(undefined, name, profileOf(name), { ...changesOf(name), ...changes });
  }

  async #refreshOther() {
    const { compare, method } = app.state;
    const [name, profile] = compare.split(":");
    if (!app.methods.has(name)) {
      app.other = null;
      return true;
    }
    const answer = await this.#second(name, profile, name === method ? {} : changesOf(name));
    app.other = answer ?? app.other;
    return Boolean(answer);
  }

  async #run(signal, name, profile, changes) {
    return request(`/v1/${name}`, await this.makeForm(name, profile, changes), { signal });
  }

  async #measure() {
    this.#layout ??= this.#drawing.query("layout").then(({ width, height, boxes }) => ({
      width, height,
      boxes: boxes.flatMap(({ row, text, ...rest }) => {
        const path = app.page.rows.path(row);
        return path === undefined ? [] : [{ path: text ? `${path}/text()[${text}]` : path, ...rest }];
      }),
    }));
    return this.#layout;
  }
}
