// The words in the field above the options: those that led to the page, or those that records must have.

import { app } from "./state.js";

const FIELDS = { // label of the field, by what a method does with the words
  query: "Search words that led to the page",
  records: "Only records with these words",
};

export const queryWords = () => app.state.query.split(/\s+/).filter(Boolean);

const listsRecords = ({ kinds = [] }) => kinds.includes("record");

// The label of the field for a method; undefined where words mean nothing.
export function labelWords(method) {
  if (method.uses?.includes("query")) return FIELDS.query;
  return listsRecords(method) ? FIELDS.records : undefined;
}

// Whether the answer in view is narrowed by words.
export const isNarrowed = (answer) => Boolean(answer) && listsRecords(app.methods.get(answer.method)) && queryWords().length > 0;

// An answer with records: those alone that have all the words.
export function narrow(answer) {
  if (!isNarrowed(answer)) return answer;
  const words = queryWords().map((word) => word.toLowerCase());
  const fits = answer.pagelets.map(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
  const keep = (list) => list.filter((_, at) => fits[at]);
  return { ...answer, pagelets: keep(answer.pagelets), records: keep(answer.records) };
}
