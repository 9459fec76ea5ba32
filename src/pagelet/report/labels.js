"use strict";
// Where labels lie: across the upper edge of their region, at its right end, or to the left of the
// labels that are there already. So none covers another, and little of the text is covered.
const labels = (() => {
  const HEIGHT = 16; // px
  const GAP = 2; // px between neighbours

  const topOf = ({ y }, height) => Math.max(0, y - height / 2);

  // Places on one page, taken one after the other; those of containers first.
  function startPage(height = HEIGHT) {
    const lines = new Map(); // what is taken, by the line of its top

    function listNear(top) {
      const line = Math.floor(top / height);
      const near = [line - 1, line, line + 1].flatMap((each) => lines.get(each) ?? []);
      return near.filter((other) => Math.abs(other.top - top) < height);
    }

    function keep(place) {
      const line = Math.floor(place.top / height);
      lines.set(line, [...(lines.get(line) ?? []), place]);
      return place;
    }

    // The place of a label of this width at a region {x, y, right}; undefined if there is no room.
    return function take(region, width) {
      const top = topOf(region, height);
      let left = region.right - width;
      for (const other of listNear(top).sort((one, two) => two.left - one.left)) {
        if (left < other.right + GAP && other.left < left + width + GAP) left = other.left - width - GAP;
      }
      return left < region.x ? undefined : keep({ left, top, right: left + width, height });
    };
  }

  return { HEIGHT, startPage, topOf };
})();
