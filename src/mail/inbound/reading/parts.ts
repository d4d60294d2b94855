// The texts of a message, joined from all its parts, so that none is left out. The parser would drop texts beside HTML,
// and trust declared charsets.
import { MailParser } from "mailparser";
import { isKnownCharset, textOfBytes } from "../../../content/mime/charset.ts";
import { plainText } from "../../../content/mime/plain-text/plain-text.ts";

type MimeNode = {
  readonly contentType: string | false;
  readonly isAttachment?: boolean;
  readonly children?: readonly MimeNode[];
  readonly headers: ReadonlyMap<string, unknown>;
  /** A message within the message. */
  readonly showMeta?: boolean;
  charset?: string;
  textContent?: string;
};
type Parser = { readonly tree: MimeNode; readonly options: { readonly keepDeliveryStatus?: boolean } };
type Internals = {
  createNode(this: Parser, node: object): MimeNode;
  getTextContent(this: Parser): { readonly type: "text"; readonly html?: string; readonly text?: string };
};

/** A piece of a message; alternatives are the same text twice. */
type TextPiece = { readonly html: string | null; readonly text: string | null };

/** A charset with which the parser leaves bytes unchanged. */
const AS_BYTES = "binary";
const declaredOf = new WeakMap<MimeNode, string | null>();

/** From now on, every message is parsed in this way. */
export function readAllParts(): void {
  const parser = MailParser.prototype as unknown as Internals;
  const create = parser.createNode;
  parser.createNode = function (this: Parser, given: object): MimeNode {
    const node = create.call(this, given);
    const declared = node.charset ?? null;
    if (node.isAttachment !== false || (declared !== null && !isReadHere(declared))) return node;
    declaredOf.set(node, declared);
    node.charset = AS_BYTES;
    return node;
  };
  parser.getTextContent = function (this: Parser) {
    const pieces = piecesOf(this.tree, this.options);
    const hasHtml = pieces.some(({ html }) => html !== null);
    const hasText = pieces.some(({ text }) => text !== null);
    const texts = {
      ...(hasHtml ? { html: htmlOf(pieces) } : {}),
      ...(hasText ? { text: piecesText(pieces) } : {}),
    };
    Object.assign(this, texts);
    return { type: "text", ...texts };
  };
}

function isReadHere(declared: string): boolean {
  return isKnownCharset(declared) || /^(us-?ascii|ascii|unknown|x-unknown|default)/i.test(declared);
}

function piecesOf(node: MimeNode, options: Parser["options"]): TextPiece[] {
  const own = ownPiece(node, options);
  const inside = (node.children ?? []).map((child) => piecesOf(child, options));
  const pieces = node.contentType === "multipart/alternative" ? oneOf(inside) : inside.flat();
  return [...headOf(node), ...(own ? [own] : []), ...pieces];
}

/** The alternatives of one text: with HTML, and as text only. */
function oneOf(ways: readonly (readonly TextPiece[])[]): TextPiece[] {
  const pages = ways.filter((pieces) => pieces.some(({ html }) => html !== null)).flat();
  const texts = ways.filter((pieces) => pieces.every(({ html }) => html === null)).flat();
  if (pages.length + texts.length === 0) return [];
  const text = piecesText(texts);
  const beside = pages.filter(
    (piece) => piece.text !== null && piece.html === null && !text.includes(piece.text.trim()),
  );
  return [
    {
      html: pages.length === 0 ? null : htmlOf(pages),
      text: texts.length === 0 ? null : piecesText([...texts, ...beside]),
    },
  ];
}

function htmlOf(pieces: readonly TextPiece[]): string {
  return pieces.map(({ html, text }) => html ?? asHtml(text ?? "")).join("<br/>\n");
}

function piecesText(pieces: readonly TextPiece[]): string {
  return pieces.map(({ html, text }) => text ?? plainText(html ?? "")).join("\n");
}

function ownPiece(node: MimeNode, { keepDeliveryStatus = false }: Parser["options"]): TextPiece | null {
  const { contentType, textContent } = node;
  if (!textContent) return null;
  const declared = declaredOf.get(node);
  const isHtml = contentType === "text/html";
  const text = declared === undefined ? textContent : decodedText(textContent, declared, isHtml).replace(/\r\n/g, "\n");
  if (isHtml) return isEmptyPage(text) ? null : { html: text, text: null };
  const isText = contentType === "text/plain" || (contentType === "message/delivery-status" && !keepDeliveryStatus);
  return isText && text.trim() !== "" ? { html: null, text } : null;
}

/** `latin`: one character for each byte. */
function decodedText(latin: string, declared: string | null, isHtml: boolean): string {
  const inPage = isHtml
    ? /<meta[^>]{1,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(latin.slice(0, 4_096))?.[1]
    : null;
  const bytes = Buffer.from(latin, "latin1");
  const text = textOfBytes(bytes, declared);
  const isSaid = declared !== null && !/^(us-?ascii|utf-?8)$/i.test(declared);
  if (!inPage || isSaid || !isKnownCharset(inPage) || isUtf8(bytes)) return text;
  return textOfBytes(bytes, inPage);
}

/** And not only ASCII, as the escapes of other charsets are. */
function isUtf8(bytes: Buffer): boolean {
  const text = bytes.toString("utf8");
  return text.length < bytes.length && !text.includes("\ufffd");
}

function isEmptyPage(html: string): boolean {
  return (
    !/<(img|svg|video|table[^>]*background|input|button)\b|background(-image)?\s*[:=]/i.test(html) &&
    plainText(html) === ""
  );
}

/** The usual header fields of a message within the message. */
function headOf({ showMeta, headers }: MimeNode): TextPiece[] {
  if (!showMeta) return [];
  const lines = ["From", "Subject", "Date", "To", "Cc"].flatMap((name) => {
    const value = [headers.get(name.toLowerCase())].flat().at(-1);
    return value === undefined ? [] : `${name}: ${headerValue(value)}`;
  });
  return lines.length === 0 ? [] : [{ html: null, text: `\n${lines.join("\n")}\n` }];
}

function headerValue(value: unknown): string {
  if (value instanceof Date) return value.toUTCString();
  return typeof value === "string" ? value : String((value as { readonly text?: unknown }).text ?? "");
}

function asHtml(text: string): string {
  return `<div style="white-space: pre-wrap">${Bun.escapeHTML(text)}</div>`;
}
