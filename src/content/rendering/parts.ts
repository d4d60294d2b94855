// Renders texts for callers that wait: previews, webhooks and simulations.
import { Budget, OverBudget } from "../templates/liquid/budget.ts";
import { MissingPaths } from "../templates/liquid/liquid-context.ts";
import { evaluate, hasVariables, render, renderHeader, type RenderScope } from "../templates/liquid/render.ts";
import { foreignIn, type Foreign } from "../templates/liquid/foreign.ts";
import { isPlain } from "../templates/liquid/substitute.ts";
import { draftContent, type RenderedContent, type MailDraft } from "./draft.ts";
import { findingsIn, type HtmlFindings } from "./findings.ts";

/** `value`: JSON of the value with its type if the source is a single `{{ … }}`, else of its text. */
export type TextSource = { readonly source: string; readonly as: "url" | "text" | "header" | "value" };

export type RenderPart =
  | {
      readonly kind: "mail";
      readonly draft: MailDraft;
      /** Reports findings in the HTML. */ readonly inspected?: true;
    }
  | { readonly kind: "texts"; readonly texts: readonly TextSource[]; readonly scope: RenderScope };

/** `placeholders`: those of other services. */
type DraftFindings = HtmlFindings & { readonly placeholders: readonly Foreign[] };

export type RenderedPart =
  | (RenderedContent & {
      readonly kind: "mail";
      /** Paths of variables without a value or a default. */
      readonly missing: readonly string[];
      /** Null = not inspected. */
      readonly findings: DraftFindings | null;
    })
  | { readonly kind: "texts"; readonly texts: readonly string[] };

/** `excess`: the reason why parts are missing, and the template field that exceeded the budget. */
export type RenderResult = {
  readonly parts: readonly RenderedPart[];
  readonly excess: { readonly reason: string; readonly field: string } | null;
};

/** Renders the parts in order, within one budget. */
export function renderParts(parts: readonly RenderPart[], limitMs: number): RenderResult {
  const budget = new Budget(limitMs);
  const rendered: RenderedPart[] = [];
  try {
    for (const part of parts) rendered.push(renderedPart(part, budget));
    return { parts: rendered, excess: null };
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error;
    return { parts: rendered, excess: { reason: error.message, field: error.field ?? "body" } };
  }
}

function renderedPart(part: RenderPart, budget: Budget): RenderedPart {
  if (part.kind === "mail") {
    const missing = new MissingPaths();
    const content = draftContent(part.draft, { budget, missing });
    const findings = part.inspected ? inspected(part.draft, content) : null;
    return { kind: "mail", ...content, missing: missing.paths, findings };
  }
  const { texts, scope } = part;
  return { kind: "texts", texts: texts.map((text) => filled(text, scope, budget)) };
}

function inspected({ subject, preheader, html, text, links }: MailDraft, content: RenderedContent): DraftFindings {
  const foreign = [subject, preheader, html, text].flatMap((source) => (source === null ? [] : foreignIn(source)));
  const placeholders = [...new Map(foreign.map((one) => [one.written, one])).values()];
  return { ...findingsIn(content.html, Object.values(links ?? {})), placeholders };
}

function filled({ source, as }: TextSource, scope: RenderScope, budget: Budget): string {
  if (as === "header") return renderHeader(source, scope, { budget });
  if (as !== "value") return render(source, scope, as, { budget });
  return JSON.stringify(hasVariables(source) ? evaluate(source, scope, { budget }) : source);
}

export function renderedTexts(part: RenderedPart | undefined): readonly string[] {
  return part?.kind === "texts" ? part.texts : [];
}

/** Limits of a text that is rendered in a few milliseconds. */
const QUICK_CHARS = 64 * 1024;
const QUICK_OUTPUTS = 100;

/** True for texts that can be rendered on the main thread: short, and without tags and filters. */
export function areQuick(parts: readonly RenderPart[]): boolean {
  const sources = parts.flatMap((part) => (part.kind === "texts" ? part.texts.map(({ source }) => source) : [null]));
  let [chars, outputs] = [0, 0];
  return sources.every((source) => {
    if (source === null || (chars += source.length) > QUICK_CHARS) return false;
    return (outputs += source.split("{{").length - 1) <= QUICK_OUTPUTS && isPlain(source);
  });
}
