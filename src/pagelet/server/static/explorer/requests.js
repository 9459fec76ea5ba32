// Asking the service about the page.

import { ask, latest } from "../shared/service.js";
import { Rows } from "../shared/rows.js";
import { changedOf, here, profileOf } from "./state.js";

const OVERVIEW = ["content", "menu", "clutter", "template"]; // what is asked of every page

// The methods that "all" stands for; a template needs other pages of the site.
export function overview() {
  return OVERVIEW.filter((name) => here.methods.has(name) && (name !== "template" || here.page.site.length));
}

const uses = (method, what) => method.needs.includes(what) || method.uses.includes(what);

function pageSent() {
  const { html, url } = here.page;
  return { ...(html === undefined ? {} : { html }), ...(url ? { url } : {}) };
}

function explained(name, changed) {
  const explains = here.methods.get(name).options.some((option) => option.name === "explain");
  return explains ? { explain: true, ...changed } : changed;
}

export class Asker {
  #drawing;
  #layout; // where the drawing shows what; a promise
  #one = latest((signal, ...asked) => this.#method(signal, ...asked));
  #two = latest((signal, ...asked) => this.#method(signal, ...asked));

  constructor(drawing) {
    this.#drawing = drawing;
  }

  // The drawing has changed, so boxes are measured anew.
  forget() {
    this.#layout = undefined;
  }

  async request(name, profile, changed) {
    const { page, methods } = here;
    const method = methods.get(name);
    const asked = { ...pageSent(), profile, options: explained(name, changed) };
    if (page.site.length && (uses(method, "site") || uses(method, "template"))) asked.site = page.site;
    if (method.needs.includes("boxes") && page.html !== undefined) asked.layout = await this.#seen();
    return asked;
  }

  // What content, menu and clutter say, and the drawing.
  async inspect() {
    const { page, state } = here;
    const names = overview();
    const own = (kept) => Object.fromEntries(Object.entries(kept).filter(([name]) => names.includes(name)));
    const asked = { ...pageSent(), methods: names, profiles: own(state.profiles), options: own(state.options) };
    if (page.site.length) asked.site = page.site;
    if (page.html === undefined && here.service.render) asked.render = true; // after its scripts ran
    const found = await ask("/v1/inspect", asked);
    page.html ??= found.html;
    const { drawing, title, url } = found;
    Object.assign(page, { drawing: page.drawing ?? drawing, title, url: url ?? page.url, rows: new Rows(found.rows) });
    here.answers = found.methods;
  }

  // The shown method; false when a newer question has taken its place.
  async again() {
    const { method } = here.state;
    if (method === "all") {
      await this.inspect();
      return true;
    }
    const found = await this.#one(method, profileOf(method), changedOf(method));
    if (found) here.answers[method] = found;
    return Boolean(found) && this.#compared();
  }

  async everything(name, changed) {
    return this.#method(undefined, name, profileOf(name), { ...changedOf(name), ...changed });
  }

  async #compared() {
    const { compare, method } = here.state;
    const [name, profile] = compare.split(":");
    if (!here.methods.has(name)) {
      here.other = null;
      return true;
    }
    const found = await this.#two(name, profile, name === method ? {} : changedOf(name));
    here.other = found ?? here.other;
    return Boolean(found);
  }

  async #method(signal, name, profile, changed) {
    return ask(`/v1/${name}`, await this.request(name, profile, changed), { signal });
  }

  async #seen() {
    this.#layout ??= this.#drawing.ask("layout").then(({ width, height, boxes }) => ({
      width, height,
      boxes: boxes.flatMap(({ row, text, ...rest }) => {
        const path = here.page.rows.path(row);
        return path === undefined ? [] : [{ path: text ? `${path}/text()[${text}]` : path, ...rest }];
      }),
    }));
    return this.#layout;
  }
}
