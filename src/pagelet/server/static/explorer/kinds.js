// Colour of each kind, and of text on it: those of the report.

const COLOURS = {
  menu: ["#0072b2", "#fff"],
  clutter: ["#d55e00", "#000"],
  links: ["#332288", "#fff"],
  noise: ["#e69f00", "#000"],
  content: ["#009e73", "#000"],
  dropped: ["#6e7781", "#fff"],
  slot: ["#56b4e9", "#000"],
  template: ["#cc79a7", "#000"],
  segment: ["#882255", "#fff"],
  record: ["#117733", "#fff"],
};
const THIN = ["dropped"]; // kinds with thin outlines
const UNLABELLED = ["content", "dropped", "segment", "noise"]; // their labels would cover the text

const OTHER = ["#44546a", "#fff"]; // of kinds that a method adds

function describe(name) {
  const [colour, ink] = COLOURS[name] ?? OTHER;
  return { name, colour, ink, quiet: THIN.includes(name), labelled: !UNLABELLED.includes(name) };
}

// The kinds of the methods that come with pagelet, and those among the names that are others.
export function kindsOf(names = []) {
  return [...new Set([...Object.keys(COLOURS), ...names])].map(describe);
}

export const colourOf = (kind) => describe(kind).colour;
export const inkOf = (kind) => describe(kind).ink;
