/**
 * The live tree written as HTML, and once more with a number at every node.
 *
 * What people typed is not in it: only attributes are written, and those of hidden and password
 * fields lose their value. Scripts are written empty, but for those that hold data.
 */
"use strict";

(() => {
  const { read, nameOf, ELEMENT, HTML } = globalThis.pagelet.nodes;
  const TEXT = 3;
  const SECTION = 4; // CDATA
  const COMMENT = 8;
  const DOCTYPE = 10;
  const FRAGMENT = 11; // here always a shadow root

  const words = (text) => new Set(text.split(" "));
  const VOID = words(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source" +
      " track wbr",
  );
  const RAW = words("script style xmp iframe noembed noframes plaintext");
  const BREAK = words("pre textarea listing"); // a first line break in them is not counted
  const SECRET = words("hidden password");
  const MARK = "data-pagelet-node";
  const FIRST = "\ue000"; // around the number of a text
  const LAST = "\ue001";
  const NAME = /^[A-Za-z][^\s/>\0<]*$/;
  const ATTRIBUTE = /^[^\s"'<>/=\0]+$/;
  const SEEN = /[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
  const ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\r": "&#13;",
    "\0": "",
  };
  const escaped = (text) => text.replace(/[&<>"\r\0]/g, (sign) => ESCAPES[sign]);

  /** One writing of a list of nodes; `numbered` puts numbers on elements and in place of texts. */
  class Writer {
    constructor({ nodes, parents }, numbered) {
      Object.assign(this, { nodes, parents, numbered });
      this.out = [];
      this.open = []; // places, and the names that were written
      this.fresh = false; // whether nothing was written since a start tag that eats a line break
    }

    written() {
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
        this.out.push("<!-- -->"); // keeps the texts around it apart
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
      const written = this.numbered ? [` ${MARK}="${place}"`] : [];
      for (const name of read.attributes(node)) {
        if (!ATTRIBUTE.test(name) || name === MARK || isSecret(node, name)) continue;
        written.push(` ${name}="${escaped(read.attribute(node, name) ?? "")}"`);
      }
      return written.join("");
    }

    text(node, place) {
      const value = read.value(node);
      const { name = "", html = false, node: holder } = this.open.at(-1) ?? {};
      const { fresh } = this;
      this.fresh = false;
      if (html && name === "noscript") return value; // with its tags: scripts run here
      if (html && name === "script" && !holdsData(holder)) return "";
      if (this.numbered && SEEN.test(value)) return `${FIRST}${place}${LAST}`;
      if (html && RAW.has(name)) return value.replace(new RegExp(`</(?=${name})`, "gi"), "<\\/");
      return (fresh && value.startsWith("\n") ? "\n" : "") + escaped(value);
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

  const write = (listed) => new Writer(listed, false).written();
  const writeNumbered = (listed) => new Writer(listed, true).written();

  globalThis.pagelet.write = { write, writeNumbered, MARK, FIRST, LAST, SEEN };
})();
