/** An answer as a page of its own. All that is from the page is put in as text, never as HTML. */

import { keptAnswer } from "./store.js";
import { fill, say } from "./words.js";

const by = (id) => document.getElementById(id);

function element(name, text = "", ...children) {
  const made = document.createElement(name);
  made.textContent = text;
  made.append(...children);
  return made;
}

/** A link, if it leads to the web; else its text alone. */
function link(text, href) {
  let url;
  try {
    url = new URL(href);
  } catch {
    url = null;
  }
  if (!["http:", "https:"].includes(url?.protocol)) return element("span", text || href || "");
  const made = element("a", text || url.href);
  made.href = url.href;
  made.rel = "noreferrer noopener";
  made.target = "_blank";
  return made;
}

const linkList = (links) =>
  element("ul", "", ...links.map(({ text, href }) => element("li", "", link(text, href))));

function region(item, at) {
  const head = element("h2", `${at + 1} ${item.kind}`);
  const score = typeof item.score === "number" ? item.score.toFixed(2) : "";
  const where = (item.paths ?? [item.path]).filter(Boolean).slice(0, 5).join("\n");
  const parts = [head, element("p", item.text ?? "")];
  if (item.links?.length) {
    parts.push(
      element(
        "details",
        "",
        element("summary", item.links.length === 1 ? say("oneLink") : say("links", item.links.length)),
        linkList(item.links),
      ),
    );
  }
  parts.push(element("pre", [say("score", score), where].join("\n")));
  return element("section", "", ...parts);
}

/** The entries of a menu as nested lists, without recursion: a page decides how deep they are. */
function tree(entries) {
  const top = element("ul");
  const waiting = [...entries].reverse().map((entry) => [entry, top]);
  while (waiting.length) {
    const [{ text, href, children }, list] = waiting.pop();
    const item = element("li", "", link(text, href));
    list.append(item);
    if (!children?.length) continue;
    const inner = element("ul");
    item.append(inner);
    waiting.push(...[...children].reverse().map((child) => [child, inner]));
  }
  return top;
}

function viewsOf(answer) {
  const views = new Map();
  if (answer.tree?.length) views.set("tree", () => [tree(answer.tree)]);
  const texts = answer.pagelets.filter((item) => item.kind !== "dropped");
  const text = answer.text ?? texts.map((item) => item.text).join("\n\n");
  const markdown = () => [element("pre", answer.markdown)];
  if (answer.markdown && !answer.text) views.set("markdown", markdown); // the text has no lines
  if (answer.method !== "menu") views.set("text", () => [element("div", text)]);
  if (answer.markdown) views.set("markdown", markdown);
  views.set("regionsView", () => texts.map(region));
  views.set("links", () => [linkList(texts.flatMap((item) => item.links ?? []))]);
  views.set("json", () => [
    element("pre", JSON.stringify({ ...answer, budget: undefined }, null, 2)),
  ]);
  return views;
}

function show(views, name) {
  for (const tab of by("views").children) {
    const chosen = tab.dataset.view === name;
    tab.ariaSelected = String(chosen);
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen) by("view").setAttribute("aria-labelledby", tab.id);
  }
  by("view").dataset.view = name;
  by("view").replaceChildren(...views.get(name)());
}

function tabs(views) {
  const names = [...views.keys()];
  for (const name of names) {
    const tab = element("button", name === "links" ? say("linksView") : say(name));
    Object.assign(tab, { type: "button", role: "tab", id: `tab-${name}` });
    tab.dataset.view = name;
    tab.setAttribute("aria-controls", "view");
    tab.addEventListener("click", () => show(views, name));
    by("views").append(tab);
  }
  by("views").addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = (names.indexOf(by("view").dataset.view) + step + names.length) % names.length;
    show(views, names[next]);
    by("views").children[next].focus();
  });
  show(views, names[0]);
}

/** How the answer came about: how much was read for a template, how much of the page is its own. */
function about({ budget, template, method }) {
  const parts = method === "template" ? [say("own")] : [];
  if (budget) {
    const { pages, bytes, stopped } = budget.used;
    parts.push(
      say("spent", pages, budget.pages, (bytes / 1e6).toFixed(1), (budget.bytes / 1e6).toFixed(1)),
    );
    if (stopped) parts.push(say(stopped === "bytes" ? "outOfBytes" : "outOfSeconds"));
  }
  if (template?.share) parts.push(say("share", Math.round(100 * template.share.characters)));
  if (template?.guess) parts.push(say("guess"));
  return parts.join(" ");
}

async function begin() {
  fill();
  const name = new URLSearchParams(location.search).get("answer") ?? "";
  const answer = await keptAnswer(name);
  if (!answer) {
    by("title").textContent = say("forgotten");
    return;
  }
  by("title").textContent = answer.title || say(answer.method);
  document.title = `${say(answer.method)} – pagelet`;
  by("source").append(link(answer.url, answer.url));
  by("about").textContent = about(answer);
  tabs(viewsOf(answer));
  by("answer").hidden = false;
}

begin();
