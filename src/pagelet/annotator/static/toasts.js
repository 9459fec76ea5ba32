// Messages over the page; they move nothing under the pointer.

import { byId } from "../shared/elements.js";

const NOTICE_MS = 15000;
let hiding;

export function showProblem(message) {
  byId("problem").textContent = message;
  byId("problem").hidden = !message;
}

// Show a notice with a button; without a time limit it stays until it is replaced or hidden.
export function showNotice(text, label, run, { stays = false } = {}) {
  clearTimeout(hiding);
  byId("notice-text").textContent = text;
  byId("notice-action").textContent = label;
  byId("notice-action").onclick = () => { hideNotice(); run(); };
  byId("notice").hidden = false;
  if (!stays) hiding = setTimeout(hideNotice, NOTICE_MS);
}

export function hideNotice() {
  if (byId("notice").contains(document.activeElement)) byId("stage").focus();
  byId("notice").hidden = true;
}

// Wrap an action: it clears the last problem, and shows its own.
export function guard(run) {
  return async (...values) => {
    try {
      showProblem("");
      return await run(...values);
    } catch (error) {
      showProblem(error.message);
      return undefined;
    }
  };
}

let last = Promise.resolve();

// The same for an action that changes a page: one after the other, in the order of the keys.
export function guardInTurn(run) {
  return guard((...values) => {
    const turn = last.then(() => run(...values));
    last = turn.catch(() => undefined);
    return turn;
  });
}
