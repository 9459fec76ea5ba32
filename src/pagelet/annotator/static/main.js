// The annotator: pages on the left, the drawn page in the middle, marks on the right.

import { byId, formatCount, make, saveFile, setUpTheme, showPane } from "../shared/elements.js";
import * as api from "./api.js";
import { handleKey, setLetters, showKeys, usesLetters } from "./keys.js";
import { LETTERS, groupOf, lookOf, splitKind, wordsOf } from "./kinds.js";
import { FILTERS, describeElement, describeReading, showMarks, showPages, showQueue, showReadings, showShown, showSpread, showTrail } from "./lists.js";
import { showAgreement, showDifferences, showLooked } from "./review.js";
import { RoleMenu } from "./roles.js";
import { Stage } from "./stage.js";
import { guard, guardInTurn, hideNotice, showNotice, showProblem } from "./toasts.js";
import { setUpTraining } from "./training.js";

const CONFIDENT = 0.9; // confidence from which on marks are accepted together
const NO_PAGE = { id: 0, marks: [], read: {}, looked: [], undo: 0, redo: 0, done: false, agreement: [], disagreements: [] };

const state = {
  kinds: {}, groups: {}, lookedFor: [], everybody: "*", project: 0, page: 0, pages: [], filter: "all", fields: new Set(),
  marks: [], differences: [], difference: -1, undo: 0, redo: 0, done: false, turn: 0, shown: 0, listing: 0, creating: false,
  hidden: new Set(JSON.parse(localStorage.getItem("hidden kinds") ?? "[]")),
};
let roleMenu;
let created = Promise.resolve(); // the project that is being created, which files are added to
const annotator = () => byId("annotator").value.trim() || "me";
const stage = new Stage(byId("frame"), byId("boxes"), { selected: showSelection, key: (event) => handleKey(event, actions) });

// -- showing ------------------------------------------------------------------------------

const showStatus = (text) => { byId("status").textContent = text; };

function showSelection(elements) {
  showTrail(elements, (element) => stage.select([element]));
  for (const button of byId("kinds").children) button.disabled = !elements.length || !state.page;
  if (!elements.length) return showStatus(state.page ? "Click an element, or press an arrow key." : "");
  const last = elements.at(-1);
  const siblings = [...(last.parentElement?.children ?? [])].filter(({ dataset }) => dataset?.row);
  const place = siblings.length > 1 ? `, ${siblings.indexOf(last) + 1} of ${siblings.length}` : "";
  const several = elements.length > 1 ? ` and ${elements.length - 1} more` : "";
  const marks = marksHere().map(({ kind }) => wordsOf(kind));
  return showStatus(`Selected: ${describeElement(last)}${place}${several}${marks.length ? `. Marked: ${marks.join(", ")}` : ""}`);
}

// Marks at the selection.
function marksHere() {
  const rows = new Set(stage.rows);
  return state.marks.filter((mark) => mark.rows.some((row) => rows.has(row)));
}

const isShown = ({ kind }) => !state.hidden.has(groupOf(kind));

const listPages = () => state.pages.filter(FILTERS[state.filter][1]);

function showList() {
  showPages(listPages(), state.page, { open, rename: renamePage, remove: (page) => removeOne("pages", page) });
  showQueue(state.pages, state.filter);
}

// Show the state of the page, unless another one was opened meanwhile. If what had the focus goes,
// the stage gets it.
function showState(page) {
  if (page.id !== state.page) return;
  const focused = document.activeElement;
  showPageState(page);
  const lost = focused !== document.body && (!focused?.isConnected || focused.disabled || !focused.checkVisibility());
  if (lost && [focused, document.body, null].includes(document.activeElement)) byId("stage").focus();
}

function showPageState(page) {
  const { marks, undo, redo, done, disagreements: differences } = page;
  Object.assign(state, { marks, undo, redo, done, differences, shown: state.shown + 1 });
  for (const { kind } of marks) if (groupOf(kind) === "field") state.fields.add(splitKind(kind)[1]);
  byId("undo").disabled = !undo;
  byId("redo").disabled = !redo;
  byId("done").disabled = !page.id;
  byId("done").ariaPressed = String(done);
  showVisible();
  showLooked(page.id ? state.lookedFor : [], marks, page.looked, guardInTurn(async (kind, looked) =>
    showState(await api.setLooked(state.page, { annotator: annotator(), kind, looked }))));
  showReadings(marks, page.read);
  showAgreement(page.agreement);
  showDifferencesAgain();
  const made = marks.filter(({ source }) => source === "person").length;
  const listed = state.pages.find(({ id }) => id === page.id);
  if (listed) Object.assign(listed, { made, proposed: marks.length - made, done });
  showList();
  byId("spread").disabled = !made || state.pages.length < 2;
}

// Show the marks of the kinds that are not hidden.
function showVisible() {
  stage.show(state.marks.filter(isShown));
  showMarks(state.marks, state.hidden, {
    show: ({ rows }) => { showPane("page"); stage.selectRows(rows); byId("stage").focus(); },
    accept: actions.accept, remove: actions.remove, move: actions.moveMark,
  });
  showShown(state.marks, state.hidden, (group) => {
    if (!state.hidden.delete(group)) state.hidden.add(group);
    localStorage.setItem("hidden kinds", JSON.stringify([...state.hidden]));
    showVisible();
  });
}

function showDifferencesAgain() {
  state.difference = Math.min(state.difference, state.differences.length - 1);
  showDifferences(state.differences, state.difference, { show: showDifference, decide });
}

function showDifference(at) {
  state.difference = at;
  showDifferencesAgain();
  showPane("page");
  stage.selectRows(state.differences[at].rows);
}

const decide = guardInTurn(async ({ kind, rows }, kept) => {
  showState(await api.decide(state.page, { annotator: annotator(), kind, rows, kept }));
  showStatus(kept === null ? "Decision taken back." : `${kept ? "Kept" : "Dropped"} in majority labels.`);
});

// Show a page as it is now: once more if something else was answered while it was loaded.
async function showLatest(id) {
  for (let seen = -1; id === state.page && seen !== state.shown;) {
    seen = state.shown;
    const page = await api.loadPage(id, annotator());
    if (seen === state.shown) return showState(page);
  }
}

// Show a page with its marks; page 0 is none.
async function showPage(page, drawing) {
  byId("empty").hidden = Boolean(page.id);
  byId("empty").textContent = state.project ? "Add pages to this project, then choose one to mark." : "Create a project for a site, then add its pages.";
  byId("stage").classList.toggle("blank", !page.id);
  byId("review").hidden = byId("suggest").disabled = byId("export").disabled = !page.id;
  byId("train").disabled = !state.project;
  for (const id of ["rename-project", "delete-project"]) byId(id).disabled = !state.project;
  for (const button of byId("moves").children) button.disabled = !page.id;
  state.difference = -1;
  await stage.load(drawing);
  showState(page);
}

// -- the address: project and page, so that a reload stays ---------------------------------

function readAddress() {
  const query = new URLSearchParams(location.search);
  return { project: Number(query.get("project")) || 0, page: Number(query.get("page")) || 0 };
}

function writeAddress() {
  const { project, page } = state;
  const query = new URLSearchParams({ ...(project && { project }), ...(page && { page }) });
  const address = query.size ? `?${query}` : location.pathname;
  if (location.search !== (query.size ? address : "")) {
    history[readAddress().page && page ? "pushState" : "replaceState"](null, "", address);
  }
}

addEventListener("popstate", guard(async () => {
  const { project, page } = readAddress();
  if (project && project !== state.project) await openProject({ id: project, page });
  else if (page && page !== state.page) await open(page);
}));

// -- actions ------------------------------------------------------------------------------

// Only the page that was requested last is shown.
const open = guard(async (id, pane = "page") => {
  const turn = state.turn += 1, { shown } = state;
  showPane(pane); // at once: a pane that is chosen while the page loads stays
  const [drawing, page] = await Promise.all([api.loadDrawing(id), api.loadPage(id, annotator())]);
  if (turn !== state.turn) return;
  state.page = id;
  writeAddress();
  document.title = `${page.name} · pagelet annotator`;
  await showPage(page, drawing);
  if (state.shown > shown + 1) await showLatest(id);
});

// Show the pages of the project, unless another one was chosen, or a later list requested, meanwhile.
const refreshPages = guard(async () => {
  const { project } = state;
  const listing = state.listing += 1;
  const answer = project ? await api.listPages(project, annotator()) : { pages: [] };
  if (project !== state.project || listing !== state.listing) return;
  state.pages = answer.pages;
  const [option] = byId("project").selectedOptions;
  if (project && option) option.textContent = `${answer.name} (${answer.pages.length})`;
  byId("drop-hint").hidden = answer.pages.length > 0;
  showList();
});

const actions = {
  mark: (kind) => {
    if (!state.page || !stage.rows.length) return showStatus("First select an element.");
    return kind in state.groups ? roleMenu.show(kind, state.fields) : actions.markAs(kind);
  },
  markAs: (kind) => actions.addMark(state.page, { annotator: annotator(), kind, rows: stage.rows }),
  addMark: guardInTurn(async (page, form) => {
    showState(await api.addMark(page, form));
    showStatus(`Marked as ${wordsOf(form.kind)}.`);
  }),
  choosing: () => roleMenu?.open,
  chooseRole: (letter) => roleMenu.press(letter),
  remove: guardInTurn(async (ids) => {
    showState(await api.deleteMarks(state.page, annotator(), ids));
    showStatus("Deleted.");
  }),
  removeHere: () => {
    const ids = marksHere().filter(isShown).map(({ id }) => id);
    return ids.length ? actions.remove(ids) : showStatus("No mark at the selection.");
  },
  accept: guardInTurn(async (ids) => showState(await api.acceptMarks(state.page, annotator(), ids))),
  acceptHere: () => {
    const ids = marksHere().filter(isShown).filter(({ source }) => source !== "person").map(({ id }) => id);
    return ids.length ? actions.accept(ids) : showStatus("No proposal at the selection.");
  },
  moveMark: guardInTurn(async (mark) => {
    if (!stage.rows.length) return showStatus("First select the new place of the mark.");
    showState(await api.moveMark(state.page, mark.id, { annotator: annotator(), rows: stage.rows }));
    return showStatus("Moved.");
  }),
  step: guardInTurn(async (way) => state.page && showState(await api.step(state.page, annotator(), way))),
  move: (way, several) => stage.move(way, several),
  proposal: (by) => {
    const waiting = state.marks.filter(isShown).filter(({ source }) => source !== "person");
    if (!waiting.length) return showStatus("No proposals.");
    const at = waiting.findIndex(({ rows }) => rows.includes(stage.rows.at(-1)));
    return stage.selectRows(waiting[(at + by + waiting.length) % waiting.length].rows);
  },
  difference: (by) => {
    const { length } = state.differences;
    if (!length) return showStatus("No disagreements.");
    return showDifference((state.difference + by + (state.difference < 0 && by < 0 ? 1 : 0) + length) % length);
  },
  turn: (by) => {
    const listed = listPages();
    const at = listed.findIndex(({ id }) => id === state.page) + by;
    if (listed[at]) open(listed[at].id);
  },
  // Finish the page and go to the next one that is not done; a finished page is taken up again.
  finish: guard(async () => {
    if (!state.page) return undefined;
    showState(await api.setDone(state.page, annotator(), !state.done));
    if (!state.done) return showStatus("Not done yet.");
    const at = state.pages.findIndex(({ id }) => id === state.page);
    const queue = [...state.pages.slice(at + 1), ...state.pages.slice(0, at)].filter(({ done }) => !done);
    const next = queue.find(({ proposed }) => proposed) ?? queue[0];
    return next ? open(next.id) : showStatus("All pages are done.");
  }),
  clear: () => (roleMenu?.open ? roleMenu.close() : stage.select([])),
  help: () => byId("help-dialog").showModal(),
};

const listProposals = (least = -1) => state.marks.filter(isShown)
  .filter(({ source, sure }) => source !== "person" && (sure ?? 0) >= least).map(({ id }) => id);

// what: a method, or all:METHOD for every page of the project
const suggest = guard(async (what) => {
  if (what.startsWith("all:")) return suggestEverywhere(what.slice(4));
  const { page } = state;
  const words = what.replace(":", ", ");
  showStatus(`Running ${words} …`);
  const answer = await api.suggest(page, annotator(), what).finally(() => showSelection(stage.selected));
  if (page !== state.page) return undefined;
  showState(answer);
  byId("stage").focus(); // shortcuts do not act in a select
  const found = answer.new ? `${formatCount(answer.new, "mark")} proposed by ${words}; press J for the next one` : `No new proposals by ${words}`;
  return showStatus(`${found}; ${describeReading(answer.read[what])}.`);
});

async function suggestEverywhere(method) {
  const pages = listPages();
  const { project } = state;
  const failed = [];
  let [found, stopped] = [0, false];
  for (const [at, { id, name }] of pages.entries()) {
    if (stopped || project !== state.project) break;
    showNotice(`Suggesting ${method}: ${at} of ${formatCount(pages.length, "page")} …`, "Cancel", () => { stopped = true; }, { stays: true });
    const answer = await api.suggest(id, annotator(), method).catch((error) => { failed.push(`${name}: ${error.message}`); });
    found += answer?.new ?? 0;
    if (id === state.page && answer) showState(answer);
  }
  hideNotice();
  await refreshPages();
  showStatus(`${formatCount(found, "mark")} proposed by ${method} on ${formatCount(pages.length, "page")}${stopped ? ", cancelled" : ""}.`);
  if (failed.length) showProblem(failed.slice(0, 3).join(" "));
}

const spread = guard(async () => {
  showStatus("Carrying the marks to other pages …");
  const { pages } = await api.spread(state.page, annotator()).finally(() => showSelection(stage.selected));
  await refreshPages();
  const review = (settle, least) => guard(async (id) => {
    const page = await api.loadPage(id, annotator());
    const ids = page.marks.filter(({ source, sure }) => source === "spread" && (sure ?? 0) >= least).map((mark) => mark.id);
    await settle(id, annotator(), ids);
    const row = byId("spread-rows").querySelector(`[data-page="${id}"]`);
    row.lastElementChild.textContent = settle === api.acceptMarks ? `${ids.length} accepted` : "rejected";
    await refreshPages();
  });
  showSpread(pages, {
    open: (id) => { byId("spread-dialog").close(); open(id); },
    accept: review(api.acceptMarks, -1), reject: review(api.deleteMarks, -1),
  });
  byId("accept-everywhere").onclick = async () => {
    for (const { id, carried } of pages) if (carried) await review(api.acceptMarks, CONFIDENT)(id);
  };
  byId("spread-dialog").showModal();
});

const addFiles = guard(async (files) => {
  await created.catch(() => {});
  if (!state.project) await openProject(await api.createProject("pages"));
  const { project } = state;
  const before = state.pages.length;
  const failed = [];
  for (const [at, file] of files.entries()) {
    showStatus(`Adding ${at + 1} of ${formatCount(files.length, "file")}: ${file.name} …`);
    const name = file.webkitRelativePath.split("/").slice(1).join("/") || file.name;
    await api.uploadFile(project, name, file).catch((error) => failed.push(`${name}: ${error.message}`));
  }
  if (project !== state.project) return;
  await refreshPages();
  if (!state.page && state.pages.length) await open(state.pages[0].id);
  showStatus(`${formatCount(state.pages.length - before, "page")} added.`);
  if (failed.length) showProblem(failed.slice(0, 3).join(" ")); // last: opening a page clears problems
});

const nameOfProject = () => byId("project").selectedOptions[0]?.dataset.name ?? "";

const exportAs = guard(async (what) => {
  const page = state.pages.find(({ id }) => id === state.page)?.name ?? "";
  const [path, name] = api.listExports(state, { project: nameOfProject(), page })[what];
  const file = await api.download(path, what === "agreed" ? state.everybody : annotator());
  saveFile(name, file.type, file);
});

// -- projects, names, deleting --------------------------------------------------------------

// Show a project and one of its pages, unless another one was chosen meanwhile.
// A pane that is chosen while it loads stays; without pages, the pane to add them is shown.
async function openProject({ id, page = 0 }) {
  const { pane } = document.body.dataset;
  Object.assign(state, { project: id, page: 0, pages: [], fields: new Set(), turn: state.turn + 1 });
  await showPage(NO_PAGE, "");
  const projects = await api.listProjects();
  if (state.project !== id) return undefined;
  byId("project").disabled = !projects.length;
  byId("project").replaceChildren(...(projects.length ? [] : [make("option", {}, "none yet")]), ...projects.map((each) =>
    make("option", { value: String(each.id), selected: each.id === id, data: { name: each.name } }, `${each.name} (${each.pages})`)));
  await refreshPages();
  if (state.project !== id || state.page) return undefined;
  const chosen = state.pages.find((each) => each.id === page) ?? state.pages.find(({ done }) => !done) ?? state.pages[0];
  const stays = document.body.dataset.pane !== pane;
  if (chosen) return open(chosen.id, stays ? document.body.dataset.pane : "page");
  if (!stays) showPane("pages");
  return writeAddress();
}

async function openFirst() {
  const [first] = await api.listProjects();
  await openProject(first ?? { id: 0 });
}

// Ask for a name; undefined if the dialog is closed without one.
function askName(title, old) {
  byId("name-title").textContent = title;
  byId("new-name").value = old;
  byId("name-dialog").returnValue = "";
  byId("name-dialog").showModal();
  byId("new-name").select();
  return new Promise((done) => {
    byId("name-dialog").addEventListener("close", () => {
      const name = byId("new-name").value.trim();
      done(byId("name-dialog").returnValue === "rename" && name && name !== old ? name : undefined);
    }, { once: true });
  });
}

const renamePage = guard(async ({ id, name }) => {
  const given = await askName(`Rename ${name}`, name.split("/").at(-1));
  if (!given) return;
  await api.rename("pages", id, given);
  await refreshPages();
  byId("page-list").querySelector(`[data-page="${id}"] .page`)?.focus();
});

const renameProject = guard(async () => {
  const given = await askName("Rename the project", nameOfProject());
  if (!given) return;
  await api.rename("projects", state.project, given);
  byId("project").selectedOptions[0].dataset.name = given;
  await refreshPages();
});

// what: projects or pages
const removeOne = guard(async (what, { id, name }) => {
  await api.deleteOne(what, id);
  showNotice(`Deleted ${name}.`, "Undo", guard(async () => {
    await api.restore(what, id);
    if (what === "projects") return openProject({ id });
    await refreshPages();
    return open(id);
  }));
  byId("notice-action").focus();
  if (what === "projects") return openFirst();
  const at = listPages().findIndex((page) => page.id === id);
  await refreshPages();
  if (id !== state.page) return undefined;
  const next = listPages()[Math.min(at, listPages().length - 1)];
  return next ? open(next.id) : openProject({ id: state.project });
});

// -- wiring ---------------------------------------------------------------------------------

function showKinds(kinds) {
  byId("kinds").replaceChildren(...Object.entries(kinds).map(([kind, meaning]) => {
    const grouped = kind in state.groups;
    const button = make("button", { type: "button", disabled: true, title: `${meaning} (${LETTERS[kind].toUpperCase()})`, data: { kind } },
      make("span", { class: `swatch ${lookOf(kind)}` }), `${kind === "slot" ? "own part" : wordsOf(kind)}${grouped ? " …" : ""}`, make("kbd", {}, LETTERS[kind].toUpperCase()));
    button.setAttribute("aria-keyshortcuts", LETTERS[kind]);
    button.addEventListener("click", () => actions.mark(kind));
    return button;
  }));
}

function showSuggestions(names) {
  const group = (label, prefix) => make("optgroup", { label }, ...names.map((name) =>
    make("option", { value: `${prefix}${name}` }, name.replace(":", ", "))));
  byId("suggest").append(group("On this page", ""), group("On all listed pages", "all:"));
}

function onChoice(id, run) {
  byId(id).addEventListener("change", async ({ target }) => {
    const { value } = target;
    target.value = "";
    if (value) await run(value);
  });
}

function listen() {
  setUpTheme(byId("theme"));
  const clicks = {
    undo: () => actions.step("undo"), redo: () => actions.step("redo"), spread, help: actions.help, done: actions.finish,
    "accept-sure": () => actions.accept(listProposals(CONFIDENT)), "accept-all": () => actions.accept(listProposals()),
    "reject-all": () => actions.remove(listProposals()), "new-project": () => byId("project-dialog").showModal(),
    "rename-project": renameProject, problem: () => showProblem(""),
    "delete-project": () => removeOne("projects", { id: state.project, name: nameOfProject() }),
    "next-difference": () => actions.difference(1), "previous-difference": () => actions.difference(-1),
  };
  for (const [id, run] of Object.entries(clicks)) byId(id).addEventListener("click", run);
  onChoice("suggest", suggest);
  onChoice("export", exportAs);
  for (const id of ["files", "folder"]) {
    byId(id).addEventListener("change", ({ target }) => addFiles([...target.files]).finally(() => { target.value = ""; }));
  }
  for (const button of byId("panes").children) button.addEventListener("click", () => showPane(button.dataset.pane));
  for (const button of byId("moves").children) button.addEventListener("click", () => actions.move(button.dataset.way));
  byId("filter").addEventListener("change", ({ target }) => { state.filter = target.value; showList(); });
  byId("project").addEventListener("change", guard(({ target }) => openProject({ id: Number(target.value) })));
  byId("new-project").disabled = false;
  byId("letters").checked = usesLetters();
  byId("letters").addEventListener("change", ({ target }) => setLetters(target.checked));
  byId("project-dialog").addEventListener("close", guard(async () => {
    const name = byId("project-name").value.trim();
    state.creating = byId("project-dialog").returnValue === "create" && name !== "";
    if (state.creating) created = api.createProject(name).finally(() => { state.creating = false; }).then(openProject);
    await created;
    byId("project-form").reset();
  }));
  byId("annotator").value = localStorage.getItem("annotator") ?? "";
  byId("annotator").addEventListener("change", guard(async () => {
    localStorage.setItem("annotator", byId("annotator").value.trim());
    await refreshPages();
    if (state.page) await showLatest(state.page);
  }));
  setUpTraining({
    project: () => state.project, annotator, guard,
    finished: ({ method, state: end }) => showStatus(`Training ${method}: ${end}.`),
  });
  document.addEventListener("keydown", (event) => handleKey(event, actions));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => { event.preventDefault(); addFiles([...event.dataTransfer.files]); });
}

const start = guard(async () => {
  listen();
  showPane("page");
  const { kinds, groups, roles, fields, looked_for: lookedFor, suggestions, everybody } = await api.listKinds();
  Object.assign(state, { kinds, groups, lookedFor, everybody });
  roleMenu = new RoleMenu(roles, fields, actions.markAs);
  showKinds({ ...kinds, ...groups });
  showKeys(byId("keys"));
  showSuggestions(suggestions);
  const { project, page } = readAddress();
  const projects = await api.listProjects();
  if (state.project || state.creating) return undefined;  // a new project comes first
  return openProject({ page, ...(projects.find(({ id }) => id === project) ?? projects[0] ?? { id: 0 }), ...(page && { page }) });
});

start();
