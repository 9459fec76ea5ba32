/**
 * The answer drawn over the page, in a closed shadow root that the page's styles do not reach.
 *
 * Styles are set through the DOM, which no content security policy forbids. Boxes follow their
 * nodes on scrolling. Escape or the button removes the overlay.
 */
"use strict";

(() => {
  const { read, ELEMENT } = globalThis.pagelet.nodes;
  const { palette } = globalThis.pagelet;
  const MAX_BOXES = 2_000; // boxes that are drawn
  const TAG_HEIGHT = 16; // px
  const FONT = "13px/1.4 system-ui, sans-serif";
  const make = (name) => Document.prototype.createElement.call(document, name);

  /** An element with styles that nothing overrides. */
  function makeStyled(name, styles, text = "") {
    const element = make(name);
    element.style.setProperty("all", "initial", "important");
    for (const [style, value] of Object.entries(styles)) {
      element.style.setProperty(style, value, "important");
    }
    element.textContent = text;
    return element;
  }

  /** The rectangle of a live node in the window; null if it has none. */
  function measure(node) {
    if (!read.attached(node)) return null;
    let rect = read.type(node) === ELEMENT ? read.box(node) : null;
    if (!rect?.width || !rect.height) {
      const range = new Range();
      range.selectNodeContents(node);
      rect = range.getBoundingClientRect();
    }
    return rect.width && rect.height ? rect : null;
  }

  function boundingBox(nodes) {
    const rects = nodes.map(measure).filter((rect) => rect !== null);
    if (!rects.length) return null;
    const left = Math.min(...rects.map((rect) => rect.left));
    const top = Math.min(...rects.map((rect) => rect.top));
    const right = Math.max(...rects.map((rect) => rect.right));
    const bottom = Math.max(...rects.map((rect) => rect.bottom));
    return { left, top, width: right - left, height: bottom - top };
  }

  /** A box given in page coordinates, in the window. */
  function toWindow([left, top, right, bottom]) {
    const { back } = globalThis.pagelet.extent();
    const place = { left: left - scrollX - back, top: top - scrollY };
    return { ...place, width: right - left, height: bottom - top };
  }

  /** The look of a region: that of its role where links are told apart, else of its kind. */
  function lookOf(kind, role, at) {
    const known = kind === "links" || kind === "clutter" ? palette.roles[role] : null;
    const look = known ?? palette.kinds[kind] ?? palette.other;
    if (kind !== "segment") return look;
    return { ...look, colour: palette.segments[at % palette.segments.length], labelled: true, ink: "#fff" };
  }

  const holds = ({ left, top, width, height }, x, y) =>
    x >= left && x <= left + width && y >= top && y <= top + height;

  class Overlay {
    /** Draw regions, each with a label, a kind, and its live nodes or its box. */
    constructor(regions, texts, onOpen) {
      this.host = makeStyled("pagelet-overlay", {
        position: "fixed",
        inset: "0",
        "z-index": "2147483647",
        "pointer-events": "none",
        display: "block",
        margin: "0",
        border: "0",
        padding: "0",
        width: "auto",
        height: "auto",
        overflow: "visible",
        background: "none",
      });
      this.root = Element.prototype.attachShadow.call(this.host, { mode: "closed" });
      this.boxes = regions.slice(0, MAX_BOXES).map((region, at) => this.makeBox(region, at));
      this.root.append(...this.boxes.map(({ frame }) => frame), this.makeBar(texts, onOpen));
      read.root(document).append(this.host);
      this.raise();
      this.ends = new AbortController();
      this.listen(this.ends.signal);
      this.update();
    }

    makeBox({ kind, role, label, nodes, box }, at) {
      const look = lookOf(kind, role, at);
      const wide = look.line === "double" ? 4 : 2; // px; two lines need room between them
      const frame = makeStyled("div", {
        position: "fixed",
        display: "none",
        "box-sizing": "border-box",
        border: `${wide}px ${look.line} ${look.colour}`,
        background: look.fill === "none" ? "none" : `${look.colour}22`,
        "border-radius": "2px",
      });
      const tag = makeStyled(
        "span",
        {
          position: "absolute",
          display: look.labelled ? "block" : "none",
          left: `-${wide}px`,
          padding: "0 5px",
          font: `11px/${TAG_HEIGHT}px system-ui, sans-serif`,
          color: look.ink,
          background: look.colour,
          "border-radius": "2px",
          "white-space": "nowrap",
        },
        label,
      );
      frame.append(tag);
      return { frame, tag, nodes, box, labelled: look.labelled };
    }

    makeBar(texts, onOpen) {
      const bar = makeStyled("div", {
        position: "fixed",
        display: "flex",
        right: "12px",
        bottom: "12px",
        gap: "8px",
        "align-items": "center",
        padding: "8px 8px 8px 12px",
        "pointer-events": "auto",
        "max-width": "calc(100vw - 24px)",
        "box-sizing": "border-box",
        "flex-wrap": "wrap",
        font: FONT,
        color: "#fff",
        background: "#1c2733",
        "border-radius": "6px",
        "box-shadow": "0 2px 12px #0008",
      });
      bar.setAttribute("role", "status");
      const summary = makeStyled("span", { font: FONT, color: "#fff" }, texts.summary);
      bar.append(
        summary,
        this.makeButton(texts.open, onOpen),
        this.makeButton(texts.close, () => this.remove()),
      );
      return bar;
    }

    makeButton(text, onPress) {
      const button = makeStyled(
        "button",
        {
          font: FONT,
          color: "#1c2733",
          background: "#fff",
          padding: "3px 10px",
          cursor: "pointer",
          "border-radius": "4px",
          display: "block",
        },
        text,
      );
      button.type = "button";
      button.addEventListener("click", (event) => event.isTrusted && onPress());
      button.addEventListener("focus", () =>
        button.style.setProperty("outline", "2px solid #e69f00", "important"),
      );
      button.addEventListener("blur", () =>
        button.style.setProperty("outline", "none", "important"),
      );
      return button;
    }

    /** Show it above everything, also above dialogs if the browser can. */
    raise() {
      try {
        this.host.popover = "manual";
        this.host.showPopover();
      } catch {
        this.host.popover = null; // an older browser: only the highest z-index
      }
    }

    listen(signal) {
      const later = () => {
        this.waiting ??= requestAnimationFrame(() => {
          this.waiting = null;
          this.update();
        });
      };
      const everywhere = { capture: true, passive: true, signal };
      for (const name of ["scroll", "resize", "load", "transitionend"])
        addEventListener(name, later, everywhere);
      const sized = new ResizeObserver(later);
      sized.observe(read.root(document));
      signal.addEventListener("abort", () => sized.disconnect());
      addEventListener("pointermove", (event) => this.point(event.clientX, event.clientY), everywhere);
      const press = (event) => {
        if (event.key !== "Escape" || !event.isTrusted) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        this.remove();
      };
      addEventListener("keydown", press, { capture: true, signal });
    }

    /** Move every box to where its nodes are now. */
    update() {
      this.places = this.boxes.map(({ nodes, box }) => (box ? toWindow(box) : boundingBox(nodes)));
      this.boxes.forEach(({ frame, tag }, at) => {
        const rect = this.places[at];
        const set = (name, value) => frame.style.setProperty(name, value, "important");
        set("display", rect ? "block" : "none");
        if (!rect) return;
        for (const name of ["left", "top", "width", "height"]) set(name, `${rect[name]}px`);
        const above = rect.top >= TAG_HEIGHT; // outside the box, if there is room
        tag.style.setProperty("bottom", above ? "100%" : "auto", "important");
        tag.style.setProperty("top", above ? "auto" : "0", "important");
      });
      this.shown = this.places.filter((rect) => rect !== null).length;
    }

    /** Show the label of the smallest box under the pointer. */
    point(x, y) {
      const area = ({ width, height }) => width * height;
      let best = -1;
      this.places.forEach((rect, at) => {
        if (rect && holds(rect, x, y) && (best < 0 || area(rect) < area(this.places[best]))) best = at;
      });
      if (best === this.pointed) return;
      this.pointed = best;
      this.boxes.forEach(({ tag, labelled }, at) =>
        tag.style.setProperty("display", labelled || at === best ? "block" : "none", "important"),
      );
    }

    remove() {
      this.ends.abort();
      this.host.remove();
    }
  }

  globalThis.pagelet.Overlay = Overlay;
})();
