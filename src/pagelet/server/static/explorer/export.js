// What is seen as files: JSON, HTML, Markdown, PNG.

import { ask, save, words, written } from "../shared/service.js";
import { KINDS, colourOf } from "./kinds.js";

const MOST_PIXELS = 60_000_000;
const MOST_SIDE = 16_000;
const number = (value) => (Number.isFinite(value) ? value : 0);

// The frame is not trusted: of what it tells, numbers are taken as numbers, all else as text.
async function seen(drawing) {
  const { width, height, regions, fontSize, ground, page } = await drawing.ask("snapshot");
  const placed = ({ x, y, right, width: wide, height: high }) =>
    ({ x: number(x), y: number(y), right: number(right), width: number(wide), height: number(high) });
  return {
    width: number(width), height: number(height), fontSize: String(fontSize), ground: String(ground), page: String(page),
    regions: Array.from(regions, ({ kind, label, at }) => ({ kind: String(kind), label: String(label), at: placed(at) })),
  };
}

const inkOf = (kind) => KINDS.find(({ name }) => name === kind)?.ink ?? "#fff";

export function asJson(view) {
  const told = view.single ?? { schema: 1, url: view.page.url || null, methods: view.answers };
  save(`${view.name}.json`, "application/json", `${JSON.stringify(told, null, 2)}\n`);
}

// -- Markdown ---------------------------------------------------------------------------

const escaped = (text) => text.replaceAll(/([\\`*_[\]<>#|])/g, "\\$1");

function listed({ kind, score, path, text, links }) {
  const head = `## ${kind} ${written(score)}\n\n\`${path ?? "several nodes"}\`\n`;
  const address = (href) => (href ?? "").replaceAll(/[<>\n]/g, encodeURIComponent);
  const item = (link) => `- [${escaped(link.text || link.href || "")}](<${address(link.href)}>)`;
  const shown = links?.length ? links.map(item).join("\n") : escaped(text);
  return `${head}\n${shown}\n`;
}

export function asMarkdown(view) {
  const content = view.single?.markdown ?? (view.single ? undefined : view.answers.content?.markdown);
  const items = view.items.map(({ pagelet }) => listed(pagelet));
  const text = content ?? `# ${escaped(view.page.title)}\n\n${items.join("\n")}`;
  save(`${view.name}.md`, "text/markdown", `${text.trimEnd()}\n`);
}

// -- HTML -------------------------------------------------------------------------------

const html = (text) => String(text).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function boxHtml({ kind, at, label }) {
  const place = `left:${at.x}px;top:${at.y}px;width:${at.width}px;height:${at.height}px`;
  const shown = label ? `<b style="background:${colourOf(kind)};color:${inkOf(kind)}">${html(label)}</b>` : "";
  return `<i style="${place};border-color:${colourOf(kind)}">${shown}</i>`;
}

function rowHtml({ method, pagelet: { kind, score, path, paths, text, reason } }) {
  const told = Object.entries(reason ?? {}).map(([name, value]) => `${words(name)} ${written(value)}`).join(", ");
  const cells = [method, kind, written(score), path ?? (paths ?? []).join(" "), text.slice(0, 300), told];
  return `<tr>${cells.map((cell) => `<td>${html(cell)}</td>`).join("")}</tr>`;
}

const STYLE = `body{font:14px/1.45 system-ui,sans-serif;margin:1rem}
.page{position:relative;border:1px solid #999;overflow:hidden}iframe{border:0;display:block}
i{position:absolute;box-sizing:border-box;border:2px solid;border-radius:3px}
b{position:absolute;right:0;top:0;font:600 11px/16px system-ui,sans-serif;padding:0 5px}
table{border-collapse:collapse;margin-top:1rem}
td,th{border:1px solid #999;padding:.2rem .5rem;text-align:start;vertical-align:top;overflow-wrap:anywhere}`;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

// One method as its command writes it; all of them as a page with the drawing, without scripts.
export async function asHtml(view) {
  if (view.single) {
    const text = await ask(`/v1/${view.single.method}`, { ...view.request, format: "html" });
    save(`${view.name}.html`, "text/html", text);
    return;
  }
  const { width, height, regions } = await seen(view.drawing);
  const head = "<tr><th>method<th>kind<th>score<th>path<th>text<th>reason</tr>";
  const sides = `width="${width}" height="${height}"`;
  save(`${view.name}.html`, "text/html", `<!DOCTYPE html><html lang="en"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>${html(view.page.title)}</title><style>${STYLE}</style>
<h1>${html(view.page.title)}</h1><p>${html(view.page.url || view.page.name)}</p>
<div class="page" style="width:${width}px;height:${height}px">
<iframe sandbox title="The page" ${sides} srcdoc="${html(view.page.drawing)}"></iframe>
${regions.map(boxHtml).join("\n")}</div><table>${head}\n${view.items.map(rowHtml).join("\n")}</table></html>\n`);
}

// -- PNG --------------------------------------------------------------------------------

function picture(source) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error("This page cannot be made a picture."));
    image.src = source;
  });
}

// A browser draws SVG that holds the page as XML, with scripts and loading off.
function drawnPage({ width, height, fontSize, page }) {
  const sides = `width="${width}" height="${height}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${sides} style="font-size:${html(fontSize)}">
<foreignObject width="100%" height="100%">${page}</foreignObject></svg>`;
  return picture(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`);
}

function outline(canvas, { kind, at, label }) {
  canvas.strokeStyle = canvas.fillStyle = colourOf(kind);
  canvas.lineWidth = 2;
  canvas.globalAlpha = 0.09;
  canvas.fillRect(at.x, at.y, at.width, at.height);
  canvas.globalAlpha = 1;
  canvas.strokeRect(at.x + 1, at.y + 1, at.width - 2, at.height - 2);
  if (!label) return;
  const wide = canvas.measureText(label).width + 10;
  canvas.fillRect(at.right - wide, at.y, wide, 16);
  canvas.fillStyle = inkOf(kind);
  canvas.fillText(label, at.right - wide + 5, at.y + 12);
}

// The page with its outlines; only the outlines where the page cannot be drawn, which is told.
export async function pngOf(snapshot) {
  const { width, height, regions, ground } = snapshot;
  const scale = Math.min(1, MOST_SIDE / height, MOST_SIDE / width, Math.sqrt(MOST_PIXELS / (width * height)));
  const [wide, high] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  const sheet = new OffscreenCanvas(wide, high);
  const canvas = sheet.getContext("2d");
  canvas.scale(scale, scale);
  canvas.fillStyle = ground;
  canvas.fillRect(0, 0, width, height);
  const image = await drawnPage(snapshot).catch(() => undefined);
  if (image) canvas.drawImage(image, 0, 0);
  canvas.font = "600 11px system-ui, sans-serif";
  for (const region of regions) outline(canvas, region);
  return { png: await sheet.convertToBlob({ type: "image/png" }), whole: image !== undefined };
}

export async function asPng(view) {
  const { png, whole } = await pngOf(await seen(view.drawing));
  save(`${view.name}.png`, "image/png", png);
  return whole ? "" : "The page itself could not be drawn into the PNG; it shows the outlines alone.";
}

export const EXPORTS = { json: asJson, html: asHtml, markdown: asMarkdown, png: asPng };
