// The effects of a provider's reports: the same as bounces by mail and notices of SES, each once.
import { createHash } from "node:crypto";
import { parseAddress } from "../../base/addresses.ts";
import { iso, MINUTE_MS } from "../../base/clock.ts";
import { messageIdOf } from "../emails/content/message-id.ts";
import { idByRemoteId } from "../emails/soft-bounces/feedback-queries.ts";
import { findLeftMail } from "../emails/feedback/feedback.ts";
import { mailOfAnyWorkspace, type Mail } from "../emails/queries.ts";
import { recordVisits, type MailVisit } from "../emails/feedback/visits.ts";
import { AppError } from "../../base/errors.ts";
import { applyNotice } from "../inbound/bounces/take-notice.ts";
import { rememberNotice } from "../inbound/queries.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { ProviderMailRef, ProviderJson, ProviderAdapter, ProviderEvent } from "./provider.ts";
import { latestMailsTo, mailOfGroup, mailsOfMessage, noteReport } from "./queries.ts";

export type ProviderBatch = {
  readonly name: string;
  readonly provider: ProviderAdapter;
  readonly events: readonly ProviderJson[];
  /** The token that the provider uses once, besides each event; null = none. */
  readonly once: string | null;
  /** Opens and clicks are counted, too. */
  readonly withVisits: boolean;
};

/** The time of the last report is kept to the minute. */
const NOTED_EVERY_MS = MINUTE_MS;

/**
 * Takes all events, in the order of their mails; answers how many have a mail. Events without a mail change nothing.
 * @throws AppError NOTICE_EARLY for a mail whose hand-over is not recorded yet; then the transaction is rolled back
 */
export async function takeReports(tx: Tx, batch: ProviderBatch): Promise<number> {
  await noteReport(tx, batch.name, iso(tx.nowMs - NOTED_EVERY_MS));
  if (batch.once !== null && !(await isNew(tx, batch.name, batch.once))) return 0;
  const found: { readonly mail: Mail; readonly event: ProviderJson; readonly what: ProviderEvent["what"] }[] = [];
  for (const event of batch.events) {
    const report = batch.provider.read(event);
    if (report === null || (report.what.kind === "visited" && !batch.withVisits)) continue;
    const mail = await mailOf(tx, report);
    if (mail !== null) found.push({ mail, event, what: report.what });
  }
  const visits: MailVisit[] = [];
  // Two simultaneous batches lock their mails in the same order.
  for (const { mail, event, what } of found.sort((one, other) => one.mail.seq - other.mail.seq)) {
    if (!(await isNew(tx, batch.name, JSON.stringify(event)))) continue;
    if (what.kind === "visited") visits.push({ emailId: mail.id, link: what.link, isMachine: what.isMachine });
    else await applyNotice(tx, mail, { ...what, byCarrier: true });
  }
  if (visits.length > 0) await recordVisits(tx, visits);
  return found.length;
}

async function isNew(tx: Tx, name: string, said: string): Promise<boolean> {
  const digest = createHash("sha256").update(`${name}\0${said}`).digest("base64url");
  return (await rememberNotice(tx, digest)) > 0;
}

async function mailOf(tx: Tx, { about, what }: ProviderEvent): Promise<Mail | null> {
  const id = (await idOf(tx, about)) ?? (what.kind === "unsubscribed" ? await idOfLatest(tx, about) : null);
  const mail = id === null ? null : await findLeftMail(tx, id);
  if (mail === "early")
    throw new AppError("NOTICE_EARLY", "An email that the report is about is not recorded as sent yet.");
  return mail;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function idOf(reader: Reader, about: Partial<ProviderMailRef>): Promise<string | null> {
  const { emailId = "", messageId = "", remoteId = "" } = about;
  if (UUID.test(emailId)) return emailId;
  // Some providers put the name in front of the address.
  const { recipient: named = "" } = about;
  const recipient = parseAddress(/<([^<>]*)>\s*$/.exec(named)?.[1] ?? named)?.toLowerCase() ?? null;
  if (recipient === null) return null;
  const bare = messageId.replace(/^\s*<|>\s*$/g, "");
  const own = bare === "" ? null : await idByMessageId(reader, `<${bare}>`, recipient);
  return own ?? (remoteId === "" ? null : await idByTheirName(reader, remoteId, recipient));
}

/**
 * A client that submits a whole message chooses its Message-ID, and could choose another mail's: it counts only with
 * its recipient, and not at all if it is in two workspaces.
 */
async function idByMessageId(reader: Reader, messageId: string, recipient: string): Promise<string | null> {
  const own = await ownMail(reader, messageId, recipient);
  const submitted = await mailsOfMessage(reader, messageId, recipient);
  const found = own === null ? submitted : [own, ...submitted];
  return new Set(found.map(({ workspace }) => workspace)).size === 1 ? (found[0]?.id ?? null) : null;
}

/** A mail whose Message-ID was made here, from its id or its group's. */
async function ownMail(reader: Reader, messageId: string, recipient: string) {
  const name = messageId.slice(1).split("@")[0] ?? "";
  if (!UUID.test(name)) return null;
  const mail = await mailOfAnyWorkspace(reader, name);
  if (mail === null) return mailOfGroup(reader, name, recipient);
  return messageIdOf(mail) === messageId && isTo(mail, recipient) ? mail : null;
}

/**
 * An unsubscription on a provider's own page names no mail: the latest mail to the address stands for all, if only one
 * workspace writes to it.
 */
async function idOfLatest(reader: Reader, { recipient = "" }: Partial<ProviderMailRef>): Promise<string | null> {
  const address = parseAddress(recipient)?.toLowerCase() ?? null;
  const found = address === null ? [] : await latestMailsTo(reader, address);
  return found.length === 1 ? (found[0]?.id ?? null) : null;
}

async function idByTheirName(reader: Reader, remoteId: string, recipient: string): Promise<string | null> {
  const named = await idByRemoteId(reader, remoteId);
  const mail = named && (await mailOfAnyWorkspace(reader, named.id));
  return mail && isTo(mail, recipient) ? mail.id : null;
}

function isTo({ toAddress }: Mail, recipient: string): boolean {
  return toAddress.toLowerCase() === recipient;
}
