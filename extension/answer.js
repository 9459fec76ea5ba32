/**
 * The page that shows an answer. Content of the analysed page is inserted as text, never as HTML;
 * only the template as a page has a frame of its own, in which nothing runs or is loaded.
 */

import { explorerAddress } from "./explorer.js";
import { fillTexts, message } from "./messages.js";
import { loadAnswer, loadSettings } from "./store.js";
import { writeView } from "./views.js";

const byId = (id) => document.getElementById(id);

function makeElement(name, text = "", ...children) {
  const element = document.createElement(name);
  element.textContent = text;
  element.append(...children);
  return element;
}

/** A link if it leads to the web, else its text. */
function makeLink(text, href) {
  let url;
  try {
    url = new URL(href);
  } catch {
    url = null;
  }
  if (!["http:", "https:"].includes(url?.protocol)) return makeElement("span", text || href || "");
  const element = makeElement("a", text || url.href);
  element.href = url.href;
  element.rel = "noreferrer noopener";
  element.target = "_blank";
  return element;
}

const makeLinkList = (links) =>
  makeElement(
    "ul",
    "",
    ...links.map(({ text, href }) => makeElement("li", "", makeLink(text, href))),
  );

/** The name of a kind for people, from the palette that all interfaces share. */
const wordsOf = (kind) => globalThis.pagelet.palette.kinds[kind]?.words ?? kind;

function makeRegion(item, at) {
  const head = makeElement("h2", `${at + 1} ${wordsOf(item.kind)}`);
  if (item.role && item.role !== item.kind) {
    const role = makeElement("span", ` ${item.role}`);
    role.className = "role";
    head.append(role);
  }
  const score = item.score ? message("score", item.score.toFixed(2)) : "";
  const where = (item.paths ?? [item.path]).filter(Boolean).slice(0, 5).join("\n");
  const parts = [head, makeElement("p", item.text ?? "")];
  if (item.links?.length) {
    const { length } = item.links;
    parts.push(
      makeElement(
        "details",
        "",
        makeElement("summary", length === 1 ? message("oneLink") : message("someLinks", length)),
        makeLinkList(item.links),
      ),
    );
  }
  parts.push(makeElement("pre", [score, where].filter(Boolean).join("\n")));
  return makeElement("section", "", ...parts);
}

/** The entries of a menu as nested lists; not recursive, since a page decides their depth. */
function makeTree(entries) {
  const top = makeElement("ul");
  const waiting = [...entries].reverse().map((entry) => [entry, top]);
  while (waiting.length) {
    const [{ text, href, children }, list] = waiting.pop();
    const item = makeElement("li", "", makeLink(text, href));
    list.append(item);
    if (!children?.length) continue;
    const inner = makeElement("ul");
    item.append(inner);
    waiting.push(...[...children].reverse().map((child) => [child, inner]));
  }
  return top;
}

/** A page in a frame: the sandbox runs no script, and our own policy, which it inherits, loads nothing. */
function makeFrame(html) {
  const frame = makeElement("iframe");
  frame.setAttribute("sandbox", "");
  frame.title = message("templatePage");
  frame.srcdoc = html;
  return frame;
}

const listTexts = (answer) => answer.pagelets.filter((item) => item.kind !== "dropped");

const makeParagraphs = (text) =>
  text.split(/\n+/).filter((line) => line.trim()).map((line) => makeElement("p", line));

/** The views of an answer in the order of their tabs: what makes their elements. */
function listViews(answer) {
  const views = new Map();
  const texts = listTexts(answer);
  if (answer.tree?.length) views.set("tree", () => [makeTree(answer.tree)]);
  const markdown = () => [makeElement("pre", answer.markdown)];
  if (answer.method !== "menu") views.set("text", () => makeParagraphs(writeView(answer, "text")));
  if (answer.markdown) views.set("markdown", markdown);
  if (answer.templatePage) views.set("templatePage", () => [makeFrame(answer.templatePage)]);
  views.set("regionsView", () => texts.map(makeRegion));
  views.set("links", () => [makeLinkList(texts.flatMap((item) => item.links ?? []))]);
  views.set("json", () => [makeElement("pre", writeView(answer, "json"))]);
  return views;
}

function showView(views, name) {
  for (const tab of byId("views").children) {
    const chosen = tab.dataset.view === name;
    tab.ariaSelected = String(chosen);
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen) byId("view").setAttribute("aria-labelledby", tab.id);
  }
  byId("view").dataset.view = name;
  byId("said").textContent = "";
  byId("view").replaceChildren(...views.get(name)());
}

function makeTabs(views) {
  const names = [...views.keys()];
  for (const name of names) {
    const tab = makeElement("button", message(name));
    Object.assign(tab, { type: "button", role: "tab", id: `tab-${name}` });
    tab.dataset.view = name;
    tab.setAttribute("aria-controls", "view");
    tab.addEventListener("click", () => showView(views, name));
    byId("views").append(tab);
  }
  byId("views").addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = (names.indexOf(byId("view").dataset.view) + step + names.length) % names.length;
    showView(views, names[next]);
    byId("views").children[next].focus();
  });
  showView(views, names[0]);
}

/** What was read for a template, and how much of the page belongs to it. */
function describe({ budget, template, method }) {
  const parts = method === "template" ? [message("own")] : [];
  if (budget) {
    const { pages, bytes, stopped } = budget.used;
    const [used, limit] = [bytes, budget.bytes].map((size) => (size / 1e6).toFixed(1));
    parts.push(message("spent", pages, budget.pages, used, limit));
    if (stopped) parts.push(message(stopped === "bytes" ? "outOfBytes" : "outOfSeconds"));
  }
  if (template?.share) parts.push(message("share", Math.round(100 * template.share.characters)));
  if (template?.guess) parts.push(message("guess"));
  return parts.join(" ");
}

/** Letters and digits of a text, for the name of a file. */
const nameOf = (text) =>
  text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-+|-+$/g, "").slice(0, 60);

/** The beginning of a file name: the title, else the last part of the address, else the host. */
function stemOf({ title, url }) {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const last = address?.pathname.split("/").filter(Boolean).at(-1)?.replace(/\.\w+$/, "");
  return [title ?? "", last ?? "", address?.hostname ?? ""].map(nameOf).find(Boolean) ?? "page";
}

const ENDINGS = { markdown: "md", json: "json", templatePage: "html", links: "tsv" };

function saveView(answer, view) {
  const name = `${stemOf(answer)}-${answer.method}.${ENDINGS[view] ?? "txt"}`;
  const url = URL.createObjectURL(new Blob([writeView(answer, view)], { type: "text/plain" }));
  const link = makeElement("a");
  Object.assign(link, { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  byId("said").textContent = message("saved", name);
}

function listenForTools(answer) {
  const view = () => byId("view").dataset.view;
  byId("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(writeView(answer, view()));
    byId("said").textContent = message("copied");
  });
  byId("download").addEventListener("click", () => saveView(answer, view()));
  byId("explore").hidden = !answer.packed;
  byId("explore").addEventListener("click", async () => {
    const { packed, url, method } = answer;
    try {
      await chrome.tabs.create({
        url: explorerAddress(await loadSettings(), { packed, url, method }),
      });
    } catch (error) {
      byId("said").textContent = message(error.problem ?? "failed");
    }
  });
}

async function begin() {
  fillTexts();
  const name = new URLSearchParams(location.search).get("answer") ?? "";
  const answer = await loadAnswer(name);
  if (!answer) {
    byId("title").textContent = message("forgotten");
    return;
  }
  byId("title").textContent = answer.title || message(answer.method);
  document.title = `${message(answer.method)} – pagelet`;
  byId("source").append(makeLink(answer.url, answer.url));
  byId("about").textContent = describe(answer);
  makeTabs(listViews(answer));
  listenForTools(answer);
  byId("answer").hidden = false;
}

begin();
