// The answer as a table: the records of a page, or the links of its parts.

import { make } from "../shared/elements.js";
import { wordsOf } from "./kinds.js";
import { formatScore } from "./why.js";
import { app } from "./state.js";
import { isNarrowed, narrow } from "./words.js";

const MAX_ROWS = 2000; // shown; files have all
const OF_LINKS = ["menu", "clutter", "links"]; // methods whose table lists links, not parts

const toText = (value) => {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(toText).join("; ");
  if (typeof value === "object") return value.href ? `${value.text ?? ""} <${value.href}>`.trim() : Object.values(value).map(toText).join(" ");
  return String(value);
};

function tabulateRecords(answer) {
  const head = answer.columns.map(({ name }) => name);
  const { records } = narrow(answer);
  const rows = records.map((record) => head.map((name) => toText(record[name])));
  const note = isNarrowed(answer) ? `${rows.length} of ${answer.records.length} records with these words` : "";
  return { head, rows, note };
}

// Records as text: a line for each value, an empty line between records.
export function writeRecords({ head, rows }) {
  const written = rows.map((row) => head.flatMap((name, at) => (row[at] ? [`${name}: ${row[at]}`] : [])).join("\n"));
  return written.length ? `${written.join("\n\n")}\n` : "";
}

function tabulateParts(items) {
  const rows = items.map(({ pagelet, answer }) => [wordsOf(pagelet.kind), pagelet.role ?? "", formatScore(pagelet, answer), pagelet.text]);
  return { head: ["part", "role", "score", "text"], rows, note: rows.length ? "" : "Nothing was found." };
}

function tabulateLinks(items) {
  const rows = items.flatMap(({ pagelet }) => (pagelet.links ?? []).map(({ text, href }) =>
    [wordsOf(pagelet.kind), pagelet.role ?? "", text ?? "", href ?? ""]));
  return { head: ["part", "role", "text", "address"], rows, note: "" };
}

export const hasLinks = (method) => OF_LINKS.includes(method);

// items: {pagelet, answer} of what is shown. Returns {head, rows, note}.
export function tabulate(items) {
  const answer = app.answers[app.state.method];
  if (answer?.columns && answer.records) return tabulateRecords(answer);
  const links = hasLinks(app.state.method) ? tabulateLinks(items) : { rows: [] };
  return links.rows.length ? links : tabulateParts(items);
}

const SHORT_CHARS = 16; // of a cell that is not broken into lines

const toRow = (cells, tag) => make("tr", {}, ...cells.map((cell) => make(tag, cell.length <= SHORT_CHARS ? { class: "short" } : {}, cell)));

export function makeTable({ head, rows, note }) {
  const notes = [note, rows.length > MAX_ROWS ? `The first ${MAX_ROWS} of ${rows.length} rows; Copy and Download give all.` : ""].filter(Boolean);
  const table = make("table", {}, make("thead", {}, toRow(head, "th")), make("tbody", {}, ...rows.slice(0, MAX_ROWS).map((row) => toRow(row, "td"))));
  return make("div", {}, ...notes.map((text) => make("p", { class: "soft" }, text)), ...(rows.length ? [table] : []));
}

// Fields that a spreadsheet would take for a formula are written as text.
function toField(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const toCsv = ({ head, rows }) => `${[head, ...rows].map((row) => row.map(toField).join(",")).join("\r\n")}\r\n`;
