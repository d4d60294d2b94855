// The text version of a mail, made from its HTML when the sender gives none.
import { compile, type DomNode, type FormatCallback, type SelectorDefinition } from "html-to-text";
import { inColumns } from "./text-columns.ts";

const MAX_HTML_CHARS = 500_000;
/** Each costs several microseconds, and nested ones more. */
const MAX_TAGS = 20_000;
const LINE_CHARS = 78;
export const LIMITS = { maxDepth: 200, maxChildNodes: 20_000, ellipsis: "…" };
/** Long words may be split behind a line break, so never: without any such character, html-to-text splits them behind "undefined". */
const UNSPLIT = { wrapCharacters: ["\n"] };

// They make a table cell a piece of the page and not a value in a row.
const BLOCKS = new Set("address blockquote br center div h1 h2 h3 h4 h5 h6 hr ol p pre section table ul".split(" "));
const TABLE = new Set(["table"]);
// Columns are measured place by place, and a cell that spans rows and columns takes many places.
const MAX_DATA_PLACES = 2000;
const MAX_SPAN = 50;
const SEARCH_DEPTH = 30;

const HIDDEN = ["head", "title", "[hidden]", '[style*="display:none" i]', '[style*="display: none" i]'];
const LINES = ["address", "caption", "center", "dd", "dt", "figcaption", "tr"];
const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];

let convert: ((html: string) => string) | null = null;

/**
 * Readable text of a mail's HTML: links as `text [url]`, lines of at most 78
 * characters but URLs in one piece, LF line ends. Never throws: HTML that cannot be read gives "", so no text part.
 */
export function plainText(html: string): string {
  convert ??= conversion();
  try {
    return convert(beginningOf(html)).trim();
  } catch {
    return "";
  }
}

/** `link`: takes the place of the usual formatter of links. */
export function conversion(link?: FormatCallback): (html: string) => string {
  return compile({
    wordwrap: LINE_CHARS,
    longWordSplit: UNSPLIT,
    limits: LIMITS,
    formatters: link ? { ...formatters, link } : formatters,
    selectors: [...selectors(), ...(link ? [{ selector: "a", format: "link" }] : [])],
  });
}

/** As much of it as is looked through at once. */
export function beginningOf(html: string): string {
  let end = html.indexOf("<");
  for (let tags = 0; tags < MAX_TAGS && end !== -1 && end < MAX_HTML_CHARS; tags++) end = html.indexOf("<", end + 1);
  return html.slice(0, end === -1 ? MAX_HTML_CHARS : Math.min(end, MAX_HTML_CHARS));
}

const formatters: Record<string, FormatCallback> = {
  /** Tables with headings hold data and are set in columns; all others only arrange the page. */
  arrangement(table, walk, builder, options) {
    const { dataTable, block } = builder.options.formatters;
    if (isData(table)) inColumns(builder, () => dataTable?.(table, walk, builder, options));
    else block?.(table, walk, builder, options);
  },

  /** Values of one row stay on one line. */
  cell(cell, walk, builder, options) {
    if (holds(cell, BLOCKS)) return builder.options.formatters["block"]?.(cell, walk, builder, options);
    walk(cell.children, builder);
    builder.addInline(" ");
  },

  /** Pictures say nothing in text, but in a link the alternative text is often all there is. */
  picture(image, _walk, builder) {
    const alt: unknown = image.attribs?.alt;
    if (typeof alt === "string" && isWithinLink(image)) builder.addInline(alt);
  },
};

function selectors(): SelectorDefinition[] {
  const line = { leadingLineBreaks: 1, trailingLineBreaks: 1 };
  const paragraph = { leadingLineBreaks: 2, trailingLineBreaks: 2 };
  return [
    ...HIDDEN.map((selector) => ({ selector, format: "skip" })),
    ...LINES.map((selector) => ({ selector, format: "block", options: line })),
    ...HEADINGS.map((selector) => ({ selector, options: { ...paragraph, uppercase: false } })),
    { selector: "a", options: { hideLinkHrefIfSameAsText: true, pathRewrite: withoutSpaces } },
    { selector: "img", format: "picture" },
    { selector: "table", format: "arrangement", options: { ...line, uppercaseHeaderCells: false, maxColumnWidth: 40 } },
    { selector: "td", format: "cell", options: line },
    { selector: "th", format: "cell", options: line },
  ];
}

/** A URL with a space could be wrapped. */
export function withoutSpaces(url: string): string {
  return url.trim().replace(/\s/g, "%20");
}

function isData(table: DomNode): boolean {
  if (table.attribs?.role === "presentation" || holds(table, TABLE)) return false;
  const cells = cellsOf(table);
  const places = cells.reduce((sum, cell) => sum + placesOf(cell.attribs ?? {}), 0);
  return places <= MAX_DATA_PLACES && cells.some((cell) => cell.name === "th");
}

function cellsOf(node: DomNode, depth = SEARCH_DEPTH): DomNode[] {
  if (depth === 0) return [];
  if (node.name === "td" || node.name === "th") return [node];
  return (node.children ?? []).flatMap((child) => cellsOf(child, depth - 1));
}

/** Infinity for spans that no table has. */
function placesOf({ colspan = "1", rowspan = "1" }: Readonly<Record<string, string>>): number {
  const [columns, rows] = [Number(colspan), Number(rowspan)];
  return [columns, rows].every((span) => span >= 1 && span <= MAX_SPAN) ? columns * rows : Infinity;
}

function holds(node: DomNode, names: ReadonlySet<string>, depth = SEARCH_DEPTH): boolean {
  if (depth === 0) return false;
  return (node.children ?? []).some((child) => names.has(child.name ?? "") || holds(child, names, depth - 1));
}

function isWithinLink(node: DomNode): boolean {
  for (let above = node.parent; above; above = above.parent) if (above.name === "a") return true;
  return false;
}
