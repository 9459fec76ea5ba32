/** One press of a button, from the page to the answer drawn over it. */

import { Problem } from "./problem.js";
import { ask } from "./service.js";
import { keepAnswer, settings } from "./store.js";

export const ACTIONS = ["menu", "template", "content", "segments"];
export const BUDGET = Object.freeze({ pages: 8, bytes: 8_000_000, seconds: 15 });

const FILES = ["begin", "nodes", "write", "twin", "sight", "boxes", "links", "overlay", "main"].map(
  (name) => `page/${name}.js`,
);
const text = (name, ...parts) => chrome.i18n.getMessage(name, parts.map(String));

/** Run a function in the page, apart from the scripts of the page. */
async function inPage(tab, func, ...args) {
  let results;
  try {
    results = await chrome.scripting.executeScript({ target: { tabId: tab }, func, args });
  } catch (error) {
    throw new Problem("noAccess", error.message);
  }
  if (results[0]?.error)
    throw new Problem("pageBroke", String(results[0].error.message ?? results[0].error));
  return results[0]?.result;
}

async function enter(tab) {
  try {
    await chrome.scripting.executeScript({ target: { tabId: tab }, files: FILES });
  } catch (error) {
    throw new Problem("noAccess", error.message);
  }
}

async function take(tab, boxes) {
  const taken = await inPage(tab, (how) => globalThis.pagelet.take(how), { boxes });
  if (!taken) throw new Problem("pageBroke");
  if (taken.problem) throw new Problem(taken.problem);
  return taken;
}

/** Other pages of the site, for a template; without any there is nothing to compare. */
async function siteOf(tab, job, tell) {
  tell({ stage: "collecting" });
  const found = await inPage(
    tab,
    (budget, number) => globalThis.pagelet.collect(budget, number),
    BUDGET,
    job,
  );
  if (!found) throw new Problem("pageBroke");
  if (!found.pages.length) throw new Problem("noPages", String(found.tried));
  return found;
}

/** The regions of an answer as the page draws them. */
export function regionsOf(answer) {
  const items = Array.isArray(answer?.pagelets) ? answer.pagelets : [];
  return items
    .filter((item) => item.kind !== "dropped")
    .map(({ kind, path, paths, box }) => ({
      kind: String(kind),
      paths: (paths ?? [path]).filter((one) => typeof one === "string"),
      box: Array.isArray(box) && box.length === 4 ? box.map(Number) : null,
    }));
}

/** Do it all; `tell` is told how far it is. Returns what the popup says in the end. */
export async function run(action, tab, tell = () => {}, job = crypto.randomUUID()) {
  if (!ACTIONS.includes(action)) throw new Problem("failed", action);
  const service = await settings();
  if (!service.token) throw new Problem("noToken");
  tell({ stage: "reading" });
  await enter(tab);
  const page = await take(tab, action === "segments");
  const site = action === "template" ? await siteOf(tab, job, tell) : null;
  tell({ stage: "asking" });
  const asked = { ...page, ...(site && { site: site.pages }) };
  const answer = await ask(service, `/v1/${action}`, asked);
  const regions = regionsOf(answer);
  if (!regions.length) throw new Problem(action === "template" ? "noTemplate" : "nothing");
  if (site) answer.markdown = await ask(service, `/v1/${action}`, { ...asked, format: "markdown" });
  const name = await keepAnswer({ ...answer, budget: site && { ...BUDGET, used: used(site) } });
  const said = {
    summary: summary(action, regions, site),
    open: text("open"),
    close: text("close"),
  };
  const drawn = await inPage(tab, (all) => globalThis.pagelet.show(all), {
    regions,
    said,
    answer: name,
  });
  return { answer: name, summary: said.summary, regions: regions.length, ...drawn };
}

const used = ({ pages, bytes, tried, stopped }) => ({ pages: pages.length, bytes, tried, stopped });

/** What was found; of a template that is what it leaves over. */
function summary(action, { length }, site) {
  if (!site) return text(length === 1 ? "oneRegion" : "regions", text(action), length);
  const own = length === 1 ? text("oneOwn") : text("severalOwn", length);
  return `${own} ${text("compared", site.pages.length)}`;
}

export const clear = (tab) => inPage(tab, () => globalThis.pagelet?.clear?.());
