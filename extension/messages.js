/** Messages in the language of the user. */

export const message = (name, ...parts) => chrome.i18n.getMessage(name, parts.map(String)) || name;

export function fillTexts(root = document) {
  for (const node of root.querySelectorAll("[data-text]"))
    node.textContent = message(node.dataset.text);
  for (const node of root.querySelectorAll("[data-title]"))
    node.title = message(node.dataset.title);
  for (const node of root.querySelectorAll("[data-label]"))
    node.ariaLabel = message(node.dataset.label);
  document.documentElement.lang = chrome.i18n.getUILanguage().startsWith("en")
    ? "en"
    : message("language");
}
