// The work on one mail that takes processor time: render, compose, sign, hand to the transport. Stateless; knows no store.
import type { Variables } from "../contacts/data.ts";
import { compose, type Letter } from "../emails/mime/compose.ts";
import { listHeaders, withFooter, withTextFooter, type MarketingMail } from "../emails/mime/footer.ts";
import { plainText } from "../emails/mime/plain-text.ts";
import { Budget } from "../templates/budget.ts";
import { Missing } from "../templates/missing.ts";
import { render, renderHeader } from "../templates/render.ts";
import { sign } from "./dkim.ts";
import type { Draft, Handover } from "./handover.ts";
import { tracked } from "./tracking/html.ts";
import { passedThrough, type Wire } from "./passed-through.ts";
import type { FinishedMessage, Outcome, Transport } from "./transport.ts";

export type Carried = { readonly outcome: Outcome; /** As rendered. */ readonly subject: string };

type MayLeave = FinishedMessage["mayLeave"];

export type Preview = {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Variables that had no value and nothing in their place, as paths. */
  readonly missing: readonly string[];
};

/** Sends one mail. What goes wrong before the transport is the mail's own fault: a failed outcome, no exception. */
export async function carry(handover: Handover, transport: Transport, mayLeave?: MayLeave): Promise<Carried> {
  let finished: Finished;
  try {
    finished = await finish(handover);
  } catch (error) {
    const reply = `The mail could not be composed: ${(error as Error).message}`;
    return { outcome: { kind: "failed", reply, isLocal: true }, subject: handover.subject };
  }
  const envelope = { returnPath: handover.returnPath, recipient: handover.to.address };
  const { subject, ...wire } = finished;
  const message = { id: handover.id, envelope, ...wire, ...(mayLeave && { mayLeave }) };
  return { outcome: await transport.send(message), subject };
}

/** The whole message as it is sent, signature included. */
export async function rawMessage(handover: Handover): Promise<Buffer> {
  return (await finish(handover)).raw;
}

type Finished = Wire & { readonly subject: string };

async function finish(handover: Handover): Promise<Finished> {
  const { raw, dkim, dateMs, subject } = handover;
  if (raw !== null) return { ...(await passedThrough({ ...handover, raw })), subject };
  const letter = letterOf(handover);
  const composed = await compose(letter);
  return { raw: dkim === null ? composed : await sign(composed, dkim, dateMs), subject: letter.subject };
}

/** What a mail would say, without one: nothing is signed, kept or sent. */
export function previewOf(draft: Draft): Preview {
  const missing = new Missing();
  const content = contentOf(draft, missing);
  return { ...content, missing: missing.paths };
}

function letterOf(handover: Handover): Letter {
  const content = contentOf(handover);
  return {
    id: handover.id,
    messageId: handover.messageId,
    dateMs: handover.dateMs,
    from: handover.from,
    to: handover.to,
    replyTo: handover.replyTo,
    ...content,
    html: trackedHtml(content.html, handover),
    headers: headersOf(handover, marketingOf(handover)),
    attachments: handover.attachments.map((attachment) => ({
      filename: attachment.filename,
      contentType: attachment.content_type,
      disposition: attachment.disposition,
      contentId: attachment.content_id,
      content: attachment.bytes,
    })),
  };
}

/** Where there is no HTML, none is made: a part that holds a pixel alone would hide the text. */
function trackedHtml(html: string, { tracking, links }: Handover): string {
  return tracking === null || html === "" ? html : tracked(html, tracking, Object.values(links));
}

/** What the reader sees. */
function contentOf(draft: Draft, missing?: Missing): Pick<Letter, "subject" | "html" | "text"> {
  const terms = { budget: new Budget(), ...(missing && { missing }) };
  const scope = scopeOf(draft);
  const marketing = marketingOf(draft);
  const subject = renderHeader(draft.subject, scope, terms);
  const rendered = render(draft.html, scope, "html", terms);
  const html = marketing ? withFooter(rendered, marketing) : rendered;
  if (draft.text === null) return { subject, html, text: plainText(html) };
  const text = render(draft.text, scope, "text", terms);
  return { subject, html, text: marketing ? withTextFooter(text, marketing) : text };
}

/** Contact data at the top level and under `data`, the request's above it, our own variables above all (interface-gaps.md §2). */
function scopeOf({ contactData, requestData, to, subscribed, links }: Draft): Variables {
  const data = { ...(parsed(contactData) ?? {}), ...(parsed(requestData) ?? {}) };
  return { ...data, data, email: to.address, subscribed, ...links };
}

function marketingOf({ marketing, links, from }: Draft): MarketingMail | null {
  return marketing && { ...marketing, unsubscribeUrl: links.unsubscribeUrl, fromAddress: from.address };
}

function headersOf({ headers }: Handover, marketing: MarketingMail | null): Readonly<Record<string, string>> {
  const own = (parsed(headers) ?? {}) as Readonly<Record<string, string>>;
  if (!marketing) return own;
  const taken = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  // One click (RFC 8058) is a promise about our own link.
  if (taken.has("list-unsubscribe")) taken.add("list-unsubscribe-post");
  const ours = Object.entries(listHeaders(marketing)).filter(([name]) => !taken.has(name.toLowerCase()));
  return { ...Object.fromEntries(ours), ...own };
}

function parsed(json: string | null): Variables | null {
  return json === null ? null : (JSON.parse(json) as Variables);
}
