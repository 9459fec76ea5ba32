// Requests to the service about the page.

import { abortPrevious, request, upload } from "../shared/service.js";
import { Rows } from "../shared/rows.js";
import { app, changesOf, profileOf } from "./state.js";
import { queryWords } from "./words.js";

const OVERVIEW = ["content", "menu", "clutter", "template"]; // methods that run on every page
const MAX_WHOLE = 2000; // pagelets of an answer beyond which it is brief: what else there is of each is requested when it is needed

// The methods that "all" stands for; a template needs other pages of the site.
export function listOverview(page = app.page) {
  return OVERVIEW.filter((name) => app.methods.has(name) && (name !== "template" || page?.site.length));
}

// The methods in view, the one to compare with included.
export function listShown() {
  const { method, compare } = app.state;
  if (method === "all") return listOverview();
  const other = compare.split(":")[0];
  return app.methods.has(other) ? [method, other] : [method];
}

export const uses = (method, input) => method.needs.includes(input) || method.uses.includes(input);

function pageFields({ html, url }) {
  return { ...(html === undefined ? {} : { html }), ...(url ? { url } : {}) };
}

const hasOption = (name, option) => app.methods.get(name).options.some((one) => one.name === option);

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

  // The body of a request for one method; `plain` leaves out what explains the answer.
  async makeForm(name, profile, changes, { plain = false } = {}) {
    const { page, methods } = app;
    const method = methods.get(name);
    const options = !plain && hasOption(name, "explain") ? { explain: true, ...changes } : changes;
    const form = { ...pageFields(page), profile, options };
    if (page.site.length && uses(method, "site")) form.site = page.site;
    if (queryWords().length && uses(method, "query")) form.query = queryWords();
    if (method.needs.includes("layout") && page.html !== undefined) form.layout = await this.#measure();
    return form;
  }

  // Complete a page with its drawing and rows; returns the answers of the overview methods. on: {sent(), received()}
  async inspect(page, state, { signal, ...on } = {}) {
    const names = listOverview(page);
    const own = (values) => Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
    const form = { ...pageFields(page), methods: names, profiles: own(state.profiles), options: own(state.options), brief: MAX_WHOLE };
    if (page.site.length) form.site = page.site;
    if (page.files?.length) Object.assign(form, { files: page.files, name: page.path ?? page.name });
    if (page.html === undefined && app.service.render) form.render = true; // after its scripts ran
    const answer = await upload("/v1/inspect", form, { signal, ...on });
    page.html ??= answer.html;
    const { drawing, title, url } = answer;
    if (!page.drawing) Object.assign(page, { // one that was loaded is sent again without its style sheets
      drawing, title: title ?? "Untitled page", url: url ?? page.url, rows: new Rows(answer.rows),
      missing: answer.missing_styles ?? 0,
    });
    return answer.methods;
  }

  // Request the chosen method again; false if a newer request has replaced this one.
  async refresh() {
    const { method } = app.state;
    if (method === "all") {
      app.answers = await this.inspect(app.page, app.state);
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

  // A pagelet of a brief answer, whole.
  async explain(name, path) {
    const form = await this.makeForm(name, profileOf(name), changesOf(name));
    const answer = await request(`/v1/${name}`, { ...form, path });
    return answer.pagelets.find((pagelet) => pagelet.path === path);
  }

  // The answer of a method in another format.
  async write(name, format) {
    const form = await this.makeForm(name, profileOf(name), changesOf(name), { plain: true });
    return request(`/v1/${name}`, { ...form, format });
  }

  // The whole answer of a method that was answered briefly, with reasons or without.
  async complete(name, { reasons }) {
    const form = await this.makeForm(name, profileOf(name), changesOf(name));
    return request(`/v1/${name}`, reasons ? form : { ...form, reasons: 0 });
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
    const form = await this.makeForm(name, profile, changes);
    return request(`/v1/${name}`, { ...form, brief: MAX_WHOLE }, { signal });
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
