/**
 * The live tree as HTML, and as HTML with a number at every node.
 *
 * Typed input is left out: only attributes are written, without the values of hidden and password
 * fields. Scripts are written empty, except those that hold data.
 */
"use strict";

(() => {
  const { read, nameOf, ELEMENT, HTML } = globalThis.pagelet.nodes;
  const TEXT = 3;
  const SECTION = 4; // CDATA
  const COMMENT = 8;
  const DOCTYPE = 10;
  const FRAGMENT = 11; // here always a shadow root

  const setOf = (text) => new Set(text.split(" "));
  const VOID = setOf(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source" +
      " track wbr",
  );
  const RAW = setOf("script style xmp iframe noembed noframes plaintext");
  const BREAK = setOf("pre textarea listing"); // their first line break is ignored
  const SECRET = setOf("hidden password");
  const MARK = "data-pagelet-node";
  const FIRST = "\ue000"; // around the number of a text
  const LAST = "\ue001";
  const NAME = /^[A-Za-z][^\s/>\0<]*$/;
  const ATTRIBUTE = /^[^\s"'<>/=\0]+$/;
  const NOT_BLANK = /[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
  const ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\r": "&#13;",
    "\0": "",
  };
  const escape = (text) => text.replace(/[&<>"\r\0]/g, (sign) => ESCAPES[sign]);

  /** Writes a list of nodes; if `numbered`, with numbers on elements and instead of texts. */
  class Writer {
    constructor({ nodes, parents }, numbered) {
      Object.assign(this, { nodes, parents, numbered });
      this.out = [];
      this.open = []; // open elements
      this.fresh = false; // whether a start tag that ignores a line break was just written
    }

    write() {
      this.nodes.forEach((node, place) => {
        this.endUpTo(this.parents[place]);
        this.add(node, place);
      });
      this.endUpTo(-1);
      return this.out.join("");
    }

    endUpTo(parent) {
      while (this.open.length && this.open.at(-1).place !== parent) {
        const { name } = this.open.pop();
        this.fresh = false;
        if (name) this.out.push(`</${name}>`);
      }
    }

    add(node, place) {
      const type = read.type(node);
      if (type === ELEMENT) this.start(node, place);
      else if (type === TEXT || type === SECTION) this.out.push(this.text(node, place));
      else if (type === COMMENT)
        this.out.push("<!-- -->"); // separates the texts around it
      else if (type === DOCTYPE) this.out.push(doctype(node));
      else if (type === FRAGMENT) this.shadow(place);
    }

    start(node, place) {
      const name = nameOf(node);
      const html = read.space(node) === HTML;
      const ends = NAME.test(name) ? name : "";
      if (ends) this.out.push(`<${name}${this.attributes(node, place)}>`);
      this.fresh = html && BREAK.has(name);
      this.open.push({ place, node, html, name: html && VOID.has(name) ? "" : ends });
    }

    shadow(place) {
      const mark = this.numbered ? ` ${MARK}="${place}"` : "";
      this.out.push(`<template shadowrootmode="open"${mark}>`);
      this.open.push({ place, name: "template", html: true });
    }

    attributes(node, place) {
      const attributes = this.numbered ? [` ${MARK}="${place}"`] : [];
      for (const name of read.attributes(node)) {
        if (!ATTRIBUTE.test(name) || name === MARK || isSecret(node, name)) continue;
        attributes.push(` ${name}="${escape(read.attribute(node, name) ?? "")}"`);
      }
      return attributes.join("");
    }

    text(node, place) {
      const value = read.value(node);
      const { name = "", html = false, node: holder } = this.open.at(-1) ?? {};
      const { fresh } = this;
      this.fresh = false;
      if (html && name === "noscript") return value; // including its tags, since scripts run here
      if (html && name === "script" && !holdsData(holder)) return "";
      if (this.numbered && NOT_BLANK.test(value)) return `${FIRST}${place}${LAST}`;
      if (html && RAW.has(name)) return value.replace(new RegExp(`</(?=${name})`, "gi"), "<\\/");
      return (fresh && value.startsWith("\n") ? "\n" : "") + escape(value);
    }
  }

  const holdsData = (node) => /json/i.test(read.attribute(node, "type") ?? "");

  const isSecret = (node, name) =>
    name === "value" &&
    read.local(node) === "input" &&
    SECRET.has((read.attribute(node, "type") ?? "").trim().toLowerCase());

  function doctype(node) {
    const { publicId, systemId } = node;
    const system = systemId ? ` "${systemId}"` : "";
    if (publicId) return `<!DOCTYPE ${read.name(node)} PUBLIC "${publicId}"${system}>`;
    return `<!DOCTYPE ${read.name(node)}${system && ` SYSTEM${system}`}>`;
  }

  const write = (tree) => new Writer(tree, false).write();
  const writeNumbered = (tree) => new Writer(tree, true).write();

  globalThis.pagelet.write = { write, writeNumbered, MARK, FIRST, LAST, NOT_BLANK };
})();
