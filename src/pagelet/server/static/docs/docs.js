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

function writeCurl(verb, path, hasBody) {
  const body = hasBody ? ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(SAMPLE)}'` : "";
  return `curl ${verb === "get" ? "" : `-X ${verb.toUpperCase()} `}${location.origin}${path}${body}`;
}

function makeOperation(verb, path, operation, schemas) {
  const name = `${verb.toUpperCase()} ${path}`;
  const parts = makeBody(name, operation, schemas);
  const { summary = "", description = "" } = operation;
  const title = make("h2", {}, make("span", { class: "verb" }, verb.toUpperCase()), ` ${path}`);
  const texts = [...new Set([summary, description])].filter((text) => / .*\.$/s.test(text)).map((text) => make("p", {}, text));
  const answers = Object.entries(operation.responses ?? {}).map(([status, answer]) => [status, answer.description ?? ""]);
  const code = make("pre", { tabIndex: 0, ariaLabel: "Command" }, writeCurl(verb, path, parts.length > 0));
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
