/** Requests to the service on this machine, and what its errors mean. */

import { Problem } from "./problem.js";

const TIMEOUT_SECONDS = 60;
const MAX_DETAIL_CHARS = 300; // characters of the service's message that are shown
/** Problems by HTTP status. */
const PROBLEMS = {
  401: "wrongToken",
  403: "refused",
  413: "tooLarge",
  421: "notService",
  429: "busy",
};

/** The origin of an address; a Problem unless it is an http address of this machine. */
export function parseAddress(text) {
  let url;
  try {
    url = new URL(text.trim());
  } catch {
    throw new Problem("badAddress");
  }
  const local = ["127.0.0.1", "localhost"].includes(url.hostname);
  const plain = url.protocol === "http:" && !url.username && !url.password;
  if (!local || !plain) throw new Problem("badAddress");
  return url.origin;
}

/** The token, which may be given as the address that `pagelet serve` prints. */
export function parseToken(text) {
  const token = /#token=([^&\s]+)/.exec(text)?.[1] ?? text.trim();
  if (/[^\x21-\x7e]/.test(token)) throw new Problem("badToken");
  return token;
}

/** Send a request to the service; returns the answer, or throws a Problem. */
export async function request({ address, token }, path, body) {
  const origin = parseAddress(address);
  let response;
  try {
    response = await fetch(origin + path, {
      method: body ? "POST" : "GET",
      headers: {
        ...(body && { "Content-Type": "application/json" }),
        Authorization: `Bearer ${token}`,
      },
      body: body && JSON.stringify(body),
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
    });
  } catch (error) {
    throw await explainFailure(origin, error);
  }
  return readAnswer(response, body?.format ?? "json");
}

async function explainFailure(origin, error) {
  if (error.name === "TimeoutError") return new Problem("tooSlow");
  const allowed = await chrome.permissions.contains({
    origins: [`${new URL(origin).protocol}//${new URL(origin).hostname}/*`],
  });
  return new Problem(allowed ? "notRunning" : "notAllowed", origin);
}

async function readAnswer(response, format) {
  if (response.ok && format !== "json") return response.text();
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new Problem("notService");
  }
  if (response.ok) return answer;
  const name = PROBLEMS[response.status] ?? (response.status === 404 ? "notService" : "failed");
  throw new Problem(name, String(answer?.message ?? "").slice(0, MAX_DETAIL_CHARS));
}

/** Throw a Problem unless the service answers and accepts the token. */
export async function checkService(settings) {
  const answer = await request(settings, "/v1/methods");
  if (!Array.isArray(answer?.methods)) throw new Problem("notService");
}
