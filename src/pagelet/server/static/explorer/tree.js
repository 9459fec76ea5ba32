// The list as a tree: regions as they stand in the page, each below the one that it lies in.

// Numbers of the items in the order of the page; what has no place in it comes last.
export function ordered(items) {
  const place = (number) => items[number].places[0] ?? { row: Infinity };
  const compare = (one, two) => {
    const [first, second] = [place(one), place(two)];
    return first.row - second.row || (first.text ?? 0) - (second.text ?? 0) || one - two;
  };
  return [...items.keys()].sort(compare);
}

// How many of the others each item lies in; items are in the order of the page.
export function levels(items, rows) {
  const around = []; // rows of those that are not yet over
  return items.map(({ places: [first] }) => {
    while (around.length && !rows.holds(around.at(-1), first?.row ?? -1)) around.pop();
    const level = around.length;
    if (first && !first.text) around.push(first.row);
    return level;
  });
}
