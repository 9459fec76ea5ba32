// The annotator: pages on the left, the drawn page in the middle, marks on the right.

import { byId, make, saveFile, setUpTheme, showPane } from "../shared/elements.js";
import * as api from "./api.js";
import { handleKey, setLetters, showKeys, usesLetters } from "./keys.js";
import { LETTERS, groupOf, lookOf, splitKind, wordsOf } from "./kinds.js";
import { describeElement, showMarks, showPages, showQueue, showReadings, showShown, showTrail } from "./lists.js";
import { Projects } from "./projects.js";
import { CONFIDENT, Proposals } from "./proposals.js";
import { showAgreement, showDifferences, showLooked } from "./review.js";
import { RoleMenu } from "./roles.js";
import { Stage } from "./stage.js";
import { annotator, isShown, listPages, listProposals, nameOfProject, readAddress, state, writeAddress } from "./state.js";
import { guard, guardInTurn, showProblem } from "./toasts.js";
import { setUpTraining } from "./training.js";

let roleMenu;
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

function showList() {
  showPages(listPages(), state.page, { open, rename: projects.renamePage, remove: (page) => projects.remove("pages", page) });
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

// Going back and forth in the browser opens the page that was open.
addEventListener("popstate", guard(async () => {
  const { project, page } = readAddress();
  if (project && project !== state.project) await projects.open({ id: project, page });
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

const exportAs = guard(async (what) => {
  const page = state.pages.find(({ id }) => id === state.page)?.name ?? "";
  const [path, name] = api.listExports(state, { project: nameOfProject(), page })[what];
  const file = await api.download(path, what === "agreed" ? state.everybody : annotator());
  saveFile(name, file.type, file);
});

const view = { open, refreshPages, showPage, showState, showStatus, showSelection: () => showSelection(stage.selected) };
const projects = new Projects(view);
const proposals = new Proposals(view);

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
    undo: () => actions.step("undo"), redo: () => actions.step("redo"), spread: proposals.spread, help: actions.help, done: actions.finish,
    "accept-sure": () => actions.accept(listProposals(CONFIDENT)), "accept-all": () => actions.accept(listProposals()),
    "reject-all": () => actions.remove(listProposals()), "new-project": () => byId("project-dialog").showModal(),
    "rename-project": projects.rename, problem: () => showProblem(""),
    "delete-project": () => projects.remove("projects", { id: state.project, name: nameOfProject() }),
    "next-difference": () => actions.difference(1), "previous-difference": () => actions.difference(-1),
  };
  for (const [id, run] of Object.entries(clicks)) byId(id).addEventListener("click", run);
  onChoice("suggest", proposals.suggest);
  onChoice("export", exportAs);
  for (const id of ["files", "folder"]) {
    byId(id).addEventListener("change", ({ target }) => projects.addFiles([...target.files]).finally(() => { target.value = ""; }));
  }
  for (const button of byId("panes").children) button.addEventListener("click", () => showPane(button.dataset.pane));
  for (const button of byId("moves").children) button.addEventListener("click", () => actions.move(button.dataset.way));
  byId("filter").addEventListener("change", ({ target }) => { state.filter = target.value; showList(); });
  byId("project").addEventListener("change", guard(({ target }) => projects.open({ id: Number(target.value) })));
  byId("new-project").disabled = false;
  byId("letters").checked = usesLetters();
  byId("letters").addEventListener("change", ({ target }) => setLetters(target.checked));
  byId("project-dialog").addEventListener("close", guard(async () => {
    const name = byId("project-name").value.trim();
    if (byId("project-dialog").returnValue === "create" && name) await projects.create(name);
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
  document.addEventListener("drop", (event) => { event.preventDefault(); projects.addFiles([...event.dataTransfer.files]); });
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
  const listed = await api.listProjects();
  if (state.project || state.creating) return undefined;  // a new project comes first
  return projects.open({ page, ...(listed.find(({ id }) => id === project) ?? listed[0] ?? { id: 0 }), ...(page && { page }) });
});

start();
