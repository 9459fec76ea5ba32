// The view as a file: JSON, HTML, Markdown or PNG.

import { formatName, formatValue, saveFile } from "../shared/elements.js";
import { colourOf, hasFill, inkOf, lineOf, wordsOf } from "./kinds.js";

const MAX_PIXELS = 60_000_000;
const MAX_SIDE_PIXELS = 16_000;
const LABEL_FONT = 11 / 16; // size of the letters of a label in its height
const toNumber = (value) => (Number.isFinite(value) ? value : 0);

// The frame is not trusted: its values are converted to numbers and texts.
async function takeSnapshot(drawing) {
  const { width, height, regions, fontSize, ground, page } = await drawing.query("snapshot");
  const toBox = ({ x, y, right, width: wide, height: high }) =>
    ({ x: toNumber(x), y: toNumber(y), right: toNumber(right), width: toNumber(wide), height: toNumber(high) });
  const toPlace = ({ left, top, right, height: high }) =>
    ({ left: toNumber(left), top: toNumber(top), width: toNumber(right - left), height: toNumber(high) });
  return {
    width: toNumber(width), height: toNumber(height), fontSize: String(fontSize), ground: String(ground), page: String(page),
    regions: Array.from(regions, ({ kind, label, place, at, around }) =>
      ({ kind: String(kind), label: String(label), place: toPlace(place ?? {}), around: Boolean(around), at: toBox(at) })),
  };
}

async function exportJson(view) {
  saveFile(`${view.name}.json`, "application/json", await view.json());
}

// -- Markdown ---------------------------------------------------------------------------

const escapeMarkdown = (text) => text.replaceAll(/([\\`*_[\]<>#|])/g, "\\$1");

function writePagelet({ kind, score, path, text, links }) {
  const head = `## ${wordsOf(kind)} ${formatValue(score)}\n\n\`${path ?? "several nodes"}\`\n`;
  const address = (href) => (href ?? "").replaceAll(/[<>\n]/g, encodeURIComponent);
  const item = (link) => `- [${escapeMarkdown(link.text || link.href || "")}](<${address(link.href)}>)`;
  const shown = links?.length ? links.map(item).join("\n") : escapeMarkdown(text);
  return `${head}\n${shown}\n`;
}

// Pagelets as Markdown, for methods that write none themselves.
export function writeMarkdown(title, pagelets) {
  return `# ${escapeMarkdown(title)}\n\n${pagelets.map(writePagelet).join("\n").trimEnd()}\n`;
}

async function exportMarkdown(view) {
  saveFile(`${view.name}.md`, "text/markdown", await view.markdown());
}

// -- HTML -------------------------------------------------------------------------------

const escapeHtml = (text) => String(text).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function writeBox({ kind, at }) {
  const place = `left:${at.x}px;top:${at.y}px;width:${at.width}px;height:${at.height}px`;
  return `<i style="${place};border-color:${colourOf(kind)}"></i>`;
}

function writeLabel({ kind, label, place: { left, top, height } }) {
  const place = `left:${left}px;top:${top}px;font-size:${LABEL_FONT * height}px`;
  return `<b style="${place};background:${colourOf(kind)};color:${inkOf(kind)}">${escapeHtml(label)}</b>`;
}

function writeRow({ method, pagelet: { kind, score, path, paths, text, reason, why } }) {
  const measures = Object.entries(reason ?? {}).map(([name, value]) => `${formatName(name)} ${formatValue(value)}`);
  const reasons = why?.length ? why.map((each) => `${each.text} ${formatValue(each.effect)}`) : measures;
  const cells = [method, kind, formatValue(score), path ?? (paths ?? []).join(" "), text.slice(0, 300), reasons.join(", ")];
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`;
}

const STYLE = `body{font:14px/1.45 system-ui,sans-serif;margin:1rem}
.page{position:relative;border:1px solid #999;overflow:hidden}iframe{border:0;display:block}
i{position:absolute;box-sizing:border-box;border:2px solid;border-radius:3px}
b{position:absolute;font:600 11px/1.45 system-ui,sans-serif;padding:0 .45em;border-radius:3px;white-space:nowrap}
table{border-collapse:collapse;margin-top:1rem}
td,th{border:1px solid #999;padding:.2rem .5rem;text-align:start;vertical-align:top;overflow-wrap:anywhere}`;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

// One method: as its command writes it; all methods: a page with the drawing, without scripts.
async function exportHtml(view) {
  if (view.method) {
    saveFile(`${view.name}.html`, "text/html", await view.html());
    return;
  }
  const { width, height, regions } = await takeSnapshot(view.drawing);
  const head = "<tr><th>method<th>kind<th>score<th>path<th>text<th>reason</tr>";
  const sides = `width="${width}" height="${height}"`;
  saveFile(`${view.name}.html`, "text/html", `<!DOCTYPE html><html lang="en"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>${escapeHtml(view.page.title)}</title><style>${STYLE}</style>
<h1>${escapeHtml(view.page.title)}</h1><p>${escapeHtml(view.page.url || view.page.name)}</p>
<div class="page" style="width:${width}px;height:${height}px">
<iframe sandbox title="The page" ${sides} srcdoc="${escapeHtml(view.page.drawing)}"></iframe>
${[...regions.map(writeBox), ...regions.filter(({ label }) => label).map(writeLabel)].join("\n")}</div><table>${head}\n${view.items.map(writeRow).join("\n")}</table></html>\n`);
}

// -- PNG --------------------------------------------------------------------------------

function loadImage(source) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error("This page cannot be drawn as a picture."));
    image.src = source;
  });
}

// Draw the page as an SVG image, in which scripts and loading are off.
function drawPage({ width, height, fontSize, page }) {
  const sides = `width="${width}" height="${height}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${sides} style="font-size:${escapeHtml(fontSize)}">
<foreignObject width="100%" height="100%">${page}</foreignObject></svg>`;
  return loadImage(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`);
}

const DASHES = { dashed: [8, 5], dotted: [2, 4] };

function drawOutline(canvas, { kind, at, around }) {
  canvas.strokeStyle = canvas.fillStyle = colourOf(kind);
  canvas.lineWidth = 2;
  canvas.setLineDash(DASHES[lineOf(kind)] ?? []);
  canvas.globalAlpha = 0.09;
  if (!around && hasFill(kind)) canvas.fillRect(at.x, at.y, at.width, at.height);
  canvas.globalAlpha = 1;
  canvas.strokeRect(at.x + 1, at.y + 1, at.width - 2, at.height - 2);
}

function drawLabel(canvas, { kind, label, place: { left, top, width, height } }) {
  canvas.fillStyle = colourOf(kind);
  canvas.fillRect(left, top, width, height);
  canvas.fillStyle = inkOf(kind);
  canvas.font = `600 ${LABEL_FONT * height}px system-ui, sans-serif`;
  canvas.fillText(label, left + height * 0.3, top + height * 0.75);
}

// Draw the page with its outlines; `whole` is false if only the outlines could be drawn.
export async function drawPng(drawing) {
  const snapshot = await takeSnapshot(drawing);
  const { width, height, regions, ground } = snapshot;
  const scale = Math.min(1, MAX_SIDE_PIXELS / height, MAX_SIDE_PIXELS / width, Math.sqrt(MAX_PIXELS / (width * height)));
  const [wide, high] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  const sheet = new OffscreenCanvas(wide, high);
  const canvas = sheet.getContext("2d");
  canvas.scale(scale, scale);
  canvas.fillStyle = ground;
  canvas.fillRect(0, 0, width, height);
  const image = await drawPage(snapshot).catch(() => undefined);
  if (image) canvas.drawImage(image, 0, 0);
  for (const region of regions) drawOutline(canvas, region);
  for (const region of regions.filter(({ label }) => label)) drawLabel(canvas, region);
  return { png: await sheet.convertToBlob({ type: "image/png" }), whole: image !== undefined };
}

async function exportPng(view) {
  const { png, whole } = await drawPng(view.drawing);
  saveFile(`${view.name}.png`, "image/png", png);
  return whole ? "" : "The page could not be drawn; the PNG shows only the outlines.";
}

export const EXPORTS = { json: exportJson, html: exportHtml, markdown: exportMarkdown, png: exportPng };
