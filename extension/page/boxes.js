/** Where the page was drawn and how it looks, in the form that the service takes for segments. */
"use strict";

(() => {
  const { read, ELEMENT } = globalThis.pagelet.nodes;
  const NEAR = 0.5; // pixels by which the boxes of one line may differ in height
  const MOST = 200_000; // boxes that the service takes
  const IMAGES = 500; // images whose colour is looked at
  const SIDES = ["left", "top", "right", "bottom"];
  const GREY = "rgb(128, 128, 128)"; // of an image that nothing is known of

  const rounded = (edges) => edges.map((edge) => Math.round(edge * 100) / 100);

  /** The styles that matter, where they say anything. */
  function styleOf(style) {
    const said = {
      display: style.display,
      color: style.color,
      "font-size": style.fontSize,
      "font-weight": style.fontWeight,
    };
    if (style.backgroundColor !== "rgba(0, 0, 0, 0)")
      said["background-color"] = style.backgroundColor;
    if (style.backgroundImage !== "none") said["background-image"] = "url()";
    for (const side of SIDES) {
      const width = style.getPropertyValue(`border-${side}-width`);
      if (width === "0px") continue;
      said[`border-${side}-width`] = width;
      said[`border-${side}-color`] = style.getPropertyValue(`border-${side}-color`);
    }
    return said;
  }

  /** The mean colour of images, as far as the browser lets it be read. */
  class Colours {
    constructor() {
      this.left = IMAGES;
      this.canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    }

    of(image) {
      if (this.left-- <= 0) return GREY;
      try {
        this.canvas.clearRect(0, 0, 1, 1);
        this.canvas.drawImage(image, 0, 0, 1, 1);
        const [red, green, blue, shown] = this.canvas.getImageData(0, 0, 1, 1).data;
        return shown ? `rgb(${red}, ${green}, ${blue})` : GREY;
      } catch {
        // of another site: it may be shown but not read, and taints the canvas for good
        this.canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
        return GREY;
      }
    }
  }

  /** The lines of a text; pieces that lie side by side are one line. */
  function linesOf(text) {
    const range = new Range();
    range.selectNodeContents(text);
    const lines = [];
    for (const rect of range.getClientRects()) {
      if (!rect.width || !rect.height) continue;
      const { left, top, right, bottom } = rect;
      const last = lines.at(-1);
      const same =
        last && Math.abs(last.top - top) <= NEAR && Math.abs(last.bottom - bottom) <= NEAR;
      if (!same) lines.push({ left, top, right, bottom });
      else
        Object.assign(last, {
          left: Math.min(last.left, left),
          right: Math.max(last.right, right),
        });
    }
    return lines;
  }

  /** Everything that can be seen, in the order in which it is painted as far as can be told. */
  class Boxes {
    constructor(listed, twin) {
      this.sight = new globalThis.pagelet.Sight(listed);
      this.colours = new Colours();
      this.twin = twin;
      this.found = [];
      this.add();
    }

    add() {
      for (const [node, path] of this.twin.paths()) {
        if (this.found.length >= MOST) break;
        const places = this.twin.places(node);
        if (!places.length) continue;
        if (read.type(node) === ELEMENT) this.element(path, places[0]);
        else this.text(path, places);
      }
    }

    element(path, place) {
      const state = this.sight.states[place];
      const live = this.twin.live[place];
      if (!state.box || !this.sight.open(state, state.window, state.box)) return;
      const style = styleOf(state.style);
      if (read.type(live) === ELEMENT && read.local(live) === "img")
        style.color = this.colours.of(live);
      this.found.push({ layer: state.layer, box: { path, box: rounded(state.box), style } });
    }

    text(path, places) {
      const lines = places.flatMap((place) => this.lines(place));
      if (!lines.length) return;
      this.found.push({ layer: this.sight.states[places[0]].layer, box: { path, lines } });
    }

    lines(place) {
      const state = this.sight.states[place]; // that of the element the text is in
      if (state.hidden) return [];
      return linesOf(this.twin.live[place])
        .map((line) => this.sight.edges(line, state.fixed))
        .filter((edges) => this.sight.open(state, state.flow, edges))
        .map(rounded);
    }

    layout() {
      const order = this.found.map((_, at) => at);
      order.sort((one, other) => this.found[one].layer - this.found[other].layer || one - other);
      const { width, height } = this.sight.page;
      return { width, height, boxes: order.map((at) => this.found[at].box) };
    }
  }

  globalThis.pagelet.layout = (listed, twin) => new Boxes(listed, twin).layout();
})();
