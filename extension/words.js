/** Puts the messages of the user's language where the pages name them. */

export const say = (name, ...parts) => chrome.i18n.getMessage(name, parts.map(String)) || name;

export function fill(root = document) {
  for (const node of root.querySelectorAll("[data-text]"))
    node.textContent = say(node.dataset.text);
  for (const node of root.querySelectorAll("[data-title]")) node.title = say(node.dataset.title);
  for (const node of root.querySelectorAll("[data-label]"))
    node.ariaLabel = say(node.dataset.label);
  document.documentElement.lang = chrome.i18n.getUILanguage().startsWith("en")
    ? "en"
    : say("language");
}
