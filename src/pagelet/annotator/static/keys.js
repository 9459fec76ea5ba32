// Keyboard shortcuts of the annotator; none acts while text is typed into a field.

import { make } from "../shared/elements.js";

export const LETTERS = { menu: "m", content: "c", noise: "n", clutter: "l", template: "t", slot: "o", segment: "s" };
const FIELDS = "input:not([type='checkbox'], [type='file']), select, textarea, [contenteditable]";
const ARROWS = { ArrowUp: "grow", ArrowDown: "shrink", ArrowLeft: "previous", ArrowRight: "next" };

function listActions(actions) {
  const kinds = Object.fromEntries(Object.entries(LETTERS).map(([kind, letter]) => [letter, () => actions.mark(kind)]));
  return {
    ...kinds,
    Delete: actions.removeHere, Backspace: actions.removeHere, Enter: actions.acceptHere, Escape: actions.clear,
    j: () => actions.proposal(1), k: () => actions.proposal(-1),
    "]": () => actions.turn(1), "[": () => actions.turn(-1), "?": actions.help,
  };
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
  if (ARROWS[key]) return () => actions.move(ARROWS[key], shiftKey);
  if (key === "Enter" && target.closest?.("button, a, label")) return undefined;
  return listActions(actions)[key.length === 1 ? key.toLowerCase() : key];
}

export function showKeys(list) {
  const keys = [
    ["↑", "grow to the parent"], ["↓", "shrink to the child it grew from, or to the first"],
    ["←", "previous sibling"], ["→", "next sibling"],
    ["Shift", "with an arrow or a click: select more than one element"],
    ...Object.entries(LETTERS).map(([kind, letter]) => [letter.toUpperCase(), `mark as ${kind}`]),
    ["Delete", "delete the marks at the selection, or reject the proposals"],
    ["Enter", "accept the proposals at the selection"],
    ["J", "next proposal"], ["K", "previous proposal"],
    ["Ctrl Z", "undo"], ["Ctrl Shift Z", "redo"],
    ["]", "next page"], ["[", "previous page"], ["Esc", "clear the selection"], ["?", "show these keys"],
  ];
  list.replaceChildren(...keys.flatMap(([key, description]) => [
    make("dt", {}, ...key.split(" ").flatMap((part) => [make("kbd", {}, part), " "])), make("dd", {}, description)]));
}
