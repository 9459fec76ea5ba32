// The explorer: a page drawn with its pagelets, methods and options to try, and why.

import { ask, byId, debounced, theme } from "../shared/service.js";
import { Drawing } from "../shared/drawing.js";
import { MOST_PACKED, digest, fragment, pack, read } from "./link.js";
import { Asker, overview } from "./requests.js";
import { EXPORTS } from "./export.js";
import { fillChoices, scrollTogether } from "./compare.js";
import { Keys } from "./keys.js";
import { Panel, fitTo, showPane, showProblem, tell } from "./panel.js";
import { Shown } from "./view.js";
import { change, changedOf, here, profileOf, reset, setProfile } from "./state.js";
import { listen } from "./open.js";

const WAIT = 60; // ms from the last move of a slider to the question
const SETTLED = 250; // ms until the address is written, which browsers allow only so often

let awaited = ""; // digest of the page that a link was made for

const drawings = ["one", "two"].map((id, which) => new Drawing(byId(id), {
  click: (number, row) => shown.click(which, number, row),
  unseen: (numbers) => which === 0 && shown.unseen(numbers),
  scrolled: (share) => here.other && together(which, share),
  key: (key) => keys.press(key),
}));
const together = scrollTogether(drawings);
const asker = new Asker(drawings[0]);
const shown = new Shown(drawings, {
  remember: debounced(remember, SETTLED),
  option: changeOption,
  everything: (...asked) => asker.everything(...asked),
});
const panel = new Panel({
  method: chooseMethod, profile: chooseProfile,
  option: (name, value) => changeOption(here.state.method, name, value),
  reset: () => {
    reset(here.state.method);
    again();
  },
});

// -- asking -----------------------------------------------------------------------------

async function again() {
  const started = performance.now();
  try {
    if (!(await asker.again())) return;
    showProblem();
    tell(`answered in ${Math.round(performance.now() - started)} ms`);
  } catch (problem) {
    showProblem(problem);
  }
  show();
}

const againSoon = debounced(again, WAIT);

function show() {
  panel.show(here.state, profileOf(here.state.method));
  if (here.page) shown.show();
}

// -- opening ----------------------------------------------------------------------------

async function open({ name, html, url, site }) {
  const before = here.page;
  const started = performance.now();
  here.page = { name, html, url, site, loaded: html === undefined };
  tell("asking …");
  try {
    await asker.inspect();
  } catch (problem) {
    here.page = before;
    throw problem;
  }
  const { page } = here;
  page.digest = digest(page.html ?? page.url);
  page.packed = page.loaded ? "" : await packed(page.html);
  here.other = null;
  asker.forget();
  for (const one of drawings) one.load(page.drawing);
  showOpened();
  tell(awaited && awaited !== page.digest
    ? "This is not the page that the link was made for."
    : `answered in ${Math.round(performance.now() - started)} ms`);
  awaited = "";
  if (here.state.method === "all") show();
  else await again();
}

function showOpened() {
  const { title, url, name } = here.page;
  byId("start").hidden = byId("absent").hidden = true;
  byId("drawings").hidden = byId("new").hidden = byId("more").hidden = false;
  byId("link").disabled = byId("export").disabled = false;
  byId("where").textContent = [title, url || name].join(" · ");
  document.title = `${title} · pagelet explorer`;
  fitTo(here.state.width);
  showPane("page");
  showProblem();
}

async function packed(html) {
  const text = await pack(html);
  return text.length <= MOST_PACKED ? text : "";
}

function startAgain() {
  byId("start").hidden = false;
  byId("drawings").hidden = true;
  showPane("page");
  byId("html").focus();
}

// -- changing ---------------------------------------------------------------------------

function changeOption(method, name, value) {
  change(method, name, value);
  if (here.state.method === "all") here.state.method = method;
  againSoon();
}

function chooseMethod(name) {
  here.state.method = name;
  here.other = null;
  show();
  if (here.page && name !== "all" && (!here.answers[name] || here.state.compare)) again();
}

function chooseProfile(profile) {
  setProfile(here.state.method, profile);
  again();
}

function setWidth(width) {
  here.state.width = width;
  byId("width").value = String(width);
  fitTo(width);
  asker.forget();
  if (here.page && here.state.method === "segments") againSoon();
  remember();
}

// -- links and files --------------------------------------------------------------------

function remember() {
  if (here.page) history.replaceState(null, "", fragment(here.state, here.page) || location.pathname);
}

async function copyLink() {
  const { page } = here;
  if (!page) return;
  remember();
  byId("linked-note").textContent = page.packed || page.loaded
    ? "Opens the same page with the same methods, options and region."
    : "The page is too large for a link: whoever opens it has to open the page too. All else is in it.";
  byId("address").value = location.href;
  byId("linked").showModal();
  byId("address").select();
  await navigator.clipboard?.writeText(location.href).then(() => tell("link copied"), () => undefined);
}

async function exportAs({ target }) {
  const { page, state, answers } = here;
  const format = target.value;
  target.value = "";
  if (!format || !page) return;
  const single = state.method === "all" ? null : answers[state.method];
  const stem = page.name.replace(/\.x?html?$/i, "").replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60);
  const asked = [state.method, profileOf(state.method), changedOf(state.method)];
  const request = single ? await asker.request(...asked) : undefined;
  const all = Object.fromEntries(overview().map((name) => [name, answers[name]]));
  const name = `${stem}-${state.method}`;
  const view = { page, answers: all, single, request, name, items: shown.items, drawing: drawings[0] };
  try {
    tell((await EXPORTS[format](view)) || `saved ${view.name}`);
  } catch (problem) {
    showProblem(problem);
  }
}

// -- start ------------------------------------------------------------------------------

const keys = new Keys([
  [["o"], "open another page", startAgain],
  [["0", "1", "2", "3", "4", "5", "6"], "all methods, or one of them", (key) => panel.press(Number(key))],
  [["j", "ArrowDown"], "the next pagelet", () => shown.step(1)],
  [["k", "ArrowUp"], "the pagelet before", () => shown.step(-1)],
  [["u"], "the region around the chosen one", () => shown.up()],
  [["["], "the first slider down", () => panel.nudge(-1)],
  [["]"], "the first slider up", () => panel.nudge(1)],
  [["p"], "the next profile", () => panel.nextProfile()],
  [["c"], "compare", () => byId("compare").focus()],
  [["/"], "filter the list", () => byId("filter").focus()],
  [["e"], "export", () => byId("export").focus()],
  [["l"], "copy the link", copyLink],
  [["t"], "light, dark, or as the system has it", () => byId("theme").click()],
  [["?"], "these keys", () => byId("keys").showModal()],
  [["Escape"], "choose nothing", () => shown.choose(-1)],
]);

function listenToAll() {
  theme(byId("theme"));
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("new").addEventListener("click", startAgain);
  byId("link").addEventListener("click", copyLink);
  byId("export").addEventListener("change", exportAs);
  byId("width").addEventListener("change", ({ target }) => setWidth(Number(target.value)));
  byId("compare").addEventListener("change", ({ target }) => {
    here.state.compare = target.value;
    again();
  });
  const watch = new ResizeObserver(() => {
    fitTo(here.state.width);
    asker.forget();
  });
  for (const hold of document.querySelectorAll(".hold")) watch.observe(hold);
  listen({ open, fail: showProblem, fetches: () => here.service?.fetch });
}

async function begin() {
  listenToAll();
  here.service = await ask("/v1/methods");
  const { methods, fetch: fetches } = here.service;
  here.methods = new Map(methods.map((method) => [method.name, method]));
  byId("load").hidden = !fetches;
  byId("offline").hidden = fetches;
  panel.fill(methods);
  const linked = await read(location.hash, methods);
  here.state = linked.state;
  awaited = linked.digest;
  fillChoices(byId("compare"), methods, linked.state.compare);
  setWidth(linked.state.width);
  show();
  if (linked.html !== undefined) await open({ name: "linked page", html: linked.html, url: linked.url, site: [] });
  else if (linked.url && fetches) await open({ name: linked.url, url: linked.url, site: [] });
  else if (linked.url || linked.digest) showAbsent(linked);
}

function showAbsent({ url }) {
  byId("absent").hidden = false;
  byId("absent").textContent = "This link has no page in it. Open the page, and the view is as it was.";
  byId("base").value = url;
}

begin().catch(showProblem);
