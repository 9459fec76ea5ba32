// The API for people, written from /openapi.json; nothing is loaded from another host.

import { byId, make, setUpTheme } from "../shared/elements.js";
import { request } from "../shared/service.js";

const SAMPLE = { html: "<h1>Rain</h1><p>It rained all day, and the gutters sang.</p>" };

function describeType(schema = {}) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return schema.anyOf.map(describeType).filter((type) => type !== "null").join(" or ");
  if (schema.enum) return schema.enum.join(", ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === "array") return `list of ${describeType(schema.items)}`;
  return String(schema.type ?? "any");
}

const toRow = (cells, tag = "td") => make("tr", {}, ...cells.map((cell) => make(tag, {}, cell)));

function makeTable(label, head, rows) {
  const table = make("table", {}, make("thead", {}, toRow(head, "th")), make("tbody", {}, ...rows.map((cells) => toRow(cells))));
  return make("div", { class: "wide", tabIndex: 0, role: "region", ariaLabel: label }, table);
}

function makeFields(label, { properties = {}, required = [] }) {
  return makeTable(label, ["field", "type", "what it is"], Object.entries(properties).map(([name, schema]) =>
    [required.includes(name) ? `${name} *` : name, describeType(schema), schema.description ?? ""]));
}

// The parts of a request: its fields, and those of the models that they name.
function makeBody(name, operation, schemas) {
  const schema = operation.requestBody?.content?.["application/json"]?.schema;
  const model = schemas[schema?.$ref?.split("/").at(-1)];
  if (!model) return [];
  const named = Object.values(model.properties ?? {}).map((field) => (field.$ref ?? "").split("/").at(-1)).filter((name) => schemas[name]?.properties);
  return [make("h3", {}, "Fields of the request"), makeFields(`Fields of ${name}`, model), ...named.map((part) =>
    make("details", {}, make("summary", {}, part), makeFields(`Fields of ${part} in ${name}`, schemas[part])))];
}

// A value that fits a schema.
function sampleOf(schema) {
  if (schema.examples) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  if (schema.type === "array") return [sampleOf(schema.items)];
  return { integer: 1, boolean: true, string: "name" }[schema.type] ?? null;
}

// The path with a value for each of its parts, and with the query that is required.
function fillAddress(path, parameters = []) {
  const values = parameters.filter(({ required }) => required).map(({ name, in: place, schema }) => [place, name, sampleOf(schema)]);
  const query = new URLSearchParams(values.filter(([place]) => place === "query").map(([, name, value]) => [name, value]));
  const filled = values.filter(([place]) => place === "path").reduce((text, [, name, value]) => text.replace(`{${name}}`, value), path);
  return query.size ? `'${location.origin}${filled}?${query}'` : location.origin + filled;
}

// What is sent: fields of JSON, one page per line, or a file.
function writeBody(content = {}, schemas) {
  const json = content["application/json"]?.schema;
  const model = schemas[json?.$ref?.split("/").at(-1)];
  if (content["application/x-ndjson"]) return " \\\n  -H 'Content-Type: application/x-ndjson' --data-binary @pages.jsonl";
  if (!model) return Object.keys(content).length ? " \\\n  --data-binary @page.html" : "";
  const fields = (model.required ?? []).map((name) => [name, sampleOf(model.properties[name])]);
  const sample = model.properties.html ? SAMPLE : Object.fromEntries(fields);
  return ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(sample)}'`;
}

function writeCurl(verb, path, { parameters, requestBody }, schemas) {
  const way = verb === "get" ? "" : `-X ${verb.toUpperCase()} `;
  return `curl ${way}${fillAddress(path, parameters)}${writeBody(requestBody?.content, schemas)}`;
}

function makeOperation(verb, path, operation, schemas) {
  const name = `${verb.toUpperCase()} ${path}`;
  const parts = makeBody(name, operation, schemas);
  const { summary = "", description = "" } = operation;
  const title = make("h2", {}, make("span", { class: "verb" }, verb.toUpperCase()), ` ${path}`);
  const texts = [...new Set([summary, description])].filter((text) => / .*\.$/s.test(text)).map((text) => make("p", {}, text));
  const answers = Object.entries(operation.responses ?? {}).map(([status, answer]) => [status, answer.description ?? ""]);
  const code = make("pre", { tabIndex: 0, ariaLabel: "Command" }, writeCurl(verb, path, operation, schemas));
  return make("section", { id: `${verb}${path}` }, title, ...texts, ...parts, make("h3", {}, "Example"), code,
    make("details", {}, make("summary", {}, "Answers by status"), makeTable(`Answers of ${name} by status`, ["status", "meaning"], answers)));
}

async function begin() {
  setUpTheme(byId("theme"));
  const { info, paths, components } = await request("/openapi.json");
  const operations = Object.entries(paths).flatMap(([path, verbs]) => Object.entries(verbs).map(([verb, operation]) => [verb, path, operation]));
  byId("about").textContent = `${info.title} ${info.version}. ${info.summary ?? ""} Send a page as JSON, as HTML or as a form with a file; answers are JSON unless another format is asked for. A service off this machine needs its token in the header Authorization: Bearer TOKEN.`;
  byId("addresses").append(...operations.map(([verb, path]) => make("li", {}, make("a", { href: `#${verb}${path}` }, `${verb.toUpperCase()} ${path}`))));
  byId("operations").append(...operations.map(([verb, path, operation]) => makeOperation(verb, path, operation, components.schemas)));
}

begin().catch((problem) => {
  byId("problem").hidden = false;
  byId("problem").textContent = problem.message;
});
