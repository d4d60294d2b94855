// Styles that hide their elements.

import { decoded } from "./attribute.ts";

export type Effect = {
  /** The element is invisible, regardless of the styles of elements in it. */
  readonly hides: boolean;
  /** True if the letters are too small to be read; null if the style does not set their size. */
  readonly shrinks: boolean | null;
};

/** Declarations by name, in small letters. */
type Style = ReadonlyMap<string, string>;

const MARGIN_PX = 400;
/** Limits below which text is too faint or too small to be seen. */
const FAINTEST = 0.05;
const SMALLEST_PX = 1;

/** The most rules of style sheets; further ones are ignored. */
const MOST_RULES = 2_000;
const MOST_KNOWN = 1_000;
const LONGEST_CHARS = 1_000;
const known = new Map<string, Effect>();

/** The effect of an attribute's declarations. Cached, since a mail repeats the same declarations. */
export function effectOf(declarations: string): Effect {
  const found = known.get(declarations);
  if (found) return found;
  const style = readStyle(decoded(declarations));
  const effect = { hides: hides(style), shrinks: isShrunk(style) };
  if (known.size === MOST_KNOWN) known.clear();
  if (declarations.length < LONGEST_CHARS) known.set(declarations, effect);
  return effect;
}

function readStyle(declarations: string): Style {
  const parts = declarations
    .replace(/\/\*.*?\*\//gs, "")
    .toLowerCase()
    .split(";")
    .map((part) => part.split(/:(.*)/s).map((side) => side.replace(/!\s*important/, "").trim()));
  return new Map(parts.map(([name = "", value = ""]) => [name, value] as const));
}

function hides(style: Style): boolean {
  const of = (name: string) => style.get(name) ?? "";
  return (
    /^none/.test(of("display")) ||
    /^(hidden|collapse)/.test(of("visibility")) ||
    /^all/.test(of("mso-hide")) ||
    /^(transparent|#[\da-f]{3}0|#[\da-f]{6}00)$|^(rgb|hsl)a?\(.*[,/]\s*0?\.?0*%?\s*\)$/.test(ofColor(of("color"))) ||
    fraction(of("opacity")) < FAINTEST ||
    isCut(of) ||
    isAside(of) ||
    /scale[xy]?\(\s*0?\.?0*\s*[,)]/.test(of("transform"))
  );
}

/** Three numbers are a colour without transparency. */
function ofColor(value: string): string {
  return value.includes("(") && (value.match(/[\d.]+/g)?.length ?? 0) < 4 ? "" : value;
}

function fraction(value: string): number {
  const number = parseFloat(value);
  return Number.isNaN(number) ? 1 : value.endsWith("%") ? number / 100 : number;
}

type StyleLookup = (name: string) => string;

function isCut(of: StyleLookup): boolean {
  const isClipped = /hidden|clip/.test(`${of("overflow")} ${of("overflow-x")} ${of("overflow-y")}`);
  const isFlat = ["max-height", "height", "max-width", "width"].some((name) => isTiny(of(name)));
  return (isClipped && isFlat) || /^rect\(\s*0|^inset\(\s*(50|100)%/.test(of("clip") || of("clip-path"));
}

function isAside(of: StyleLookup): boolean {
  const isMoved = /^(absolute|fixed|relative)/.test(of("position"));
  const moves = isMoved ? ["left", "right", "top", "bottom"] : [];
  return [...moves, "text-indent", "margin-left", "margin-top"].some((name) => parseFloat(of(name)) < -MARGIN_PX);
}

function isTiny(size: string): boolean {
  return /^-?[\d.]+(px|pt|%|r?em)?$/.test(size) && parseFloat(size) <= (/m$|%$/.test(size) ? 0 : SMALLEST_PX);
}

function isShrunk(style: Style): boolean | null {
  const size = style.get("font-size") ?? /(?:^|\s)([\d.]+[a-z%]*)(?=\s*\/|\s)/.exec(style.get("font") ?? "")?.[1];
  // A size relative to the outer one cannot enlarge text of size zero.
  if (size === undefined || !/^[\d.]/.test(size)) return null;
  if (isTiny(size)) return true;
  return /(\dem|%)$/.test(size) ? null : false;
}

/** The rules of a document's style sheets that hide elements, on any screen. */
export function hidingRules(html: string): { readonly selector: string; readonly effect: Effect }[] {
  if (!/<style/i.test(html)) return [];
  let sheets = "";
  new HTMLRewriter().on("style", { text: (piece) => void (sheets += piece.text) }).transform(html);
  const rules = rulesIn(sheets.replace(/\/\*.*?(?:\*\/|$)/gs, ""));
  return rules.slice(0, MOST_RULES).flatMap(({ selectors, declarations }) => {
    const effect = effectOf(declarations);
    if (!effect.hides && effect.shrinks !== true) return [];
    const each = selectors.split(",").map((selector) => selector.trim());
    return each.filter(isKnown).map((selector) => ({ selector, effect }));
  });
}

/** The innermost blocks. Split, not matched: on an unclosed sheet, a search would start again at each character. */
function rulesIn(sheets: string): { readonly selectors: string; readonly declarations: string }[] {
  return sheets
    .split("}")
    .slice(0, -1)
    .flatMap((piece) => {
      const open = piece.lastIndexOf("{");
      const before = piece.slice(0, Math.max(open, 0));
      const selectors = before.slice(Math.max(before.lastIndexOf("{"), before.lastIndexOf(";")) + 1);
      return selectors === "" ? [] : [{ selectors, declarations: piece.slice(open + 1) }];
    });
}

/** Excludes `:hover` and similar: elements that they hide are visible in other states. */
function isKnown(selector: string): boolean {
  try {
    new HTMLRewriter().on(selector, {});
    return true;
  } catch {
    return false;
  }
}
