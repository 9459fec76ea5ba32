/**
 * Which nodes of the live tree are visible, and how they are clipped.
 *
 * One pass from the root down: each element inherits from its parent what hides or clips it. An
 * absolutely positioned element is clipped by its containing block only, a fixed one by nothing.
 */
"use strict";

(() => {
  const { read, ELEMENT } = globalThis.pagelet.nodes;
  const MIN_CLIP = 1; // pixels; a smaller clip hides everything
  const EMPTY_CLIP = /^(?:inset\((?:[5-9][0-9]|100)%|circle\(0|polygon\(0(?:px|%)? 0(?:px|%)?\))/;
  const ROOT = {
    hidden: false,
    clear: false,
    fixed: false,
    layer: 0,
    flow: 0,
    placed: 0,
    window: 0,
  };

  /** Whether `clip` or `clip-path` hides everything, as for screen-reader text. */
  function isClippedAway(style) {
    if (EMPTY_CLIP.test(style.clipPath)) return true;
    if (style.position !== "absolute" && style.position !== "fixed") return false;
    const lengths = (style.clip ?? "").match(/-?[0-9.]+(?=px)/g)?.map(Number) ?? [];
    if (lengths.length !== 4) return false;
    const [top, right, bottom, left] = lengths;
    return right - left <= MIN_CLIP || bottom - top <= MIN_CLIP;
  }

  const clips = (style) =>
    (style.overflowX !== "visible" || style.overflowY !== "visible") &&
    !["inline", "contents"].includes(style.display);

  /** Which of its children an element hides: closed details all but the summary. */
  function hiddenChildren(node, style) {
    if (read.local(node) === "details" && read.attribute(node, "open") === null) return "details";
    return style.contentVisibility === "hidden" ? "all" : "";
  }

  /** Whether a node is hidden by its parent; the first summary of details is not. */
  function isHiddenByParent(node, parent) {
    if (!parent.shut || parent.hidden) return false;
    const summary = read.type(node) === ELEMENT && read.local(node) === "summary";
    if (parent.shut !== "details" || !summary || parent.summarised) return true;
    parent.summarised = true;
    return false;
  }

  /** The painting layer: positioned elements lie above those in the flow. */
  function layerOf(style) {
    if (style.position === "static") return 0;
    const level = Number(style.zIndex); // NaN for auto
    if (level < 0) return -1;
    return level > 0 ? 2 : 1;
  }

  const intersect = (one, other) => [
    Math.max(one[0], other[0]),
    Math.max(one[1], other[1]),
    Math.min(one[2], other[2]),
    Math.min(one[3], other[3]),
  ];

  /** The size of the page, and the offset of its corner from that of the window. */
  function extent() {
    const scroller =
      Object.getOwnPropertyDescriptor(Document.prototype, "scrollingElement").get.call(document) ??
      Object.getOwnPropertyDescriptor(Document.prototype, "documentElement").get.call(document);
    const styles = [scroller, ...Document.prototype.querySelectorAll.call(document, "body")];
    const clipped = styles
      .slice(0, 2)
      .map((node) => getComputedStyle(node))
      .find((style) => style.overflowX !== "visible");
    const held = ["hidden", "clip"].includes(clipped?.overflowX);
    const width = held ? scroller.clientWidth : scroller.scrollWidth;
    const back =
      getComputedStyle(scroller).direction === "rtl" && !held ? width - scroller.clientWidth : 0;
    return { width, height: scroller.scrollHeight, left: scrollX + back, top: scrollY, back };
  }

  /** The visibility of the nodes of a list, by index. */
  class Sight {
    constructor({ nodes, parents }) {
      this.page = extent();
      this.windows = [[0, 0, this.page.width, this.page.height]];
      this.states = [];
      nodes.forEach((node, place) => {
        const parent = this.states[parents[place]] ?? ROOT;
        const above = isHiddenByParent(node, parent) ? { ...parent, hidden: true } : parent;
        this.states.push(read.type(node) === ELEMENT ? this.element(node, above) : above);
      });
    }

    element(node, above) {
      const state = { ...above, style: null, box: null, shut: "", summarised: false };
      if (above.hidden) return state;
      const style = getComputedStyle(node);
      state.hidden = style.display === "none";
      if (state.hidden) return state;
      state.style = style;
      state.shut = hiddenChildren(node, style);
      state.visible = style.visibility === "visible";
      state.clear = above.clear || Number(style.opacity) === 0 || isClippedAway(style);
      state.fixed = above.fixed || style.position === "fixed";
      state.layer = above.layer + layerOf(style);
      state.box = this.edges(read.box(node), state.fixed);
      this.place(node, state, above);
      return state;
    }

    /** Set the clip of an element, and the clips of its children. */
    place(node, state, above) {
      const { style } = state;
      const apart = style.position === "absolute" ? above.placed : 0;
      state.window = ["absolute", "fixed"].includes(style.position) ? apart : above.flow;
      state.flow = state.window;
      if (clips(style) && !["html", "body"].includes(read.local(node))) {
        state.flow = this.windows.push(intersect(this.windows[state.window], state.box)) - 1;
      }
      const holds = style.position !== "static" || style.transform !== "none";
      state.placed = holds ? state.flow : above.placed;
    }

    /** Edges in page coordinates; fixed elements as if nothing was scrolled. */
    edges(rect, fixed) {
      const left = fixed ? this.page.back : this.page.left;
      const top = fixed ? 0 : this.page.top;
      return [rect.left + left, rect.top + top, rect.right + left, rect.bottom + top];
    }

    /** Whether a box is visible, given its state and its clip. */
    open(state, number, edges) {
      if (state.hidden || state.clear || !state.visible) return false;
      const window = this.windows[number];
      const seen = intersect(window, edges);
      const wide = window[2] - window[0] > MIN_CLIP && window[3] - window[1] > MIN_CLIP;
      return wide && seen[2] > seen[0] && seen[3] > seen[1];
    }
  }

  Object.assign(globalThis.pagelet, { Sight, extent });
})();
