// The view as the fragment of an address, and back. A small page goes in whole, packed.

export const MOST_PACKED = 24000; // characters of a packed page

async function through(stream, bytes) {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await answer.arrayBuffer());
}

export async function pack(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpack(packed) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

// A short name for a text; not a secret, only to know it again.
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

const USUAL = "dropped"; // hidden unless said otherwise

function hiddenAs(hidden) {
  const listed = [...hidden].sort().join();
  return listed === USUAL ? "" : listed || "none";
}

const named = (value) => (Object.keys(value).length ? JSON.stringify(value) : "");

export function fragment(state, page) {
  const parts = {
    m: state.method === "all" ? "" : state.method,
    p: named(state.profiles),
    o: named(state.options),
    c: state.compare,
    k: hiddenAs(state.hidden),
    w: state.width || "",
    r: state.chosen ? `${state.chosen.method}:${state.chosen.path}` : "",
    u: page?.url ?? "",
    z: page?.packed ?? "",
    d: page && !page.packed && !page.loaded ? page.digest : "",
  };
  const filled = Object.entries(parts).filter(([, value]) => value);
  return filled.length ? `#${new URLSearchParams(filled)}` : "";
}

function objectOf(text) {
  try {
    const value = JSON.parse(text ?? "{}");
    return value && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

// Read a fragment; what a stranger wrote into it is checked against the known methods.
export async function read(hash, methods) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const known = new Map(methods.map((method) => [method.name, method]));
  const own = (value, keep) =>
    Object.fromEntries(Object.entries(objectOf(value)).filter(([name, part]) => known.has(name) && keep(name, part)));
  const [, method, path] = /^([a-z]+):(.*)$/s.exec(parts.get("r") ?? "") ?? [];
  const state = {
    method: known.has(parts.get("m")) ? parts.get("m") : "all",
    profiles: own(parts.get("p"), (name, profile) => Object.hasOwn(known.get(name).profiles, profile)),
    options: own(parts.get("o"), (name, options) => options && typeof options === "object"),
    compare: parts.get("c") ?? "",
    hidden: new Set((parts.get("k") ?? USUAL).split(",").filter((kind) => kind !== "none")),
    width: Math.min(Math.max(Number(parts.get("w")) || 0, 0), 4000),
    chosen: known.has(method) ? { method, path } : null,
  };
  const html = parts.has("z") ? await unpack(parts.get("z")).catch(() => undefined) : undefined;
  return { state, html, url: parts.get("u") ?? "", digest: parts.get("d") ?? "" };
}
