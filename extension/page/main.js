/** What the background asks of the page: take it, read its site, show an answer, clear it. */
"use strict";

(() => {
  const shared = globalThis.pagelet;
  const { list } = shared.nodes;
  const { write, writeNumbered } = shared.write;
  const PAGES = ["text/html", "application/xhtml+xml"];
  const LARGEST = 16_000_000; // characters of HTML that the service takes

  /** Take the page as it is now: its HTML, and if wanted where everything was drawn. */
  shared.take = ({ boxes }) => {
    shared.overlay?.remove();
    const type = Object.getOwnPropertyDescriptor(Document.prototype, "contentType").get.call(
      document,
    );
    if (!PAGES.includes(type)) return { problem: "notPage" };
    const listed = list(document, { shadows: true });
    if (listed === null) return { problem: "tooLarge" };
    const html = write(listed);
    if (html.length > LARGEST) return { problem: "tooLarge" };
    shared.twin = new shared.Twin(listed, writeNumbered(listed));
    const taken = { html, url: location.href.split("#")[0] };
    return boxes ? { ...taken, layout: shared.layout(listed, shared.twin) } : taken;
  };

  shared.collect = (budget, job) =>
    shared.site.collect(budget, (found) => {
      chrome.runtime.sendMessage({ type: "collected", job, ...found }).catch(() => {});
    });

  /** Draw an answer over the page; says how many regions there are and how many could be shown. */
  shared.show = ({ regions, said, answer }) => {
    shared.overlay?.remove();
    const found = regions.flatMap(({ kind, paths, box }, at) => {
      const label = `${at + 1} ${kind}`;
      if (box) return [{ kind, label, box, nodes: [] }];
      return paths.map((path) => ({ kind, label, nodes: shared.twin.find(path) }));
    });
    const open = () => chrome.runtime.sendMessage({ type: "open", answer });
    shared.overlay = new shared.Overlay(found, said, open);
    return { drawn: shared.overlay.shown, of: found.length };
  };

  shared.clear = () => shared.overlay?.remove();
})();
