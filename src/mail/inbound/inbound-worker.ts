// The reading thread: parses, authenticates and scans messages from outside. The main thread asks the name servers for
// it.
import type { DnsResult } from "../../base/dns.ts";
import type { RecordType } from "../../base/dns/message.ts";
import { lowerThreadPriority } from "../../base/jobs/thread-priority.ts";
import { threadNumber } from "../../base/jobs/thread-time.ts";
import { askBack, carryOutWhatIsAsked } from "../../base/jobs/worker-side.ts";
import { authenticate, type DnsLookup } from "./reading/authenticate.ts";
import { fileAt, readContents } from "./reading/contents.ts";
import { readComplaint, type Complaint } from "./bounces/complaint.ts";
import { isFromCarrier } from "./bounces/from-carrier.ts";
import { readNotice, type DeliveryNotice } from "./bounces/notice.ts";
import type { NoticeEnvelope } from "./bounces/report.ts";
import { readReturned } from "./bounces/returned.ts";
import { readReportMail } from "./reading/report-mail.ts";
import { readText } from "./reading/text.ts";
import type { InboundEnvelope, ParsedMessage } from "./reading/reading.ts";
import { scan, type Scanners } from "./reading/scan.ts";

export type ReaderOptions = { readonly scanners: Scanners; /** Our own name. */ readonly host: string };

export type ReaderRequest =
  | { readonly kind: "open"; readonly options: ReaderOptions }
  /** Answered unless the thread is busy. */
  | { readonly kind: "ping" }
  | ReadRequest;

export type ReadRequest = { readonly raw: Uint8Array } & (
  | { readonly kind: "read" | "report" | "complaint"; readonly envelope: InboundEnvelope; readonly nowMs: number }
  | { readonly kind: "notice"; readonly envelope: NoticeEnvelope; readonly arrival: NoticeArrival }
  | { readonly kind: "file"; readonly place: number }
  | { readonly kind: "text" }
  | { readonly kind: "returned" }
);

/** The envelope of a notice, and the hosts that may report on our mail. */
export type NoticeArrival = {
  readonly envelope: InboundEnvelope;
  readonly carriers: readonly string[];
  readonly nowMs: number;
};

/** Answered with the result; null if the question could not be asked. */
export type NameLookup = { readonly name: string; readonly type: RecordType };

let options: ReaderOptions | null = null;

// mailauth writes the lengths of signatures to the standard output, whenever a message has them.
console.log = () => undefined;

carryOutWhatIsAsked<ReaderRequest>((request) => {
  if (request.kind === "ping") return null;
  if (request.kind !== "open") return done(request);
  lowerThreadPriority();
  options = request.options;
  return threadNumber();
});

const ask: DnsLookup = (name, type) => askBack<DnsResult | null>({ name, type } satisfies NameLookup);

async function done(request: ReadRequest): Promise<unknown> {
  const raw = Buffer.from(request.raw.buffer, request.raw.byteOffset, request.raw.byteLength);
  if (request.kind === "file") return fileAt(raw, request.place);
  if (request.kind === "text") return readText(raw);
  if (request.kind === "returned") return readReturned(raw);
  if (!options) throw new Error("The reading thread has not been opened.");
  if (request.kind === "notice") return noticeIn(raw, request, options.host);
  const { envelope, nowMs } = request;
  if (request.kind === "report") return readReportMail(raw, envelope, { ask, host: options.host, nowMs });
  if (request.kind === "complaint") return complaintIn(raw, envelope, { ask, host: options.host, nowMs });
  const [contents, authentication, scanned] = await Promise.all([
    readContents(raw, envelope.recipients.length),
    authenticate(raw, envelope, { ask, host: options.host, nowMs }),
    scan(raw, envelope, options.scanners),
  ]);
  return { contents, verdicts: { ...authentication, ...scanned } } satisfies ParsedMessage;
}

async function complaintIn(
  raw: Buffer,
  envelope: InboundEnvelope,
  asking: Parameters<typeof authenticate>[2],
): Promise<Complaint | null> {
  const complaint = await readComplaint(raw);
  if (complaint === null) return null;
  const { dmarcVerdict } = await authenticate(raw, envelope, asking);
  return { ...complaint, isForged: dmarcVerdict === "FAIL" };
}

/** The sender is authenticated only if the report may slow a provider down; other notices need no DNS questions. */
async function noticeIn(
  raw: Buffer,
  { envelope, arrival }: Extract<ReadRequest, { readonly kind: "notice" }>,
  host: string,
): Promise<DeliveryNotice> {
  const notice = await readNotice(raw, envelope);
  const { kind, recipients } = notice;
  const counts = kind === "bounce" || kind === "delayed";
  if (!counts || !recipients.some(({ blame }) => blame !== "recipient")) return notice;
  const { envelope: session, carriers, nowMs } = arrival;
  return (await isFromCarrier(raw, session, carriers, { ask, host, nowMs })) ? { ...notice, byCarrier: true } : notice;
}
