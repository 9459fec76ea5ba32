// Paths of elements and back: an answer names nodes by path, the drawing by row.

const TEXT = /\/text\(\)\[(\d+)\]$/;

export class Rows {
  #path = new Map();
  #row = new Map();
  #parent = new Map();
  #last = new Map(); // the last row of each subtree

  constructor({ row, parent, step }) {
    row.forEach((one, at) => { // a parent stands before what is in it
      const path = `${this.#path.get(parent[at]) ?? ""}/${step[at]}`;
      this.#path.set(one, path);
      this.#row.set(path, one);
      this.#parent.set(one, parent[at]);
    });
    for (let at = row.length - 1; at >= 0; at -= 1) {
      const last = this.#last.get(row[at]) ?? row[at];
      this.#last.set(row[at], last);
      if (!this.#last.has(parent[at])) this.#last.set(parent[at], last); // what comes last is met first
    }
  }

  path(row) {
    return this.#path.get(row);
  }

  // Where a path leads: the row of an element, and which of its texts where it is one.
  find(path) {
    const text = TEXT.exec(path);
    const row = this.#row.get(text ? path.slice(0, text.index) : path);
    if (row === undefined) return undefined;
    return text ? { row, text: Number(text[1]) } : { row };
  }

  // Whether a row is another, or lies in it.
  holds(outer, row) {
    return outer <= row && row <= (this.#last.get(outer) ?? outer);
  }

  // The row and those it lies in, from the inside out.
  upward(row) {
    const found = [];
    for (let at = row; at !== undefined && at >= 0; at = this.#parent.get(at)) found.push(at);
    return found;
  }
}

export const pathsOf = ({ path, paths }) => paths ?? (path === null ? [] : [path]);
