// What belongs to an open page: other pages of its site, and the folder with its style sheets.

import { byId, formatCount } from "../shared/elements.js";
import { app } from "./state.js";
import { readAssets, readSite } from "./open.js";

function describeMissing(count) {
  const sheets = count === 1 ? "1 style sheet is" : `${count} style sheets are`;
  return `${sheets} missing, so the page may not look like itself.`;
}

export function showPageParts() {
  const { missing, site, url, loaded } = app.page;
  byId("banner").hidden = !missing;
  byId("banner-text").textContent = missing ? describeMissing(missing) : "";
  byId("load-address").hidden = loaded || !url || !app.service.fetch;
  byId("site-clear").hidden = !site.length;
  byId("site-note").textContent = site.length
    ? `${formatCount(site.length, "other page")}. Template, clutter and menu use ${site.length === 1 ? "it" : "them"}.`
    : "None. Template, clutter and menu compare this page with others of its site.";
}

// on: {reopen(more), fail(error)}
export function listenForPageParts({ reopen, fail }) {
  byId("site-files").addEventListener("change", async ({ target }) => {
    const files = [...target.files];
    target.value = "";
    const site = await readSite(files);
    const known = new Set([app.page.html, ...app.page.site.map(({ html }) => html)]);
    const fresh = site.filter(({ html }) => !known.has(html));
    if (!site.length) fail(new Error("There is no HTML file among these."));
    else if (!fresh.length) fail(new Error("These pages are here already."));
    else await reopen({ site: [...app.page.site, ...fresh].slice(0, app.service.limits.site) });
  });
  byId("site-clear").addEventListener("click", async () => {
    await reopen({ site: [] });
    byId("site-files").focus();
  });
  byId("add-folder").addEventListener("change", async ({ target }) => {
    const list = [...target.files];
    target.value = "";
    const files = await readAssets(list);
    const own = list.find(({ name }) => name === app.page.name);
    const path = own ? own.webkitRelativePath.split("/").slice(1).join("/") : app.page.name;
    if (!files.length) fail(new Error("There are no style sheets or pictures in this folder."));
    else await reopen({ files, path });
  });
  byId("load-address").addEventListener("click", () => reopen({ html: undefined, name: app.page.url, files: [] }));
  byId("hide-banner").addEventListener("click", () => {
    byId("banner").hidden = true;
    byId(`tab-${app.state.tab}`).focus();
  });
}
