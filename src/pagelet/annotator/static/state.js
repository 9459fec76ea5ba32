// What is open in the annotator, and what of it is shown.

import { byId } from "../shared/elements.js";
import { groupOf } from "./kinds.js";
import { FILTERS } from "./lists.js";

export const NO_PAGE = { id: 0, marks: [], read: {}, looked: [], undo: 0, redo: 0, done: false, agreement: [], disagreements: [] };

export const state = {
  kinds: {}, groups: {}, lookedFor: [], everybody: "*", project: 0, page: 0, pages: [], filter: "all", fields: new Set(),
  marks: [], differences: [], difference: -1, undo: 0, redo: 0, done: false, turn: 0, shown: 0, listing: 0, creating: false,
  hidden: new Set(JSON.parse(localStorage.getItem("hidden kinds") ?? "[]")),
};

export const annotator = () => byId("annotator").value.trim() || "me";

export const isShown = ({ kind }) => !state.hidden.has(groupOf(kind));

export const listPages = () => state.pages.filter(FILTERS[state.filter][1]);

export const listProposals = (least = -1) => state.marks.filter(isShown)
  .filter(({ source, sure }) => source !== "person" && (sure ?? 0) >= least).map(({ id }) => id);

export const nameOfProject = () => byId("project").selectedOptions[0]?.dataset.name ?? "";

// -- the address: project and page, so that a reload stays ---------------------------------

export function readAddress() {
  const query = new URLSearchParams(location.search);
  return { project: Number(query.get("project")) || 0, page: Number(query.get("page")) || 0 };
}

export function writeAddress() {
  const { project, page } = state;
  const query = new URLSearchParams({ ...(project && { project }), ...(page && { page }) });
  const address = query.size ? `?${query}` : location.pathname;
  if (location.search !== (query.size ? address : "")) {
    history[readAddress().page && page ? "pushState" : "replaceState"](null, "", address);
  }
}
