/** One action, from reading the page to drawing the answer over it. */

import { explorerAddress, pack } from "./explorer.js";
import { message } from "./messages.js";
import { Problem } from "./problem.js";
import { request } from "./service.js";
import { loadSettings, saveAnswer } from "./store.js";

export const ACTIONS = ["menu", "template", "content", "clutter", "links", "segments"];
export const BUDGET = Object.freeze({ pages: 8, bytes: 8_000_000, seconds: 15 });

const FILES = [
  ...["begin", "palette", "nodes", "write", "twin", "sight", "boxes", "links", "overlay", "main"],
].map((name) => `page/${name}.js`);

/** Run a function in the page, isolated from its own scripts. */
async function runInPage(tab, func, ...args) {
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

async function injectFiles(tab) {
  try {
    await chrome.scripting.executeScript({ target: { tabId: tab }, files: FILES });
  } catch (error) {
    throw new Problem("noAccess", error.message);
  }
}

async function readPage(tab, boxes) {
  const page = await runInPage(tab, (options) => globalThis.pagelet.take(options), { boxes });
  if (!page) throw new Problem("pageBroke");
  if (page.problem) throw new Problem(page.problem);
  return page;
}

/** Read other pages of the site, for a template; a Problem if there are none. */
async function readSite(tab, job, report) {
  report({ stage: "collecting" });
  const site = await runInPage(
    tab,
    (budget, number) => globalThis.pagelet.collect(budget, number),
    BUDGET,
    job,
  );
  if (!site) throw new Problem("pageBroke");
  if (!site.pages.length) throw new Problem("noPages", String(site.tried));
  return site;
}

/** The regions of an answer, in the form that the page draws. */
export function listRegions(answer) {
  const items = Array.isArray(answer?.pagelets) ? answer.pagelets : [];
  return items
    .filter((item) => item.kind !== "dropped")
    .map(({ kind, role, path, paths, box }) => ({
      kind: String(kind),
      role: typeof role === "string" ? role : "",
      paths: (paths ?? [path]).filter((one) => typeof one === "string"),
      box: Array.isArray(box) && box.length === 4 ? box.map(Number) : null,
    }));
}

/** Run an action; `report` receives its progress. Returns what the popup shows at the end. */
export async function run(action, tab, report = () => {}, job = crypto.randomUUID()) {
  if (!ACTIONS.includes(action)) throw new Problem("failed", action);
  const service = await loadSettings();
  if (!service.token) throw new Problem("noToken");
  report({ stage: "reading" });
  await injectFiles(tab);
  const page = await readPage(tab, action === "segments");
  const site = action === "template" ? await readSite(tab, job, report) : null;
  report({ stage: "waiting" });
  const form = { ...page, ...(site && { site: site.pages }) };
  const path = `/v1/${action}`;
  const answer = await request(service, path, form);
  const regions = listRegions(answer);
  if (!regions.length) throw new Problem(action === "template" ? "noTemplate" : "nothing");
  if (site) {
    answer.text = await request(service, path, { ...form, format: "text" });
    answer.markdown = await request(service, path, { ...form, format: "markdown" });
    answer.templatePage = await request(service, path, { ...form, format: "page" });
  }
  const packed = await pack(page.html);
  const budget = site && { ...BUDGET, used: countUse(site) };
  const name = await saveAnswer({ ...answer, budget, packed });
  const texts = {
    summary: summarise(action, regions, site),
    open: message("open"),
    close: message("close"),
  };
  const drawn = await runInPage(tab, (all) => globalThis.pagelet.show(all), {
    regions,
    texts,
    answer: name,
  });
  return { answer: name, summary: texts.summary, regions: regions.length, ...drawn };
}

/** The address at which the explorer of the service shows the page in a tab as it is now. */
export async function explorePage(tab) {
  const service = await loadSettings();
  if (!service.token) throw new Problem("noToken");
  await injectFiles(tab);
  const page = await readPage(tab, false);
  return explorerAddress(service, { packed: await pack(page.html), url: page.url });
}

const countUse = ({ pages, bytes, tried, stopped }) => ({
  pages: pages.length,
  bytes,
  tried,
  stopped,
});

/** The number of regions; for a template, of those outside of it. */
function summarise(action, { length }, site) {
  if (!site) return message(length === 1 ? "oneRegion" : "regions", message(action), length);
  const own = length === 1 ? message("oneOwn") : message("severalOwn", length);
  return `${own} ${message("compared", site.pages.length)}`;
}

export const clearPage = (tab) => runInPage(tab, () => globalThis.pagelet?.clear?.());
