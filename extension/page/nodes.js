/**
 * The live tree of the page as a list, in the order of the document, shadow roots in place.
 *
 * A page may name a form field `childNodes` and so hide the property of that name. Properties are
 * therefore read through the getters of the browser's own prototypes, never off the node.
 */
"use strict";

(() => {
  const getter = (owner, name) => {
    const { get } = Object.getOwnPropertyDescriptor(owner.prototype, name);
    return (node) => get.call(node);
  };

  const read = {
    type: getter(Node, "nodeType"),
    name: getter(Node, "nodeName"),
    value: getter(Node, "nodeValue"),
    first: getter(Node, "firstChild"),
    next: getter(Node, "nextSibling"),
    parent: getter(Node, "parentNode"),
    base: getter(Node, "baseURI"),
    attached: getter(Node, "isConnected"),
    root: getter(Document, "documentElement"),
    local: getter(Element, "localName"),
    space: getter(Element, "namespaceURI"),
    content: getter(HTMLTemplateElement, "content"),
    attribute: (node, name) => Element.prototype.getAttribute.call(node, name),
    attributes: (node) => Element.prototype.getAttributeNames.call(node),
    box: (node) => Element.prototype.getBoundingClientRect.call(node),
  };

  const ELEMENT = 1;
  const HTML = "http://www.w3.org/1999/xhtml";
  const MOST = 500_000; // nodes; a page with more is not taken

  /** The name as tags are written: small letters in HTML, as it is elsewhere. */
  const nameOf = (node) => (read.space(node) === HTML ? read.local(node) : read.name(node));

  const isTemplate = (node) =>
    read.type(node) === ELEMENT && read.local(node) === "template" && read.space(node) === HTML;

  /** The shadow root of an element, closed ones too where an extension may see them. */
  function shadowOf(node) {
    if (read.type(node) !== ELEMENT || read.space(node) !== HTML) return null;
    try {
      if (globalThis.chrome?.dom?.openOrClosedShadowRoot) {
        return chrome.dom.openOrClosedShadowRoot(node);
      }
      return node.openOrClosedShadowRoot ?? node.shadowRoot;
    } catch {
      return null; // not every element can have one
    }
  }

  /** What is in a node: for a template what it holds, for a host its shadow root first. */
  function childrenOf(node, shadows) {
    const found = [];
    const shadow = shadows ? shadowOf(node) : null;
    if (shadow) found.push(shadow);
    const holder = isTemplate(node) ? read.content(node) : node;
    for (let child = read.first(holder); child; child = read.next(child)) found.push(child);
    return found;
  }

  /** The nodes below a root, the root first, and for each the place of its parent in the list. */
  function list(root, { shadows = false, without = null } = {}) {
    const nodes = [];
    const parents = [];
    const waiting = [[root, -1]];
    while (waiting.length) {
      const [node, parent] = waiting.pop();
      if (node === without) continue;
      const place = nodes.push(node) - 1;
      parents.push(parent);
      if (place >= MOST) return null;
      const children = childrenOf(node, shadows);
      for (let at = children.length - 1; at >= 0; at--) waiting.push([children[at], place]);
    }
    return { nodes, parents };
  }

  globalThis.pagelet.nodes = { read, list, childrenOf, nameOf, isTemplate, ELEMENT, HTML };
})();
