// An unrendered mail and its recipient; rendering it gives the content that the reader sees.
import type { Mailbox } from "../../base/addresses.ts";
import { BoundedMap } from "../../base/brakes/bounded-map.ts";
import { variablesSeen, type Variables } from "../../audience/contacts/data.ts";
import type { RecipientLinks } from "./links.ts";
import type { Language } from "../../base/languages/language.ts";
import { OverBudget } from "../templates/liquid/budget.ts";
import type { RenderTerms } from "../templates/liquid/liquid.ts";
import { render, renderHeader } from "../templates/liquid/render.ts";
import { withFooter, withTextFooter, type MarketingMail } from "../mime/footer.ts";
import { plainText } from "../mime/plain-text/plain-text.ts";
import { withPreheader } from "../mime/preheader.ts";

const MAX_PRINTED_CHARS = 1024 * 1024;

export type MailDraft = {
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly subject: string;
  /** Null = none. */
  readonly preheader: string | null;
  readonly html: string;
  /** Null = derived from the HTML. */
  readonly text: string | null;
  /** JSON text, like `requestData`: posted unparsed, and parsed by the thread that renders it. */
  readonly contactData: string | null;
  readonly requestData: string | null;
  readonly subscribed: boolean;
  /** Null = none; marketing mail has links. */
  readonly links: RecipientLinks | null;
  /** Null = a transactional mail. */
  readonly marketing: {
    readonly workspaceId: string;
    readonly batch: string;
    readonly postalAddress: string | null;
    readonly language: Language;
    readonly feedback?: Exclude<MarketingMail["feedback"], undefined>;
  } | null;
};

export type RenderedContent = { readonly subject: string; readonly html: string; readonly text: string };

/** Turns content shared by all readers into one reader's; null = the content is not shared. */
export type Personalizer = ((shared: string) => string) | null;

/** @throws OverBudget with the field of the template */
export function draftContent(draft: MailDraft, terms: RenderTerms): RenderedContent {
  const { own, subject, html, text } = sharedContentOf(draft, terms);
  return own === null ? { subject, html, text } : { subject, html: own(html), text: own(text) };
}

/** Like `contentOf`; HTML and text still need `own` to become the reader's. */
export function sharedContentOf(
  draft: MailDraft,
  terms: RenderTerms,
): RenderedContent & { readonly own: Personalizer } {
  const subject = within("subject", () => renderHeader(draft.subject, scopeOf(draft), terms));
  const { html, text, preheader, marketing, links } = draft;
  const [token = ""] = TOKEN.exec(links?.unsubscribeUrl ?? "") ?? [];
  const standIn = STAND_IN.slice(0, token.length);
  // Without a token, readers cannot be told apart: every source contains an empty one.
  const isAlone = (source: string | null) =>
    source !== null && (PERSONAL.test(source) || source.includes(token) || source.includes(standIn));
  if (!links || [html, text, preheader].some(isAlone)) return { subject, ...textsOf(draft, terms), own: null };
  const led = Object.entries(links).map(([name, url]) => [name, url.replace(token, standIn)] as const);
  const parts = [html, text, preheader, marketing?.postalAddress, marketing?.language, ...led.flat()];
  const key = `${parts.map((part) => part?.length).join()} ${parts.join("")}`;
  const texts = shared.get(key) ?? textsOf({ ...draft, links: Object.fromEntries(led) as RecipientLinks }, terms);
  shared.set(key, texts, key.length + texts.html.length + texts.text.length);
  return { subject, ...texts, own: (one) => one.replaceAll(standIn, token) };
}

/** A header field of the reader's own. @throws OverBudget */
export function headerText(draft: MailDraft, template: string, terms: RenderTerms): string {
  return within("headers", () => renderHeader(template, scopeOf(draft), terms));
}

type Texts = Pick<RenderedContent, "html" | "text">;

const MAX_SHARED = 100;
const MAX_SHARED_CHARS = 4_000_000;
/** Texts of mails that differ only in the links to their readers' pages. */
const shared = new BoundedMap<string, Texts>(MAX_SHARED, MAX_SHARED_CHARS);
const TOKEN = /[\w-]{32,128}$/;
/** Stands for the token of these links, cut to its length; no format escapes its letters. */
const STAND_IN = "posthorn".repeat(16);
/** Any placeholder except these links. */
const PERSONAL = /\{%|\{\{(?!\{?\s*(?:unsubscribe|subscribe|manage)Url\s*\}\})/;

function textsOf(draft: MailDraft, terms: RenderTerms): Texts {
  const scope = scopeOf(draft);
  const marketing = marketingOf(draft);
  const body = within("body", () => fitting(draft.html, render(draft.html, scope, "html", terms)));
  const shown = marketing ? withFooter(body, marketing) : body;
  const preheader = within("preheader", () => renderHeader(draft.preheader ?? "", scope, terms));
  const html = withPreheader(shown, preheader);
  const { text: source } = draft;
  const text =
    source === null ? plainText(shown) : within("text", () => fitting(source, render(source, scope, "text", terms)));
  return { html, text: marketing ? withTextFooter(text, marketing) : text };
}

/** The time of composing grows with the printed text. A text without variables keeps its accepted length. */
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

/** The contact data of a test copy may name another person than its recipient; other contact data has no such keys. */
function scopeOf({ contactData, requestData, to, subscribed, links }: MailDraft): Variables {
  const reader = { email: to.address, subscribed };
  return { ...variablesSeen(reader, parsed(contactData) ?? {}, parsed(requestData)), ...links };
}

export function marketingOf({ marketing, links, from }: MailDraft): MarketingMail | null {
  return marketing && { ...marketing, unsubscribeUrl: links?.unsubscribeUrl ?? "", fromAddress: from.address };
}

function parsed(json: string | null): Variables | null {
  return json === null ? null : (JSON.parse(json) as Variables);
}
