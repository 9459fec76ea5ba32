// The keys of the annotator; they are not taken where somebody writes.

import { make } from "../shared/service.js";

export const LETTERS = { menu: "m", content: "c", noise: "n", clutter: "l", template: "t", slot: "o", segment: "s" };
const WRITING = "input:not([type='checkbox'], [type='file']), select, textarea, [contenteditable]";
const ARROWS = { ArrowUp: "grow", ArrowDown: "shrink", ArrowLeft: "previous", ArrowRight: "next" };

function acts(does) {
  const kinds = Object.fromEntries(Object.entries(LETTERS).map(([kind, letter]) => [letter, () => does.mark(kind)]));
  return {
    ...kinds,
    Delete: does.removeHere, Backspace: does.removeHere, Enter: does.acceptHere, Escape: does.clear,
    j: () => does.proposal(1), k: () => does.proposal(-1),
    "]": () => does.turn(1), "[": () => does.turn(-1), "?": does.help,
  };
}

export function keyTaken(event, does) {
  if (event.defaultPrevented || event.target.closest?.(WRITING) || document.querySelector("dialog[open]")) return;
  const act = found(event, does);
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

function found({ key, ctrlKey, metaKey, altKey, shiftKey, target }, does) {
  if (ctrlKey || metaKey) {
    const step = { z: shiftKey ? "redo" : "undo", y: "redo" }[key.toLowerCase()];
    return step && (() => does.step(step));
  }
  if (altKey) return undefined;
  if (ARROWS[key]) return () => does.move(ARROWS[key], shiftKey);
  if (key === "Enter" && target.closest?.("button, a, label")) return undefined;
  return acts(does)[key.length === 1 ? key.toLowerCase() : key];
}

export function showKeys(list) {
  const keys = [
    ["↑", "grow to the parent"], ["↓", "shrink to a child, the one it grew out of"],
    ["←", "previous sibling"], ["→", "next sibling"],
    ["Shift", "with an arrow or a click: select more than one element"],
    ...Object.entries(LETTERS).map(([kind, letter]) => [letter.toUpperCase(), `mark as ${kind}`]),
    ["Delete", "delete the marks at the selection, or reject what is proposed there"],
    ["Enter", "accept what is proposed at the selection"],
    ["J", "next proposal"], ["K", "proposal before"],
    ["Ctrl Z", "undo"], ["Ctrl Shift Z", "do again"],
    ["]", "next page"], ["[", "page before"], ["Esc", "select nothing"], ["?", "this list"],
  ];
  list.replaceChildren(...keys.flatMap(([key, about]) => [
    make("dt", {}, ...key.split(" ").flatMap((part) => [make("kbd", {}, part), " "])), make("dd", {}, about)]));
}
