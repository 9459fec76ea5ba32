// Maps paths to rows and back: answers name nodes by path, the drawing by row.

const TEXT = /\/text\(\)\[(\d+)\]$/;

export class Rows {
  #path = new Map();
  #row = new Map();
  #parent = new Map();
  #last = new Map(); // the last row of each subtree

  constructor({ row, parent, step }) {
    row.forEach((one, at) => { // parents come before their children
      const path = `${this.#path.get(parent[at]) ?? ""}/${step[at]}`;
      this.#path.set(one, path);
      this.#row.set(path, one);
      this.#parent.set(one, parent[at]);
    });
    for (let at = row.length - 1; at >= 0; at -= 1) {
      const last = this.#last.get(row[at]) ?? row[at];
      this.#last.set(row[at], last);
      if (!this.#last.has(parent[at])) this.#last.set(parent[at], last); // rows are visited from the end
    }
  }

  path(row) {
    return this.#path.get(row);
  }

  // The row of an element; for the path of a text, also the number of the text in it.
  find(path) {
    const text = TEXT.exec(path);
    const row = this.#row.get(text ? path.slice(0, text.index) : path);
    if (row === undefined) return undefined;
    return text ? { row, text: Number(text[1]) } : { row };
  }

  // Whether a row lies in the subtree of another.
  holds(outer, row) {
    return outer <= row && row <= (this.#last.get(outer) ?? outer);
  }

  // The row and its ancestors, from the inside out.
  ancestors(row) {
    const rows = [];
    for (let at = row; at !== undefined && at >= 0; at = this.#parent.get(at)) rows.push(at);
    return rows;
  }
}

export const pathsOf = ({ path, paths }) => paths ?? (path === null ? [] : [path]);
