// The explorer: a page drawn with its pagelets, methods and options to try, and explanations.

import { byId, setUpTheme, showPane } from "../shared/elements.js";
import { debounce, request } from "../shared/service.js";
import { Drawing } from "../shared/drawing.js";
import { MAX_PACKED_CHARS, digest, pack, readFragment, writeFragment } from "./link.js";
import { PageRequests, listOverview } from "./requests.js";
import { EXPORTS } from "./export.js";
import { fillComparisons, syncScrolling } from "./compare.js";
import { Keys } from "./keys.js";
import { Panel, setDrawingWidth, showProblem, showStatus } from "./panel.js";
import { View } from "./view.js";
import { app, changesOf, profileOf, resetOptions, setOption, setProfile } from "./state.js";
import { listenForPages } from "./open.js";

const REQUEST_MS = 60; // from the last move of a slider to the request
const REMEMBER_MS = 250; // until the address is written, for which browsers have a rate limit

let expectedDigest = ""; // digest of the page that a link was made for

const drawings = ["one", "two"].map((id, which) => new Drawing(byId(id), {
  click: (number, row) => view.click(which, number, row),
  unseen: (numbers) => which === 0 && view.markUnseen(numbers),
  scrolled: (share) => app.other && keepInSync(which, share),
  key: (key) => keys.press(key),
}));
const keepInSync = syncScrolling(drawings);
const requests = new PageRequests(drawings[0]);
const view = new View(drawings, {
  remember: debounce(remember, REMEMBER_MS),
  option: changeOption,
  run: (...query) => requests.runWith(...query),
});
const panel = new Panel({
  method: chooseMethod, profile: chooseProfile,
  option: (name, value) => changeOption(app.state.method, name, value),
  reset: () => {
    resetOptions(app.state.method);
    refresh();
  },
});

// -- requests ---------------------------------------------------------------------------

async function refresh() {
  const started = performance.now();
  try {
    if (!(await requests.refresh())) return;
    showProblem();
    showStatus(`done in ${Math.round(performance.now() - started)} ms`);
  } catch (problem) {
    showProblem(problem);
  }
  show();
}

const refreshSoon = debounce(refresh, REQUEST_MS);

function show() {
  panel.show(app.state, profileOf(app.state.method));
  if (app.page) view.show();
}

// -- opening ----------------------------------------------------------------------------

async function open({ name, html, url, site }) {
  const before = app.page;
  const started = performance.now();
  app.page = { name, html, url, site, loaded: html === undefined };
  showStatus("analysing …");
  try {
    await requests.inspect();
  } catch (problem) {
    app.page = before;
    throw problem;
  }
  const { page } = app;
  page.digest = digest(page.html ?? page.url);
  page.packed = page.loaded ? "" : await packPage(page.html);
  app.other = null;
  requests.clearLayout();
  for (const one of drawings) one.load(page.drawing);
  showOpened();
  showStatus(expectedDigest && expectedDigest !== page.digest
    ? "This is not the page the link was made for."
    : `done in ${Math.round(performance.now() - started)} ms`);
  expectedDigest = "";
  if (app.state.method === "all") show();
  else await refresh();
}

function showOpened() {
  const { title, url, name } = app.page;
  byId("start").hidden = byId("absent").hidden = true;
  byId("drawings").hidden = byId("new").hidden = byId("more").hidden = false;
  byId("link").disabled = byId("export").disabled = false;
  byId("where").textContent = [title, url || name].join(" · ");
  document.title = `${title} · pagelet explorer`;
  setDrawingWidth(app.state.width);
  showPane("page");
  showProblem();
}

async function packPage(html) {
  const text = await pack(html);
  return text.length <= MAX_PACKED_CHARS ? text : "";
}

function showStart() {
  byId("start").hidden = false;
  byId("drawings").hidden = true;
  showPane("page");
  byId("html").focus();
}

// -- changing ---------------------------------------------------------------------------

function changeOption(method, name, value) {
  setOption(method, name, value);
  if (app.state.method === "all") app.state.method = method;
  refreshSoon();
}

function chooseMethod(name) {
  app.state.method = name;
  app.other = null;
  show();
  if (app.page && name !== "all" && (!app.answers[name] || app.state.compare)) refresh();
}

function chooseProfile(profile) {
  setProfile(app.state.method, profile);
  refresh();
}

function setWidth(width) {
  app.state.width = width;
  byId("width").value = String(width);
  setDrawingWidth(width);
  requests.clearLayout();
  if (app.page && app.methods.get(app.state.method)?.needs.includes("layout")) refreshSoon();
  remember();
}

// -- links and files --------------------------------------------------------------------

function remember() {
  if (app.page) history.replaceState(null, "", writeFragment(app.state, app.page) || location.pathname);
}

async function copyLink() {
  const { page } = app;
  if (!page) return;
  remember();
  byId("linked-note").textContent = page.packed || page.loaded
    ? "Opens this page with the same method, options and selection."
    : "The page is too large for a link. The link holds method, options and selection; the page has to be opened separately.";
  byId("address").value = location.href;
  byId("linked").showModal();
  byId("address").select();
  await navigator.clipboard?.writeText(location.href).then(() => showStatus("link copied"), () => undefined);
}

async function exportAs({ target }) {
  const { page, state, answers } = app;
  const format = target.value;
  target.value = "";
  if (!format || !page) return;
  const single = state.method === "all" ? null : answers[state.method];
  const stem = page.name.replace(/\.x?html?$/i, "").replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60);
  const query = [state.method, profileOf(state.method), changesOf(state.method)];
  const form = single ? await requests.makeForm(...query) : undefined;
  const all = Object.fromEntries(listOverview().map((name) => [name, answers[name]]));
  const name = `${stem}-${state.method}`;
  const exported = { page, answers: all, single, form, name, items: view.items, drawing: drawings[0] };
  try {
    showStatus((await EXPORTS[format](exported)) || `saved ${name}`);
  } catch (problem) {
    showProblem(problem);
  }
}

// -- start ------------------------------------------------------------------------------

const keys = new Keys([
  [["o"], "open another page", showStart],
  [["0", "1", "2", "3", "4", "5", "6"], "all methods, or one of them", (key) => panel.press(Number(key))],
  [["j", "ArrowDown"], "next pagelet", () => view.step(1)],
  [["k", "ArrowUp"], "previous pagelet", () => view.step(-1)],
  [["u"], "enclosing pagelet", () => view.chooseParent()],
  [["["], "decrease the first slider", () => panel.nudge(-1)],
  [["]"], "increase the first slider", () => panel.nudge(1)],
  [["p"], "next profile", () => panel.nextProfile()],
  [["c"], "compare", () => byId("compare").focus()],
  [["/"], "filter the list", () => byId("filter").focus()],
  [["e"], "export", () => byId("export").focus()],
  [["l"], "copy link", copyLink],
  [["t"], "colours: auto, light or dark", () => byId("theme").click()],
  [["?"], "show these keys", () => byId("keys").showModal()],
  [["Escape"], "clear the selection", () => view.choose(-1)],
]);

function listen() {
  setUpTheme(byId("theme"));
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("new").addEventListener("click", showStart);
  byId("link").addEventListener("click", copyLink);
  byId("export").addEventListener("change", exportAs);
  byId("width").addEventListener("change", ({ target }) => setWidth(Number(target.value)));
  byId("compare").addEventListener("change", ({ target }) => {
    app.state.compare = target.value;
    refresh();
  });
  const watch = new ResizeObserver(() => {
    setDrawingWidth(app.state.width);
    requests.clearLayout();
  });
  for (const hold of document.querySelectorAll(".hold")) watch.observe(hold);
  listenForPages({ open, fail: showProblem, fetches: () => app.service?.fetch });
}

async function begin() {
  listen();
  app.service = await request("/v1/methods");
  const { methods, fetch: fetches } = app.service;
  app.methods = new Map(methods.map((method) => [method.name, method]));
  byId("load").hidden = !fetches;
  byId("offline").hidden = fetches;
  panel.fill(methods);
  const linked = await readFragment(location.hash, methods);
  app.state = linked.state;
  expectedDigest = linked.digest;
  fillComparisons(byId("compare"), methods, linked.state.compare);
  setWidth(linked.state.width);
  show();
  if (linked.html !== undefined) await open({ name: "linked page", html: linked.html, url: linked.url, site: [] });
  else if (linked.url && fetches) await open({ name: linked.url, url: linked.url, site: [] });
  else if (linked.url || linked.digest) showAbsent(linked);
}

function showAbsent({ url }) {
  byId("absent").hidden = false;
  byId("absent").textContent = "This link does not contain the page. Open the page to restore the view.";
  byId("base").value = url;
}

begin().catch(showProblem);
