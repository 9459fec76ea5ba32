/** The first of the files injected into a page; they share one global name. */
"use strict";

globalThis.pagelet ??= {};
