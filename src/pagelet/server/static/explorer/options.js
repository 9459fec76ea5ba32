// The controls of a method, made from its options in GET /v1/methods.

import { formatName, make } from "../shared/elements.js";

// The option of a method that is called method chooses its algorithm.
const labelOf = (name) => (name === "method" ? "algorithm" : formatName(name));

const FIRST_OPTIONS = { // shown first, the others under "more"; a method without an entry shows all
  menu: ["min_score", "size_penalty", "share_penalty", "menu_threshold", "candidate_threshold", "root_threshold"],
  clutter: ["tag_threshold", "text_threshold", "min_score", "max_plain_share"],
  segments: ["method", "granularity", "threshold", "pdoc"],
  noise: ["method", "threshold"],
  content: ["method", "favor", "target"],
  template: ["votes", "size", "relation"],
  records: ["min_score"],
};
const MAX_STEPS = 200; // positions of a slider

// The values of the profile, overridden by changes.
export const effectiveValues = (method, profile, changes) => ({ ...method.profiles[profile], ...changes });

// An option has effect where `applies_to` says: "paper profile", "method visual or bcs"; else everywhere.
function hasEffect(profile, values, { applies_to: scope }) {
  if (scope.endsWith(" profile")) return scope === `${profile} profile`;
  if (scope.startsWith("method ")) return scope.slice("method ".length).split(" or ").includes(values.method);
  return true;
}

function stepOf({ type, low, high }) {
  if (type === "integer") return 1;
  return high - low <= 1 ? 0.01 : 10 ** Math.floor(Math.log10((high - low) / MAX_STEPS));
}

function makeField(option, control, ...rest) {
  const label = make("label", { class: "name", htmlFor: control.id }, labelOf(option.name));
  const help = make("p", { class: "soft help", id: `${control.id}-help` }, option.help);
  control.setAttribute("aria-describedby", help.id);
  return make("div", { class: "option", data: { option: option.name } }, label, control, ...rest, help);
}

function makeSlider(option, value, change) {
  const { low, high, name } = option;
  const limits = { min: low, max: high, step: stepOf(option) };
  const range = make("input", { type: "range", id: `option-${name}`, ...limits });
  const exact = make("input", { type: "number", class: "exact", ariaLabel: `${labelOf(name)}, exactly`, ...limits, step: "any" });
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
  return makeField(option, range, exact);
}

function makeAutoSlider(option, value, change) { // "auto", or a number from 0 to 1
  const { name } = option;
  const range = make("input", { type: "range", id: `option-${name}`, min: 0, max: 1, step: 0.01 });
  const shown = make("output", { class: "number" });
  const auto = make("input", { type: "checkbox", checked: value === "auto" });
  const show = () => {
    shown.textContent = auto.checked ? "auto" : range.value;
    range.classList.toggle("idle", auto.checked);
  };
  range.value = value === "auto" ? 0.5 : value;
  const update = () => {
    show();
    change(name, auto.checked ? "auto" : range.value);
  };
  range.addEventListener("input", () => {
    auto.checked = false;
    update();
  });
  auto.addEventListener("change", update);
  show();
  return makeField(option, range, shown, make("label", { class: "auto" }, auto, " auto"));
}

function makeChoice(option, value, change) {
  const select = make("select", { id: `option-${option.name}` });
  for (const one of option.choices) select.append(make("option", { value: one, selected: one === value }, formatName(one)));
  select.addEventListener("change", () => change(option.name, select.value));
  return makeField(option, select);
}

function makeCheckbox(option, value, change) {
  const box = make("input", { type: "checkbox", id: `option-${option.name}`, checked: value });
  box.addEventListener("change", () => change(option.name, box.checked));
  return makeField(option, box);
}

function makeNumber(option, value, change) {
  const step = option.type === "integer" ? 1 : "any";
  const input = make("input", { type: "number", id: `option-${option.name}`, value, step });
  if (option.low !== null) input.min = option.low;
  if (option.high !== null) input.max = option.high;
  input.addEventListener("change", () => {
    if (input.value !== "" && input.checkValidity()) change(option.name, Number(input.value));
  });
  return makeField(option, input);
}

function makeText(option, value, change) {
  const several = option.type === "strings";
  const shown = several ? value.join(" | ") : value;
  const input = make("input", { type: "text", id: `option-${option.name}`, value: shown });
  const read = () => (several ? input.value.split("|").map((one) => one.trim()).filter(Boolean) : input.value);
  input.addEventListener("change", () => change(option.name, read()));
  return makeField(option, input);
}

function makeControl(option, value, change) {
  const bounded = option.low !== null && option.high !== null && option.high - option.low <= 1000;
  if (option.type === "string" && option.default === "auto") return makeAutoSlider(option, value, change);
  if (option.type === "choice") return makeChoice(option, value, change);
  if (option.type === "boolean") return makeCheckbox(option, value, change);
  if (option.type === "number" || option.type === "integer") return (bounded ? makeSlider : makeNumber)(option, value, change);
  return makeText(option, value, change);
}

function makeProfileField(method, profile, change) {
  const select = make("select", { id: "profile" });
  for (const name of Object.keys(method.profiles)) {
    select.append(make("option", { value: name, selected: name === profile }, name));
  }
  select.addEventListener("change", () => change(select.value));
  return make("div", { class: "option" }, make("label", { class: "name", htmlFor: "profile" }, "profile"), select);
}

// Fill the form; on: {option(name, value), profile(name), reset()}.
export function fillOptions(form, method, profile, changes, on) {
  const values = effectiveValues(method, profile, changes);
  const usable = method.options.filter((option) => hasEffect(profile, values, option));
  const first = FIRST_OPTIONS[method.name] ?? usable.map(({ name }) => name);
  const order = (option) => (first.includes(option.name) ? first.indexOf(option.name) : first.length);
  const toControl = (option) => makeControl(option, values[option.name], on.option);
  const shown = usable.filter(({ name }) => first.includes(name)).sort((one, two) => order(one) - order(two));
  const rest = usable.filter(({ name }) => !first.includes(name));
  const open = form.querySelector("details")?.open ?? false;
  const disabled = !Object.keys(changes).length;
  const reset = make("button", { type: "button", class: "reset", id: "reset", title: "Back to the values of the profile", disabled }, "Reset options");
  reset.addEventListener("click", on.reset);
  form.replaceChildren(makeProfileField(method, profile, on.profile), ...shown.map(toControl));
  if (rest.length) {
    form.append(make("details", { open }, make("summary", {}, `${rest.length} more`), ...rest.map(toControl)));
  }
  form.append(reset);
}
