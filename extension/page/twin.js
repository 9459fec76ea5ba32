/**
 * From paths to live nodes and back.
 *
 * The service answers with paths of the tree that its parser builds from the HTML. That tree may
 * differ from the live one: texts that stood side by side become one, tables get a tbody, a p does
 * not hold a div. So the HTML is parsed here too, with a number at every node, and the numbers
 * lead from the nodes of that twin to the live ones.
 */
"use strict";

(() => {
  const { read, list, childrenOf, nameOf, ELEMENT, HTML } = globalThis.pagelet.nodes;
  const { MARK, FIRST, LAST } = globalThis.pagelet.write;
  const TEXT = 3;
  const PLAIN = /^[a-z_][a-z0-9_.-]*$/;
  const NUMBERED = new RegExp(`${FIRST}([0-9]+)${LAST}`, "g");
  const LONGEST = 4_000; // characters of a path; deeper nodes are left out, or paths grow too long
  const QUOTED = `'[^']*'|"[^"]*"`;
  const STEP = new RegExp(
    `/(?:text\\(\\)\\[(\\d+)\\]` + // the n-th text
      `|\\*\\[name\\(\\)=(${QUOTED}|concat\\((?:${QUOTED}|,)*\\))\\]\\[(\\d+)\\]` + // an odd name
      `|([a-z_][a-z0-9_.-]*)(?:\\[(\\d+)\\])?)`, // a plain name
    "y",
  );

  /** Write a string as XPath does; one with both kinds of quotes needs concat(). */
  function literal(name) {
    if (!name.includes("'")) return `'${name}'`;
    if (!name.includes('"')) return `"${name}"`;
    return `concat(${name
      .split("'")
      .map((part) => `'${part}'`)
      .join(`,"'",`)})`;
  }

  const unquoted = (said) =>
    said
      .match(/'[^']*'|"[^"]*"/g)
      .map((part) => part.slice(1, -1))
      .join("");

  const keyOf = (node) => {
    const type = read.type(node);
    if (type === TEXT) return "text()";
    return type === ELEMENT ? nameOf(node) : null;
  };

  /** The last step of the path of each node in a list; empty where a node has none. */
  function stepsOf({ nodes, parents }) {
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
        return `/*[name()=${literal(keys[at])}][${places[at]}]`;
      }
      const alone = parents[at] < 0 || counts[parents[at]].get(keys[at]) === 1;
      return `/${keys[at]}${alone ? "" : `[${places[at]}]`}`;
    });
  }

  /** A parse of the HTML, whose nodes know which live nodes they stand for. */
  class Twin {
    constructor(listed, html) {
      this.live = listed.nodes;
      this.document = new DOMParser().parseFromString(html, "text/html");
      this.root = Document.prototype.querySelector.call(this.document, ":root");
    }

    /** All nodes of the twin with their paths, those too deep left out. */
    *paths() {
      const listed = list(this.root);
      if (listed === null) return;
      const steps = stepsOf(listed);
      const paths = [];
      for (let at = 0; at < steps.length; at++) {
        const above = listed.parents[at] < 0 ? "" : paths[listed.parents[at]];
        const path = above === null || !steps[at] ? null : above + steps[at];
        paths.push(path !== null && path.length <= LONGEST ? path : null);
        if (paths[at] !== null) yield [listed.nodes[at], paths[at]];
      }
    }

    /** The node of the twin at a path; null when there is none. */
    at(path) {
      let node = null;
      STEP.lastIndex = 0;
      while (STEP.lastIndex < path.length) {
        const step = STEP.exec(path);
        if (step === null) return null;
        const [, text, odd, nth, name, place] = step;
        const wanted = text ? "text()" : odd ? unquoted(odd) : name;
        node = this.child(node, wanted, Number(text ?? nth ?? place ?? 1));
        if (node === null) return null;
      }
      return node;
    }

    child(node, wanted, place) {
      const children = node === null ? [this.root] : childrenOf(node, false);
      let left = place;
      for (const child of children) if (keyOf(child) === wanted && --left === 0) return child;
      return null;
    }

    /** The places in the list of the live nodes that a node of the twin itself stands for. */
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

    /** The live nodes that show what a node of the twin holds. */
    shown(node) {
      const own = this.own(node);
      if (own.length) return own;
      const found = this.inside(node);
      if (found.length) return found;
      for (let above = read.parent(node); above; above = read.parent(above)) {
        if (read.type(above) === ELEMENT && this.own(above).length) return this.own(above);
      }
      return [];
    }

    /** The top-most live nodes below a node that the parser made up, such as a tbody. */
    inside(node) {
      const waiting = childrenOf(node, false).reverse();
      const found = [];
      while (waiting.length) {
        const below = waiting.pop();
        const type = read.type(below);
        const own = type === ELEMENT || type === TEXT ? this.own(below) : [];
        if (own.length) found.push(...own);
        else if (type === ELEMENT) waiting.push(...childrenOf(below, false).reverse());
      }
      return found;
    }

    /** The live nodes at a path; none when the path leads nowhere. */
    find(path) {
      const node = this.at(path);
      return node === null ? [] : this.shown(node);
    }
  }

  globalThis.pagelet.Twin = Twin;
})();
