// The state of the explorer: the service, the page, what is chosen, and the answers.

import { effectiveValues } from "./options.js";

export const WIDTH = 1280; // px at which pages are drawn at first
const PHONE = 600; // px: narrower windows draw pages at their own width

export const defaultWidth = () => (innerWidth < PHONE ? 0 : WIDTH);

// What a link holds, as it is for a page that was just opened.
export const freshState = () => ({
  method: "content", profiles: {}, options: {}, compare: "", hidden: new Set(["dropped"]),
  width: defaultWidth(), tab: "page", query: "", chosen: null,
});

// What stays when another page is opened: the method, the tab and the width; all else belongs to a page.
export function stateForNewPage({ method, tab, width }) {
  return { ...freshState(), method, tab, width };
}

export const app = {
  service: undefined, // the answer of GET /v1/methods
  methods: new Map(),
  state: freshState(),
  page: null, // {name, html, url, site, files, loaded, drawing, rows, title, missing, digest, packed, kept: a promise}
  answers: {}, // by method
  other: null, // the answer to compare with
};

export const profileOf = (name) => app.state.profiles[name] ?? "default";
export const changesOf = (name) => app.state.options[name] ?? {};
export const valuesOf = (name) => effectiveValues(app.methods.get(name), profileOf(name), changesOf(name));

// Change one option; the value of the profile is no change.
export function setOption(method, name, value) {
  const preset = app.methods.get(method).profiles[profileOf(method)][name];
  const { [name]: _, ...rest } = changesOf(method);
  const changes = JSON.stringify(preset) === JSON.stringify(value) ? rest : { ...rest, [name]: value };
  resetOptions(method);
  if (Object.keys(changes).length) app.state.options = { ...app.state.options, [method]: changes };
}

export function resetOptions(method) {
  const { [method]: _, ...others } = app.state.options;
  app.state.options = others;
}

export function setProfile(method, profile) {
  const { [method]: _, ...others } = app.state.profiles;
  app.state.profiles = profile === "default" ? others : { ...others, [method]: profile };
  resetOptions(method);
}
