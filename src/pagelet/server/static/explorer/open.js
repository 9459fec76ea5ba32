// Ways to open a page: dropped or chosen files, pasted HTML, a URL.

import { byId } from "../shared/elements.js";

const CHARSET = /charset\s*=\s*["']?\s*([\w-]+)/i;
const HEAD_BYTES = 4096; // bytes in which a charset is searched for
const PAGE = /\.x?html?$/i;

// Valid UTF-8 first, then the charset the page declares, then the fallback of the web.
function decode(bytes) {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_BYTES));
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

async function readFile(file) {
  return { name: file.name, html: decode(new Uint8Array(await file.arrayBuffer())) };
}

// The first file is the page, others are pages of its site.
async function readFiles(files) {
  const pages = [...files].filter(({ name, type }) => PAGE.test(name) || type.includes("html") || !type);
  const [first, ...rest] = await Promise.all(pages.map(readFile));
  if (!first) throw new Error("Not an HTML file.");
  return { ...first, url: "", site: rest.map(({ html }) => ({ html })) };
}

const isEditable = (target) => target instanceof Element && target.closest("input, textarea, select");

// open({name, html, url, site}) opens a page, fail(error) shows an error, fetches() is true if URLs can be loaded.
export function listenForPages({ open, fail, fetches }) {
  const load = (page) => Promise.resolve(page).then(open).catch(fail);
  byId("file").addEventListener("change", ({ target }) => {
    if (target.files.length) load(readFiles(target.files));
    target.value = "";
  });
  byId("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const html = byId("html").value;
    if (html.trim()) load({ name: "pasted page", html, url: byId("base").value, site: [] });
  });
  byId("load").addEventListener("submit", (event) => {
    event.preventDefault();
    const url = byId("url").value;
    load({ name: url, url, site: [] });
  });
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (isEditable(event.target) || !text.trim()) return;
    event.preventDefault();
    const url = /^https?:\/\/\S+$/.test(text.trim()) ? text.trim() : "";
    if (url && fetches()) load({ name: url, url, site: [] });
    else if (url) fail(new Error("This service does not load URLs. Paste the HTML of the page instead."));
    else if (text.includes("<")) load({ name: "pasted page", html: text, url: "", site: [] });
    else fail(new Error("The pasted text is not HTML."));
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
    if (event.dataTransfer.files.length) load(readFiles(event.dataTransfer.files));
  });
}
