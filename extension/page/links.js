/**
 * Other pages of the site, read as the user would read them: same site, with the user's cookies.
 *
 * A link may do something when it is followed, so addresses that sound like it are left alone,
 * and nothing is ever posted. There is a budget of pages, bytes and seconds.
 */
"use strict";

(() => {
  const { read } = globalThis.pagelet.nodes;
  const ENDINGS = new Set(["", "html", "htm", "php", "php3", "asp"]);
  const REFUSED = ["/file", "feeds", ".pdf", "/rss"];
  const DEEDS =
    "log-?out|log-?off|sign-?out|sign-?off|delete|remove|destroy|erase|unsubscribe|cancel|revoke" +
    "|disable|enable|reset|checkout|cart|basket|buy|purchase|pay|add|vote|upvote|downvote|like" +
    "|follow|unfollow|flag|toggle|submit|confirm|accept|approve|reject|deny|dismiss" +
    "|download|export";
  const ACTS = new RegExp(
    `(?:^|[-_/.?&=])(?:${DEEDS})(?:[-_/.?&=]|$)|[?&](?:action|do|op|cmd|task)=`,
    "i",
  );
  const META = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i;

  /** Addresses of other pages of this site, each once, in the order of the document. */
  function pagesOf() {
    const own = withoutHash(location.href);
    const found = new Set();
    for (const link of Document.prototype.querySelectorAll.call(document, "a[href]")) {
      const url = safeAddress(link);
      if (url && url !== own) found.add(url);
    }
    return [...found];
  }

  const withoutHash = (url) => url.split("#")[0];

  /** The address of a link when it is a page of this site that can be read without harm. */
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
    const page = ENDINGS.has(ending) && !REFUSED.some((part) => path.includes(part));
    const same = url.origin === location.origin && /^https?:$/.test(url.protocol);
    return same && page && !ACTS.test(url.pathname + url.search) ? withoutHash(url.href) : null;
  }

  const folderOf = (url) => new URL(url).pathname.replace(/[^/]*$/, "");

  /** A folder at a time, the page's own last; in each the ends first, then what lies between. */
  function unlikeFirst(urls) {
    const folders = new Map();
    for (const url of urls) {
      const folder = folderOf(url);
      folders.set(folder, [...(folders.get(folder) ?? []), url]);
    }
    const own = folderOf(location.href);
    const turns = [...folders].sort(([one], [other]) => (one === own) - (other === own));
    const queues = turns.map(([, addresses]) => spread(addresses));
    const ordered = [];
    for (let at = 0; queues.some((queue) => at < queue.length); at++) {
      for (const queue of queues) if (at < queue.length) ordered.push(queue[at]);
    }
    return ordered;
  }

  /** First, last, then the middles of what is left: neighbours in a list are often alike. */
  function spread(items) {
    const order = new Set();
    for (let step = items.length - 1; step >= 1; step = Math.floor(step / 2)) {
      for (let at = 0; at < items.length; at += step) order.add(items[at]);
    }
    return [...new Set([...order, ...items])];
  }

  /** Read what is left of the budget and no more; null when the page is larger. */
  async function bytesOf(answer, most) {
    const parts = [];
    let size = 0;
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > most) {
        await reader.cancel();
        return null;
      }
      parts.push(value);
    }
    const whole = new Uint8Array(size); // of our own: in Firefox the parts belong to the page
    parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
    return whole;
  }

  /** Decode as the header says, or else the page itself. */
  function decoded(bytes, type) {
    const head = new TextDecoder("latin1").decode(bytes.subarray(0, 2048));
    const named = /charset\s*=\s*["']?([\w-]+)/i.exec(type)?.[1] ?? META.exec(head)?.[1] ?? "utf-8";
    try {
      return new TextDecoder(named).decode(bytes);
    } catch {
      return new TextDecoder().decode(bytes); // a name that no browser knows
    }
  }

  async function load(url, most, signal) {
    const answer = await fetch(url, { credentials: "same-origin", redirect: "follow", signal });
    const type = answer.headers.get("content-type") ?? "";
    const strayed = new URL(answer.url).origin !== location.origin;
    if (!answer.ok || strayed || !/html/i.test(type)) {
      await answer.body?.cancel();
      return { size: 0 };
    }
    const bytes = await bytesOf(answer, most);
    return bytes
      ? { size: bytes.length, page: { url, html: decoded(bytes, type) } }
      : { size: most };
  }

  /** Read linked pages until the budget is spent. */
  async function collect({ pages, bytes, seconds }, tell) {
    const ends = AbortSignal.timeout(seconds * 1000);
    const found = { pages: [], bytes: 0, tried: 0, stopped: "" };
    for (const url of unlikeFirst(pagesOf())) {
      if (found.pages.length >= pages || found.tried >= 3 * pages) break;
      if (found.bytes >= bytes) found.stopped = "bytes";
      if (ends.aborted) found.stopped = "seconds";
      if (found.stopped) break;
      found.tried++;
      try {
        const { size, page } = await load(url, bytes - found.bytes, ends);
        found.bytes += size;
        if (page) found.pages.push(page);
      } catch {
        // a page that cannot be read is passed over
        if (ends.aborted) found.stopped = "seconds";
      }
      tell({ pages: found.pages.length, bytes: found.bytes });
    }
    return found;
  }

  globalThis.pagelet.site = { collect, pagesOf, unlikeFirst, safeAddress };
})();
