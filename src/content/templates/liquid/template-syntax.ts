// Parses the additions to Liquid, `{{ x ?? "y" }}`, `{{{ x }}}` and `{{ First Name }}`, and translates them to Liquid.

/** The filter that replaces `??`; templates cannot name it. */
export const FALLBACK_FILTER = "?";

type SyntaxScan = {
  readonly source: string;
  /** The edits that give plain Liquid. No edit adds or removes a line. */
  readonly edits: SyntaxEdit[];
  /** The number of characters between braces: they take time to parse, and memory. */
  codeLength: number;
  /** The place where the code exceeds its limit; parsing stops there. */
  excess: number | undefined;
  /** The place of a `??` in a tag that does not support it; Liquid itself would silently drop it. */
  misplaced: number | undefined;
};

/** Tags that read one value and its filters, where `??` is allowed. */
const VALUE_TAGS = new Set(["assign", "echo", "case"]);

const WORD = String.raw`[\p{L}\p{N}_]+(?:-+[\p{L}\p{N}_]+)*`;
/**
 * An output of a key with spaces, up to its filters: the path before the key, and the key. No two adjacent parts can
 * match the same characters.
 */
const SPACED_KEY = new RegExp(String.raw`(-?\s*)((?:${WORD}\.)*)(${WORD}(?: +${WORD})+)\s*(?=\?\?|\||-?\}\})`, "uy");
/** Includes its path and the blanks around it. */
const MAX_KEY_CHARS = 1_000;
const OPERATORS = /(?<= |^)(?:and|or|not|contains)(?= |$)/;

/** Parsing takes up to a microsecond for each character of code, and all requests wait while a template is checked. */
export const MAX_CODE_CHARS = 20_000;
/** The minimum cost of a tag or an output, however short. */
export const LEAST_CODE_CHARS = 10;

/** Takes time in proportion to `source`. Code with syntax errors has no edits: Liquid reports its error. */
export function readTemplate(source: string): SyntaxScan {
  const reading: SyntaxScan = { source, edits: [], codeLength: 0, excess: undefined, misplaced: undefined };
  const opening = /\{[{%]/g;
  for (let found = opening.exec(source); found; found = opening.exec(source)) {
    const isTag = source[found.index + 1] === "%";
    opening.lastIndex = isTag ? readTag(reading, found.index) : readOutput(reading, found.index);
    reading.codeLength += Math.max(opening.lastIndex - found.index, LEAST_CODE_CHARS);
    if (reading.codeLength <= MAX_CODE_CHARS) continue;
    reading.excess = found.index;
    break;
  }
  return reading;
}

/** Answers where parsing continues; the end of the source or beyond if something is not closed, as do those below. */
function readOutput(reading: SyntaxScan, start: number): number {
  const { source, edits } = reading;
  if (!source.startsWith("{{{", start)) {
    readSpacedKey(reading, start + 2);
    return readCode(reading, start + 2, source.length) + 2;
  }

  const firstEdit = edits.length;
  edits.push({ at: start, removed: 3, inserted: "{{" });
  readSpacedKey(reading, start + 3);
  const end = readCode(reading, start + 3, source.length);
  if (!source.startsWith("}}}", end)) {
    edits.splice(firstEdit);
    return end + 2;
  }
  const filterAt = source[end - 1] === "-" ? end - 1 : end;
  edits.push({ at: filterAt, removed: 0, inserted: "|raw" }, { at: end, removed: 3, inserted: "}}" });
  return end + 3;
}

function readSpacedKey({ source, edits }: SyntaxScan, start: number): void {
  SPACED_KEY.lastIndex = 0;
  const [, opening = "", path = "", key = ""] = SPACED_KEY.exec(source.slice(start, start + MAX_KEY_CHARS)) ?? [];
  if (key === "" || OPERATORS.test(key)) return;
  const at = start + opening.length + path.length;
  // Removes the dot before the key: `data.First Name` is `data["First Name"]`.
  const dot = path === "" ? 0 : 1;
  edits.push({ at: at - dot, removed: dot + key.length, inserted: `["${key}"]` });
}

function readTag(reading: SyntaxScan, start: number): number {
  const { source, edits } = reading;
  const close = source.indexOf("%}", start + 1);
  if (close === -1) return source.length;
  const [opening = "", name = ""] = /^\{%-?\s*(#|[\w-]*)/.exec(source.slice(start, close)) ?? [];
  if (name === "#") return close + 2;
  if (name === "comment") return afterText(reading, close + 2, readComment(reading, close + 2));
  if (name === "raw") return afterText(reading, close + 2, indexFrom(source, /\{%\s*endraw\b/g, close + 2));

  const editsBefore = edits.length;
  readCode(reading, start + opening.length, close);
  if (!VALUE_TAGS.has(name)) reading.misplaced ??= edits.splice(editsBefore)[0]?.at;
  return close + 2;
}

/** From `start` to `end` there is no code, despite any braces. */
function afterText(reading: SyntaxScan, start: number, end: number): number {
  reading.codeLength -= end - start;
  return end;
}

/** The text of a comment need not be Liquid: it is blanked. */
function readComment({ source, edits }: SyntaxScan, start: number): number {
  const end = indexFrom(source, /\{%-?\s*endcomment\b/g, start);
  if (end === source.length) return end;
  const body = source.slice(start, end);
  edits.push({ at: start, removed: body.length, inserted: body.replace(/[^\n]+/g, (line) => " ".repeat(line.length)) });
  return end;
}

/** Parses up to `limit` or the next `}}` outside quotes. */
function readCode(reading: SyntaxScan, start: number, end: number): number {
  const { source } = reading;
  // Code beyond the limit of all code is not parsed to its end.
  const limit = Math.min(end, start + MAX_CODE_CHARS);
  let at = start;
  while (at < limit && !source.startsWith("}}", at)) {
    const character = source[at];
    if (character === '"' || character === "'") at = afterQuoted(source, at, limit);
    else if (source.startsWith("??", at)) at = readFallback(reading, at, limit);
    else at++;
  }
  return at;
}

function readFallback({ source, edits }: SyntaxScan, at: number, limit: number): number {
  edits.push({ at, removed: 2, inserted: `|${FALLBACK_FILTER}:` });
  let start = at + 2;
  while (start < limit && /\s/.test(source[start] ?? "")) start++;
  if (source[start] === '"' || source[start] === "'") return start;

  let end = start;
  while (end < limit && !endsWords(source, end)) end++;
  const words = source.slice(start, end).trimEnd();
  edits.push({ at: start, removed: words.length, inserted: `"${words.replace(/["\\]/g, "\\$&")}"` });
  return end;
}

function endsWords(source: string, at: number): boolean {
  return source[at] === "|" || ["??", "}}", "-}}", "-%}"].some((mark) => source.startsWith(mark, at));
}

function afterQuoted(source: string, start: number, limit: number): number {
  let at = start + 1;
  while (at < limit && source[at] !== source[start]) at += source[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, limit);
}

function indexFrom(source: string, pattern: RegExp, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(source)?.index ?? source.length;
}

/** At `at` of the text, `inserted` replaces `removed` characters. */
export type SyntaxEdit = { readonly at: number; readonly removed: number; readonly inserted: string };

/** `text` with `edits`, which are ordered by position and do not overlap. */
export function edited(text: string, edits: readonly SyntaxEdit[]): string {
  let result = "";
  let done = 0;
  for (const { at, removed, inserted } of edits) {
    result += text.slice(done, at) + inserted;
    done = at + removed;
  }
  return result + text.slice(done);
}

/** The original position of the character at `offset` of the edited text; inserted text has that of its edit. */
export function offsetBefore(edits: readonly SyntaxEdit[], offset: number): number {
  let grown = 0;
  for (const { at, removed, inserted } of edits) {
    if (offset <= at + grown) break;
    if (offset < at + grown + inserted.length) return at;
    grown += inserted.length - removed;
  }
  return offset - grown;
}
