// Keyboard shortcuts of the annotator; none acts while text is typed into a field.

import { make } from "../shared/elements.js";
import { LETTERS, wordsOf } from "./kinds.js";

const FIELDS = "input:not([type='checkbox'], [type='file']), select, textarea, [contenteditable]";
const ARROWS = { ArrowUp: "grow", ArrowDown: "shrink", ArrowLeft: "previous", ArrowRight: "next" };
const STORED = "single keys"; // name of the setting in this browser

export const usesLetters = () => localStorage.getItem(STORED) !== "off";
export const setLetters = (on) => localStorage.setItem(STORED, on ? "on" : "off");

function listActions(actions) {
  const kinds = Object.fromEntries(Object.entries(LETTERS).map(([kind, letter]) => [letter, () => actions.mark(kind)]));
  return {
    ...kinds,
    j: () => actions.proposal(1), k: () => actions.proposal(-1), x: actions.finish,
    ".": () => actions.difference(1), ",": () => actions.difference(-1),
    "]": () => actions.turn(1), "[": () => actions.turn(-1), "?": actions.help,
  };
}

function listNamedKeys(actions) {
  return { Delete: actions.removeHere, Backspace: actions.removeHere, Enter: actions.acceptHere, Escape: actions.clear };
}

export function handleKey(event, actions) {
  if (event.defaultPrevented || event.target.closest?.(FIELDS) || document.querySelector("dialog[open]")) return;
  const action = findAction(event, actions);
  if (!action) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

function findAction({ key, ctrlKey, metaKey, altKey, shiftKey, target }, actions) {
  if (ctrlKey || metaKey) {
    const step = { z: shiftKey ? "redo" : "undo", y: "redo" }[key.toLowerCase()];
    return step && (() => actions.step(step));
  }
  if (altKey) return undefined;
  if (ARROWS[key] && !actions.choosing()) return () => actions.move(ARROWS[key], shiftKey);
  if (["Enter", " "].includes(key) && target.closest?.("button, a, label, input")) return undefined;
  if (key.length > 1) return listNamedKeys(actions)[key];
  if (actions.choosing()) return () => actions.chooseRole(key.toLowerCase());
  return usesLetters() ? listActions(actions)[key.toLowerCase()] : undefined;
}

export function showKeys(list) {
  const keys = [
    ["↑", "grow to the parent"], ["↓", "shrink to the child it grew from, or to the first"],
    ["←", "previous sibling"], ["→", "next sibling"],
    ["Shift", "with an arrow or a click: select more than one element"],
    ...Object.entries(LETTERS).map(([kind, letter]) => [letter.toUpperCase(), `mark as ${wordsOf(kind)}${["links", "block", "field"].includes(kind) ? ", then the key of the role" : ""}`]),
    ["Delete", "delete the marks at the selection, or reject the proposals"],
    ["Enter", "accept the proposals at the selection"],
    ["J", "next proposal"], ["K", "previous proposal"],
    [".", "next disagreement"], [",", "previous disagreement"],
    ["X", "done with this page, go to the next one"],
    ["Ctrl Z", "undo"], ["Ctrl Shift Z", "redo"],
    ["]", "next page"], ["[", "previous page"], ["Esc", "clear the selection"], ["?", "show these keys"],
  ];
  list.replaceChildren(...keys.flatMap(([key, description]) => [
    make("dt", {}, ...key.split(" ").flatMap((part) => [make("kbd", {}, part), " "])), make("dd", {}, description)]));
}
