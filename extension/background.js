/** Listens to the popup and to pages, and does the work while both may come and go. */

import { Problem } from "./problem.js";
import { forgetAnswers } from "./store.js";
import { run } from "./work.js";

const listeners = new Map(); // by job: who wants to know how far it is

async function done(action, tab, port) {
  const job = crypto.randomUUID();
  const tell = (news) => {
    try {
      port.postMessage(news);
    } catch {
      // the popup is closed; the page will show the answer
    }
  };
  listeners.set(job, tell);
  await badge(tab, "…");
  try {
    const found = await run(action, tab, tell, job);
    await badge(tab, "");
    tell({ stage: "done", ...found });
  } catch (error) {
    await badge(tab, "!");
    tell({ stage: "failed", ...told(error) });
  } finally {
    listeners.delete(job);
  }
}

const told = (error) =>
  error instanceof Problem
    ? { problem: error.problem, detail: error.detail }
    : { problem: "failed", detail: String(error?.message ?? error) };

async function badge(tab, text) {
  try {
    await chrome.action.setBadgeBackgroundColor({ color: "#1c2733", tabId: tab });
    await chrome.action.setBadgeText({ text, tabId: tab });
  } catch {
    // the tab is gone
  }
}

chrome.runtime.onConnect.addListener((port) => {
  if (port.sender?.tab && !port.sender.url?.startsWith(chrome.runtime.getURL(""))) return;
  port.onMessage.addListener(({ action, tab }) => done(action, tab, port));
});

chrome.runtime.onMessage.addListener((message, sender) => {
  if (sender.id !== chrome.runtime.id) return;
  if (message.type === "open") openAnswer(message.answer, sender.tab);
  if (message.type === "collected") {
    const { pages, bytes } = message;
    listeners.get(message.job)?.({
      stage: "collecting",
      pages: Number(pages),
      bytes: Number(bytes),
    });
  }
});

/** Open the page of an answer beside the tab that it is of. */
function openAnswer(name, tab) {
  const url = chrome.runtime.getURL(`answer.html?${new URLSearchParams({ answer: String(name) })}`);
  return chrome.tabs.create({ url, ...(tab && { index: tab.index + 1, windowId: tab.windowId }) });
}

chrome.runtime.onStartup.addListener(() => forgetAnswers());
