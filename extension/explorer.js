/** Pages for the explorer of the service, which reads them from the fragment of its address. */

import { Problem } from "./problem.js";
import { parseAddress } from "./service.js";

const MAX_PACKED_CHARS = 900_000; // Firefox opens no longer address
const CHUNK = 0x8000;

/** A text compressed and written with characters that an address takes. */
export async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The address of the explorer with a page in it; the explorer takes the token out of it at once. */
export function explorerAddress({ address, token }, { packed, url, method = "" }) {
  if (packed.length > MAX_PACKED_CHARS) throw new Problem("tooLarge");
  const parts = { token, ...(method && { m: method }), u: url, z: packed };
  return `${parseAddress(address)}/#${new URLSearchParams(parts)}`;
}
