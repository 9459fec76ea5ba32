// Two answers side by side: which regions both name, and which only one of them.

import { make } from "../shared/service.js";
import { pathsOf } from "../shared/rows.js";

const keyOf = (pagelet) => pathsOf(pagelet).join(" ");

// Only what is answered counts, not what was looked at and dropped.
const answered = (items) => items.filter(({ pagelet }) => pagelet.kind !== "dropped");

// Write onto each item where it was found: both, A or B.
export function compare(one, two) {
  const [first, second] = [one, two].map((items) => new Set(answered(items).map(({ pagelet }) => keyOf(pagelet))));
  for (const item of one) item.where = "A";
  for (const item of answered(one)) if (second.has(keyOf(item.pagelet))) item.where = "A B";
  const both = [...first].filter((key) => second.has(key)).length;
  const only = answered(two).filter(({ pagelet }) => !first.has(keyOf(pagelet)));
  for (const item of only) item.where = "B";
  const all = first.size + second.size - both;
  const share = all ? Math.round((100 * both) / all) : 100;
  const [a, b] = [first.size - both, second.size - both];
  return { only, told: `${both} in both, ${a} only in A, ${b} only in B: ${share} % the same` };
}

export function fillChoices(select, methods, chosen) {
  select.replaceChildren(make("option", { value: "" }, "nothing"));
  for (const { name, profiles } of methods) {
    for (const profile of Object.keys(profiles)) {
      const value = `${name}:${profile}`;
      select.append(make("option", { value, selected: value === chosen }, `${name}, ${profile}`));
    }
  }
}

// Both drawings show the same part of the page.
export function scrollTogether(drawings) {
  let leading = 0;
  let until = 0;
  return (which, share) => {
    const now = performance.now();
    if (which !== leading && now < until) return; // it was moved by us
    leading = which;
    until = now + 150;
    drawings[1 - which].scroll(share);
  };
}
