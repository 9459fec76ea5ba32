// The annotator: pages on the left, the drawn page in the middle, marks on the right.

import { byId, counted, make, save, theme } from "../shared/service.js";
import * as api from "./api.js";
import { LETTERS, keyTaken, showKeys } from "./keys.js";
import { agreementList, called, lookedList, markList, pageList, spreadRows, trail } from "./lists.js";
import { Stage } from "./stage.js";

const SURE = 0.9;

const state = { kinds: [], everybody: "*", project: 0, page: 0, pages: [], marks: [], undo: 0, redo: 0, turn: 0 };
const annotator = () => byId("annotator").value.trim() || "me";
const stage = new Stage(byId("frame"), byId("boxes"), { selected, key: (event) => keyTaken(event, does) });

// -- what is told -------------------------------------------------------------------------

function problem(message) {
  byId("problem").textContent = message;
  byId("problem").hidden = !message;
}

// Whatever is done tells what went wrong, and takes back what was told before.
function doing(run) {
  return async (...given) => {
    try {
      problem("");
      return await run(...given);
    } catch (error) {
      problem(error.message);
      return undefined;
    }
  };
}

const say = (text) => { byId("status").textContent = text; };

function selected(elements) {
  trail(elements, (element) => stage.select([element]));
  for (const button of byId("kinds").children) button.disabled = !elements.length || !state.page;
  if (!elements.length) return say(state.page ? "Click an element, or press an arrow key." : "");
  const last = elements.at(-1);
  const siblings = [...(last.parentElement?.children ?? [])].filter(({ dataset }) => dataset?.row);
  const place = siblings.length > 1 ? `, ${siblings.indexOf(last) + 1} of ${siblings.length}` : "";
  const several = elements.length > 1 ? ` and ${elements.length - 1} more` : "";
  const marks = markedHere().map(({ kind }) => kind);
  return say(`Selected: ${called(last)}${place}${several}${marks.length ? `. Marked: ${marks.join(", ")}` : ""}`);
}

// Marks that begin at the selection.
function markedHere() {
  const rows = new Set(stage.rows);
  return state.marks.filter((mark) => mark.rows.some((row) => rows.has(row)));
}

// What is told of a page that was left meanwhile is not shown.
function told(page) {
  if (page.id !== state.page) return;
  Object.assign(state, { marks: page.marks, undo: page.undo, redo: page.redo });
  byId("undo").disabled = !page.undo;
  byId("redo").disabled = !page.redo;
  stage.show(page.marks);
  markList(page.marks, {
    show: ({ rows }) => { pane("page"); stage.selectRows(rows); byId("stage").focus(); },
    accept: does.accept, remove: does.remove, repair: does.repair,
  });
  lookedList(page.id ? state.kinds : [], page.marks, page.looked, doing(async (kind, looked) =>
    told(await api.looked(state.page, { annotator: annotator(), kind, looked }))));
  const made = page.marks.filter(({ source }) => source === "person").length;
  const listed = state.pages.find(({ id }) => id === page.id);
  if (listed) Object.assign(listed, { made, proposed: page.marks.length - made });
  pageList(state.pages, state.page, open);
  byId("spread").disabled = !made || state.pages.length < 2;
}

// A page as it is drawn, with all that is known of it; page 0 is none.
async function shown(page, drawing) {
  byId("empty").hidden = Boolean(page.id);
  byId("empty").textContent = state.project ? "Add pages to this project, then choose one to mark." : "Make a project for a site, then add its pages.";
  byId("said").hidden = byId("suggest").disabled = byId("export").disabled = !page.id;
  for (const button of byId("moves").children) button.disabled = !page.id;
  await stage.load(drawing);
  told(page);
  await tellAgreement();
}

async function tellAgreement() {
  agreementList(state.page ? await api.agreement(state.page) : []);
}

// -- what is done -------------------------------------------------------------------------

// Only the newest page that was asked for is shown.
const open = doing(async (id) => {
  const turn = state.turn += 1;
  pane("page"); // at once: a pane that is chosen while the page loads stays
  const [drawing, page] = await Promise.all([api.drawing(id), api.page(id, annotator())]);
  if (turn !== state.turn) return;
  state.page = id;
  document.title = `${page.name} · pagelet annotator`;
  await shown(page, drawing);
});

// Pages of a project that was left while they were asked for are not shown.
const listPages = doing(async () => {
  const { project } = state;
  const found = project ? await api.pages(project, annotator()) : { pages: [] };
  if (project !== state.project) return;
  state.pages = found.pages;
  const [option] = byId("project").selectedOptions;
  if (project && option) option.textContent = `${found.name} (${found.pages.length})`;
  pageList(state.pages, state.page, open);
});

const does = {
  mark: doing(async (kind) => {
    if (!state.page || !stage.rows.length) return;
    const form = { annotator: annotator(), kind, rows: stage.rows };
    told(await api.mark(state.page, form));
    say(`Marked as ${kind}.`);
  }),
  remove: doing(async (ids) => {
    told(await api.remove(state.page, annotator(), ids));
    say("Deleted.");
  }),
  removeHere: () => {
    const ids = markedHere().map(({ id }) => id);
    return ids.length ? does.remove(ids) : say("No mark begins at the selection.");
  },
  accept: doing(async (ids) => {
    told(await api.accept(state.page, annotator(), ids));
    await tellAgreement();
  }),
  acceptHere: () => {
    const ids = markedHere().filter(({ source }) => source !== "person").map(({ id }) => id);
    return ids.length ? does.accept(ids) : say("Nothing is proposed at the selection.");
  },
  repair: doing(async (mark) => {
    if (!stage.rows.length) return say("Select where the mark should be, first.");
    told(await api.repair(state.page, mark.id, { annotator: annotator(), rows: stage.rows }));
    return say("Moved.");
  }),
  step: doing(async (way) => state.page && told(await api.step(state.page, annotator(), way))),
  move: (way, several) => stage.move(way, several),
  proposal: (by) => {
    const open = state.marks.filter(({ source }) => source !== "person");
    if (!open.length) return say("Nothing is proposed.");
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

const proposed = (least = -1) => state.marks
  .filter(({ source, sure }) => source !== "person" && (sure ?? 0) >= least).map(({ id }) => id);

const suggest = doing(async (method) => {
  const { page } = state;
  say(`Asking ${method} …`);
  const found = await api.suggest(page, annotator(), method).finally(() => selected(stage.selected));
  if (page !== state.page) return;
  told(found);
  byId("stage").focus(); // keys are not taken in a list to choose from
  say(found.new ? `${counted(found.new, "mark")} proposed by ${method}; J goes to the next.` : `Nothing new is proposed by ${method}.`);
});

const spread = doing(async () => {
  say("Carrying the marks to other pages …");
  const { pages } = await api.spread(state.page, annotator()).finally(() => selected(stage.selected));
  await listPages();
  const change = (act, least) => doing(async (id) => {
    const page = await api.page(id, annotator());
    const ids = page.marks.filter(({ source, sure }) => source === "spread" && (sure ?? 0) >= least).map((mark) => mark.id);
    await act(id, annotator(), ids);
    const row = byId("spread-rows").querySelector(`[data-page="${id}"]`);
    row.lastElementChild.textContent = act === api.accept ? `${ids.length} accepted` : "rejected";
    await listPages();
  });
  spreadRows(pages, {
    open: (id) => { byId("spread-dialog").close(); open(id); },
    accept: change(api.accept, -1), reject: change(api.remove, -1),
  });
  byId("accept-everywhere").onclick = async () => {
    for (const { id, carried } of pages) if (carried) await change(api.accept, SURE)(id);
  };
  byId("spread-dialog").showModal();
});

const add = doing(async (files) => {
  if (!state.project) await use(await api.newProject("pages"));
  const { project } = state;
  const before = state.pages.length;
  const refused = [];
  for (const file of files) {
    say(`Adding ${file.name} …`);
    const name = file.webkitRelativePath.split("/").slice(1).join("/") || file.name;
    await api.upload(project, name, file).catch((error) => refused.push(`${name}: ${error.message}`));
  }
  if (project !== state.project) return;
  await listPages();
  say(`${state.pages.length - before} pages added.`);
  problem(refused.slice(0, 3).join(" "));
  if (!state.page && state.pages.length) await open(state.pages[0].id);
});

const exported = doing(async (what) => {
  const [path, name] = api.places(state)[what];
  const file = await api.file(path, what === "agreed" ? state.everybody : annotator());
  save(name, file.type, file);
});

// The project that was chosen last is shown, with its first page.
async function use({ id }) {
  Object.assign(state, { project: id, page: 0, pages: [], turn: state.turn + 1 });
  await shown({ id: 0, marks: [], looked: [], undo: 0, redo: 0 }, "");
  const known = await api.projects();
  if (state.project !== id) return;
  byId("project").disabled = !known.length;
  byId("project").replaceChildren(...(known.length ? [] : [make("option", {}, "none yet")]), ...known.map((each) =>
    make("option", { value: String(each.id), selected: each.id === id }, `${each.name} (${each.pages})`)));
  await listPages();
  if (state.project === id && !state.page && state.pages.length) await open(state.pages[0].id);
}

function pane(name) {
  document.body.dataset.pane = name;
  for (const button of byId("panes").children) button.ariaPressed = String(button.dataset.pane === name);
}

// -- wiring ---------------------------------------------------------------------------------

function drawKinds(kinds) {
  byId("kinds").replaceChildren(...Object.entries(kinds).map(([kind, about]) => {
    const button = make("button", { type: "button", disabled: true, title: about, data: { kind } },
      make("span", { class: `swatch kind-${kind}` }), kind, make("kbd", {}, LETTERS[kind].toUpperCase()));
    button.setAttribute("aria-keyshortcuts", LETTERS[kind]);
    button.addEventListener("click", () => does.mark(kind));
    return button;
  }));
}

function chosen(id, run) {
  byId(id).addEventListener("change", async ({ target }) => {
    const { value } = target;
    target.value = "";
    if (value) await run(value);
  });
}

function wire() {
  theme(byId("theme"));
  byId("undo").addEventListener("click", () => does.step("undo"));
  byId("redo").addEventListener("click", () => does.step("redo"));
  byId("spread").addEventListener("click", spread);
  byId("help").addEventListener("click", does.help);
  byId("accept-sure").addEventListener("click", () => does.accept(proposed(SURE)));
  byId("accept-all").addEventListener("click", () => does.accept(proposed()));
  byId("reject-all").addEventListener("click", () => does.remove(proposed()));
  chosen("suggest", suggest);
  chosen("export", exported);
  for (const id of ["files", "folder"]) {
    byId(id).addEventListener("change", ({ target }) => add([...target.files]).finally(() => { target.value = ""; }));
  }
  for (const button of byId("panes").children) button.addEventListener("click", () => pane(button.dataset.pane));
  for (const button of byId("moves").children) button.addEventListener("click", () => does.move(button.dataset.way));
  byId("project").addEventListener("change", doing(({ target }) => use({ id: Number(target.value) })));
  byId("new-project").addEventListener("click", () => byId("project-dialog").showModal());
  byId("project-dialog").addEventListener("close", doing(async () => {
    const name = byId("project-name").value.trim();
    if (byId("project-dialog").returnValue === "make" && name) await use(await api.newProject(name));
    byId("project-form").reset();
  }));
  byId("annotator").value = localStorage.getItem("annotator") ?? "";
  byId("annotator").addEventListener("change", doing(async () => {
    localStorage.setItem("annotator", annotator());
    await listPages();
    if (state.page) told(await api.page(state.page, annotator()));
  }));
  document.addEventListener("keydown", (event) => keyTaken(event, does));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => { event.preventDefault(); add([...event.dataTransfer.files]); });
}

const start = doing(async () => {
  wire();
  pane("page");
  const { kinds, methods, everybody } = await api.kinds();
  Object.assign(state, { kinds: Object.keys(kinds), everybody });
  drawKinds(kinds);
  showKeys(byId("keys"));
  byId("suggest").append(...methods.map((method) => make("option", { value: method }, method)));
  const [first] = await api.projects();
  if (state.project) return undefined;  // somebody was faster and made one
  return use(first ?? { id: 0 });
});

start();
