// Rules that always keep or drop a region: made from the panel, tried, used, and written as a file.
// They are the options keep and drop of content extraction.

import { byId, formatCount, make, saveFile } from "../shared/elements.js";
import { app, changesOf, setOption } from "./state.js";

const METHOD = "content";
const MAX_CLASSES = 2;
const PLAIN_NAME = /^[A-Za-z_][\w-]{1,40}$/; // names without a counter or a hash in them
const MADE_NAME = /\d{3,}|[0-9a-f]{8,}/i;

export const canRule = () => app.methods.has(METHOD);
const rulesOf = (action) => changesOf(METHOD)[action] ?? [];

export const listRules = () => ["keep", "drop"].flatMap((action) => rulesOf(action).map((selector) => ({ action, selector })));

// -- selectors ------------------------------------------------------------------------------

const isName = (name) => PLAIN_NAME.test(name) && !MADE_NAME.test(name);

function selectStep({ tag, id, classes }) {
  if (isName(id)) return `#${id}`;
  const names = classes.filter(isName).slice(0, MAX_CLASSES);
  return names.length ? `${tag}.${names.join(".")}` : tag;
}

// A selector for pages like this one; steps: {tag, id, classes} from the inside out.
export function makeSelector(steps) {
  const own = selectStep(steps[0]);
  if (own !== steps[0].tag) return own;
  const around = steps.slice(1).map(selectStep).find((step) => /[#.]/.test(step));
  const parent = steps[1]?.tag;
  if (around) return `${around} ${own}`;
  return parent && parent !== "body" ? `${parent} > ${own}` : own;
}

export const pathOf = ({ path, paths }) => (path ?? paths?.[0] ?? "").replace(/\/text\(\)\[\d+\]$/, "");

// -- what a rule changes ----------------------------------------------------------------------

const countWords = (pagelets) => pagelets.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);

// The blocks that are kept or dropped by one answer alone.
export function listChanges(before, after) {
  const kept = ({ pagelets }) => new Map(pagelets.filter(({ kind }) => kind === METHOD).map((one) => [pathOf(one) + one.text, one]));
  const [one, two] = [kept(before), kept(after)];
  return {
    added: [...two].filter(([key]) => !one.has(key)).map(([, pagelet]) => pagelet),
    removed: [...one].filter(([key]) => !two.has(key)).map(([, pagelet]) => pagelet),
  };
}

function describeChanges({ added, removed }) {
  const count = (verb, list) => (list.length ? [`${verb} ${formatCount(list.length, "block")} (${formatCount(countWords(list), "word")})`] : []);
  const parts = [...count("adds", added), ...count("removes", removed)];
  return parts.length ? `This ${parts.join(" and ")}.` : "This changes nothing: the answer stays as it is.";
}

export function addRule(action, selector) {
  const other = action === "keep" ? "drop" : "keep";
  setOption(METHOD, other, rulesOf(other).filter((one) => one !== selector));
  setOption(METHOD, action, [...new Set([...rulesOf(action), selector])]);
}

export function removeRule({ action, selector }) {
  setOption(METHOD, action, rulesOf(action).filter((one) => one !== selector));
}

// -- in the panel -----------------------------------------------------------------------------

const VERBS = { keep: "Always keep this", drop: "Always drop this" };

// Buttons for a region. on: {describe(pagelet), run(changes), used(action)}
export function makeRuleButtons(pagelet, on) {
  const place = make("div", { class: "rule" });
  const open = (action) => openForm(place, { action, pagelet, on, close: showButtons });
  function showButtons(focused) {
    const buttons = Object.entries(VERBS).map(([action, label]) => {
      const button = make("button", { type: "button", title: `${label} in the content, on this page or on pages like it` }, label);
      button.addEventListener("click", () => open(action));
      return button;
    });
    place.replaceChildren(make("div", { class: "row" }, ...buttons));
    if (focused) buttons[focused === "drop" ? 1 : 0].focus();
  }
  showButtons();
  return place;
}

async function openForm(place, { action, pagelet, on, close }) {
  const like = makeSelector(await on.describe(pagelet));
  const input = make("input", { type: "text", value: like, spellcheck: false, ariaLabel: "Selector (CSS or XPath)", title: "CSS or XPath; edit it to fit" });
  const effect = make("p", { class: "effect", role: "status" }, "…");
  const use = make("button", { type: "submit", class: "main", title: "Use this rule from now on" }, "Use this rule");
  const cancel = make("button", { type: "button", title: "Leave all as it is" }, "Cancel");
  const scopes = [["like", "pages like this", like], ["page", "this page", pathOf(pagelet)]].map(([value, label, selector], at) => {
    const radio = make("input", { type: "radio", name: "scope", value, checked: at === 0 });
    radio.addEventListener("change", () => {
      input.value = selector;
      preview();
    });
    return make("label", {}, radio, ` ${label}`);
  });
  let turn = 0;
  async function preview() {
    const own = ++turn;
    effect.textContent = "…";
    const answer = await on.run({ [action]: [...rulesOf(action), input.value] }).catch((problem) => problem);
    if (own !== turn) return;
    const failed = answer instanceof Error;
    use.disabled = failed;
    effect.textContent = failed ? answer.message : describeChanges(listChanges(app.answers[METHOD], answer));
  }
  const form = make("form", {}, make("p", { class: "what" }, VERBS[action]), make("div", { class: "row" }, "for", ...scopes), input, effect, make("div", { class: "row" }, use, cancel));
  input.addEventListener("change", preview);
  cancel.addEventListener("click", () => close(action));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    addRule(action, input.value);
    on.used(action);
  });
  place.replaceChildren(form);
  input.focus();
  await preview();
}

// -- the list of rules ---------------------------------------------------------------------

// on: {changed(), copy(text), say(text), fail(error)}
export function listenForRules(on) {
  byId("copy-rules").addEventListener("click", () => on.copy(writeRules(), "rules copied"));
  byId("save-rules").addEventListener("click", () => {
    saveFile("rules.toml", "application/toml", writeRules());
    on.say("saved rules.toml");
  });
  byId("rules-file").addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    target.value = "";
    try {
      if (file) loadRules(await file.text(), on);
    } catch (problem) {
      on.fail(problem);
    }
  });
}

function loadRules(text, on) {
  const rules = readRules(text);
  const fitting = rules.filter((rule) => matches(rule, app.page?.url ?? ""));
  for (const { keep, drop } of fitting) {
    for (const selector of keep) addRule("keep", selector);
    for (const selector of drop) addRule("drop", selector);
  }
  on.say(`${fitting.length} of ${formatCount(rules.length, "rule")} are for this page`);
  if (fitting.length) on.changed();
}

export function showRules(changed) {
  const rules = listRules();
  byId("no-rules").hidden = rules.length > 0;
  byId("copy-rules").disabled = byId("save-rules").disabled = !rules.length;
  byId("rule-list").replaceChildren(...rules.map((rule) => {
    const remove = make("button", { type: "button", class: "icon", ariaLabel: `Remove the rule ${rule.action} ${rule.selector}`, title: "Remove this rule" }, "×");
    remove.addEventListener("click", () => {
      removeRule(rule);
      changed();
      byId("rules-file").focus();
    });
    return make("li", {}, make("span", { class: "verb" }, rule.action), make("code", {}, rule.selector), remove);
  }));
}

// -- the file of rules -----------------------------------------------------------------------

const toToml = (text) => (text.includes("'") || /[\n\r]/.test(text) ? JSON.stringify(text) : `'${text}'`);
const isOnePage = (selector) => selector.startsWith("/html");

// The rules as TOML: one table for pages of the host, one for this page alone.
export function writeRules() {
  const rules = listRules();
  const address = app.page?.url ? new URL(app.page.url) : undefined;
  const tables = [rules.filter(({ selector }) => !isOnePage(selector)), rules.filter(({ selector }) => isOnePage(selector))];
  return tables.map((own, at) => {
    if (!own.length) return "";
    const lines = ["[[rule]]"];
    if (address) lines.push(`host = ${toToml(address.hostname)}`);
    if (address && at === 1) lines.push(`path = ${toToml(address.pathname)}`);
    for (const action of ["keep", "drop"]) {
      const selectors = own.filter((rule) => rule.action === action).map(({ selector }) => toToml(selector));
      if (selectors.length) lines.push(`${action} = [${selectors.join(", ")}]`);
    }
    return `${lines.join("\n")}\n`;
  }).filter(Boolean).join("\n");
}

const STRING = /"(?:[^"\\]|\\.)*"|'[^']*'/g;
const LINE = /^(host|path|keep|drop)\s*=\s*(.*)$/s;

const fromToml = (text) => (text.startsWith("'") ? text.slice(1, -1) : JSON.parse(text));

// The rules of a TOML file, as `--rules` takes it; comments and strings over several lines of a list are read.
export function readRules(text) {
  const rules = [];
  const bare = text.replaceAll(/("(?:[^"\\\n]|\\.)*"|'[^'\n]*')|#[^\n]*/g, (_, string) => string ?? "");
  const joined = bare.replaceAll(/\[(?!\[)[^\]"']*(?:("(?:[^"\\]|\\.)*"|'[^']*')[^\]"']*)*\](?!\])/g, (list) => list.replaceAll(/\s*\n\s*/g, " "));
  for (const line of joined.split("\n").map((one) => one.trim()).filter(Boolean)) {
    const [, name, value] = LINE.exec(line) ?? [];
    if (line === "[[rule]]") rules.push({ host: "*", path: "*", keep: [], drop: [] });
    else if (name && rules.length) {
      const strings = (value.match(STRING) ?? []).map(fromToml);
      if (!strings.length && value !== "[]") throw new Error(`This rules file cannot be read at “${line.slice(0, 60)}”.`);
      rules.at(-1)[name] = name === "host" || name === "path" ? strings[0] : strings;
    } else throw new Error(`This rules file cannot be read at “${line.slice(0, 60)}”.`);
  }
  if (!rules.length) throw new Error("There is no [[rule]] in this file.");
  return rules;
}

const toPattern = (glob) => new RegExp(`^${glob.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "i");

function matches({ host, path }, url) {
  const address = url ? new URL(url) : undefined;
  const onHost = host === "*" || (address && (toPattern(host).test(address.hostname) || address.hostname.endsWith(`.${host}`)));
  return Boolean(onHost) && (path === "*" || Boolean(address && toPattern(path).test(address.pathname)));
}
