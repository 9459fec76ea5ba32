/** Runs actions for the popup, which may close meanwhile, and handles messages of pages. */

import { Problem } from "./problem.js";
import { deleteAnswers } from "./store.js";
import { explorePage, run } from "./work.js";

const reporters = new Map(); // by job: functions that receive its progress

async function runAction(action, tab, port) {
  const job = crypto.randomUUID();
  const report = (progress) => {
    try {
      port.postMessage(progress);
    } catch {
      // the popup is closed; the page will show the answer
    }
  };
  reporters.set(job, report);
  await setBadge(tab, "…");
  try {
    if (action === "explore") await openExplorer(tab, report);
    else report({ stage: "done", ...(await run(action, tab, report, job)) });
    await setBadge(tab, "");
  } catch (error) {
    await setBadge(tab, "!");
    report({ stage: "failed", ...describeError(error) });
  } finally {
    reporters.delete(job);
  }
}

/** Open the page of a tab in the explorer of the service. */
async function openExplorer(tab, report) {
  report({ stage: "reading" });
  const url = await explorePage(tab);
  await chrome.tabs.create({ url });
  report({ stage: "opened" });
}

const describeError = (error) =>
  error instanceof Problem
    ? { problem: error.problem, detail: error.detail }
    : { problem: "failed", detail: String(error?.message ?? error) };

async function setBadge(tab, text) {
  try {
    await chrome.action.setBadgeBackgroundColor({ color: "#1c2733", tabId: tab });
    await chrome.action.setBadgeText({ text, tabId: tab });
  } catch {
    // the tab is gone
  }
}

chrome.runtime.onConnect.addListener((port) => {
  if (port.sender?.tab && !port.sender.url?.startsWith(chrome.runtime.getURL(""))) return;
  port.onMessage.addListener(({ action, tab }) => runAction(action, tab, port));
});

chrome.runtime.onMessage.addListener((message, sender) => {
  if (sender.id !== chrome.runtime.id) return;
  if (message.type === "open") openAnswer(message.answer, sender.tab);
  if (message.type === "collected") {
    const { pages, bytes } = message;
    reporters.get(message.job)?.({
      stage: "collecting",
      pages: Number(pages),
      bytes: Number(bytes),
    });
  }
});

/** Open the page of an answer next to the tab it belongs to. */
function openAnswer(name, tab) {
  const url = chrome.runtime.getURL(`answer.html?${new URLSearchParams({ answer: String(name) })}`);
  return chrome.tabs.create({ url, ...(tab && { index: tab.index + 1, windowId: tab.windowId }) });
}

chrome.runtime.onStartup.addListener(() => deleteAnswers());
