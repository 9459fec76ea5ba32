/** What the background runs in the page: read it, read its site, show an answer, clear it. */
"use strict";

(() => {
  const shared = globalThis.pagelet;
  const { list } = shared.nodes;
  const { write, writeNumbered } = shared.write;
  const PAGE_TYPES = ["text/html", "application/xhtml+xml"];
  const MAX_HTML_CHARS = 16_000_000; // limit of the service

  /** Read the page as it is now: its HTML and, if requested, its layout. */
  shared.take = ({ boxes }) => {
    shared.overlay?.remove();
    const type = Object.getOwnPropertyDescriptor(Document.prototype, "contentType").get.call(
      document,
    );
    if (!PAGE_TYPES.includes(type)) return { problem: "notPage" };
    const tree = list(document, { shadows: true });
    if (tree === null) return { problem: "tooLarge" };
    const html = write(tree);
    if (html.length > MAX_HTML_CHARS) return { problem: "tooLarge" };
    shared.twin = new shared.Twin(tree, writeNumbered(tree));
    const page = { html, url: location.href.split("#")[0] };
    return boxes ? { ...page, layout: shared.layout(tree, shared.twin) } : page;
  };

  shared.collect = (budget, job) =>
    shared.site.collect(budget, (progress) => {
      chrome.runtime.sendMessage({ type: "collected", job, ...progress }).catch(() => {});
    });

  /** Draw an answer over the page; returns the number of boxes, and of those drawn. */
  shared.show = ({ regions, texts, answer }) => {
    shared.overlay?.remove();
    const boxes = regions.flatMap(({ kind, role, paths, box }, at) => {
      const label = `${at + 1} ${role || shared.palette.kinds[kind]?.words || kind}`;
      if (box) return [{ kind, role, label, box, nodes: [] }];
      return paths.map((path) => ({ kind, role, label, nodes: shared.twin.find(path) }));
    });
    const open = () => chrome.runtime.sendMessage({ type: "open", answer });
    shared.overlay = new shared.Overlay(boxes, texts, open);
    return { drawn: shared.overlay.shown, of: boxes.length };
  };

  shared.clear = () => shared.overlay?.remove();
})();
