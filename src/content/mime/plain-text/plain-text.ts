// The text version of a mail, derived from its HTML when the sender gives none.
import { isData, rowsOf, spansOf } from "./data-tables.ts";
import { elementsIn, holds, namesIn, treeOf, type HtmlElement, type HtmlNode } from "./html-tree.ts";
import { marksOf } from "./list-marks.ts";
import { TextBlock, withoutSpaces } from "./text-block.ts";
import { inColumns, type Cell } from "./text-columns.ts";

const MAX_HTML_CHARS = 500_000;
const MAX_TAGS = 20_000;
const MAX_DEPTH = 200;
const LEFT_OUT = "…";
const LINE_CHARS = 78;
const COLUMN_CHARS = 40;
/** For all tables in columns together; beyond it, tables are set cell by cell. */
const MAX_COLUMN_CHARS = 500_000;
/** For all quotations and lists together; lines beyond it have no marks. */
const MAX_MARK_CHARS = 1_000_000;

const SKIPPED = namesIn("head title script style");
const LINES = namesIn(
  "address article aside caption center dd div dt figcaption footer form header main nav section table tr td th",
);
const PARAGRAPHS = namesIn("h1 h2 h3 h4 h5 h6 p");
/** In a table cell, these make it a piece of the page and not a value in a row. */
const BLOCKS = namesIn("address blockquote br center div h1 h2 h3 h4 h5 h6 hr ol p pre section table ul");

/**
 * Readable text of a mail's HTML: links as `text [url]`, lines of at most 78 characters except that URLs are never
 * split, LF line ends. Never throws: HTML that cannot be parsed gives "", so no text part.
 */
export function plainText(html: string): string {
  try {
    return new PlainTextReader().textOf(treeOf(beginningOf(html))).trim();
  } catch {
    return "";
  }
}

/** The beginning of the HTML, bounded for one synchronous pass. */
export function beginningOf(html: string): string {
  if (html.length < MAX_TAGS) return html;
  let end = html.indexOf("<");
  for (let tags = 0; tags < MAX_TAGS && end !== -1 && end < MAX_HTML_CHARS; tags++) end = html.indexOf("<", end + 1);
  return html.slice(0, end === -1 ? MAX_HTML_CHARS : Math.min(end, MAX_HTML_CHARS));
}

class PlainTextReader {
  /** The block to which text is added. */
  #block = new TextBlock(LINE_CHARS, 0);
  /** The words of the open links. */
  readonly #links: string[] = [];
  #columnChars = MAX_COLUMN_CHARS;
  #markChars = MAX_MARK_CHARS;

  textOf(root: HtmlElement): string {
    const bodies = bodiesIn(root);
    this.#walk(bodies.length > 0 ? bodies : root.children, 0);
    return this.#block.text;
  }

  #walk(nodes: readonly HtmlNode[], depth: number): void {
    if (depth > MAX_DEPTH) return this.#add(LEFT_OUT);
    for (const node of nodes)
      if (typeof node === "string") this.#add(node);
      else if (!isHidden(node)) this.#element(node, depth + 1);
  }

  #add(text: string): void {
    this.#block.add(text);
    if (!this.#block.isPre) for (const index of this.#links.keys()) this.#links[index] += withoutSpaces(text);
  }

  /** `depth`: of the element's content. */
  #element(element: HtmlElement, depth: number): void {
    const { name, attributes, children } = element;
    switch (name) {
      case "br":
        return this.#block.breakLine();
      case "wbr":
        return this.#block.mayBreak();
      case "hr":
        return this.#set(this.#block.inner(2), 2, () => this.#add("-".repeat(LINE_CHARS)));
      case "img":
        // Pictures have no text, but in a link the alternative text is often the only content.
        return isWithinLink(element) ? this.#add(attributes["alt"] ?? "") : undefined;
      case "a":
        return this.#link(element, depth);
      case "pre":
        return this.#set(this.#block.inner(2, { isPre: true }), 2, () => this.#walk(children, depth));
      case "blockquote":
        return this.#quote(children, depth);
      case "ol":
      case "ul":
        return this.#list(element, depth);
      case "table":
        if (isData(element)) return this.#table(element, depth);
        break;
      case "td":
      case "th":
        // Values of one row stay on one line.
        if (!holds(element, BLOCKS)) return this.#walk([...children, " "], depth);
    }
    const apart = PARAGRAPHS.has(name) ? 2 : LINES.has(name) ? 1 : 0;
    if (apart === 0) this.#walk(children, depth);
    else this.#set(this.#block.inner(apart), apart, () => this.#walk(children, depth));
  }

  /** Adds a block, separated by `apart` line breaks from the text after it. */
  #set(block: TextBlock, apart: number, fill: () => void, change = (text: string) => text): void {
    const text = change(this.#made(block, fill));
    this.#block.addLines(text, block.leading, Math.max(block.due, apart));
  }

  #made(block: TextBlock, fill: () => void): string {
    const outer = this.#block;
    this.#block = block;
    fill();
    this.#block = outer;
    return block.text;
  }

  #link(link: HtmlElement, depth: number): void {
    const url = urlOf(link);
    if (url !== "") this.#links.push("");
    this.#walk(link.children, depth);
    const text = url === "" ? "" : this.#links.pop();
    if (text !== url) this.#block.add(text === "" ? url : ` [${url}]`);
  }

  #quote(children: readonly HtmlNode[], depth: number): void {
    const marked = (text: string) => this.#marked(withoutEmptyEnds(text), "> ", "> ");
    this.#set(this.#block.inner(2, { reserved: 2 }), 2, () => this.#walk(children, depth), marked);
  }

  #list(list: HtmlElement, depth: number): void {
    const items = list.children.filter((child) => typeof child !== "string" || child.trim() !== "");
    if (items.length === 0) return;
    const isNested = list.parent?.name === "li";
    const apart = isNested ? 1 : 2;
    const marks = marksOf(list, items).map((mark) => (isNested ? mark.trimStart() : mark));
    const reserved = marks.reduce((most, { length }) => Math.max(most, length), 0);
    const block = this.#block.inner(apart);
    const text = this.#made(block, () => {
      for (const [index, item] of items.entries())
        this.#set(
          block.inner(1, { reserved }),
          1,
          () => this.#walk([item], depth),
          (lines) => this.#marked(lines, (marks[index] ?? "").padEnd(reserved), " ".repeat(reserved)),
        );
    });
    if (text !== "") this.#block.addLines(text, block.leading, apart);
  }

  /** `first`, `next`: the marks before the first line, and before each further line. */
  #marked(text: string, first: string, next: string): string {
    if (this.#markChars < 0) return text;
    const lines = text.split("\n");
    this.#markChars -= first.length + (lines.length - 1) * next.length;
    return this.#markChars < 0 ? text : first + lines.join(`\n${next}`);
  }

  /** A table of data is set in columns. */
  #table(table: HtmlElement, depth: number): void {
    const cell = (element: HtmlElement): Cell => {
      const block = new TextBlock(COLUMN_CHARS, 0, this.#block.isPre);
      const text = withoutEmptyEnds(this.#made(block, () => this.#walk(element.children, depth)));
      return { lines: text.split("\n"), ...spansOf(element) };
    };
    const rows = rowsOf(table).map((row) => row.map(cell));
    const columns = inColumns(rows, this.#columnChars);
    this.#columnChars -= columns?.length ?? 0;
    const text =
      columns ??
      rows
        .flat()
        .flatMap(({ lines }) => lines)
        .join("\n");
    if (text !== "") this.#block.addLines(text, 1, 1);
  }
}

function bodiesIn(within: HtmlElement, depth = MAX_DEPTH): HtmlElement[] {
  if (depth === 0) return [];
  return elementsIn(within).flatMap((child) => (child.name === "body" ? child : bodiesIn(child, depth - 1)));
}

function isHidden({ name, attributes }: HtmlElement): boolean {
  const { hidden, style } = attributes;
  return SKIPPED.has(name) || hidden !== undefined || (style !== undefined && /display: ?none/i.test(style));
}

function isWithinLink({ parent }: HtmlElement): boolean {
  for (let above = parent; above; above = above.parent) if (above.name === "a") return true;
  return false;
}

/** Spaces are encoded, since a URL with a space could be wrapped. */
function urlOf({ attributes }: HtmlElement): string {
  const url = (attributes["href"] ?? "").replace(/^mailto:/, "");
  return url.startsWith("#") ? "" : url.trim().replace(/\s/g, "%20");
}

function withoutEmptyEnds(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === "\n") start++;
  while (end > start && text[end - 1] === "\n") end--;
  return text.slice(start, end);
}
