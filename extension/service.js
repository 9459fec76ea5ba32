/** The service on this machine: where it may be, how it is asked, and what its refusals mean. */

import { Problem } from "./problem.js";

const SECONDS = 60; // an answer that takes longer is given up
const LONGEST = 300; // characters of what the service says that are shown
const REFUSALS = {
  401: "wrongToken",
  403: "refused",
  413: "tooLarge",
  421: "notService",
  429: "busy",
};

/** The address in its plain form; a Problem unless it is an http address of this machine. */
export function plainAddress(said) {
  let url;
  try {
    url = new URL(said.trim());
  } catch {
    throw new Problem("badAddress");
  }
  const here = ["127.0.0.1", "localhost"].includes(url.hostname);
  const plain = url.protocol === "http:" && !url.username && !url.password;
  if (!here || !plain) throw new Problem("badAddress");
  return url.origin;
}

/** The token alone, also out of the address that `pagelet serve` prints. */
export function plainToken(said) {
  const token = /#token=([^&\s]+)/.exec(said)?.[1] ?? said.trim();
  if (/[^\x21-\x7e]/.test(token)) throw new Problem("badToken");
  return token;
}

/** Ask the service; returns its answer, or throws a Problem that says what to do. */
export async function ask({ address, token }, path, body) {
  const origin = plainAddress(address);
  let answer;
  try {
    answer = await fetch(origin + path, {
      method: body ? "POST" : "GET",
      headers: {
        ...(body && { "Content-Type": "application/json" }),
        Authorization: `Bearer ${token}`,
      },
      body: body && JSON.stringify(body),
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(SECONDS * 1000),
    });
  } catch (error) {
    throw await unreached(origin, error);
  }
  return read(answer, body?.format ?? "json");
}

async function unreached(origin, error) {
  if (error.name === "TimeoutError") return new Problem("tooSlow");
  const allowed = await chrome.permissions.contains({
    origins: [`${new URL(origin).protocol}//${new URL(origin).hostname}/*`],
  });
  return new Problem(allowed ? "notRunning" : "notAllowed", origin);
}

async function read(answer, format) {
  if (answer.ok && format !== "json") return answer.text();
  let said;
  try {
    said = await answer.json();
  } catch {
    throw new Problem("notService");
  }
  if (answer.ok) return said;
  const name = REFUSALS[answer.status] ?? (answer.status === 404 ? "notService" : "failed");
  throw new Problem(name, String(said?.message ?? "").slice(0, LONGEST));
}

/** Whether a service is there that knows the token. */
export async function check(settings) {
  const said = await ask(settings, "/v1/methods");
  if (!Array.isArray(said?.methods)) throw new Problem("notService");
}
