// Marks that visual editors leave in placeholders: entities, typographic quotes, invisible characters, and tags within
// the braces.
import { codesIn, codesInText, type Code } from "../liquid/html-places.ts";
import { LEAST_CODE_CHARS, MAX_CODE_CHARS } from "../liquid/template-syntax.ts";

/** `text`: a subject, or a text part. */
type MarkupKind = "html" | "text";

/** Formatting tags, which may equally stand around the placeholder. */
const TAG = String.raw`<\/?(?:a|abbr|b|big|code|del|em|font|i|ins|mark|o:p|s|small|span|strike|strong|sub|sup|tt|u|br|wbr)(?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*\/?>|<!--.{0,500}?-->`;
const STRING = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'`;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
const BLANKS = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/** The source with its placeholders repaired; the same text if there is nothing to repair. */
export function withoutEditorMarks(source: string, kind: MarkupKind): string {
  const whole = kind === "html" ? withBraces(source) : source;
  if (!/\{[{%]/.test(whole)) return source === whole ? source : whole;
  let [repaired, done, codeChars] = ["", 0, 0];
  for (const code of kind === "html" ? codesIn(whole) : codesInText(whole)) {
    if (code.start < done) continue;
    codeChars += Math.max(code.end - code.start, LEAST_CODE_CHARS);
    // Too long to be stored, so repairing it would waste time.
    if (codeChars > MAX_CODE_CHARS) return source;
    const end = behindVerbatim(whole, code);
    if (end === null) repaired += whole.slice(done, code.start) + repair(whole.slice(code.start, code.end), code, kind);
    else repaired += whole.slice(done, end);
    done = end ?? code.end;
  }
  return repaired + whole.slice(done);
}

/** Repairs the texts of a JSON value. They count as text rather than HTML, even with tags in them. */
export function withoutMarksIn<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === "string" ? withoutEditorMarks(inner, "text") : inner,
  ) as Value;
}

/** The content of `raw` and `comment` is not code. */
function behindVerbatim(source: string, { start, end }: Code): number | null {
  const name = /^\{%-?\s*(raw|comment)\b/.exec(source.slice(start, end))?.[1];
  if (name === undefined) return null;
  const closing = new RegExp(String.raw`\{%-?\s*end${name}\b`, "g");
  closing.lastIndex = end;
  return closing.exec(source)?.index ?? source.length;
}

/** Restores braces that were encoded, or that a tag has divided. */
function withBraces(source: string): string {
  return source
    .replace(
      /%7B%7B((?:[\w.~-]|%20|%22|%27|%7C|%3F){1,200})%7D%7D/gi,
      (_, name: string) => `{{${decodeURIComponent(name)}}}`,
    )
    .replace(/(?:&(?:#0*123|#x0*7b|lbrace|lcub);){2}/gi, "{{")
    .replace(/(?:&(?:#0*125|#x0*7d|rbrace|rcub);){2}/gi, "}}")
    .replace(DIVIDED_OPENING, "$1{{")
    .replace(DIVIDED_CLOSING, (braces: string, tags: string, at: number, whole: string) =>
      /\{\{[^{}]*$/.test(whole.slice(Math.max(0, at - MAX_DIVIDED_CHARS), at)) ? `}}${tags}` : braces,
    );
}

const MAX_DIVIDED_CHARS = 200;
const DIVIDED_OPENING = new RegExp(String.raw`\{((?:${TAG}){1,5})\{(?=[^{}]{0,200}\})`, "gis");
const DIVIDED_CLOSING = new RegExp(String.raw`\}((?:${TAG}){1,5})\}`, "gis");

function repair(code: string, { attribute }: Code, kind: MarkupKind): string {
  const [opening = "", closing = ""] = [/^\{\{\{?|^\{%/.exec(code)?.[0], /\}\}\}?$|%\}$/.exec(code)?.[0]];
  const inner = code.slice(opening.length, code.length - closing.length);
  if (closing === "" || !SUSPICIOUS.test(inner)) return code;
  const isRaw = opening === "{{{" || /\|\s*raw\b/.test(inner);
  const tags = { before: "", after: "" };
  const bare = kind === "html" && !attribute ? withoutTags(inner, tags) : inner;
  const decoded = kind === "html" || hasEntityOutside(bare) ? decodedCode(bare, kind === "html" && !isRaw) : bare;
  const clean = plainSigns(decoded, attribute?.quote === '"' ? "'" : '"');
  return clean === inner ? code : `${tags.before}${opening}${clean}${closing}${tags.after}`;
}

const SUSPICIOUS = /[&<“”„‟«»‘’‚‛‹›\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]/;

/** Moves opening tags before the placeholder, and closing tags after it. */
function withoutTags(inner: string, tags: { before: string; after: string }): string {
  return inner.replace(new RegExp(`(${STRING})|(${TAG})`, "gis"), (_, string: string | undefined, tag = "") => {
    if (string !== undefined) return string;
    if (/^<(br|wbr|o:p|\/o:p|!--)/i.test(tag)) return " ";
    if (tag.startsWith("</")) tags.after += tag;
    else tags.before += tag;
    return "";
  });
}

function hasEntityOutside(inner: string): boolean {
  return ENTITY.test(inner.replace(new RegExp(STRING, "gs"), ""));
}

/** `inStrings`: entities in quoted texts are decoded as well, since a reader sees these texts. */
function decodedCode(inner: string, inStrings: boolean): string {
  return inner.replace(new RegExp(`(${STRING})|[^"']+|.`, "gs"), (piece, string: string | undefined) => {
    if (string === undefined) return decoded(piece);
    return inStrings ? quoted(decoded(string.slice(1, -1)), string[0] as string) : string;
  });
}

const ENTITY = /&(?:#\d{1,6}|#x[0-9a-f]{1,6}|[a-z]{2,20});/i;
const SIGNS: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: "\u00a0",
  ensp: "\u2002",
  emsp: "\u2003",
  thinsp: "\u2009",
  ldquo: "“",
  rdquo: "”",
  bdquo: "„",
  lsquo: "‘",
  rsquo: "’",
  sbquo: "‚",
  laquo: "«",
  raquo: "»",
  lsaquo: "‹",
  rsaquo: "›",
  shy: "\u00ad",
  zwnj: "\u200c",
  zwj: "\u200d",
  zerowidthspace: "\u200b",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  lowbar: "_",
  period: ".",
  vert: "|",
  quest: "?",
};

function decoded(text: string): string {
  return text.replace(new RegExp(ENTITY, "gi"), (entity) => {
    const name = entity.slice(1, -1);
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    if (name.startsWith("#")) return code > 31 && code < 0x110000 ? String.fromCodePoint(code) : entity;
    return SIGNS[name.toLowerCase()] ?? entity;
  });
}

/** Outside strings: plain blanks, no invisible characters, and straight quotes. */
function plainSigns(inner: string, quote: string): string {
  const pieces = inner.split(new RegExp(`(${STRING})`, "gs"));
  return pieces.map((piece, at) => (at % 2 === 1 ? requoted(piece, quote) : straight(piece, quote))).join("");
}

/** Within an attribute, a string must not use the attribute's own quotes. */
function requoted(string: string, quote: string): string {
  return quote === "'" && string.startsWith('"') ? quoted(string.slice(1, -1), quote) : string;
}

function straight(piece: string, quote: string): string {
  return piece
    .replace(BLANKS, " ")
    .replace(
      /(^|[\s:,(=?|])[“”„‟«»]([^“”„‟«»"]*)[“”„‟«»"]|(^|[\s:,(=?|])[‘‚‛‹›]([^‘‚‛‹›]*?)[‘’›‹'](?=\s*(?:$|[|,)?]|and\b|or\b|[=!<>]))/g,
      (_, before = "", text = "", beforeSingle = "", inSingle = "") =>
        `${before}${beforeSingle}${quoted(text || inSingle, quote)}`,
    )
    .replace(new RegExp(`(${STRING})|${INVISIBLE.source}`, "gs"), (_, string: string | undefined) => string ?? "");
}

function quoted(text: string, quote: string): string {
  if (!text.includes(quote)) return `${quote}${text}${quote}`;
  const other = quote === '"' ? "'" : '"';
  return text.includes(other) ? `${quote}${text.replaceAll(quote, `\\${quote}`)}${quote}` : `${other}${text}${other}`;
}
