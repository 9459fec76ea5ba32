// The menu of roles: a kind with roles is chosen by two keys, or by two clicks.

import { byId, make } from "../shared/elements.js";
import { ROLE_LETTERS, letterFor, lookOf, wordsOf } from "./kinds.js";

const FIELD_NAME = /^[a-z][a-z0-9_]{0,29}$/;

export class RoleMenu {
  #roles; // meanings of roles by group
  #fields; // names that are offered for fields
  #choose;
  #group = "";
  #letters = {};
  #back; // what had the focus before

  constructor(roles, fields, choose) {
    this.#roles = roles;
    this.#fields = fields;
    this.#choose = choose;
  }

  get open() {
    return this.#group !== "";
  }

  // names: names of fields that are in use already
  show(group, names) {
    if (this.#group === group) return this.close();
    const listed = group === "field"
      ? Object.fromEntries([...new Set([...names, ...this.#fields])].map((name) => [name, ""]))
      : this.#roles[group];
    this.#letters = ROLE_LETTERS[group] ?? letterFor(Object.keys(listed));
    if (!this.open) this.#back = document.activeElement;
    this.#group = group;
    const buttons = Object.entries(listed).map(([role, meaning]) => this.#makeButton(group, role, meaning));
    byId("roles").replaceChildren(...buttons, ...(group === "field" ? [this.#makeForm()] : []));
    byId("roles").setAttribute("aria-label", `Which ${wordsOf(group)}`);
    byId("roles").hidden = false;
    return buttons[0].focus();
  }

  close() {
    if (!this.open) return;
    this.#group = "";
    byId("roles").hidden = true;
    const back = this.#back?.isConnected && this.#back !== document.body ? this.#back : byId("stage");
    back.focus();
  }

  // Choose the role that a key stands for.
  press(key) {
    const role = Object.keys(this.#letters).find((name) => this.#letters[name] === key);
    if (role) this.#take(role);
  }

  #take(role) {
    const group = this.#group;
    this.close();
    this.#choose(`${group}:${role}`);
  }

  #makeButton(group, role, meaning) {
    const letter = this.#letters[role] ?? "";
    const button = make("button", { type: "button", title: meaning || role, data: { role } },
      make("span", { class: `swatch ${lookOf(`${group}:${role}`)}` }), role.replaceAll("_", " "),
      ...(letter ? [make("kbd", {}, letter.toUpperCase())] : []));
    if (letter) button.setAttribute("aria-keyshortcuts", letter);
    button.addEventListener("click", () => this.#take(role));
    return button;
  }

  #makeForm() {
    const input = make("input", { type: "text", id: "field-name", placeholder: "another name", maxLength: 30, autocomplete: "off", spellcheck: false });
    input.setAttribute("aria-label", "Another name for a field: small letters, digits and _");
    const form = make("form", { class: "row" }, input, make("button", { title: "Mark as a field of this name" }, "Add"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = input.value.trim().toLowerCase().replaceAll(/[\s-]+/g, "_");
      input.setCustomValidity(FIELD_NAME.test(name) ? "" : "Use small letters, digits and _, beginning with a letter.");
      if (input.reportValidity()) this.#take(name);
    });
    input.addEventListener("input", () => input.setCustomValidity(""));
    input.addEventListener("keydown", (event) => { if (event.key === "Escape") this.close(); });
    return form;
  }
}
