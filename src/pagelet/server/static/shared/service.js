// Requests to the service, with the token of this tab.

export class ServiceError extends Error {
  constructor(status, { error, message } = {}) {
    super(message ?? `The service returned status ${status}.`);
    this.name = error ?? "ServiceError";
    this.status = status;
  }
}

// A token in the fragment (#token=…) is kept for this tab and removed from the address.
function readToken() {
  const match = /(?:^#|&)token=([^&]+)/.exec(location.hash);
  if (!match) return sessionStorage.getItem("token");
  const rest = location.hash.slice(1).split("&").filter((part) => !part.startsWith("token="));
  history.replaceState(null, "", rest.length ? `#${rest.join("&")}` : location.pathname + location.search);
  sessionStorage.setItem("token", decodeURIComponent(match[1]));
  return sessionStorage.getItem("token");
}

const token = readToken();
const NO_SERVICE = { error: "NoService", message: "The service does not answer. Is pagelet serve running?" };

export const needsToken = () => Boolean(token);

// The response to a request; ServiceError if it is not a success.
export async function send(method, path, { body, type = "application/json", signal } = {}) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  if (body !== undefined) headers["Content-Type"] = type;
  let response;
  try {
    response = await fetch(path, { method, body, headers, signal });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new ServiceError(0, NO_SERVICE);
  }
  if (!response.ok) throw new ServiceError(response.status, await response.json().catch(() => undefined));
  return response;
}

// GET, or POST a form as JSON; returns JSON, or text.
export async function request(path, form, { signal } = {}) {
  const response = form === undefined
    ? await send("GET", path, { signal })
    : await send("POST", path, { body: JSON.stringify(form), signal });
  return response.headers.get("Content-Type")?.includes("json") ? response.json() : response.text();
}

// Wrap an asynchronous function so that a new call aborts the one before it.
export function abortPrevious(run) {
  let current;
  return async (...values) => {
    current?.abort();
    const own = current = new AbortController();
    try {
      return await run(own.signal, ...values);
    } catch (problem) {
      if (own.signal.aborted) return undefined;
      throw problem;
    }
  };
}

export function debounce(run, wait) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(run, wait, ...values);
  };
}

// POST a form as JSON, and tell when it was sent and when the answer begins. on: {sent(), received()}
export function upload(path, form, { signal, sent, received } = {}) {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const fail = (status, told) => reject(new ServiceError(status, told));
    call.open("POST", path);
    if (token) call.setRequestHeader("Authorization", `Bearer ${token}`);
    call.setRequestHeader("Content-Type", "application/json");
    call.upload.onload = () => sent?.();
    call.onprogress = () => received?.();
    call.onerror = () => fail(0, NO_SERVICE);
    call.onabort = () => reject(new DOMException("Cancelled", "AbortError"));
    call.onload = () => {
      const answer = parseJson(call.responseText);
      if (call.status === 200) resolve(answer);
      else fail(call.status, answer);
    };
    signal?.addEventListener("abort", () => call.abort());
    call.send(JSON.stringify(form));
  });
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
