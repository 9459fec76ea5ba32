/** The views of an answer as text, to copy and to save. */

const MAX_DEPTH = 20; // levels of a menu that are indented

function writeTree(entries) {
  const lines = [];
  const waiting = [...entries].reverse().map((entry) => [entry, 0]);
  while (waiting.length) {
    const [{ text, href, children = [] }, depth] = waiting.pop();
    const label = text || href || "";
    lines.push(`${"  ".repeat(Math.min(depth, MAX_DEPTH))}- ${href ? `[${label}](${href})` : label}`);
    waiting.push(...[...children].reverse().map((child) => [child, depth + 1]));
  }
  return lines.join("\n");
}

const oneLine = (text) => (text ?? "").replaceAll(/\s+/g, " ").trim();

function writeRegions(items) {
  return items
    .map((item, at) => {
      const score = item.score ? ` ${item.score.toFixed(2)}` : "";
      const role = item.role ? ` ${item.role}` : "";
      const where = (item.paths ?? [item.path]).filter(Boolean).join("\n");
      return `${at + 1} ${item.kind}${role}${score}\n${where}\n${item.text ?? ""}`.trim();
    })
    .join("\n\n");
}

const writeLinks = (items) =>
  items
    .flatMap((item) => item.links ?? [])
    .map(({ text, href }) => `${oneLine(text)}\t${href ?? ""}`)
    .join("\n");

/** A view of an answer as text; paragraphs are apart by an empty line. */
export function writeView(answer, view) {
  const items = answer.pagelets.filter((item) => item.kind !== "dropped");
  if (view === "tree") return writeTree(answer.tree);
  if (view === "markdown") return answer.markdown;
  if (view === "templatePage") return answer.templatePage;
  if (view === "regionsView") return writeRegions(items);
  if (view === "links") return writeLinks(items);
  if (view === "json") {
    const shown = { ...answer, budget: undefined, templatePage: undefined, packed: undefined };
    return JSON.stringify(shown, null, 2);
  }
  const text = answer.text ?? items.map((item) => item.text).join("\n\n");
  return text.replaceAll(/\n+/g, "\n\n");
}
