// The explorer: a page drawn with its pagelets, the answer to take away, options and rules to try.

import { byId, setUpTheme, showPane } from "../shared/elements.js";
import { debounce, request } from "../shared/service.js";
import { Drawing } from "../shared/drawing.js";
import { MAX_PACKED_CHARS, digest, pack, readFragment, writeFragment } from "./link.js";
import { PageRequests, listShown } from "./requests.js";
import { Answers } from "./answers.js";
import { EXPORTS } from "./export.js";
import { fillComparisons, syncScrolling } from "./compare.js";
import { Keys } from "./keys.js";
import { Loading } from "./loading.js";
import { Panel, setDrawingWidth, showProblem, showStatus } from "./panel.js";
import { View } from "./view.js";
import { app, profileOf, resetOptions, setOption, setProfile, stateForNewPage } from "./state.js";
import { listenForPages, showRecent } from "./open.js";
import { listenForPageParts, showPageParts } from "./parts.js";
import { listenForRules, showRules } from "./rules.js";
import { forgetPages, keepPage, listPages, readPage } from "./store.js";
import { listLacks, writeProgram } from "./commands.js";
import { labelWords } from "./words.js";

const REQUEST_MS = 60; // from the last move of a slider to the request
const REMEMBER_MS = 250; // until the address is written, for which browsers have a rate limit

const labelFor = (name) => labelWords(app.methods.get(name) ?? {});
let wordsMean; // label of the field that the words were typed into
let expectedDigest = ""; // digest of the page that a link was made for

const drawings = ["one", "two"].map((id, which) => new Drawing(byId(id), {
  click: (number, row) => view.click(which, number, row),
  unseen: (numbers) => which === 0 && view.markUnseen(numbers),
  scrolled: (share) => app.other && keepInSync(which, share),
  key: (key) => keys.press(key),
}));
const keepInSync = syncScrolling(drawings);
const requests = new PageRequests(drawings[0]);
const loading = new Loading();
const view = new View(drawings, {
  remember: debounce(remember, REMEMBER_MS),
  option: changeOption,
  run: (...query) => requests.runWith(...query),
  explain: (...query) => requests.explain(...query),
  ruled: useRule,
});
const answers = new Answers({ requests, view, drawing: drawings[0], on: { tab: chooseTab, say: showStatus, fail: showProblem } });
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
  const message = "analysing …";
  showStatus(message);
  try {
    if (!(await requests.refresh())) return;
    showProblem();
    if (byId("status").textContent === message) showStatus(`done in ${Math.round(performance.now() - started)} ms`);
  } catch (problem) {
    showProblem(problem);
  }
  show();
}

const refreshSoon = debounce(refresh, REQUEST_MS);

function show() {
  panel.show(app.state, profileOf(app.state.method));
  showRules(refresh);
  if (!app.page) return;
  if (app.other && !app.page.twice) { // the second drawing is made when it is needed
    drawings[1].load(app.page.drawing);
    app.page.twice = true;
  }
  view.show();
  answers.clear();
  answers.show();
}

// -- opening ----------------------------------------------------------------------------

// Open a page; what belongs to the one before is cleared. given: the state to open it with; pane: the one to show.
async function open(found, given, pane = "page") {
  const findState = () => given ?? (app.page ? stateForNewPage(app.state) : app.state);
  const started = performance.now();
  const signal = loading.begin();
  showStatus("opening …");
  try {
    const { name, path, html, url, site, files = [] } = await found;
    const page = { name, path, html, url, site, files, loaded: html === undefined };
    loading.step(1, html === undefined ? "" : formatSize(html.length));
    const answered = await requests.inspect(page, findState(), { signal, sent: () => loading.step(2), received: () => loading.step(3) });
    Object.assign(app, { page, state: findState(), answers: answered });
  } catch (problem) {
    if (!signal.aborted) loading.end();
    if (problem.name === "AbortError") return showStatus("cancelled");
    throw problem;
  }
  await finish(started, pane);
}

const formatSize = (chars) => (chars < 1e6 ? `${Math.ceil(chars / 1000)} kB` : `${(chars / 1e6).toFixed(1)} MB`);

async function finish(started, pane) {
  const { page } = app;
  page.digest = digest(page.html ?? page.url);
  app.other = null;
  requests.clearLayout();
  drawings[0].load(page.drawing);
  showOpened(pane);
  loading.end();
  keepFocus();
  const strange = expectedDigest && expectedDigest !== page.digest;
  expectedDigest = "";
  if (strange) showStatus("This is not the page the link was made for.");
  else showStatus(`done in ${Math.round(performance.now() - started)} ms`);
  if (app.state.method === "all" || (app.answers[app.state.method] && !app.state.compare)) show();
  else await refresh();
  page.kept = keep(page);
}

// Keep the page: in the address if it is small, and in this browser.
async function keep(page) {
  const { name, path, html, url, site, files, loaded, title, digest: key } = page;
  page.packed = loaded ? "" : await packPage(html);
  if (page === app.page) remember();
  await keepPage({ digest: key, name, path, html: loaded ? undefined : html, url, site, files, title });
}

function showOpened(pane) {
  const { title, url, name } = app.page;
  byId("start").hidden = byId("absent").hidden = true;
  byId("opened").hidden = byId("new").hidden = byId("more").hidden = false;
  byId("link").disabled = byId("export").disabled = false;
  byId("where").textContent = [title, url || name].join(" · ");
  document.title = `${title} · pagelet explorer`;
  fillComparisons(byId("compare"), app.service.methods, app.state.compare);
  byId("query").value = app.state.query;
  setWidth(app.state.width);
  showPageParts();
  showPane(pane);
  showProblem();
}

// The focus is never left on what has gone.
function keepFocus() {
  const { activeElement } = document;
  if (activeElement === document.body || !activeElement.checkVisibility()) byId(`tab-${app.state.tab}`).focus({ preventScroll: true });
}

async function packPage(html) {
  const text = await pack(html);
  return text.length <= MAX_PACKED_CHARS ? text : "";
}

// Leave the page: what belongs to it is cleared.
async function showStart() {
  loading.cancel();
  Object.assign(app, { page: null, answers: {}, other: null, state: stateForNewPage(app.state) });
  expectedDigest = "";
  view.clear();
  showProblem();
  showStatus("");
  byId("start").hidden = false;
  byId("opened").hidden = byId("new").hidden = byId("more").hidden = true;
  byId("link").disabled = byId("export").disabled = true;
  byId("where").textContent = byId("html").value = byId("base").value = byId("url").value = byId("query").value = "";
  document.title = "pagelet explorer";
  history.replaceState(null, "", location.pathname);
  show();
  showPane("page");
  byId("url").focus();
  await showPages();
}

async function showPages() {
  showRecent(await listPages(), (page) => open(page).catch(showProblem));
}

// -- changing ---------------------------------------------------------------------------

function changeOption(method, name, value) {
  setOption(method, name, value);
  if (app.state.method === "all") app.state.method = method;
  refreshSoon();
}

function chooseMethod(name) {
  wordsMean ??= labelFor(app.state.method);
  app.state.method = name;
  if (labelFor(name) && labelFor(name) !== wordsMean) {
    byId("query").value = app.state.query = ""; // words for one method say nothing to another
    wordsMean = labelFor(name);
  }
  app.other = null;
  showStatus("");
  show();
  if (app.page && name !== "all" && (!app.answers[name] || app.state.compare)) refresh();
}

function chooseProfile(profile) {
  setProfile(app.state.method, profile);
  refresh();
}

function chooseTab(tab) {
  app.state.tab = tab;
  answers.show();
  remember();
}

// A rule was used: the content shows what it changes.
async function useRule(action) {
  app.state.method = "content";
  await refresh();
  showStatus(`rule in use: ${action}`);
  byId("detail").focus();
}

function setWidth(width) {
  app.state.width = width;
  byId("width").value = String(width);
  setDrawingWidth(width);
  requests.clearLayout();
}

// Another width, other pages of the site, other words: what depends on them is asked again.
function changeWidth(width) {
  setWidth(width);
  if (app.page && app.methods.get(app.state.method)?.needs.includes("layout")) refreshSoon();
  remember();
}

function changeQuery(words) {
  app.state.query = words.trim();
  if (!app.page) return;
  if (app.methods.get(app.state.method)?.uses.includes("query")) refresh();
  else show(); // without a request
  remember();
}

// The page with other files or other pages beside it; its view stays. One that was loaded is loaded again,
// with its style sheets, unless files are given for it.
function reopen(more) {
  const { page, state } = app;
  const again = page.loaded && !more.files?.length ? { html: undefined } : {};
  return open({ ...page, ...again, ...more }, state, document.body.dataset.pane).catch(showProblem);
}

// -- links and files --------------------------------------------------------------------

function remember() {
  const shown = { ...app.state, query: labelFor(app.state.method) ? app.state.query : "" };
  if (app.page) history.replaceState(null, "", writeFragment(shown, app.page, listShown()) || location.pathname);
}

async function copyLink() {
  const { page } = app;
  if (!page) return;
  await page.kept;
  remember();
  byId("linked-note").textContent = page.packed || page.loaded
    ? "Opens this page with the same method, options and selection."
    : "The page is too large for a link. In this browser the link opens it again; elsewhere the page has to be opened separately.";
  byId("address").value = location.href;
  byId("linked").showModal();
  byId("address").select();
  await navigator.clipboard?.writeText(location.href).then(() => showStatus("link copied"), () => undefined);
}

async function exportAs({ target }) {
  const { page, state } = app;
  const format = target.value;
  target.value = "";
  if (!format || !page) return;
  const exported = {
    page, name: answers.stem, items: view.shown, drawing: drawings[0],
    method: state.method === "all" ? "" : state.method,
    json: () => answers.writeJson(byId("with-reasons").checked),
    markdown: () => answers.write("markdown"),
    html: () => requests.write(state.method, "html"),
  };
  try {
    showStatus((await EXPORTS[format](exported)) || `saved ${exported.name}.${format === "markdown" ? "md" : format}`);
  } catch (problem) {
    showProblem(problem);
  }
}

function copyProgram({ target }) {
  const language = target.value;
  target.value = "";
  if (!language || !app.page) return;
  const lacks = listLacks(language);
  copy(writeProgram(language, app.state.tab), `${language} copied${lacks.length ? `, without ${lacks.join(" and ")}` : ""}`);
}

const copy = (text, said) => answers.copyText(text, said).catch(showProblem);

// -- start ------------------------------------------------------------------------------

const keys = new Keys([
  [["o"], "open another page", showStart],
  [["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"], "all methods, or one of them", (key) => panel.press(Number(key))],
  [["a"], "next tab of the answer", () => nextTab()],
  [["j", "ArrowDown"], "next pagelet", () => view.step(1)],
  [["k", "ArrowUp"], "previous pagelet", () => view.step(-1)],
  [["u"], "the pagelet around", () => view.chooseParent()],
  [["n"], "next difference, when comparing", () => view.nextDifference()],
  [["["], "decrease the first slider", () => panel.nudge(-1)],
  [["]"], "increase the first slider", () => panel.nudge(1)],
  [["p"], "next profile", () => panel.nextProfile()],
  [["c"], "compare", () => byId("compare").focus()],
  [["/"], "filter the list", () => byId("filter").focus()],
  [["e"], "export", () => byId("export").focus()],
  [["l"], "copy link", copyLink],
  [["t"], "colours: auto, light or dark", () => byId("theme").click()],
  [["?"], "show these keys", () => byId("keys").showModal()],
  [["Escape"], "cancel, or clear the selection", () => (loading.active ? loading.cancel() : view.choose(-1))],
]);

function nextTab() {
  const tabs = [...byId("tabs").children];
  const at = tabs.findIndex((tab) => tab.dataset.tab === app.state.tab);
  if (app.page) chooseTab(tabs[(at + 1) % tabs.length].dataset.tab);
}

function listen() {
  setUpTheme(byId("theme"));
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("new").addEventListener("click", showStart);
  byId("link").addEventListener("click", copyLink);
  byId("export").addEventListener("change", exportAs);
  byId("copy-as").addEventListener("change", copyProgram);
  byId("width").addEventListener("change", ({ target }) => changeWidth(Number(target.value)));
  byId("query").addEventListener("change", ({ target }) => changeQuery(target.value));
  byId("differences").addEventListener("change", ({ target }) => view.showDifferences(target.checked));
  byId("next-difference").addEventListener("click", () => view.nextDifference());
  byId("forget").addEventListener("click", async () => {
    await forgetPages();
    await showPages();
    byId("start-title").focus();
  });
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
  listenForPageParts({ reopen, fail: showProblem });
  listenForRules({ changed: refresh, copy, say: showStatus, fail: showProblem });
}

async function begin() {
  listen();
  app.service = await request("/v1/methods");
  const { methods, fetch: fetches } = app.service;
  app.methods = new Map(methods.map((method) => [method.name, method]));
  byId("url-note").textContent = fetches
    ? "The service loads the page with its style sheets and pictures."
    : "This service does not load addresses: restart it with pagelet serve --allow-fetch, or open a file.";
  panel.fill(methods);
  const linked = await readFragment(location.hash, methods);
  app.state = linked.state;
  expectedDigest = linked.digest;
  show();
  await showPages();
  await openLinked(linked);
}

// The page that a link means, with its name, its files and the pages beside it, if this browser has it.
async function readKept(key, url) {
  if (key) return readPage(key);
  return url ? (await listPages()).find((page) => page.html === undefined && page.url === url) : undefined;
}

async function openLinked({ state, html, url, digest: key }) {
  const kept = await readKept(key || (html === undefined ? "" : digest(html)), url);
  if (kept?.html !== undefined || (kept && app.service.fetch)) await open({ ...kept, url }, state);
  else if (html !== undefined) await open({ name: "linked page", html, url, site: [] }, state);
  else if (url && app.service.fetch) await open({ name: url, url, site: [] }, state);
  else if (url || key) showAbsent(url);
  else byId("url").focus();
}

function showAbsent(url) {
  byId("absent").hidden = false;
  byId("absent").textContent = "This link does not contain the page. Open the page to restore the view.";
  byId("base").value = url;
}

begin().catch(showProblem);
