// An unrendered mail and its recipient; rendered, it is what the reader sees.
import type { Mailbox } from "../addresses.ts";
import { BoundedMap } from "../brakes/bounded-map.ts";
import { variablesSeen, type Variables } from "../contacts/data.ts";
import type { RecipientLinks } from "../contacts/sign-up/links.ts";
import type { Language } from "../languages/language.ts";
import { OverBudget } from "../templates/budget.ts";
import type { RenderTerms } from "../templates/liquid.ts";
import { render, renderHeader } from "../templates/render.ts";
import { withFooter, withTextFooter, type MarketingMail } from "../mime/footer.ts";
import { plainText } from "../mime/plain-text.ts";
import { withPreheader } from "../mime/preheader.ts";

const MAX_PRINTED_CHARS = 1024 * 1024;

export type Draft = {
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly subject: string;
  /** Null = none. */
  readonly preheader: string | null;
  readonly html: string;
  /** Null = made from the HTML. */
  readonly text: string | null;
  /** JSON text, like `requestData`: posted as it is, parsed where it is rendered. */
  readonly contactData: string | null;
  readonly requestData: string | null;
  readonly subscribed: boolean;
  /** Null = none; marketing mail has them. */
  readonly links: RecipientLinks | null;
  /** Null = transactional. */
  readonly marketing: {
    readonly workspaceId: string;
    readonly batch: string;
    readonly postalAddress: string | null;
    readonly language: Language;
    readonly feedback?: Exclude<MarketingMail["feedback"], undefined>;
  } | null;
};

export type RenderedContent = { readonly subject: string; readonly html: string; readonly text: string };

/** @throws OverBudget with the field of the template */
export function contentOf(draft: Draft, terms: RenderTerms): RenderedContent {
  const scope = scopeOf(draft);
  const marketing = marketingOf(draft);
  const subject = within("subject", () => renderHeader(draft.subject, scope, terms));
  const body = within("body", () => fitting(draft.html, render(draft.html, scope, "html", terms)));
  const shown = marketing ? withFooter(body, marketing) : body;
  const preheader = within("preheader", () => renderHeader(draft.preheader ?? "", scope, terms));
  const html = withPreheader(shown, preheader);
  const { text: source } = draft;
  const text =
    source === null
      ? textOf(shown, draft)
      : within("text", () => fitting(source, render(source, scope, "text", terms)));
  return { subject, html, text: marketing ? withTextFooter(text, marketing) : text };
}

const MAX_TEXTS = 100;
const MAX_TEXTS_CHARS = 2_000_000;
/** By the HTML that they are made from: reading it takes longer than encoding the whole mail. */
const texts = new BoundedMap<string, string>(MAX_TEXTS, MAX_TEXTS_CHARS);

/** What every reader gets as it was written has one text; what is made for one reader is not worth keeping. */
function textOf(shown: string, { html }: Draft): string {
  if (shown !== html) return plainText(shown);
  const text = texts.get(html) ?? plainText(html);
  texts.set(html, text, html.length + text.length);
  return text;
}

/** Composing takes the longer the more a template prints. A text without variables is as long as it was accepted. */
function fitting(source: string, printed: string): string {
  const most = Math.max(MAX_PRINTED_CHARS, source.length);
  if (printed.length > most) throw new OverBudget(`The result is longer than ${most} characters.`);
  return printed;
}

function within<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof OverBudget ? new OverBudget(error.message, field) : error;
  }
}

/** The contact data of a test copy may name another person than the one it goes to; no other has such keys. */
function scopeOf({ contactData, requestData, to, subscribed, links }: Draft): Variables {
  const reader = { email: to.address, subscribed };
  return { ...variablesSeen(reader, parsed(contactData) ?? {}, parsed(requestData)), ...links };
}

export function marketingOf({ marketing, links, from }: Draft): MarketingMail | null {
  return marketing && { ...marketing, unsubscribeUrl: links?.unsubscribeUrl ?? "", fromAddress: from.address };
}

function parsed(json: string | null): Variables | null {
  return json === null ? null : (JSON.parse(json) as Variables);
}
