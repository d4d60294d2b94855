// Tokens of address fields (RFC 5322 §3.2, §3.4), split in one pass.

export type AddressToken = {
  readonly kind: "text" | "quoted" | "comment" | "angle" | "space" | "separator";
  /** As written, with its quotes and brackets. */
  readonly text: string;
};

const SPECIAL = /[ \t"(),:;<>[\]]/;

/** Null if a quote or bracket is not closed. `value` is one line. */
export function addressTokens(value: string): AddressToken[] | null {
  const tokens: AddressToken[] = [];
  for (let at = 0; at < value.length;) {
    const kind = kindOf(value.charAt(at));
    const end = kind && ENDS[kind](value, at);
    if (!kind || !end) return null;
    tokens.push({ kind, text: value.slice(at, end) });
    at = end;
  }
  return tokens;
}

/** The text within quotes or brackets, with its backslash escapes resolved. */
export function inside({ text }: AddressToken): string {
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

function kindOf(char: string): AddressToken["kind"] | null {
  if (char === '"') return "quoted";
  if (char === "(") return "comment";
  if (char === "<") return "angle";
  if (char === "," || char === ":" || char === ";") return "separator";
  if (char === ")" || char === ">" || char === "]") return null;
  return char === " " || char === "\t" ? "space" : "text";
}

/** Each answers the end of the token that begins at `at`; 0 = no token of this kind begins there. */
const ENDS: Readonly<Record<AddressToken["kind"], (value: string, at: number) => number>> = {
  quoted: endOfQuoted,
  comment: endOfComment,
  angle: endOfAngle,
  separator: (_, at) => at + 1,
  space: (value, at) => endWhere(value, at, (char) => char !== " " && char !== "\t"),
  // A literal IP address contains colons: [IPv6:…].
  text: (value, at) =>
    value.charAt(at) === "[" ? value.indexOf("]", at) + 1 : endWhere(value, at + 1, (char) => SPECIAL.test(char)),
};

function endWhere(value: string, from: number, isEnd: (char: string) => boolean): number {
  let at = from;
  while (at < value.length && !isEnd(value.charAt(at))) at++;
  return at;
}

function endOfQuoted(value: string, from: number): number {
  for (let at = from + 1; at < value.length; at++) {
    const char = value.charAt(at);
    if (char === '"') return at + 1;
    if (char === "\\") at++;
  }
  return 0;
}

function endOfComment(value: string, from: number): number {
  let depth = 0;
  for (let at = from; at < value.length; at++) {
    const char = value.charAt(at);
    if (char === "(") depth++;
    if (char === ")" && --depth === 0) return at + 1;
    if (char === "\\") at++;
  }
  return 0;
}

function endOfAngle(value: string, from: number): number {
  for (let at = from + 1; at < value.length; at++) {
    const char = value.charAt(at);
    if (char === ">") return at + 1;
    if (char === "<" || char === "(") return 0;
    if (char === '"') at = endOfQuoted(value, at) - 1;
    if (at < 0) return 0;
  }
  return 0;
}
