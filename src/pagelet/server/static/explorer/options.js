// The controls of a method, made from what GET /v1/methods says of its options.

import { make, words } from "../shared/service.js";

const FIRST = { // shown first, the rest behind "more"; all of the method when it has no entry
  menu: ["min_score", "size_penalty", "share_penalty", "menu_threshold", "candidate_threshold", "root_threshold"],
  clutter: ["tag_threshold", "text_threshold", "min_score", "max_plain_share"],
  segments: ["method", "granularity", "threshold", "pdoc"],
  noise: ["method", "threshold"],
  content: ["method", "favor", "target"],
  template: ["votes", "size", "relation"],
};
const MANY_STEPS = 200;

// The values that act: those of the profile, and what was changed.
export const acting = (method, profile, changed) => ({ ...method.profiles[profile], ...changed });

// An option acts where `applies_to` says: "paper profile", "method visual or bcs"; else everywhere.
export function acts(method, profile, values, { applies_to: where }) {
  if (where.endsWith(" profile")) return where === `${profile} profile`;
  if (where.startsWith("method ")) return where.slice("method ".length).split(" or ").includes(values.method);
  return true;
}

function stepOf({ type, low, high }) {
  if (type === "integer") return 1;
  return high - low <= 1 ? 0.01 : 10 ** Math.floor(Math.log10((high - low) / MANY_STEPS));
}

function field(option, control, ...rest) {
  const label = make("label", { class: "name", htmlFor: control.id }, words(option.name));
  const help = make("p", { class: "soft help", id: `${control.id}-help` }, option.help);
  control.setAttribute("aria-describedby", help.id);
  return make("div", { class: "option", data: { option: option.name } }, label, control, ...rest, help);
}

function slider(option, value, change) {
  const { low, high, name } = option;
  const limits = { min: low, max: high, step: stepOf(option) };
  const range = make("input", { type: "range", id: `option-${name}`, ...limits });
  const exact = make("input", { type: "number", class: "exact", ariaLabel: `${words(name)}, exactly`, ...limits, step: "any" });
  range.value = exact.value = value;
  range.addEventListener("input", () => {
    exact.value = range.value;
    change(name, Number(range.value));
  });
  exact.addEventListener("change", () => {
    if (exact.value === "" || !exact.checkValidity()) return;
    range.value = exact.value;
    change(name, Number(exact.value));
  });
  return field(option, range, exact);
}

function automatic(option, value, change) { // "auto", or a number from 0 to 1
  const { name } = option;
  const range = make("input", { type: "range", id: `option-${name}`, min: 0, max: 1, step: 0.01 });
  const shown = make("output", { class: "number" });
  const auto = make("input", { type: "checkbox", checked: value === "auto" });
  const show = () => {
    shown.textContent = auto.checked ? "auto" : range.value;
    range.classList.toggle("idle", auto.checked);
  };
  range.value = value === "auto" ? 0.5 : value;
  const tell = () => {
    show();
    change(name, auto.checked ? "auto" : range.value);
  };
  range.addEventListener("input", () => {
    auto.checked = false;
    tell();
  });
  auto.addEventListener("change", tell);
  show();
  return field(option, range, shown, make("label", { class: "auto" }, auto, " auto"));
}

function choice(option, value, change) {
  const select = make("select", { id: `option-${option.name}` });
  for (const one of option.choices) select.append(make("option", { value: one, selected: one === value }, words(one)));
  select.addEventListener("change", () => change(option.name, select.value));
  return field(option, select);
}

function flag(option, value, change) {
  const box = make("input", { type: "checkbox", id: `option-${option.name}`, checked: value });
  box.addEventListener("change", () => change(option.name, box.checked));
  return field(option, box);
}

function number(option, value, change) {
  const step = option.type === "integer" ? 1 : "any";
  const input = make("input", { type: "number", id: `option-${option.name}`, value, step });
  if (option.low !== null) input.min = option.low;
  if (option.high !== null) input.max = option.high;
  input.addEventListener("change", () => {
    if (input.value !== "" && input.checkValidity()) change(option.name, Number(input.value));
  });
  return field(option, input);
}

function text(option, value, change) {
  const several = option.type === "strings";
  const shown = several ? value.join(" | ") : value;
  const input = make("input", { type: "text", id: `option-${option.name}`, value: shown });
  const read = () => (several ? input.value.split("|").map((one) => one.trim()).filter(Boolean) : input.value);
  input.addEventListener("change", () => change(option.name, read()));
  return field(option, input);
}

function control(option, value, change) {
  const bounded = option.low !== null && option.high !== null && option.high - option.low <= 1000;
  if (option.type === "string" && option.default === "auto") return automatic(option, value, change);
  if (option.type === "choice") return choice(option, value, change);
  if (option.type === "boolean") return flag(option, value, change);
  if (option.type === "number" || option.type === "integer") return (bounded ? slider : number)(option, value, change);
  return text(option, value, change);
}

function profileField(method, profile, change) {
  const select = make("select", { id: "profile" });
  for (const name of Object.keys(method.profiles)) {
    select.append(make("option", { value: name, selected: name === profile }, name));
  }
  select.addEventListener("change", () => change(select.value));
  return make("div", { class: "option" }, make("label", { class: "name", htmlFor: "profile" }, "profile"), select);
}

// Fill the form; on.option(name, value), on.profile(name), on.reset().
export function fill(form, method, profile, changed, on) {
  const values = acting(method, profile, changed);
  const usable = method.options.filter((option) => acts(method, profile, values, option));
  const first = FIRST[method.name] ?? usable.map(({ name }) => name);
  const order = (option) => (first.includes(option.name) ? first.indexOf(option.name) : first.length);
  const made = (option) => control(option, values[option.name], on.option);
  const shown = usable.filter(({ name }) => first.includes(name)).sort((one, two) => order(one) - order(two));
  const rest = usable.filter(({ name }) => !first.includes(name));
  const open = form.querySelector("details")?.open ?? false;
  const disabled = !Object.keys(changed).length;
  const reset = make("button", { type: "button", class: "reset", disabled }, "Reset options");
  reset.addEventListener("click", on.reset);
  form.replaceChildren(profileField(method, profile, on.profile), ...shown.map(made));
  if (rest.length) {
    form.append(make("details", { open }, make("summary", {}, `${rest.length} more`), ...rest.map(made)));
  }
  form.append(reset);
}
