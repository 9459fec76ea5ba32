// Proposals: marks that a method suggests, on one page or on all, or that other pages lend.

import { byId, formatCount } from "../shared/elements.js";
import * as api from "./api.js";
import { describeReading, showSpread } from "./lists.js";
import { annotator, listPages, state } from "./state.js";
import { guard, hideNotice, showNotice, showProblem } from "./toasts.js";

export const CONFIDENT = 0.9; // confidence from which on marks are accepted together

export class Proposals {
  #view; // {open(page), refreshPages(), showState(page), showSelection(), showStatus(text)}

  constructor(view) {
    this.#view = view;
  }

  // what: a method, or all:METHOD for every page of the project
  suggest = guard(async (what) => {
    if (what.startsWith("all:")) return this.#suggestEverywhere(what.slice(4));
    const { page } = state;
    const words = what.replace(":", ", ");
    this.#view.showStatus(`Running ${words} …`);
    const answer = await api.suggest(page, annotator(), what).finally(() => this.#view.showSelection());
    if (page !== state.page) return undefined;
    this.#view.showState(answer);
    byId("stage").focus(); // shortcuts do not act in a select
    const found = answer.new ? `${formatCount(answer.new, "mark")} proposed by ${words}; press J for the next one` : `No new proposals by ${words}`;
    return this.#view.showStatus(`${found}; ${describeReading(answer.read[what])}.`);
  });

  async #suggestEverywhere(method) {
    const pages = listPages();
    const { project } = state;
    const failed = [];
    let [found, stopped] = [0, false];
    for (const [at, { id, name }] of pages.entries()) {
      if (stopped || project !== state.project) break;
      showNotice(`Suggesting ${method}: ${at} of ${formatCount(pages.length, "page")} …`, "Cancel", () => { stopped = true; }, { stays: true });
      const answer = await api.suggest(id, annotator(), method).catch((error) => { failed.push(`${name}: ${error.message}`); });
      found += answer?.new ?? 0;
      if (id === state.page && answer) this.#view.showState(answer);
    }
    hideNotice();
    await this.#view.refreshPages();
    this.#view.showStatus(`${formatCount(found, "mark")} proposed by ${method} on ${formatCount(pages.length, "page")}${stopped ? ", cancelled" : ""}.`);
    if (failed.length) showProblem(failed.slice(0, 3).join(" "));
  }

  spread = guard(async () => {
    this.#view.showStatus("Carrying the marks to other pages …");
    const { pages } = await api.spread(state.page, annotator()).finally(() => this.#view.showSelection());
    await this.#view.refreshPages();
    const review = (settle, least) => guard(async (id) => {
      const page = await api.loadPage(id, annotator());
      const ids = page.marks.filter(({ source, sure }) => source === "spread" && (sure ?? 0) >= least).map((mark) => mark.id);
      await settle(id, annotator(), ids);
      const row = byId("spread-rows").querySelector(`[data-page="${id}"]`);
      row.lastElementChild.textContent = settle === api.acceptMarks ? `${ids.length} accepted` : "rejected";
      await this.#view.refreshPages();
    });
    showSpread(pages, {
      open: (id) => { byId("spread-dialog").close(); this.#view.open(id); },
      accept: review(api.acceptMarks, -1), reject: review(api.deleteMarks, -1),
    });
    byId("accept-everywhere").onclick = async () => {
      for (const { id, carried } of pages) if (carried) await review(api.acceptMarks, CONFIDENT)(id);
    };
    byId("spread-dialog").showModal();
  });
}
