/**
 * The live tree of the page as a list, in document order, with shadow roots in place.
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
  const MAX_NODES = 500_000; // a page with more is not read

  /** The tag name: lower case in HTML, as written elsewhere. */
  const nameOf = (node) => (read.space(node) === HTML ? read.local(node) : read.name(node));

  const isTemplate = (node) =>
    read.type(node) === ELEMENT && read.local(node) === "template" && read.space(node) === HTML;

  /** The shadow root of an element, also a closed one if an extension may see it. */
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

  /** The children of a node: for a template its content, for a host its shadow root first. */
  function childrenOf(node, shadows) {
    const children = [];
    const shadow = shadows ? shadowOf(node) : null;
    if (shadow) children.push(shadow);
    const holder = isTemplate(node) ? read.content(node) : node;
    for (let child = read.first(holder); child; child = read.next(child)) children.push(child);
    return children;
  }

  /** The nodes of a tree, the root first, and for each the index of its parent in the list. */
  function list(root, { shadows = false, without = null } = {}) {
    const nodes = [];
    const parents = [];
    const waiting = [[root, -1]];
    while (waiting.length) {
      const [node, parent] = waiting.pop();
      if (node === without) continue;
      const place = nodes.push(node) - 1;
      parents.push(parent);
      if (place >= MAX_NODES) return null;
      const children = childrenOf(node, shadows);
      for (let at = children.length - 1; at >= 0; at--) waiting.push([children[at], place]);
    }
    return { nodes, parents };
  }

  globalThis.pagelet.nodes = { read, list, childrenOf, nameOf, isTemplate, ELEMENT, HTML };
})();
