// The annotator: pages on the left, the drawn page in the middle, marks on the right.

import { byId, formatCount, make, saveFile, setUpTheme, showPane } from "../shared/elements.js";
import * as api from "./api.js";
import { LETTERS, handleKey, showKeys } from "./keys.js";
import { describeElement, showAgreement, showLooked, showMarks, showPages, showSpread, showTrail } from "./lists.js";
import { Stage } from "./stage.js";

const CONFIDENT = 0.9; // confidence from which on marks are accepted together

const state = { kinds: [], everybody: "*", project: 0, page: 0, pages: [], marks: [], undo: 0, redo: 0, turn: 0, listing: 0, creating: false };
const annotator = () => byId("annotator").value.trim() || "me";
const stage = new Stage(byId("frame"), byId("boxes"), { selected: showSelection, key: (event) => handleKey(event, actions) });

// -- showing ------------------------------------------------------------------------------

function showProblem(message) {
  byId("problem").textContent = message;
  byId("problem").hidden = !message;
}

// Wrap an action: it clears the last problem, and shows its own.
function guard(run) {
  return async (...values) => {
    try {
      showProblem("");
      return await run(...values);
    } catch (error) {
      showProblem(error.message);
      return undefined;
    }
  };
}

const showStatus = (text) => { byId("status").textContent = text; };

function showSelection(elements) {
  showTrail(elements, (element) => stage.select([element]));
  for (const button of byId("kinds").children) button.disabled = !elements.length || !state.page;
  if (!elements.length) return showStatus(state.page ? "Click an element, or press an arrow key." : "");
  const last = elements.at(-1);
  const siblings = [...(last.parentElement?.children ?? [])].filter(({ dataset }) => dataset?.row);
  const place = siblings.length > 1 ? `, ${siblings.indexOf(last) + 1} of ${siblings.length}` : "";
  const several = elements.length > 1 ? ` and ${elements.length - 1} more` : "";
  const marks = marksHere().map(({ kind }) => kind);
  return showStatus(`Selected: ${describeElement(last)}${place}${several}${marks.length ? `. Marked: ${marks.join(", ")}` : ""}`);
}

// Marks at the selection.
function marksHere() {
  const rows = new Set(stage.rows);
  return state.marks.filter((mark) => mark.rows.some((row) => rows.has(row)));
}

// Show the state of the page, unless another one was opened meanwhile.
function showState(page) {
  if (page.id !== state.page) return;
  Object.assign(state, { marks: page.marks, undo: page.undo, redo: page.redo });
  byId("undo").disabled = !page.undo;
  byId("redo").disabled = !page.redo;
  stage.show(page.marks);
  showMarks(page.marks, {
    show: ({ rows }) => { showPane("page"); stage.selectRows(rows); byId("stage").focus(); },
    accept: actions.accept, remove: actions.remove, move: actions.moveMark,
  });
  showLooked(page.id ? state.kinds : [], page.marks, page.looked, guard(async (kind, looked) =>
    showState(await api.setLooked(state.page, { annotator: annotator(), kind, looked }))));
  const made = page.marks.filter(({ source }) => source === "person").length;
  const listed = state.pages.find(({ id }) => id === page.id);
  if (listed) Object.assign(listed, { made, proposed: page.marks.length - made });
  showPages(state.pages, state.page, open);
  byId("spread").disabled = !made || state.pages.length < 2;
}

// Show a page with its marks; page 0 is none.
async function showPage(page, drawing) {
  byId("empty").hidden = Boolean(page.id);
  byId("empty").textContent = state.project ? "Add pages to this project, then choose one to mark." : "Create a project for a site, then add its pages.";
  byId("review").hidden = byId("suggest").disabled = byId("export").disabled = !page.id;
  for (const button of byId("moves").children) button.disabled = !page.id;
  await stage.load(drawing);
  showState(page);
  await refreshAgreement();
}

async function refreshAgreement() {
  showAgreement(state.page ? await api.loadAgreement(state.page) : []);
}

// -- actions ------------------------------------------------------------------------------

// Only the page that was requested last is shown.
const open = guard(async (id) => {
  const turn = state.turn += 1;
  showPane("page"); // at once: a pane that is chosen while the page loads stays
  const [drawing, page] = await Promise.all([api.loadDrawing(id), api.loadPage(id, annotator())]);
  if (turn !== state.turn) return;
  state.page = id;
  document.title = `${page.name} · pagelet annotator`;
  await showPage(page, drawing);
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
  showPages(state.pages, state.page, open);
});

const actions = {
  mark: guard(async (kind) => {
    if (!state.page || !stage.rows.length) return;
    const form = { annotator: annotator(), kind, rows: stage.rows };
    showState(await api.addMark(state.page, form));
    showStatus(`Marked as ${kind}.`);
  }),
  remove: guard(async (ids) => {
    showState(await api.deleteMarks(state.page, annotator(), ids));
    showStatus("Deleted.");
  }),
  removeHere: () => {
    const ids = marksHere().map(({ id }) => id);
    return ids.length ? actions.remove(ids) : showStatus("No mark at the selection.");
  },
  accept: guard(async (ids) => {
    showState(await api.acceptMarks(state.page, annotator(), ids));
    await refreshAgreement();
  }),
  acceptHere: () => {
    const ids = marksHere().filter(({ source }) => source !== "person").map(({ id }) => id);
    return ids.length ? actions.accept(ids) : showStatus("No proposal at the selection.");
  },
  moveMark: guard(async (mark) => {
    if (!stage.rows.length) return showStatus("First select the new place of the mark.");
    showState(await api.moveMark(state.page, mark.id, { annotator: annotator(), rows: stage.rows }));
    return showStatus("Moved.");
  }),
  step: guard(async (way) => state.page && showState(await api.step(state.page, annotator(), way))),
  move: (way, several) => stage.move(way, several),
  proposal: (by) => {
    const open = state.marks.filter(({ source }) => source !== "person");
    if (!open.length) return showStatus("No proposals.");
    const at = open.findIndex(({ rows }) => rows.includes(stage.rows.at(-1)));
    return stage.selectRows(open[(at + by + open.length) % open.length].rows);
  },
  turn: (by) => {
    const at = state.pages.findIndex(({ id }) => id === state.page) + by;
    if (state.pages[at]) open(state.pages[at].id);
  },
  clear: () => stage.select([]),
  help: () => byId("help-dialog").showModal(),
};

const listProposals = (least = -1) => state.marks
  .filter(({ source, sure }) => source !== "person" && (sure ?? 0) >= least).map(({ id }) => id);

const suggest = guard(async (method) => {
  const { page } = state;
  showStatus(`Running ${method} …`);
  const answer = await api.suggest(page, annotator(), method).finally(() => showSelection(stage.selected));
  if (page !== state.page) return;
  showState(answer);
  byId("stage").focus(); // shortcuts do not act in a select
  showStatus(answer.new ? `${formatCount(answer.new, "mark")} proposed by ${method}; press J for the next one.` : `No new proposals by ${method}.`);
});

const spread = guard(async () => {
  showStatus("Carrying the marks to other pages …");
  const { pages } = await api.spread(state.page, annotator()).finally(() => showSelection(stage.selected));
  await refreshPages();
  const review = (decide, least) => guard(async (id) => {
    const page = await api.loadPage(id, annotator());
    const ids = page.marks.filter(({ source, sure }) => source === "spread" && (sure ?? 0) >= least).map((mark) => mark.id);
    await decide(id, annotator(), ids);
    const row = byId("spread-rows").querySelector(`[data-page="${id}"]`);
    row.lastElementChild.textContent = decide === api.acceptMarks ? `${ids.length} accepted` : "rejected";
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
  if (!state.project) await openProject(await api.createProject("pages"));
  const { project } = state;
  const before = state.pages.length;
  const failed = [];
  for (const file of files) {
    showStatus(`Adding ${file.name} …`);
    const name = file.webkitRelativePath.split("/").slice(1).join("/") || file.name;
    await api.uploadFile(project, name, file).catch((error) => failed.push(`${name}: ${error.message}`));
  }
  if (project !== state.project) return;
  await refreshPages();
  showStatus(`${formatCount(state.pages.length - before, "page")} added.`);
  if (!state.page && state.pages.length) await open(state.pages[0].id);
  if (failed.length) showProblem(failed.slice(0, 3).join(" ")); // last: opening a page clears problems
});

const exportAs = guard(async (what) => {
  const [path, name] = api.listExports(state)[what];
  const file = await api.download(path, what === "agreed" ? state.everybody : annotator());
  saveFile(name, file.type, file);
});

// Show a project and its first page, unless another one was chosen meanwhile.
async function openProject({ id }) {
  Object.assign(state, { project: id, page: 0, pages: [], turn: state.turn + 1 });
  await showPage({ id: 0, marks: [], looked: [], undo: 0, redo: 0 }, "");
  const projects = await api.listProjects();
  if (state.project !== id) return;
  byId("project").disabled = !projects.length;
  byId("project").replaceChildren(...(projects.length ? [] : [make("option", {}, "none yet")]), ...projects.map((each) =>
    make("option", { value: String(each.id), selected: each.id === id }, `${each.name} (${each.pages})`)));
  await refreshPages();
  if (state.project === id && !state.page && state.pages.length) await open(state.pages[0].id);
}

// -- wiring ---------------------------------------------------------------------------------

function showKinds(kinds) {
  byId("kinds").replaceChildren(...Object.entries(kinds).map(([kind, meaning]) => {
    const button = make("button", { type: "button", disabled: true, title: meaning, data: { kind } },
      make("span", { class: `swatch kind-${kind}` }), kind, make("kbd", {}, LETTERS[kind].toUpperCase()));
    button.setAttribute("aria-keyshortcuts", LETTERS[kind]);
    button.addEventListener("click", () => actions.mark(kind));
    return button;
  }));
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
  byId("undo").addEventListener("click", () => actions.step("undo"));
  byId("redo").addEventListener("click", () => actions.step("redo"));
  byId("spread").addEventListener("click", spread);
  byId("help").addEventListener("click", actions.help);
  byId("accept-sure").addEventListener("click", () => actions.accept(listProposals(CONFIDENT)));
  byId("accept-all").addEventListener("click", () => actions.accept(listProposals()));
  byId("reject-all").addEventListener("click", () => actions.remove(listProposals()));
  onChoice("suggest", suggest);
  onChoice("export", exportAs);
  for (const id of ["files", "folder"]) {
    byId(id).addEventListener("change", ({ target }) => addFiles([...target.files]).finally(() => { target.value = ""; }));
  }
  for (const button of byId("panes").children) button.addEventListener("click", () => showPane(button.dataset.pane));
  for (const button of byId("moves").children) button.addEventListener("click", () => actions.move(button.dataset.way));
  byId("project").addEventListener("change", guard(({ target }) => openProject({ id: Number(target.value) })));
  byId("new-project").addEventListener("click", () => byId("project-dialog").showModal());
  byId("new-project").disabled = false;
  byId("project-dialog").addEventListener("close", guard(async () => {
    const name = byId("project-name").value.trim();
    state.creating = byId("project-dialog").returnValue === "create" && name !== "";
    if (state.creating) await openProject(await api.createProject(name).finally(() => { state.creating = false; }));
    byId("project-form").reset();
  }));
  byId("annotator").value = localStorage.getItem("annotator") ?? "";
  byId("annotator").addEventListener("change", guard(async () => {
    localStorage.setItem("annotator", annotator());
    await refreshPages();
    if (state.page) showState(await api.loadPage(state.page, annotator()));
  }));
  document.addEventListener("keydown", (event) => handleKey(event, actions));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => { event.preventDefault(); addFiles([...event.dataTransfer.files]); });
}

const start = guard(async () => {
  listen();
  showPane("page");
  const { kinds, methods, everybody } = await api.listKinds();
  Object.assign(state, { kinds: Object.keys(kinds), everybody });
  showKinds(kinds);
  showKeys(byId("keys"));
  byId("suggest").append(...methods.map((method) => make("option", { value: method }, method)));
  const [first] = await api.listProjects();
  if (state.project || state.creating) return undefined;  // a new project comes first
  return openProject(first ?? { id: 0 });
});

start();
