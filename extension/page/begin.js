/** The first of the files that are put into a page; what they share hangs on one name. */
"use strict";

globalThis.pagelet ??= {};
