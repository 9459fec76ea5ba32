// What the explorer knows: the service, the page, what is chosen, what was answered.

import { acting } from "./options.js";

export const here = {
  service: undefined, // what GET /v1/methods says
  methods: new Map(),
  state: { // what a link holds
    method: "all", profiles: {}, options: {}, compare: "", hidden: new Set(["dropped"]), width: 0, chosen: null,
  },
  page: null, // {name, html, url, site, loaded, drawing, rows, title, digest, packed}
  answers: {}, // by method
  other: null, // the answer that is compared with
};

export const profileOf = (name) => here.state.profiles[name] ?? "default";
export const changedOf = (name) => here.state.options[name] ?? {};
export const valuesOf = (name) => acting(here.methods.get(name), profileOf(name), changedOf(name));

// Change one option; a value that the profile has anyway is no change.
export function change(method, name, value) {
  const usual = here.methods.get(method).profiles[profileOf(method)][name];
  const { [name]: gone, ...rest } = changedOf(method);
  const changed = JSON.stringify(usual) === JSON.stringify(value) ? rest : { ...rest, [name]: value };
  const { [method]: before, ...others } = here.state.options;
  here.state.options = Object.keys(changed).length ? { ...others, [method]: changed } : others;
}

export function reset(method) {
  const { [method]: gone, ...others } = here.state.options;
  here.state.options = others;
}

export function setProfile(method, profile) {
  const { [method]: gone, ...others } = here.state.profiles;
  here.state.profiles = profile === "default" ? others : { ...others, [method]: profile };
  reset(method);
}
