/**
 * Reads linked pages of the same site, with the user's cookies.
 *
 * Following a link may have side effects, so addresses that suggest an action are skipped, and
 * nothing is ever posted. There is a budget of pages, bytes and seconds.
 */
"use strict";

(() => {
  const { read } = globalThis.pagelet.nodes;
  const PAGE_ENDINGS = new Set(["", "html", "htm", "php", "php3", "asp"]);
  const SKIPPED_PATHS = ["/file", "feeds", ".pdf", "/rss"];
  const ACTIONS =
    "log-?out|log-?off|sign-?out|sign-?off|delete|remove|destroy|erase|unsubscribe|cancel|revoke" +
    "|disable|enable|reset|checkout|cart|basket|buy|purchase|pay|add|vote|upvote|downvote|like" +
    "|follow|unfollow|flag|toggle|submit|confirm|accept|approve|reject|deny|dismiss" +
    "|download|export";
  const HAS_ACTION = new RegExp(
    `(?:^|[-_/.?&=])(?:${ACTIONS})(?:[-_/.?&=]|$)|[?&](?:action|do|op|cmd|task)=`,
    "i",
  );
  const META = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i;

  /** Addresses of other pages of this site, each once, in the order of the document. */
  function listPages() {
    const own = withoutHash(location.href);
    const urls = new Set();
    for (const link of Document.prototype.querySelectorAll.call(document, "a[href]")) {
      const url = safeAddress(link);
      if (url && url !== own) urls.add(url);
    }
    return [...urls];
  }

  const withoutHash = (url) => url.split("#")[0];

  /** The address of a link if it is a page of this site and suggests no action; else null. */
  function safeAddress(link) {
    if (read.attribute(link, "download") !== null || read.attribute(link, "ping") !== null)
      return null;
    let url;
    try {
      url = new URL(read.attribute(link, "href"), read.base(document));
    } catch {
      return null;
    }
    const ending = /\.([^./]*)$/.exec(url.pathname)?.[1].toLowerCase() ?? "";
    const path = url.pathname.toLowerCase();
    const page = PAGE_ENDINGS.has(ending) && !SKIPPED_PATHS.some((part) => path.includes(part));
    const same = url.origin === location.origin && /^https?:$/.test(url.protocol);
    const harmless = !HAS_ACTION.test(url.pathname + url.search);
    return same && page && harmless ? withoutHash(url.href) : null;
  }

  const folderOf = (url) => new URL(url).pathname.replace(/[^/]*$/, "");

  /** Order addresses so that pages differ: folders in turn, the page's own last. */
  function orderByVariety(urls) {
    const folders = new Map();
    for (const url of urls) {
      const folder = folderOf(url);
      folders.set(folder, [...(folders.get(folder) ?? []), url]);
    }
    const own = folderOf(location.href);
    const turns = [...folders].sort(([one], [other]) => (one === own) - (other === own));
    const queues = turns.map(([, addresses]) => interleave(addresses));
    const ordered = [];
    for (let at = 0; queues.some((queue) => at < queue.length); at++) {
      for (const queue of queues) if (at < queue.length) ordered.push(queue[at]);
    }
    return ordered;
  }

  /** First, last, then the middles of the rest: neighbours in a list are often similar. */
  function interleave(items) {
    const order = new Set();
    for (let step = items.length - 1; step >= 1; step = Math.floor(step / 2)) {
      for (let at = 0; at < items.length; at += step) order.add(items[at]);
    }
    return [...new Set([...order, ...items])];
  }

  /** Read a body of limited size; null if it is larger. */
  async function readBytes(response, limit) {
    const parts = [];
    let size = 0;
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > limit) {
        await reader.cancel();
        return null;
      }
      parts.push(value);
    }
    const whole = new Uint8Array(size); // in Firefox the parts belong to the page
    parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
    return whole;
  }

  /** Decode with the charset of the header, else that of the page. */
  function decode(bytes, type) {
    const head = new TextDecoder("latin1").decode(bytes.subarray(0, 2048));
    const named = /charset\s*=\s*["']?([\w-]+)/i.exec(type)?.[1] ?? META.exec(head)?.[1] ?? "utf-8";
    try {
      return new TextDecoder(named).decode(bytes);
    } catch {
      return new TextDecoder().decode(bytes); // an unknown charset
    }
  }

  async function load(url, limit, signal) {
    const response = await fetch(url, { credentials: "same-origin", redirect: "follow", signal });
    const type = response.headers.get("content-type") ?? "";
    const foreign = new URL(response.url).origin !== location.origin;
    if (!response.ok || foreign || !/html/i.test(type)) {
      await response.body?.cancel();
      return { size: 0 };
    }
    const bytes = await readBytes(response, limit);
    return bytes
      ? { size: bytes.length, page: { url, html: decode(bytes, type) } }
      : { size: limit };
  }

  /** Read linked pages until the budget is spent. */
  async function collect({ pages, bytes, seconds }, report) {
    const ends = AbortSignal.timeout(seconds * 1000);
    const site = { pages: [], bytes: 0, tried: 0, stopped: "" };
    for (const url of orderByVariety(listPages())) {
      if (site.pages.length >= pages || site.tried >= 3 * pages) break;
      if (site.bytes >= bytes) site.stopped = "bytes";
      if (ends.aborted) site.stopped = "seconds";
      if (site.stopped) break;
      site.tried++;
      try {
        const { size, page } = await load(url, bytes - site.bytes, ends);
        site.bytes += size;
        if (page) site.pages.push(page);
      } catch {
        // a page that cannot be read is skipped
        if (ends.aborted) site.stopped = "seconds";
      }
      report({ pages: site.pages.length, bytes: site.bytes });
    }
    return site;
  }

  globalThis.pagelet.site = { collect, listPages, orderByVariety, safeAddress };
})();
