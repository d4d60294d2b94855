// HTML from Google Docs, Word, Outlook, Notion and web pages as blocks and marks of the editor: it is parsed by its
// look and written again, so nothing else gets in.
import {
  escaped,
  headingOf,
  inert,
  isBullet,
  isHidden,
  lookOf,
  parsed,
  PLAIN,
  styled,
  wordListItem,
  type ListItem,
  type TextLook,
} from "./pasted-looks.ts";
import { isData, tableOf } from "./pasted-table.ts";

/** Marks HTML that is already clean. */
const CLEANED = "<!--cleaned-->";
/** The URL of a picture; null = left out. */
type UrlOf = (src: string) => string | null;

const SKIPPED =
  /^(head|title|meta|link|xml|iframe|object|embed|svg|button|select|textarea|template|noscript|input|audio|video)$|^[vw]:/;
const BLOCK =
  /^(p|div|h[1-6]|section|article|header|footer|main|aside|figure|figcaption|blockquote|pre|details|summary|dl|dt|dd|address|center|tr|caption)$/;
/** The maximum width of a picture in pixels. */
const WIDEST = 552;

/** HTML that the editor has copied, or this file has written. */
function isOwn(html: string): boolean {
  return html.includes("data-pm-slice") || html.startsWith(CLEANED);
}

export function cleanPasted(html: string, urlOf: UrlOf = webAddress): string {
  if (isOwn(html)) return inert(html);
  return CLEANED + htmlOf(blocksIn(parsed(html), urlOf));
}

/** Pictures that are not on the web: in the HTML itself, or in files of the other program. */
export function localPictures(html: string): readonly string[] {
  const sources: string[] = [];
  if (!isOwn(html))
    cleanPasted(html, (src) => {
      if (/^(data|file|cid|blob):/i.test(src)) sources.push(src);
      return null;
    });
  return sources;
}

/** Whether there is text, not only pictures. */
export function hasWords(html: string): boolean {
  return isOwn(html) || cleanPasted(html, () => null).replace(CLEANED, "") !== "";
}

function webAddress(src: string): string | null {
  return /^https?:/i.test(src) || src.startsWith("/i/") ? src : null;
}

type PastedTag = "p" | "h1" | "h2" | "h3" | "li" | "whole";
type PastedBlock = { readonly kind: PastedTag; html: string; readonly item: ListItem | null };

function blocksIn(root: Element, urlOf: UrlOf): PastedBlock[] {
  const reader = new PastedReader(urlOf);
  reader.inside(root, PLAIN);
  return reader.blocks.filter(({ kind, html }) => kind === "whole" || /[^\s\u00a0]/.test(html.replace(/<[^>]*>/g, "")));
}

class PastedReader {
  readonly blocks: PastedBlock[] = [];
  #open: PastedBlock | null = null;
  #lists: readonly boolean[] = [];

  constructor(private readonly urlOf: UrlOf) {}

  inside(element: Element, look: TextLook): void {
    for (const node of element.childNodes) {
      if (node.nodeType === 3) this.#text(node.textContent ?? "", look);
      else if (node.nodeType === 1) this.#element(node as Element, look);
    }
  }

  #element(element: Element, outer: TextLook): void {
    const tag = element.localName;
    if (SKIPPED.test(tag) || isBullet(element) || isHidden(element)) return;
    const look = lookOf(element, outer);
    if (tag === "br") return this.#break(element);
    if (tag === "hr") return this.#whole("<hr>");
    if (tag === "img") return this.#picture(element, look);
    if (tag === "table" && isData(element))
      return this.#whole(rawBlock(tableOf(element, (cell) => cellWords(cell, this.urlOf))));
    if (tag === "ul" || tag === "ol") return this.#list(element, look);
    if (tag === "li")
      return this.#block(element, look, {
        kind: "li",
        item: { level: this.#lists.length, isOrdered: this.#lists.at(-1) === true },
      });
    const item = wordListItem(element);
    if (item) return this.#block(element, look, { kind: "li", item });
    if (!BLOCK.test(tag) && tag !== "td" && tag !== "th") return this.inside(element, look);
    if (this.#open?.kind === "li" && this.#lists.length > 0) return this.#paragraphOfItem(element, look);
    const level = headingOf(element);
    this.#block(element, look, { kind: level > 0 ? (`h${level}` as PastedTag) : "p", item: null });
  }

  #block(element: Element, look: TextLook, { kind, item }: Omit<PastedBlock, "html">): void {
    this.#open = { kind, html: "", item };
    this.blocks.push(this.#open);
    this.inside(element, look);
    this.#open = null;
  }

  /** An item has one paragraph; further ones become lines of it. */
  #paragraphOfItem(element: Element, look: TextLook): void {
    if (this.#open && this.#open.html !== "") this.#open.html += "<br>";
    this.inside(element, look);
  }

  #list(element: Element, look: TextLook): void {
    const outer = this.#lists;
    this.#lists = [...outer, element.localName === "ol"];
    this.inside(element, look);
    this.#lists = outer;
    this.#open = null;
  }

  #text(text: string, look: TextLook): void {
    const words = text.replace(/[ \t\r\n]+/g, " ");
    if (words === "" || (words === " " && (this.#open?.html ?? "") === "")) return;
    const block = (this.#open ??= this.#openBlock());
    const shown = block.html === "" ? words.trimStart() : words;
    block.html += marked(shown, look, block.kind);
  }

  #openBlock(): PastedBlock {
    const block: PastedBlock = { kind: "p", html: "", item: null };
    this.blocks.push(block);
    return block;
  }

  #break(element: Element): void {
    if (element.className === "Apple-interchange-newline") return;
    if (this.#open && this.#open.html !== "") this.#open.html += "<br>";
  }

  #whole(html: string): void {
    const { kind, item } = this.#open ?? { kind: "p" as const, item: null };
    this.blocks.push({ kind: "whole", html, item: null });
    // The rest of the same paragraph becomes another paragraph.
    if (!this.#open) return;
    this.#open = { kind: kind === "li" ? "p" : kind, html: "", item: kind === "li" ? null : item };
    this.blocks.push(this.#open);
  }

  #picture(element: Element, { href }: TextLook): void {
    const src = this.urlOf((element.getAttribute("src") ?? "").trim());
    if (src === null) return;
    const width = Number.parseInt(element.getAttribute("width") ?? styled(element, "width"), 10);
    const attrs = {
      src,
      alt: element.getAttribute("alt") ?? "",
      href,
      width: width > 0 ? Math.min(width, WIDEST) : "",
    };
    const said = Object.entries(attrs).map(([name, value]) => ` data-${name}="${escaped(String(value))}"`);
    this.#whole(`<div data-node="image"${said.join("")}></div>`);
  }
}

function marked(text: string, { bold, italic, underline, strike, href }: TextLook, kind: PastedTag): string {
  let html = escaped(text);
  if (text.trim() === "") return html;
  if (strike) html = `<s>${html}</s>`;
  if (underline && href === "") html = `<u>${html}</u>`;
  if (italic) html = `<em>${html}</em>`;
  if (bold && !kind.startsWith("h")) html = `<strong>${html}</strong>`;
  return href === "" ? html : `<a href="${escaped(href)}">${html}</a>`;
}

function htmlOf(blocks: readonly PastedBlock[]): string {
  let html = "";
  for (let at = 0; at < blocks.length;) {
    const block = blocks[at] as PastedBlock;
    const end = block.item ? blocks.findIndex(({ item }, index) => index > at && !item) : at + 1;
    const to = end === -1 ? blocks.length : end;
    html += block.item ? listOf(blocks.slice(at, to)) : block.kind === "whole" ? block.html : inBlock(block);
    at = to;
  }
  return html;
}

function inBlock({ kind, html }: PastedBlock): string {
  return `<${kind}>${trimmed(html)}</${kind}>`;
}

function trimmed(html: string): string {
  return html.replace(/(<br>|\s)+$/, "");
}

/** Items of a deeper level form a list inside the item before them. */
function listOf(items: readonly PastedBlock[]): string {
  let [html, tag] = ["", ""];
  for (let at = 0; at < items.length;) {
    const { item, html: own } = items[at] as PastedBlock;
    const level = item?.level ?? 1;
    let to = at + 1;
    while (to < items.length && (items[to]?.item?.level ?? 1) > level) to++;
    const kind = item?.isOrdered ? "ol" : "ul";
    if (kind !== tag) html += `${tag && `</${tag}>`}<${kind}>`;
    tag = kind;
    html += `<li><p>${trimmed(own)}</p>${to > at + 1 ? listOf(items.slice(at + 1, to)) : ""}</li>`;
    at = to;
  }
  return `${html}</${tag}>`;
}

function rawBlock(html: string): string {
  return `<div data-node="rawHtml" data-html="${escaped(html)}"></div>`;
}

/** The lines of a cell. */
function cellWords(cell: Element, urlOf: UrlOf): string {
  const blocks = blocksIn(cell, urlOf).filter(({ kind }) => kind !== "whole");
  return blocks.map(({ html, item }) => (item ? `• ${trimmed(html)}` : trimmed(html))).join("<br>");
}
