// The work on one mail that takes processor time: render, compose, sign, hand over. It knows no store; the JSON text of
// a mail's headers and data is parsed only here.
import { isAscii } from "../../base/addresses.ts";
import { LeastCostFirst } from "../../base/brakes/least-cost-first.ts";
import { entityOf, withEntity } from "../../content/mime/compose.ts";
import { listHeaders, type MarketingMail } from "../../content/mime/footer.ts";
import { moved } from "../../base/link-bases.ts";
import { headerText, marketingOf, sharedContentOf, type Personalizer } from "../../content/rendering/draft.ts";
import { release } from "../../base/jobs/large-memory.ts";
import { Budget, RENDERING_MS } from "../../content/templates/liquid/budget.ts";
import type { RenderTerms } from "../../content/templates/liquid/liquid.ts";
import type { HeaderValue } from "../../mail/emails/content/queries.ts";
import { sign } from "./message/dkim.ts";
import { tracked } from "./tracking/html.ts";
import { needsUtf8, wireEnvelope } from "./transport/envelope.ts";
import type { SmtpEnvelope, FinishedMessage, HandoverOutcome, Transport } from "./transport/transport.ts";
import type { Handover } from "./handover.ts";
import { passedThrough, type WireForm } from "./passed-through.ts";
import { headersAlong } from "./sent-along.ts";

export type CarrierResult = { readonly outcome: HandoverOutcome; /** As rendered. */ readonly subject: string };

type CarrierHooks = Partial<Pick<FinishedMessage, "mayLeave" | "onSaid">>;

/** `line`: where mails wait to be composed; the workspace with the least cost so far is next. */
type CarrierOptions = CarrierHooks & { readonly transport: Transport; readonly line: LeastCostFirst };

/** Sends one mail. A fault before the transport is the mail's own: a failed outcome, no exception. */
export async function carry(
  handover: Handover,
  { transport, line, ...watched }: CarrierOptions,
): Promise<CarrierResult> {
  const envelope = envelopeOf(handover);
  let finished: WireMessage;
  try {
    finished = await finish(handover, envelope, line);
  } catch (error) {
    const reply = `The email could not be composed: ${(error as Error).message}`;
    return { outcome: { kind: "failed", reply, isLocal: true }, subject: handover.subject };
  }
  const { subject, ...wire } = finished;
  const message = { id: handover.id, envelope, ...wire, ...watched };
  return { outcome: await transport.send(message), subject };
}

/** The whole message as it is sent, signature included. */
export async function rawMessage(handover: Handover, line: LeastCostFirst): Promise<Buffer> {
  return (await finish(handover, envelopeOf(handover), line)).raw;
}

type HeaderTexts = Readonly<Record<string, string>>;
type WireMessage = WireForm & { readonly subject: string };

async function finish(handover: Handover, envelope: SmtpEnvelope, line: LeastCostFirst): Promise<WireMessage> {
  const { raw, dkim, dateMs, subject } = handover;
  const utf8 = isForUtf8(envelope);
  const isBound = envelope.hasForeignSender === true;
  if (raw !== null) return { ...bound(await passedThrough({ ...handover, raw }, utf8), isBound), subject };
  const { letter, entity } = await line.run(handover.workspace, (spentMs) => letterOf(handover, spentMs));
  const signed = async (composed: Buffer) => {
    if (dkim === null) return composed;
    const message = await sign(composed, dkim, dateMs);
    release(composed);
    return message;
  };
  const message = withEntity(letter, entity, utf8);
  if (!utf8) release(entity);
  const finished = { raw: await signed(message), subject: letter.subject };
  return utf8 ? bound({ ...finished, sevenBit: async () => signed(withEntity(letter, entity)) }, isBound) : finished;
}

/** In ASCII a sender whose name is beyond it would become an empty group, which names no sender. */
function bound<Message extends WireForm>(message: Message, isBound: boolean): Message {
  const reason = "the sender's address has non-ASCII letters before the @";
  return isBound ? { ...message, sevenBit: () => Promise.reject(new Error(reason)) } : message;
}

/**
 * Whether only servers that speak SMTPUTF8 can carry the mail. Any other mail keeps its header in ASCII, or a server on
 * the route could refuse it because of an address in a field.
 */
function isForUtf8(envelope: SmtpEnvelope): boolean {
  const wire = wireEnvelope(envelope);
  return wire !== null && needsUtf8(wire);
}

function envelopeOf({ returnPath, recipient, from }: Handover): SmtpEnvelope {
  return { returnPath, recipient, ...(hasAsciiName(from.address) ? {} : { hasForeignSender: true }) };
}

function hasAsciiName(address: string): boolean {
  return isAscii(address.slice(0, address.lastIndexOf("@")));
}

/** Slow work is done in line. */
function letterOf(handover: Handover, spentMs: number) {
  const terms = { budget: new Budget(RENDERING_MS, spentMs) };
  const { subject, own, ...said } = sharedContentOf(handover, terms);
  const led = (one: string) => (handover.move === null ? one : moved(one, handover.move));
  const [html, text] = [withTracking(led(said.html), handover, own), led(said.text)];
  const given = headersOf(handover, marketingOf(handover), terms);
  const headers = headersAlong(given, handover.id, handover.sentAlong);
  const entity = entityOf({ ...handover, html, text: own ? own(text) : text });
  return { letter: { ...handover, subject, headers }, entity };
}

/** Empty HTML stays empty: a part with nothing but a pixel would hide the text. */
function withTracking(html: string, { tracking, links }: Handover, own: Personalizer): string {
  if (tracking !== null && html !== "") return tracked(html, tracking, Object.values(links), own);
  return own ? own(html) : html;
}

function headersOf(handover: Handover, marketing: MarketingMail | null, terms: RenderTerms): HeaderTexts {
  const own = JSON.parse(handover.headers ?? "{}") as Record<string, HeaderValue>;
  for (const [name, value] of Object.entries(own))
    if (typeof value !== "string") own[name] = headerText(handover, value.template, terms);
  const texts = own as HeaderTexts;
  if (!marketing) return texts;
  const given = Object.entries(texts).filter(([, value]) => value.trim() !== "");
  const taken = new Set(given.map(([name]) => name.toLowerCase()));
  // One-click (RFC 8058) works with our own link only.
  if (taken.has("list-unsubscribe")) taken.add("list-unsubscribe-post");
  const ours = Object.entries(listHeaders(marketing)).filter(([name]) => !taken.has(name.toLowerCase()));
  return Object.fromEntries([...ours, ...given]);
}
