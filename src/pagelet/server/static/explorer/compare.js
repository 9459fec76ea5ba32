// Two answers side by side: regions in both, and regions in one of them.

import { make } from "../shared/elements.js";
import { pathsOf } from "../shared/rows.js";
import { formatScore, isLikelihood } from "./why.js";

const keyOf = (pagelet) => pathsOf(pagelet).join(" ");

// Dropped blocks are not part of the answer.
const withoutDropped = (items) => items.filter(({ pagelet }) => pagelet.kind !== "dropped");

// Scores of two scales are not comparable: each is shown with the answer it belongs to.
function writeScores(item, other) {
  const own = `${item.where[0]} ${formatScore(item.pagelet, item.answer)}`;
  return other ? `${own} · B ${formatScore(other.pagelet, other.answer)}` : own;
}

// Set the `where` of each item, A, B or both, and its `scores`.
export function compare(first, second) {
  const [firstKeys, secondKeys] = [first, second].map((items) =>
    new Set(withoutDropped(items).map(({ pagelet }) => keyOf(pagelet))));
  const others = new Map(second.map((item) => [keyOf(item.pagelet), item]));
  for (const item of first) item.where = "A";
  for (const item of withoutDropped(first)) if (secondKeys.has(keyOf(item.pagelet))) item.where = "A B";
  const both = [...firstKeys].filter((key) => secondKeys.has(key)).length;
  const only = withoutDropped(second).filter(({ pagelet }) => !firstKeys.has(keyOf(pagelet)));
  for (const item of only) item.where = "B";
  const [one, two] = [first[0]?.answer, second[0]?.answer];
  const alike = one && two && isLikelihood(one) && isLikelihood(two);
  for (const item of [...first, ...only]) {
    const other = item.where === "A B" ? others.get(keyOf(item.pagelet)) : undefined;
    item.scores = alike && !other ? undefined : writeScores(item, other);
  }
  const [a, b] = [firstKeys.size - both, secondKeys.size - both];
  const all = a + b + both;
  const share = all ? Math.round((100 * both) / all) : 100;
  return { only, differences: a + b, summary: `${both} in both, ${a} only in A, ${b} only in B: ${share} % the same` };
}

export function fillComparisons(select, methods, chosen) {
  select.replaceChildren(make("option", { value: "" }, "nothing"));
  for (const { name, profiles } of methods) {
    for (const profile of Object.keys(profiles)) {
      const value = `${name}:${profile}`;
      select.append(make("option", { value, selected: value === chosen }, `${name}, ${profile}`));
    }
  }
}

// A scroll handler that keeps both drawings at the same part of the page.
export function syncScrolling(drawings) {
  let leading = 0;
  let until = 0;
  return (which, share) => {
    const now = performance.now();
    if (which !== leading && now < until) return; // caused by the other drawing
    leading = which;
    until = now + 150;
    drawings[1 - which].scroll(share);
  };
}
