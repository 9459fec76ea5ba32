// Colour of each kind, and of text on it: those of the report.

const COLOURS = {
  menu: ["#0072b2", "#fff"],
  clutter: ["#d55e00", "#000"],
  noise: ["#e69f00", "#000"],
  content: ["#009e73", "#000"],
  dropped: ["#6e7781", "#fff"],
  slot: ["#56b4e9", "#000"],
  template: ["#cc79a7", "#000"],
  segment: ["#882255", "#fff"],
};
const THIN = ["dropped"]; // kinds with thin outlines
const UNLABELLED = ["content", "dropped", "segment", "noise"]; // their labels would cover the text

export const KINDS = Object.entries(COLOURS).map(([name, [colour, ink]]) => ({
  name, colour, ink, quiet: THIN.includes(name), labelled: !UNLABELLED.includes(name),
}));

export const colourOf = (kind) => COLOURS[kind]?.[0] ?? "#6e7781";
