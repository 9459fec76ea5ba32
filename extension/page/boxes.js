/** The layout and styles of the page, in the form that the service expects for segments. */
"use strict";

(() => {
  const { read, ELEMENT } = globalThis.pagelet.nodes;
  const LINE_TOLERANCE = 0.5; // pixels by which the boxes of one line may differ vertically
  const MAX_BOXES = 200_000; // limit of the service
  const MAX_IMAGES = 500; // images whose colour is measured
  const SIDES = ["left", "top", "right", "bottom"];
  const GREY = "rgb(128, 128, 128)"; // colour of an image that cannot be read

  const round2 = (edges) => edges.map((edge) => Math.round(edge * 100) / 100);

  /** The style properties that the service uses, without default values. */
  function readStyle(style) {
    const properties = {
      display: style.display,
      color: style.color,
      "font-size": style.fontSize,
      "font-weight": style.fontWeight,
    };
    if (style.backgroundColor !== "rgba(0, 0, 0, 0)")
      properties["background-color"] = style.backgroundColor;
    if (style.backgroundImage !== "none") properties["background-image"] = "url()";
    for (const side of SIDES) {
      const width = style.getPropertyValue(`border-${side}-width`);
      if (width === "0px") continue;
      properties[`border-${side}-width`] = width;
      properties[`border-${side}-color`] = style.getPropertyValue(`border-${side}-color`);
    }
    return properties;
  }

  /** The mean colour of images, if the browser allows reading it. */
  class Colours {
    constructor() {
      this.left = MAX_IMAGES;
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
        // an image of another site cannot be read and taints the canvas
        this.canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
        return GREY;
      }
    }
  }

  const isNear = (one, other) => Math.abs(one - other) <= LINE_TOLERANCE;

  /** The lines of a text; boxes side by side are one line. */
  function measureLines(text) {
    const range = new Range();
    range.selectNodeContents(text);
    const lines = [];
    for (const rect of range.getClientRects()) {
      if (!rect.width || !rect.height) continue;
      const { left, top, right, bottom } = rect;
      const last = lines.at(-1);
      const same = last && isNear(last.top, top) && isNear(last.bottom, bottom);
      if (!same) lines.push({ left, top, right, bottom });
      else
        Object.assign(last, {
          left: Math.min(last.left, left),
          right: Math.max(last.right, right),
        });
    }
    return lines;
  }

  /** The boxes of everything visible, approximately in painting order. */
  class Boxes {
    constructor(tree, twin) {
      this.sight = new globalThis.pagelet.Sight(tree);
      this.colours = new Colours();
      this.twin = twin;
      this.boxes = [];
      this.collect();
    }

    collect() {
      for (const [node, path] of this.twin.paths()) {
        if (this.boxes.length >= MAX_BOXES) break;
        const places = this.twin.places(node);
        if (!places.length) continue;
        if (read.type(node) === ELEMENT) this.addElement(path, places[0]);
        else this.addText(path, places);
      }
    }

    addElement(path, place) {
      const state = this.sight.states[place];
      const live = this.twin.live[place];
      if (!state.box || !this.sight.open(state, state.window, state.box)) return;
      const style = readStyle(state.style);
      if (read.type(live) === ELEMENT && read.local(live) === "img")
        style.color = this.colours.of(live);
      this.boxes.push({ layer: state.layer, box: { path, box: round2(state.box), style } });
    }

    addText(path, places) {
      const lines = places.flatMap((place) => this.lines(place));
      if (!lines.length) return;
      this.boxes.push({ layer: this.sight.states[places[0]].layer, box: { path, lines } });
    }

    lines(place) {
      const state = this.sight.states[place]; // state of the parent element
      if (state.hidden) return [];
      return measureLines(this.twin.live[place])
        .map((line) => this.sight.edges(line, state.fixed))
        .filter((edges) => this.sight.open(state, state.flow, edges))
        .map(round2);
    }

    layout() {
      const order = this.boxes.map((_, at) => at);
      order.sort((one, other) => this.boxes[one].layer - this.boxes[other].layer || one - other);
      const { width, height } = this.sight.page;
      return { width, height, boxes: order.map((at) => this.boxes[at].box) };
    }
  }

  globalThis.pagelet.layout = (tree, twin) => new Boxes(tree, twin).layout();
})();
