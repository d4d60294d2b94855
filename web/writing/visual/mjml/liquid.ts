// Liquid in visual documents. While MJML compiles, each piece of Liquid is a placeholder without characters to escape;
// afterwards all are restored byte by byte.
import { type Comparison, type Piece, textOf } from "../document.ts";

/** Private-use characters: texts do not contain them. */
const OPEN = "\uE000";
const CLOSE = "\uE001";
const HELD = /\uE000(\d+)\uE001/g;
const LIQUID = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;

export class HeldLiquid {
  readonly #pieces: string[] = [];

  /** Returns a placeholder. */
  hold(piece: string): string {
    return `${OPEN}${this.#pieces.push(piece) - 1}${CLOSE}`;
  }

  /** Escapes the text for HTML, except its Liquid. */
  escaped(text: string): string {
    const plain = text.replace(/[\uE000\uE001]/g, "");
    const pieces = plain.split(LIQUID).map(escape);
    const liquid = plain.match(LIQUID) ?? [];
    return pieces.map((piece, at) => piece + (liquid[at] === undefined ? "" : this.hold(liquid[at]))).join("");
  }

  release(html: string): string {
    return html.replace(HELD, (_, at) => this.#pieces[Number(at)] ?? "");
  }
}

function escape(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** `{{ name ?? "there" }}` */
export function variableIn(piece: Piece): string {
  const [path, fallback] = [pathIn(piece, "path"), textOf(piece, "fallback")];
  return fallback === "" ? `{{ ${path} }}` : `{{ ${path} ?? ${quoted(fallback)} }}`;
}

const OPERATORS: Readonly<Record<Comparison, (left: string, right: string) => string>> = {
  is: (left, right) => `${left} == ${right}`,
  isNot: (left, right) => `${left} != ${right}`,
  has: (left, right) => `${left} contains ${right}`,
  isSet: (left) => `${left} != blank`,
  isNotSet: (left) => `${left} == blank`,
  above: (left, right) => `${left} > ${right}`,
  below: (left, right) => `${left} < ${right}`,
};

/** `{% if plan == "pro" %}` and its end. */
export function conditionIn(piece: Piece): readonly [string, string] {
  const compare = OPERATORS[(textOf(piece, "comparison") || "isSet") as Comparison] ?? OPERATORS.isSet;
  return [`{% if ${compare(pathIn(piece, "path"), valueOf(textOf(piece, "value")))} %}`, "{% endif %}"];
}

/** `{% for item in items %}` and its end. */
export function loopIn(piece: Piece): readonly [string, string] {
  const item = /^[A-Za-z_]\w*$/.exec(textOf(piece, "item"))?.[0] ?? "item";
  return [`{% for ${item} in ${pathIn(piece, "list")} %}`, "{% endfor %}"];
}

/** The path cannot end its Liquid tag. */
function pathIn(piece: Piece, name: string): string {
  return (
    textOf(piece, name)
      .replace(/[{}%\uE000\uE001]/g, "")
      .trim() || "name"
  );
}

/** Numbers and booleans stay; anything else is a quoted string. */
function valueOf(text: string): string {
  return /^(-?\d+(\.\d+)?|true|false)$/.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  const plain = text.replace(/[\uE000\uE001\r\n]/g, " ").replace(/\}\}|%\}/g, (end) => end.split("").join(" "));
  return plain.includes('"') && !plain.includes("'")
    ? `'${plain.replace(/\\/g, "\\\\")}'`
    : `"${plain.replace(/["\\]/g, "\\$&")}"`;
}
