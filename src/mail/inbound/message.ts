// A stored message from outside: its bytes, and its effects, once, when it has been read.
import { parseAddress, type Mailbox } from "../../base/addresses.ts";
import { receiveEach, type IncomingMail } from "../emails/receive.ts";
import type { ReturnPathOptions } from "../emails/return-path.ts";
import { iso } from "../../base/clock.ts";
import { counter } from "../../base/metrics/metric.ts";
import type { Reader, Store, Tx } from "../../store/store.ts";
import type { DeliveryNotice } from "./bounces/notice.ts";
import { SLICE_BYTES } from "./arrival.ts";
import {
  deleteMessages,
  keepRead,
  lockClaimed,
  noteUnread,
  deferMessage,
  setRead,
  sliceOfMessage,
  type WaitingMessage,
} from "./queries.ts";
import type { ParsedMessage } from "./reading/reading.ts";
import { takeNotice } from "./bounces/take-notice.ts";
import type { RecordSettings } from "../../tenant/domains/dns-records.ts";
import { domainReportedTo } from "../../tenant/domains/queries.ts";
import { reportTokenIn } from "../../tenant/domains/report-address.ts";
import { takeReports, type ReportMail } from "../reports/take.ts";

/** All bytes of a message, read slice by slice, so that other reads come in between; `first` is the first slice. */
export async function bytesOf(store: Store, seq: number, first: Uint8Array): Promise<Uint8Array> {
  const slices = [first];
  for (let last = first; last.length === SLICE_BYTES;) {
    const slice = await store.read((reader) => sliceOfMessage(reader, seq, slices.length), { inTurn: true });
    if (!slice) break;
    slices.push(slice);
    last = slice;
  }
  return joined(slices);
}

export function firstSlice(reader: Reader, seq: number): Promise<Uint8Array | null> {
  return sliceOfMessage(reader, seq, 0);
}

/** In its own memory, which can be transferred to another thread. */
export function joined(slices: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(slices.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const slice of slices) {
    bytes.set(slice, at);
    at += slice.length;
  }
  return bytes;
}

export const READ = counter("posthorn_inbound_messages_total", "Messages from outside that were read.", "kind", [
  "mail",
  "bounce",
  "unexplained",
  "delivered",
  "delayed",
  "complaint",
  "autoreply",
  "report",
  "unread",
  "unknown",
]);

export type ReadingResult = {
  readonly message: WaitingMessage & { readonly workspace: number };
  readonly reading: ParsedMessage;
  readonly tookMs: number;
};

/**
 * Makes mails and events of read messages, once: an attempt after which another one began changes nothing. Answers null
 * for each.
 */
export async function settleEach(tx: Tx, read: readonly ReadingResult[]): Promise<null[]> {
  const claimed = new Set(
    await lockClaimed(
      tx,
      read.map(({ message }) => message),
    ),
  );
  const left = read.filter(({ message }) => claimed.has(message));
  const contents = await receiveEach(tx, left.map(mailOf));
  await setRead(
    tx,
    left.map(({ message: { seq }, reading }, index) => ({
      seq,
      content: contents[index] as number,
      files: reading.contents.files,
    })),
  );
  for (const { message } of left) tx.tally({ metric: READ, labels: ["mail"], workspace: message.workspace });
  return read.map(() => null);
}

function mailOf({ message, reading: { contents, verdicts }, tookMs }: ReadingResult): IncomingMail {
  const { workspace, receivedAt, envelope } = message;
  const { sender, recipients } = envelope;
  const { files, isAutomatic, ...said } = contents;
  return {
    ...said,
    workspace,
    recipients,
    returnPath: sender,
    receivedAt,
    verdicts,
    sender: contents.sender ?? mailboxOf(sender),
    files,
    isAutomatic: isAutomatic || sender === "",
    processingTimeMillis: Math.round(tookMs),
  };
}

function mailboxOf(sender: string): Mailbox | null {
  const address = parseAddress(sender);
  return address === null ? null : { address, name: null };
}

/** A notice may be faster than the record of its mail's hand-over; it is taken again after this time. */
export const EARLY_NOTICE_REST_MS = 30_000;
export const MAX_EARLY_ATTEMPTS = 10;

/** Applies a notice to the mails whose return paths it was sent to; the notice is not kept. */
export async function settleNotice(
  tx: Tx,
  message: WaitingMessage,
  notice: DeliveryNotice,
  options: ReturnPathOptions,
): Promise<void> {
  if ((await lockClaimed(tx, [message])).length === 0) return;
  let isEarly = false;
  for (const address of message.envelope.recipients)
    isEarly = (await takeNotice(tx, notice, address, options)) === "early" || isEarly;
  if (isEarly && message.attempts < MAX_EARLY_ATTEMPTS)
    await deferMessage(tx, message, iso(tx.nowMs + EARLY_NOTICE_REST_MS));
  else {
    await deleteMessages(tx, [message.seq]);
    tx.tally({ metric: READ, labels: [notice.kind] });
  }
}

/** Notes that a message has stopped the reading thread while it was the only one. */
export async function settleUnread(tx: Tx, { seq, workspace }: WaitingMessage): Promise<void> {
  await noteUnread(tx, seq);
  tx.tally({ metric: READ, labels: ["unread"], ...(workspace !== null && { workspace }) });
}

/** The limit for keeping an unreadable report. */
const MAX_KEPT_BYTES = 1024 * 1024;

export type ReadReportMail = {
  readonly message: WaitingMessage;
  readonly mail: ReportMail;
  readonly bytes: number;
};

/**
 * Keeps a report for each domain whose report address got it, and its bytes if it is unreadable. A removed domain gets
 * none.
 */
export async function settleReport(tx: Tx, read: ReadReportMail, settings: RecordSettings): Promise<void> {
  const { message, mail, bytes } = read;
  if ((await lockClaimed(tx, [message])).length === 0) return;
  let isKept = false;
  for (const address of message.envelope.recipients) {
    const domain = await domainReportedTo(tx, reportTokenIn(address) ?? "");
    if (!domain) continue;
    const kept: number | null = isKept || bytes > MAX_KEPT_BYTES ? null : message.seq;
    isKept = (await takeReports(tx, { domain, mail, message: kept, settings })) || isKept;
    tx.tally({ metric: READ, labels: ["report"], workspace: domain.workspace });
  }
  await (isKept ? keepRead(tx, message.seq) : deleteMessages(tx, [message.seq]));
}
