// The view as the fragment of a URL, and back. A small page is included, compressed.

import { freshState } from "./state.js";

export const MAX_PACKED_CHARS = 24000; // length of a compressed page

async function transform(stream, bytes) {
  const response = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await response.arrayBuffer());
}

export async function pack(text) {
  const bytes = await transform(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpack(packed) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(await transform(new DecompressionStream("deflate-raw"), bytes));
}

// A short hash that recognises a text; not cryptographic.
export function digest(text) {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  return (one >>> 0).toString(16).padStart(8, "0") + (two >>> 0).toString(16).padStart(8, "0");
}

const DEFAULT_HIDDEN = "dropped"; // kinds hidden by default
const TABS = ["page", "text", "markdown", "json", "table", "tree"];
const MAX_QUERY_CHARS = 200;

function formatHidden(hidden) {
  const list = [...hidden].sort().join();
  return list === DEFAULT_HIDDEN ? "" : list || "none";
}

const formatObject = (value) => (Object.keys(value).length ? JSON.stringify(value) : "");

// The part of an object that belongs to the methods in view.
const pick = (values, names) => Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

// shown: names of the methods in view; what was set for others is not part of the link.
export function writeFragment(state, page, shown) {
  const usual = freshState();
  const single = state.method !== "all";
  const parts = {
    m: state.method === usual.method ? "" : state.method,
    a: state.tab === usual.tab ? "" : state.tab,
    p: formatObject(pick(state.profiles, shown)),
    o: formatObject(pick(state.options, shown)),
    c: single ? state.compare : "",
    k: formatHidden(state.hidden),
    q: state.query,
    w: state.width === usual.width ? "" : state.width || "window",
    r: state.chosen && shown.includes(state.chosen.method) ? `${state.chosen.method}:${state.chosen.path}` : "",
    u: page?.url ?? "",
    z: page?.packed ?? "",
    d: page && !page.packed && !page.loaded ? page.digest : "",
  };
  const filled = Object.entries(parts).filter(([, value]) => value);
  return filled.length ? `#${new URLSearchParams(filled)}` : "";
}

function parseObject(text) {
  try {
    const value = JSON.parse(text ?? "{}");
    return value && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

function parseWidth(text) {
  if (text === "window") return 0;
  return text ? Math.min(Math.max(Number(text) || 0, 0), 4000) : freshState().width;
}

// Read a fragment; since anybody may have written it, names are checked against the methods.
export async function readFragment(hash, methods) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const byName = new Map(methods.map((method) => [method.name, method]));
  const own = (value, keep) =>
    Object.fromEntries(Object.entries(parseObject(value)).filter(([name, part]) => byName.has(name) && keep(name, part)));
  const [, method, path] = /^([a-z]+):(.*)$/s.exec(parts.get("r") ?? "") ?? [];
  const state = {
    ...freshState(),
    profiles: own(parts.get("p"), (name, profile) => Object.hasOwn(byName.get(name).profiles, profile)),
    options: own(parts.get("o"), (name, options) => options && typeof options === "object"),
    compare: parts.get("c") ?? "",
    hidden: new Set((parts.get("k") ?? DEFAULT_HIDDEN).split(",").filter((kind) => kind !== "none")),
    width: parseWidth(parts.get("w")),
    query: (parts.get("q") ?? "").slice(0, MAX_QUERY_CHARS),
    chosen: byName.has(method) ? { method, path } : null,
  };
  if (parts.get("m") === "all" || byName.has(parts.get("m"))) state.method = parts.get("m");
  if (TABS.includes(parts.get("a"))) state.tab = parts.get("a");
  const html = parts.has("z") ? await unpack(parts.get("z")).catch(() => undefined) : undefined;
  return { state, html, url: parts.get("u") ?? "", digest: parts.get("d") ?? "" };
}
