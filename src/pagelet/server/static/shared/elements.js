// Helpers of the pages: making elements, formatting values, colour themes, saving files.

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

export function formatValue(value) {
  if (typeof value === "number") return String(Math.round(value * 1000) / 1000);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export const formatName = (name) => name.replaceAll("_", " ");

export const formatCount = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

// Show one pane on a narrow screen.
export function showPane(name) {
  document.body.dataset.pane = name;
  for (const button of byId("panes").children) button.ariaPressed = String(button.dataset.pane === name);
}

const THEMES = ["auto", "light", "dark"];

export function setUpTheme(button) {
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

export function saveFile(name, type, data) {
  const url = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
