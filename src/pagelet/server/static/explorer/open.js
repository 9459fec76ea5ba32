// Ways to open a page: an address, dropped or chosen files, a folder, pasted HTML, the sample.

import { byId, formatCount, make } from "../shared/elements.js";

const CHARSET = /charset\s*=\s*["']?\s*([\w-]+)/i;
const HEAD_BYTES = 4096; // bytes in which a charset is searched for
const PAGE = /\.x?html?$/i;
const ASSET = /\.(css|png|jpe?g|gif|webp|avif|apng|svg|bmp|ico|woff2?|ttf|otf)$/i;
const MAX_ASSETS = 400;
const MAX_ASSET_BYTES = 2_000_000;
const MAX_TOTAL_BYTES = 9_000_000; // of the files sent with a page
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/i; // servers on this machine seldom have TLS
const SAMPLE = "/static/explorer/sample.html";

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

const isPage = ({ name, type }) => PAGE.test(name) || type.includes("html") || (!type && !ASSET.test(name));
const pathOf = (file) => file.webkitRelativePath.split("/").slice(1).join("/") || file.name;

async function readFile(file) {
  return { name: file.name, path: pathOf(file), html: decode(new Uint8Array(await file.arrayBuffer())) };
}

async function toBase64(file) {
  const url = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return { name: pathOf(file), data: url.slice(url.indexOf(",") + 1) };
}

// Style sheets first, then what is small, until there is no more room.
export async function readAssets(files) {
  const assets = [...files].filter(({ name, size }) => ASSET.test(name) && size <= MAX_ASSET_BYTES);
  assets.sort((one, two) => Number(/\.css$/i.test(two.name)) - Number(/\.css$/i.test(one.name)) || one.size - two.size);
  let room = MAX_TOTAL_BYTES;
  const kept = assets.slice(0, MAX_ASSETS).filter(({ size }) => (room -= size) > 0);
  return Promise.all(kept.map(toBase64));
}

export async function readSite(files) {
  const pages = await Promise.all([...files].filter(isPage).map(readFile));
  return pages.map(({ html }) => ({ html }));
}

// The first file is the page, others are pages of its site; of a folder, the page nearest its top.
async function readFiles(files) {
  const depth = (file) => pathOf(file).split("/").length;
  const isIndex = (file) => /^index\./i.test(file.name);
  const pages = [...files].filter(isPage);
  const folder = pages.some((file) => file.webkitRelativePath);
  if (folder) pages.sort((one, two) => depth(one) - depth(two) || isIndex(two) - isIndex(one));
  const [first, ...rest] = await Promise.all(pages.map(readFile));
  if (!first) throw new Error(folder ? "There is no HTML file in this folder." : "Not an HTML file.");
  const own = [...files].filter((file) => !pages.includes(file));
  return { ...first, url: "", site: rest.slice(0, 50).map(({ html }) => ({ html })), files: await readAssets(own) };
}

// An address with its scheme; undefined if it cannot be one.
export function toAddress(text) {
  const trimmed = text.trim();
  const scheme = LOOPBACK.test(trimmed) ? "http" : "https";
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `${scheme}://${trimmed}`;
  const url = URL.parse ? URL.parse(whole) : new URL(whole);
  return url && /^https?:$/.test(url.protocol) && /\.|^localhost$|:/.test(url.host) ? url.href : undefined;
}

const isEditable = (target) => target instanceof Element && target.closest("input, textarea, select");
const NO_FETCH = "This service does not load addresses. Restart it with pagelet serve --allow-fetch, or paste the HTML of the page.";

// on: {open(page), fail(error), fetches()}: open opens {name, html, url, site, files}.
export function listenForPages({ open, fail, fetches }) {
  const load = (page) => Promise.resolve(page).then(open).catch(fail);
  const loadAddress = (text) => {
    const url = toAddress(text);
    if (!text.trim()) throw new Error("Type the address of a page first.");
    if (!url) throw new Error(`“${text.trim()}” is not an address of a page.`);
    if (!fetches()) throw new Error(NO_FETCH);
    return load({ name: url, url, site: [], files: [] });
  };
  for (const id of ["file", "folder"]) {
    byId(id).addEventListener("change", ({ target }) => {
      const files = [...target.files]; // the list itself is emptied
      target.value = "";
      if (files.length) load(readFiles(files));
    });
  }
  byId("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const html = byId("html").value;
    if (html.trim()) load({ name: "pasted page", html, url: toAddress(byId("base").value) ?? "", site: [], files: [] });
    else {
      fail(new Error("Paste the HTML of a page first."));
      byId("html").focus();
    }
  });
  byId("load").addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      loadAddress(byId("url").value);
    } catch (problem) {
      fail(problem);
      byId("url").focus();
    }
  });
  byId("sample").addEventListener("click", () => load(openSample()));
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (isEditable(event.target) || !text.trim()) return;
    event.preventDefault();
    const url = /^https?:\/\/\S+$/.test(text.trim());
    if (url && fetches()) loadAddress(text);
    else if (url) fail(new Error(NO_FETCH));
    else if (text.includes("<")) load({ name: "pasted page", html: text, url: "", site: [], files: [] });
    else fail(new Error("The pasted text is not HTML."));
  });
  listenForDrops((files) => load(readFiles(files)));
}

async function openSample() {
  const response = await fetch(SAMPLE);
  return { name: "sample.html", html: await response.text(), url: "", site: [], files: [] };
}

function listenForDrops(use) {
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
    if (event.dataTransfer.files.length) use([...event.dataTransfer.files]);
  });
}

// The pages that were opened before, as buttons.
export function showRecent(pages, open) {
  byId("recent").hidden = !pages.length;
  byId("recent-list").replaceChildren(...pages.map((page) => {
    const size = `${Math.max(1, Math.round((page.html?.length ?? 0) / 1000)).toLocaleString("en")} kB`;
    const more = page.site?.length ? `, ${formatCount(page.site.length, "other page")}` : "";
    const title = make("span", { class: "title" }, page.title || page.name);
    const button = make("button", { type: "button", title: "Open this page again" }, title, make("span", { class: "soft" }, `${page.url || page.name} · ${size}${more}`));
    button.addEventListener("click", () => open(page));
    return make("li", {}, button);
  }));
}
