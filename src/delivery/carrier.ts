// The work on one mail that takes processor time: render, compose, sign, hand to the transport. Stateless; knows no store.
import { release } from "../jobs/large-memory.ts";
import { compose, type Letter } from "../emails/mime/compose.ts";
import { listHeaders, type MarketingMail } from "../emails/mime/footer.ts";
import { contentOf, marketingOf } from "../emails/rendering/draft.ts";
import type { LeastCostFirst } from "../jobs/least-cost-first.ts";
import { Budget } from "../templates/budget.ts";
import { sign } from "./dkim.ts";
import { needsUtf8, wireEnvelope } from "./envelope.ts";
import type { Handover } from "./handover.ts";
import { tracked } from "./tracking/html.ts";
import { passedThrough, type Wire } from "./passed-through.ts";
import type { Envelope, FinishedMessage, Outcome, Transport } from "./transport.ts";

export type Carried = { readonly outcome: Outcome; /** As rendered. */ readonly subject: string };

type MayLeave = FinishedMessage["mayLeave"];

/** Where mails wait to be rendered: a workspace whose mails take long falls behind the others. */
type RenderLine = Pick<LeastCostFirst, "run">;

type Sending = { readonly transport: Transport; readonly line: RenderLine; readonly mayLeave?: MayLeave | undefined };

/** Sends one mail. What goes wrong before the transport is the mail's own fault: a failed outcome, no exception. */
export async function carry(handover: Handover, { transport, line, mayLeave }: Sending): Promise<Carried> {
  let finished: Finished;
  try {
    finished = await finish(handover, line);
  } catch (error) {
    const reply = `The mail could not be composed: ${(error as Error).message}`;
    return { outcome: { kind: "failed", reply, isLocal: true }, subject: handover.subject };
  }
  const { subject, ...wire } = finished;
  const message = { id: handover.id, envelope: envelopeOf(handover), ...wire, ...(mayLeave && { mayLeave }) };
  return { outcome: await transport.send(message), subject };
}

/** The whole message as it is sent, signature included. */
export async function rawMessage(handover: Handover, line: RenderLine): Promise<Buffer> {
  return (await finish(handover, line)).raw;
}

type Finished = Wire & { readonly subject: string };

async function finish(handover: Handover, line: RenderLine): Promise<Finished> {
  const { raw, dkim, dateMs, subject } = handover;
  const utf8 = isForUtf8(handover);
  if (raw !== null) return { ...(await passedThrough({ ...handover, raw }, utf8)), subject };
  const letter = await line.run(handover.workspace, () => letterOf(handover));
  const signed = async (composed: Buffer) => {
    if (dkim === null) return composed;
    const whole = await sign(composed, dkim, dateMs);
    release(composed);
    return whole;
  };
  const finished = { raw: await signed(await compose(letter, { utf8 })), subject: letter.subject };
  return utf8 ? { ...finished, sevenBit: async () => signed(await compose(letter)) } : finished;
}

/**
 * Whether the mail can only go by servers that speak SMTPUTF8 all the way to its recipient. Any other mail keeps a header in ASCII,
 * or it would be refused further on for whom it names beside.
 */
function isForUtf8(handover: Handover): boolean {
  const envelope = wireEnvelope(envelopeOf(handover));
  return envelope !== null && needsUtf8(envelope);
}

function envelopeOf({ returnPath, to }: Handover): Envelope {
  return { returnPath, recipient: to.address };
}

function letterOf(handover: Handover): Letter {
  const content = contentOf(handover, { budget: new Budget() });
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

function headersOf({ headers }: Handover, marketing: MarketingMail | null): Readonly<Record<string, string>> {
  const own = JSON.parse(headers ?? "{}") as Readonly<Record<string, string>>;
  if (!marketing) return own;
  const given = Object.entries(own).filter(([, value]) => value.trim() !== "");
  const taken = new Set(given.map(([name]) => name.toLowerCase()));
  // One click (RFC 8058) is a promise about our own link.
  if (taken.has("list-unsubscribe")) taken.add("list-unsubscribe-post");
  const ours = Object.entries(listHeaders(marketing)).filter(([name]) => !taken.has(name.toLowerCase()));
  return Object.fromEntries([...ours, ...given]);
}
