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

// The response to a request; ServiceError if it is not a success.
export async function send(method, path, { body, type = "application/json", signal } = {}) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  if (body !== undefined) headers["Content-Type"] = type;
  let response;
  try {
    response = await fetch(path, { method, body, headers, signal });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new ServiceError(0, { error: "NoService", message: "The service does not answer. Is pagelet serve running?" });
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
