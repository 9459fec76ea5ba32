// Programs that give the answer in view: a command, Python, curl.

import { needsToken } from "../shared/service.js";
import { app, changesOf, profileOf } from "./state.js";
import { uses } from "./requests.js";
import { queryWords } from "./words.js";

const SHELL_SAFE = /^[\w@%+=:,./-]+$/;

export const quote = (text) => (SHELL_SAFE.test(text) ? text : `'${String(text).replaceAll("'", "'\\''")}'`);

function toFlags([name, value]) {
  const flag = `--${name.replaceAll("_", "-")}`;
  if (value === true) return [flag];
  if (value === false) return [`--no-${flag.slice(2)}`];
  return Array.isArray(value) ? value.flatMap((one) => [flag, quote(one)]) : [flag, quote(String(value))];
}

const fileOf = (page) => (/\.x?html?$/i.test(page.name) ? page.name : "page.html");
const sourceOf = (page) => (page.loaded ? page.url : fileOf(page));

function writeCommand(method, format) {
  const { page, state } = app;
  const name = method ?? "inspect";
  const words = ["pagelet", name, quote(sourceOf(page))];
  if (method && profileOf(method) !== "default") words.push("--profile", profileOf(method));
  if (method && format) words.push("--format", format);
  if (!page.loaded && page.url) words.push("--url", quote(page.url));
  if (page.site.length) words.push("--site", "FOLDER");
  if (state.query && method && uses(app.methods.get(method), "query")) words.push("--query", quote(state.query));
  return [...words, ...(method ? Object.entries(changesOf(method)).flatMap(toFlags) : [])].join(" ");
}

function toPython(value) {
  if (typeof value === "boolean") return value ? "True" : "False";
  return Array.isArray(value) ? `[${value.map(toPython).join(", ")}]` : JSON.stringify(value);
}

// How Python reads the page; a method that needs boxes is given a drawn one.
function readPage(page, drawn) {
  if (drawn) return `page = pagelet.render(${toPython(sourceOf(page))})`;
  if (page.loaded) return `page = pagelet.load(${toPython(page.url)})`;
  const url = page.url ? `, url=${toPython(page.url)}` : "";
  return `page = pagelet.parse(Path(${toPython(fileOf(page))}).read_bytes()${url})`;
}

// The keywords for the other pages of the site and for the words, where the method uses them.
function writeSurroundings(method) {
  const site = app.page.site.length && uses(method, "site") ? ', site=Path("FOLDER")' : "";
  const query = app.state.query && uses(method, "query") ? `, query=${toPython(app.state.query)}` : "";
  return site + query;
}

function writePython(method, format) {
  const { page } = app;
  const names = method ? [method] : ["content", "menu", "clutter"];
  const drawn = names.some((name) => app.methods.get(name).needs.includes("layout"));
  const calls = names.map((name) => {
    const keywords = Object.entries(changesOf(name)).map(([key, value]) => `, ${key}=${toPython(value)}`);
    const profile = profileOf(name) === "default" ? "" : `, profile=${toPython(profileOf(name))}`;
    const around = writeSurroundings(app.methods.get(name));
    const print = name === "content" && (format === "text" || format === "markdown")
      ? `print(${name}.extra["${format}"])`
      : `for part in ${name}:\n    print(part.kind, part.score, part.text)`;
    return `${name} = pagelet.analyse(page, ${toPython(name)}${profile}${around}${keywords.join("")})\n${print}`;
  });
  const program = [readPage(page, drawn), ...calls].join("\n");
  const path = program.includes("Path(") ? "from pathlib import Path\n\n" : "";
  return `${path}import pagelet\n\n${program}`;
}

function writeCurl(method, format) {
  const { page } = app;
  const name = method ?? "inspect";
  const token = needsToken() ? ' -H "Authorization: Bearer $PAGELET_TOKEN"' : "";
  const address = `${location.origin}/v1/${name}`;
  const fields = {};
  if (method && profileOf(method) !== "default") fields.profile = profileOf(method);
  if (method && format && format !== "json") fields.format = format;
  const options = method ? changesOf(method) : {};
  if (page.loaded) {
    const body = { url: page.url, ...fields, ...(Object.keys(options).length ? { options } : {}), ...(queryWords().length && method && uses(app.methods.get(method), "query") ? { query: queryWords() } : {}) };
    return `curl -s ${address}${token} -H 'Content-Type: application/json' -d ${quote(JSON.stringify(body))}`;
  }
  if (Object.keys(options).length) fields.options = JSON.stringify(options);
  if (page.url) fields.url = page.url;
  const query = new URLSearchParams(fields).toString();
  return `curl -s ${quote(query ? `${address}?${query}` : address)}${token} -H 'Content-Type: text/html' --data-binary @${quote(fileOf(page))}`;
}

// What a program of one line cannot hold.
export function listLacks(language) {
  const { page, state, methods } = app;
  const method = methods.get(state.method);
  if (language !== "curl") return [];
  const words = method && !page.loaded && queryWords().length && uses(method, "query");
  return [...(page.site.length ? ["the other pages of the site"] : []), ...(words ? ["the words"] : [])];
}

const WRITERS = { command: writeCommand, python: writePython, curl: writeCurl };

// tab: the one in view; its format is used where the method has it.
export function writeProgram(language, tab) {
  const method = app.state.method === "all" ? undefined : app.state.method;
  const formats = method ? app.methods.get(method).formats : [];
  const format = { text: "text", markdown: "markdown", json: "json", table: "csv" }[tab];
  return WRITERS[language](method, formats.includes(format) ? format : "");
}
