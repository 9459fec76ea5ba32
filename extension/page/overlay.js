/**
 * The answer drawn over the page, in a closed shadow root that styles of the page do not reach.
 *
 * Everything is styled through the object model, which no policy of a page forbids. Boxes follow
 * their nodes when something scrolls. Escape or the button takes it all away again.
 */
"use strict";

(() => {
  const { read, ELEMENT } = globalThis.pagelet.nodes;
  const MOST = 2_000; // boxes that are drawn
  const COLOURS = {
    menu: "#0072b2",
    content: "#009e73",
    slot: "#009e73",
    template: "#cc79a7",
    clutter: "#d55e00",
    noise: "#d55e00",
    segment: "#56b4e9",
  };
  const ROUND = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"]; // for segments
  const FONT = "13px/1.4 system-ui, sans-serif";
  const make = (name) => Document.prototype.createElement.call(document, name);

  /** An element with styles that nothing overrides. */
  function styled(name, styles, text = "") {
    const element = make(name);
    element.style.setProperty("all", "initial", "important");
    for (const [style, value] of Object.entries(styles)) {
      element.style.setProperty(style, value, "important");
    }
    element.textContent = text;
    return element;
  }

  /** The rectangle around a live node, as seen now; null when it has none. */
  function place(node) {
    if (!read.attached(node)) return null;
    let rect = read.type(node) === ELEMENT ? read.box(node) : null;
    if (!rect?.width || !rect.height) {
      const range = new Range();
      range.selectNodeContents(node);
      rect = range.getBoundingClientRect();
    }
    return rect.width && rect.height ? rect : null;
  }

  function around(nodes) {
    const rects = nodes.map(place).filter((rect) => rect !== null);
    if (!rects.length) return null;
    const left = Math.min(...rects.map((rect) => rect.left));
    const top = Math.min(...rects.map((rect) => rect.top));
    const right = Math.max(...rects.map((rect) => rect.right));
    const bottom = Math.max(...rects.map((rect) => rect.bottom));
    return { left, top, width: right - left, height: bottom - top };
  }

  /** A box that is told in places of the page, as seen now. */
  function onScreen([left, top, right, bottom]) {
    const { back } = globalThis.pagelet.extent();
    const place = { left: left - scrollX - back, top: top - scrollY };
    return { ...place, width: right - left, height: bottom - top };
  }

  class Overlay {
    /** Draw regions, each with a label, a kind and the live nodes it stands for. */
    constructor(regions, said, onOpen) {
      this.host = styled("pagelet-overlay", {
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
      this.boxes = regions.slice(0, MOST).map((region, at) => this.box(region, at));
      this.root.append(...this.boxes.map(({ frame }) => frame), this.bar(said, onOpen));
      read.root(document).append(this.host);
      this.raise();
      this.ends = new AbortController();
      this.listen(this.ends.signal);
      this.follow();
    }

    box({ kind, label, nodes, box }, at) {
      const colour = kind === "segment" ? ROUND[at % ROUND.length] : (COLOURS[kind] ?? "#0072b2");
      const frame = styled("div", {
        position: "fixed",
        display: "none",
        "box-sizing": "border-box",
        border: `2px solid ${colour}`,
        background: `${colour}22`,
        "border-radius": "2px",
      });
      const tag = styled(
        "span",
        {
          position: "absolute",
          display: "block",
          right: "-2px",
          top: "-2px",
          padding: "0 5px",
          font: "11px/16px system-ui, sans-serif",
          color: "#fff",
          background: colour,
          "border-radius": "2px",
          "white-space": "nowrap",
        },
        label,
      );
      frame.append(tag);
      return { frame, nodes, box };
    }

    bar(said, onOpen) {
      const bar = styled("div", {
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
      const words = styled("span", { font: FONT, color: "#fff" }, said.summary);
      bar.append(
        words,
        this.button(said.open, onOpen),
        this.button(said.close, () => this.remove()),
      );
      return bar;
    }

    button(text, onPress) {
      const button = styled(
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

    /** Put it above everything, dialogs too, where the browser can. */
    raise() {
      try {
        this.host.popover = "manual";
        this.host.showPopover();
      } catch {
        this.host.popover = null; // an older browser: the highest z-index has to do
      }
    }

    listen(signal) {
      const later = () => {
        this.waiting ??= requestAnimationFrame(() => {
          this.waiting = null;
          this.follow();
        });
      };
      const everywhere = { capture: true, passive: true, signal };
      for (const name of ["scroll", "resize", "load", "transitionend"])
        addEventListener(name, later, everywhere);
      const sized = new ResizeObserver(later);
      sized.observe(read.root(document));
      signal.addEventListener("abort", () => sized.disconnect());
      const press = (event) => {
        if (event.key !== "Escape" || !event.isTrusted) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        this.remove();
      };
      addEventListener("keydown", press, { capture: true, signal });
    }

    /** Put every box where its nodes are now. */
    follow() {
      const places = this.boxes.map(({ nodes, box }) => (box ? onScreen(box) : around(nodes)));
      this.boxes.forEach(({ frame }, at) => {
        const rect = places[at];
        const set = (name, value) => frame.style.setProperty(name, value, "important");
        set("display", rect ? "block" : "none");
        if (rect)
          for (const name of ["left", "top", "width", "height"]) set(name, `${rect[name]}px`);
      });
      this.shown = places.filter((rect) => rect !== null).length;
    }

    remove() {
      this.ends.abort();
      this.host.remove();
    }
  }

  globalThis.pagelet.Overlay = Overlay;
})();
