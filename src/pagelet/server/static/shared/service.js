// What the pages of the service share: making elements, asking the service, light and dark.

export const byId = (id) => document.getElementById(id);

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") element.className = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export function written(value) {
  if (typeof value === "number") return String(Math.round(value * 1000) / 1000);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export const words = (name) => name.replaceAll("_", " ");

export const counted = (count, noun, several = `${noun}s`) => `${count} ${count === 1 ? noun : several}`;

// -- the service ------------------------------------------------------------------------

export class Refusal extends Error {
  constructor(status, { error, message } = {}) {
    super(message ?? `The service answered ${status}.`);
    this.name = error ?? "Refusal";
    this.status = status;
  }
}

// A token behind #token= is kept for this tab and taken out of the address.
function readToken() {
  const found = /(?:^#|&)token=([^&]+)/.exec(location.hash);
  if (!found) return sessionStorage.getItem("token");
  const rest = location.hash.slice(1).split("&").filter((part) => !part.startsWith("token="));
  history.replaceState(null, "", rest.length ? `#${rest.join("&")}` : location.pathname);
  sessionStorage.setItem("token", decodeURIComponent(found[1]));
  return sessionStorage.getItem("token");
}

const token = readToken();

export async function ask(path, body, { signal } = {}) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { ...sent, headers, signal });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Refusal(0, { error: "NoService", message: "The service does not answer. Is pagelet serve running?" });
  }
  if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => undefined));
  return answer.headers.get("Content-Type")?.includes("json") ? answer.json() : answer.text();
}

// Only the newest question counts: the one before it is given up.
export function latest(run) {
  let going;
  return async (...given) => {
    going?.abort();
    const own = going = new AbortController();
    try {
      return await run(own.signal, ...given);
    } catch (problem) {
      if (own.signal.aborted) return undefined;
      throw problem;
    }
  };
}

export function debounced(run, wait) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(run, wait, ...given);
  };
}

// -- light and dark ---------------------------------------------------------------------

const THEMES = ["auto", "light", "dark"];

export function theme(button) {
  const show = (name) => {
    document.documentElement.dataset.theme = name;
    button.textContent = { auto: "◐", light: "☀", dark: "☾" }[name];
    button.ariaLabel = `Colours: ${name}`;
    button.title = `Colours: ${name}`;
  };
  show(THEMES.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "auto");
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
    localStorage.setItem("theme", next);
    show(next);
  });
}

export function save(name, type, data) {
  const url = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
