/**
 * Maps paths to live nodes and back.
 *
 * The service returns paths of the tree that its parser builds from the HTML. That tree may differ
 * from the live one: adjacent texts become one, tables get a tbody, a p cannot hold a div. So the
 * HTML is parsed here too, with a number at every node; the numbers map the nodes of this twin to
 * the live ones.
 */
"use strict";

(() => {
  const { read, list, childrenOf, nameOf, ELEMENT, HTML } = globalThis.pagelet.nodes;
  const { MARK, FIRST, LAST } = globalThis.pagelet.write;
  const TEXT = 3;
  const PLAIN = /^[a-z_][a-z0-9_.-]*$/;
  const NUMBERED = new RegExp(`${FIRST}([0-9]+)${LAST}`, "g");
  const MAX_PATH_CHARS = 4_000; // nodes with longer paths are left out
  const QUOTED = `'[^']*'|"[^"]*"`;
  const STEP = new RegExp(
    `/(?:text\\(\\)\\[(\\d+)\\]` + // the n-th text
      `|\\*\\[name\\(\\)=(${QUOTED}|concat\\((?:${QUOTED}|,)*\\))\\]\\[(\\d+)\\]` + // an odd name
      `|([a-z_][a-z0-9_.-]*)(?:\\[(\\d+)\\])?)`, // a plain name
    "y",
  );

  /** A string as an XPath literal; one with both kinds of quotes needs concat(). */
  function quote(name) {
    if (!name.includes("'")) return `'${name}'`;
    if (!name.includes('"')) return `"${name}"`;
    return `concat(${name
      .split("'")
      .map((part) => `'${part}'`)
      .join(`,"'",`)})`;
  }

  const unquote = (literal) =>
    literal
      .match(/'[^']*'|"[^"]*"/g)
      .map((part) => part.slice(1, -1))
      .join("");

  const keyOf = (node) => {
    const type = read.type(node);
    if (type === TEXT) return "text()";
    return type === ELEMENT ? nameOf(node) : null;
  };

  /** The last step of the path of each node in a list; empty if a node has none. */
  function listSteps({ nodes, parents }) {
    const keys = nodes.map(keyOf);
    const counts = nodes.map(() => null);
    const places = nodes.map((_, at) => {
      if (keys[at] === null || parents[at] < 0) return 1;
      const count = (counts[parents[at]] ??= new Map());
      count.set(keys[at], (count.get(keys[at]) ?? 0) + 1);
      return count.get(keys[at]);
    });
    const foreign = [];
    return nodes.map((node, at) => {
      const html = keys[at] === "text()" || keys[at] === null || read.space(node) === HTML;
      foreign[at] = !html || (foreign[parents[at]] ?? false);
      if (keys[at] === null) return "";
      if (keys[at] === "text()") return `/text()[${places[at]}]`;
      if (foreign[at] || !PLAIN.test(keys[at])) {
        return `/*[name()=${quote(keys[at])}][${places[at]}]`;
      }
      const alone = parents[at] < 0 || counts[parents[at]].get(keys[at]) === 1;
      return `/${keys[at]}${alone ? "" : `[${places[at]}]`}`;
    });
  }

  /** The HTML parsed again; its nodes can be mapped to live nodes. */
  class Twin {
    constructor(tree, html) {
      this.live = tree.nodes;
      this.document = new DOMParser().parseFromString(html, "text/html");
      this.root = Document.prototype.querySelector.call(this.document, ":root");
    }

    /** All nodes of the twin with their paths, except very long ones. */
    *paths() {
      const tree = list(this.root);
      if (tree === null) return;
      const steps = listSteps(tree);
      const paths = [];
      for (let at = 0; at < steps.length; at++) {
        const above = tree.parents[at] < 0 ? "" : paths[tree.parents[at]];
        const path = above === null || !steps[at] ? null : above + steps[at];
        paths.push(path !== null && path.length <= MAX_PATH_CHARS ? path : null);
        if (paths[at] !== null) yield [tree.nodes[at], paths[at]];
      }
    }

    /** The node of the twin at a path; null if there is none. */
    at(path) {
      let node = null;
      STEP.lastIndex = 0;
      while (STEP.lastIndex < path.length) {
        const step = STEP.exec(path);
        if (step === null) return null;
        const [, text, odd, nth, name, place] = step;
        const key = text ? "text()" : odd ? unquote(odd) : name;
        node = this.child(node, key, Number(text ?? nth ?? place ?? 1));
        if (node === null) return null;
      }
      return node;
    }

    child(node, key, place) {
      const children = node === null ? [this.root] : childrenOf(node, false);
      let left = place;
      for (const child of children) if (keyOf(child) === key && --left === 0) return child;
      return null;
    }

    /** The indices of the live nodes that a node of the twin represents. */
    places(node) {
      if (read.type(node) === ELEMENT) {
        const mark = read.attribute(node, MARK);
        return mark === null ? [] : [Number(mark)];
      }
      return [...read.value(node).matchAll(NUMBERED)].map(([, number]) => Number(number));
    }

    own(node) {
      return this.places(node).map((place) => this.live[place]);
    }

    /** The live nodes that show the content of a node of the twin. */
    shown(node) {
      const own = this.own(node);
      if (own.length) return own;
      const inside = this.inside(node);
      if (inside.length) return inside;
      for (let above = read.parent(node); above; above = read.parent(above)) {
        if (read.type(above) === ELEMENT && this.own(above).length) return this.own(above);
      }
      return [];
    }

    /** The top-most live nodes below a node that the parser added, such as a tbody. */
    inside(node) {
      const waiting = childrenOf(node, false).reverse();
      const nodes = [];
      while (waiting.length) {
        const below = waiting.pop();
        const type = read.type(below);
        const own = type === ELEMENT || type === TEXT ? this.own(below) : [];
        if (own.length) nodes.push(...own);
        else if (type === ELEMENT) waiting.push(...childrenOf(below, false).reverse());
      }
      return nodes;
    }

    /** The live nodes at a path; none if there is no such path. */
    find(path) {
      const node = this.at(path);
      return node === null ? [] : this.shown(node);
    }
  }

  globalThis.pagelet.Twin = Twin;
})();
