// Where a page comes from: a dropped or chosen file, pasted HTML, an address.

import { byId } from "../shared/service.js";

const CHARSET = /charset\s*=\s*["']?\s*([\w-]+)/i;
const START = 4096; // bytes that may name the charset
const PAGE = /\.x?html?$/i;

// Valid UTF-8 first, then what the page says of itself, then what the web falls back to.
export function decode(bytes) {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, START));
  const marked = { "\xfe\xff": "utf-16be", "\xff\xfe": "utf-16le" }[start.slice(0, 2)];
  for (const name of [marked, "utf-8", CHARSET.exec(start)?.[1], "windows-1252"]) {
    try {
      if (name) return new TextDecoder(name, { fatal: name === "utf-8" }).decode(bytes);
    } catch {
      // not in that encoding, or no such encoding
    }
  }
  return start;
}

async function fromFile(file) {
  return { name: file.name, html: decode(new Uint8Array(await file.arrayBuffer())) };
}

// The first file is the page, others are pages of its site.
async function fromFiles(files) {
  const pages = [...files].filter(({ name, type }) => PAGE.test(name) || type.includes("html") || !type);
  const [first, ...rest] = await Promise.all(pages.map(fromFile));
  if (!first) throw new Error("That is no HTML file.");
  return { ...first, url: "", site: rest.map(({ html }) => ({ html })) };
}

const editable = (target) => target instanceof Element && target.closest("input, textarea, select");

// open(page) takes {name, html, url, site}; fail(error) is told what went wrong.
export function listen({ open, fail, fetches }) {
  const take = (making) => Promise.resolve(making).then(open).catch(fail);
  byId("file").addEventListener("change", ({ target }) => {
    if (target.files.length) take(fromFiles(target.files));
    target.value = "";
  });
  byId("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const html = byId("html").value;
    if (html.trim()) take({ name: "pasted page", html, url: byId("base").value, site: [] });
  });
  byId("load").addEventListener("submit", (event) => {
    event.preventDefault();
    const url = byId("url").value;
    take({ name: url, url, site: [] });
  });
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (editable(event.target) || !text.trim()) return;
    event.preventDefault();
    const url = /^https?:\/\/\S+$/.test(text.trim()) ? text.trim() : "";
    if (url && fetches()) take({ name: url, url, site: [] });
    else if (url) fail(new Error("This service loads no addresses; paste the HTML of the page."));
    else if (text.includes("<")) take({ name: "pasted page", html: text, url: "", site: [] });
    else fail(new Error("What was pasted is no HTML."));
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dragging");
  });
  addEventListener("dragleave", ({ relatedTarget }) => {
    if (!relatedTarget) document.body.classList.remove("dragging");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dragging");
    if (event.dataTransfer.files.length) take(fromFiles(event.dataTransfer.files));
  });
}
