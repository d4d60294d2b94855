// The places of template code in HTML: in the text, or in the value of an attribute.

export type Code = {
  readonly start: number;
  readonly end: number;
  /** Null = in the text. */
  readonly attribute: Attribute | null;
};

export type Attribute = {
  /** In small letters. */
  readonly name: string;
  readonly quote: '"' | "'" | "";
  /** The value before the code, including other code. */
  readonly before: string;
};

const CLOSINGS: Readonly<Record<string, string>> = { "{{": "}}", "{%": "%}" };
/** The limit of one placeholder; parsing stops at a longer one. */
const MAX_CODE_CHARS = 5_000;

/**
 * All `{{ … }}` and `{% … %}` in order. HTML is parsed only for the bounds of attributes; code is not HTML, even
 * with tags in it. Takes time in proportion to `source`.
 */
export function* codesIn(source: string): Generator<Code> {
  const next = /<[a-z/]|\{[{%]/gi;
  for (let found = next.exec(source); found; found = next.exec(source)) {
    if (found[0].startsWith("<")) next.lastIndex = yield* inTag(source, found.index + 1);
    else {
      const end = endOfCode(source, found.index);
      if (end === null) return;
      yield { start: found.index, end, attribute: null };
      next.lastIndex = end;
    }
  }
}

/** The code of a text, ignoring tags. */
export function* codesInText(source: string): Generator<Code> {
  const next = /\{[{%]/g;
  for (let found = next.exec(source); found; found = next.exec(source)) {
    const end = endOfCode(source, found.index);
    if (end === null) return;
    yield { start: found.index, end, attribute: null };
    next.lastIndex = end;
  }
}

/** The end of the code at `start`; null if it is not closed. */
function endOfCode(source: string, start: number): number | null {
  const closing = CLOSINGS[source.slice(start, start + 2)] as string;
  const at = source.slice(start + 2, start + 2 + MAX_CODE_CHARS).indexOf(closing);
  if (at === -1) return null;
  const end = start + 2 + at + 2;
  return source.startsWith("{{{", start) && source[end] === "}" ? end + 1 : end;
}

/** Answers the end of the tag. */
function* inTag(source: string, start: number): Generator<Code, number> {
  const part = /\{[{%]|>|([^\s=>"'/{]+)(\s*=\s*(["']?))?/g;
  part.lastIndex = start;
  for (let found = part.exec(source); found; found = part.exec(source)) {
    const [text, name, isSet, quote = ""] = found;
    if (text === ">") return found.index + 1;
    if (name === undefined) {
      const end = endOfCode(source, found.index);
      if (end === null) return source.length;
      yield { start: found.index, end, attribute: null };
      part.lastIndex = end;
    } else if (isSet !== undefined)
      part.lastIndex = yield* inValue(source, part.lastIndex, { name: name.toLowerCase(), quote: quote as '"' });
  }
  return source.length;
}

/** Answers the end of the value. */
function* inValue(source: string, start: number, attribute: Omit<Attribute, "before">): Generator<Code, number> {
  const { quote } = attribute;
  const part = quote === "" ? /\{[{%]|[\s>]/g : quote === '"' ? /\{[{%]|"/g : /\{[{%]|'/g;
  part.lastIndex = start;
  for (let found = part.exec(source); found; found = part.exec(source)) {
    if (!found[0].startsWith("{")) return found.index + (quote === "" ? 0 : 1);
    const end = endOfCode(source, found.index);
    if (end === null) return source.length;
    yield { start: found.index, end, attribute: { ...attribute, before: source.slice(start, found.index) } };
    part.lastIndex = end;
  }
  return source.length;
}
