// The template language: Liquid, `{{ x ?? "y" }}` and `{{{ x }}}`. A template never makes sending fail.
import { LiquidError, type Template } from "liquidjs";
import { BoundedMap } from "../../../base/brakes/bounded-map.ts";
import { Budget, isOverBudget, OverBudget } from "./budget.ts";
import { edited, MAX_CODE_CHARS, offsetBefore, readTemplate, type SyntaxEdit } from "./template-syntax.ts";
import { linkEdits, textLinkEdits } from "./links.ts";
import { makeEngines, type RenderTerms } from "./liquid.ts";
import { literalIn } from "./literal.ts";
import { flawIn } from "./soundness.ts";
import { isPlain, substitute } from "./substitute.ts";
import type { RenderScope, TemplateFormat } from "./values.ts";

export type { RenderScope, TemplateFormat };

/** In characters: the limit of a subject, a body or a text with variables, and of any stored template. */
export const MAX_SOURCE_CHARS = 500_000;
const MAX_PARSED = 500;
const MAX_PARSED_COST = 8_000_000;
/** The memory of a parsed character of code, relative to one of text. */
const CODE_COST = 20;

/** The message has the error and its place; `line` and `column` count from 1. */
export class TemplateSyntaxError extends Error {
  override readonly name = "TemplateSyntaxError";

  constructor(
    reason: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(`${reason} (line ${line}, column ${column})`);
  }
}

/** `templates` is null for a source with a syntax error. */
type ParseResult = { readonly templates: Template[] | null; readonly cost: number };

type LiquidLanguage = {
  readonly engines: ReturnType<typeof makeEngines>;
  readonly parsed: BoundedMap<string, ParseResult>;
};

/** Only parsing tells whether a match is a single output. */
const SINGLE = /^\{\{.*\}\}$/s;

let made: LiquidLanguage | undefined;

/** Created when first needed, because modules do nothing when imported. */
function language(): LiquidLanguage {
  made ??= { engines: makeEngines(), parsed: new BoundedMap(MAX_PARSED, MAX_PARSED_COST) };
  return made;
}

/**
 * For sources to be saved (templates, campaigns). Throws TemplateSyntaxError if `source` does not parse or is too long,
 * and if Liquid would silently drop a part of it.
 */
export function checkSyntax(source: string): void {
  if (!hasVariables(source)) return;
  // The verdict is the same for all formats; this one does not search for links.
  const { templates, edits } = parse(source, "value");
  const flaw = flawIn(templates);
  if (flaw) throw syntaxErrorAt(source, offsetBefore(edits, flaw.at), flaw.reason);
}

/** The number of characters of `source` in `{{ }}` and `{% %}`; beyond a template's limit, some higher number. */
export function codeCharsIn(source: string): number {
  return hasVariables(source) ? readTemplate(source).codeLength : 0;
}

/** True if `source` may contain code; any other text passes through unchanged and unparsed. */
export function hasVariables(source: string): boolean {
  return source.includes("{{") || source.includes("{%");
}

/** The text that all readers get, independent of variables; null = it depends on them. */
export function asWritten(source: string): string | null {
  return hasVariables(source) ? literalIn(source) : source;
}

/**
 * Renders `source` with the variables of `scope`, once. If it does not parse, fails or exceeds a limit of size, only
 * its plain `{{ x }}` are filled in. Without a given budget the text has its own.
 * @throws OverBudget and nothing else
 */
export function render(
  source: string,
  scope: RenderScope,
  format: TemplateFormat,
  terms: Partial<RenderTerms> = {},
): string {
  const written = asWritten(source);
  if (written !== null) return written;
  const { budget = new Budget() } = terms;
  const templates = parsedLately(source, format);
  if (!templates) return substitute(source, scope, format, budget);
  try {
    return language().engines[format].render(templates, scope, { ...terms, budget });
  } catch (error) {
    if (error instanceof OverBudget) throw error;
    return substitute(source, scope, format, budget);
  }
}

/**
 * The typed value of a source that is a single `{{ … }}`, and null if none; the text of any other source.
 * @throws OverBudget and nothing else
 */
export function evaluate(source: string, scope: RenderScope, { budget }: Pick<RenderTerms, "budget">): unknown {
  const single = singleIn(source);
  if (single === null) return render(source, scope, "text", { budget });
  const templates = parsedLately(single, "value");
  try {
    const value = templates && language().engines.value.evaluate(templates, scope, { budget });
    return JSON.parse(JSON.stringify(value ?? null) ?? "null");
  } catch (error) {
    if (error instanceof OverBudget) throw error;
    return substitute(source, scope, "text", budget);
  }
}

/** Parses the next source of `evaluate` ahead, so that it only has to render. */
export function prepare(source: string): void {
  const single = singleIn(source);
  parsedLately(single ?? source, single === null ? "text" : "value");
}

function singleIn(source: string): string | null {
  const trimmed = source.trim();
  return SINGLE.test(trimmed) ? trimmed : null;
}

/** Like `render` as text, with each run of CR, LF and other control characters as one space: for a mail's header. */
export function renderHeader(source: string, scope: RenderScope, terms: Partial<RenderTerms> = {}): string {
  return onOneLine(render(source, scope, "text", terms));
}

/**
 * Like `renderHeader`, for a text with plain variables only, none in a link, which is fast; null = without variables,
 * or with other code.
 */
export function plainHeader(source: string, scope: () => RenderScope): string | null {
  if (source.length > LONGEST_PLAIN_CHARS || !hasVariables(source)) return null;
  const written = literalIn(source);
  if (written !== null) return onOneLine(written);
  if (!isPlain(source)) return null;
  if (textLinkEdits(source).length > 0) return null;
  try {
    return onOneLine(substitute(source, scope(), "text", new Budget()));
  } catch (error) {
    if (isOverBudget(error)) return null;
    throw error;
  }
}

/** Bounded, since a caller waits. */
const LONGEST_PLAIN_CHARS = 1_000;

function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

function parsedLately(source: string, format: keyof LiquidLanguage["engines"]): Template[] | null {
  const { parsed } = language();
  const key = `${format} ${source}`;
  const kept = parsed.get(key);
  if (kept) return kept.templates;
  const made = parseOrNothing(source, format);
  parsed.set(key, made, made.cost);
  return made.templates;
}

function parseOrNothing(source: string, format: keyof LiquidLanguage["engines"]): ParseResult {
  try {
    const { templates, cost } = parse(source, format);
    return { templates, cost };
  } catch {
    return { templates: null, cost: source.length };
  }
}

function parse(
  source: string,
  format: keyof LiquidLanguage["engines"],
): ParseResult & { readonly templates: Template[]; readonly edits: SyntaxEdit[] } {
  if (source.length > MAX_SOURCE_CHARS)
    throw new TemplateSyntaxError(`longer than ${MAX_SOURCE_CHARS} characters`, 1, 1);
  const { edits: ofSyntax, codeLength, excess, misplaced } = readTemplate(source);
  if (excess !== undefined)
    throw syntaxErrorAt(source, excess, `more than ${MAX_CODE_CHARS} characters in {{ }} and {% %}`);
  if (misplaced !== undefined) throw syntaxErrorAt(source, misplaced, '"??" cannot stand in this tag');
  const edits = merged(ofSyntax, linkEditsOf(source, format));
  try {
    const templates = language().engines[format].parse(edited(source, edits));
    return { templates, edits, cost: source.length + CODE_COST * codeLength };
  } catch (error) {
    const offset = LiquidError.is(error) ? offsetBefore(edits, error.token.begin) : 0;
    throw syntaxErrorAt(source, offset, reasonOf(error));
  }
}

function linkEditsOf(source: string, format: keyof LiquidLanguage["engines"]): readonly SyntaxEdit[] {
  if (format === "html") return linkEdits(source);
  return format === "text" ? textLinkEdits(source) : [];
}

/** In order of position; at the same position, edits of the syntax come first. */
function merged(ofSyntax: SyntaxEdit[], ofLinks: readonly SyntaxEdit[]): SyntaxEdit[] {
  return ofLinks.length === 0 ? ofSyntax : [...ofSyntax, ...ofLinks].sort((one, other) => one.at - other.at);
}

function syntaxErrorAt(source: string, offset: number, reason: string): TemplateSyntaxError {
  const before = source.slice(0, offset).split("\n");
  return new TemplateSyntaxError(reason, before.length, (before.at(-1) ?? "").length + 1);
}

/** liquidjs's messages that need a better wording, with that wording. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/^undefined filter: (.*)$/s, 'unknown filter "$1"'],
  [/^tag "(end\w*|else|elsif|when)" not found$/, '"$1" without its opening tag'],
  [/^tag "(.*)" not found$/s, 'unknown tag "$1"'],
  [/^output .* not closed$/s, '"{{" without "}}"'],
  [/^tag ".* not closed$/s, '"{%" without "%}"'],
  [/^raw .* not closed$/s, '"raw" without "endraw"'],
  [/^tag \{%-?\s*(\w+).* not closed$/s, '"$1" without "end$1"'],
  [/^invalid value expression.*$/s, "a value is missing or cannot be read"],
  [/^Maximum call stack.*$/s, "tags are nested too deeply"],
];

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "cannot be read";
  const message = error.message.replace(/, line:\d+, col:\d+$/, "");
  const wording = WORDINGS.find(([pattern]) => pattern.test(message));
  return (wording ? message.replace(...wording) : message).slice(0, 200);
}
