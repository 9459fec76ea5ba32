// Projects and their pages: created, opened, filled with files, renamed, deleted and restored.

import { byId, formatCount, make, showPane } from "../shared/elements.js";
import * as api from "./api.js";
import { NO_PAGE, listPages, nameOfProject, state, writeAddress } from "./state.js";
import { guard, showNotice, showProblem } from "./toasts.js";

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

export class Projects {
  #view; // {open(page, pane), refreshPages(), showPage(page, drawing), showStatus(text)}
  #created = Promise.resolve(); // the project that is being created, which files are added to

  constructor(view) {
    this.#view = view;
  }

  create(name) {
    state.creating = true;
    this.#created = api.createProject(name).finally(() => { state.creating = false; }).then((project) => this.open(project));
    return this.#created;
  }

  addFiles = guard(async (files) => {
    await this.#created.catch(() => {});
    if (!state.project) await this.open(await api.createProject("pages"));
    const { project } = state;
    const before = state.pages.length;
    const failed = [];
    for (const [at, file] of files.entries()) {
      this.#view.showStatus(`Adding ${at + 1} of ${formatCount(files.length, "file")}: ${file.name} …`);
      const name = file.webkitRelativePath.split("/").slice(1).join("/") || file.name;
      await api.uploadFile(project, name, file).catch((error) => failed.push(`${name}: ${error.message}`));
    }
    if (project !== state.project) return;
    await this.#view.refreshPages();
    if (!state.page && state.pages.length) await this.#view.open(state.pages[0].id);
    this.#view.showStatus(`${formatCount(state.pages.length - before, "page")} added.`);
    if (failed.length) showProblem(failed.slice(0, 3).join(" ")); // last: opening a page clears problems
  });

  // Show a project and one of its pages, unless another one was chosen meanwhile.
  // A pane that is chosen while it loads stays; without pages, the pane to add them is shown.
  async open({ id, page = 0 }) {
    const { pane } = document.body.dataset;
    Object.assign(state, { project: id, page: 0, pages: [], fields: new Set(), turn: state.turn + 1 });
    await this.#view.showPage(NO_PAGE, "");
    const projects = await api.listProjects();
    if (state.project !== id) return undefined;
    byId("project").disabled = !projects.length;
    byId("project").replaceChildren(...(projects.length ? [] : [make("option", {}, "none yet")]), ...projects.map((each) =>
      make("option", { value: String(each.id), selected: each.id === id, data: { name: each.name } }, `${each.name} (${each.pages})`)));
    await this.#view.refreshPages();
    if (state.project !== id || state.page) return undefined;
    const chosen = state.pages.find((each) => each.id === page) ?? state.pages.find(({ done }) => !done) ?? state.pages[0];
    const stays = document.body.dataset.pane !== pane;
    if (chosen) return this.#view.open(chosen.id, stays ? document.body.dataset.pane : "page");
    if (!stays) showPane("pages");
    return writeAddress();
  }

  async #openFirst() {
    const [first] = await api.listProjects();
    await this.open(first ?? { id: 0 });
  }

  renamePage = guard(async ({ id, name }) => {
    const given = await askName(`Rename ${name}`, name.split("/").at(-1));
    if (!given) return;
    await api.rename("pages", id, given);
    await this.#view.refreshPages();
    byId("page-list").querySelector(`[data-page="${id}"] .page`)?.focus();
  });

  rename = guard(async () => {
    const given = await askName("Rename the project", nameOfProject());
    if (!given) return;
    await api.rename("projects", state.project, given);
    byId("project").selectedOptions[0].dataset.name = given;
    await this.#view.refreshPages();
  });

  // what: projects or pages
  remove = guard(async (what, { id, name }) => {
    await api.deleteOne(what, id);
    showNotice(`Deleted ${name}.`, "Undo", guard(async () => {
      await api.restore(what, id);
      if (what === "projects") return this.open({ id });
      await this.#view.refreshPages();
      return this.#view.open(id);
    }));
    byId("notice-action").focus();
    if (what === "projects") return this.#openFirst();
    const at = listPages().findIndex((page) => page.id === id);
    await this.#view.refreshPages();
    if (id !== state.page) return undefined;
    const next = listPages()[Math.min(at, listPages().length - 1)];
    return next ? this.#view.open(next.id) : this.open({ id: state.project });
  });
}
