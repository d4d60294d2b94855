// Runs on the reading thread: whatever takes time in looking at a message from outside. Names are asked for on the main thread.
import type { Found } from "../dns.ts";
import type { RecordType } from "../dns/message.ts";
import { stepBack } from "../jobs/thread-priority.ts";
import { authenticate, type Ask } from "./authenticate.ts";
import { fileAt, readContents } from "./contents.ts";
import { readNotice } from "./notice.ts";
import type { Envelope, Reading } from "./reading.ts";
import { scan, type Scanners } from "./scan.ts";

export type ReadingOptions = { readonly scanners: Scanners; /** Our own name. */ readonly host: string };

export type ReaderRequest =
  | { readonly kind: "open"; readonly options: ReadingOptions }
  | { readonly kind: "found"; readonly question: number; readonly found: Found | null }
  | ({ readonly id: number; readonly raw: Uint8Array } & (
      | { readonly kind: "read"; readonly envelope: Envelope; readonly nowMs: number }
      | { readonly kind: "notice" }
      | { readonly kind: "file"; readonly place: number }
    ));

export type ReaderReply =
  | { readonly kind: "ask"; readonly question: number; readonly name: string; readonly type: RecordType }
  | { readonly kind: "done"; readonly id: number; readonly result: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly error: string };

declare const self: Worker;

let options: ReadingOptions | null = null;
let lastQuestion = 0;
const questions = new Map<number, (found: Found | null) => void>();

// A library writes lengths of signatures to the standard output, whenever a stranger wants it to.
console.log = () => undefined;

self.onmessage = ({ data }: MessageEvent<ReaderRequest>) => {
  if (data.kind === "found") return heard(data.question, data.found);
  if (data.kind !== "open") return void answer(data);
  stepBack();
  options = data.options;
};

const ask: Ask = (name, type) => {
  const question = ++lastQuestion;
  reply({ kind: "ask", question, name, type });
  return new Promise((resolve) => questions.set(question, resolve));
};

function heard(question: number, found: Found | null): void {
  questions.get(question)?.(found);
  questions.delete(question);
}

type Work = Extract<ReaderRequest, { readonly id: number }>;

async function answer(request: Work): Promise<void> {
  try {
    reply({ kind: "done", id: request.id, result: await done(request) });
  } catch (error) {
    reply({ kind: "failed", id: request.id, error: error instanceof Error ? error.message : String(error) });
  }
}

async function done(request: Work): Promise<unknown> {
  const raw = Buffer.from(request.raw.buffer, request.raw.byteOffset, request.raw.byteLength);
  if (request.kind === "notice") return readNotice(raw);
  if (request.kind === "file") return fileAt(raw, request.place);
  if (!options) throw new Error("The reading thread has not been opened.");
  const { envelope, nowMs } = request;
  const [contents, authentication, scanned] = await Promise.all([
    readContents(raw),
    authenticate(raw, envelope, { ask, host: options.host, nowMs }),
    scan(raw, envelope, options.scanners),
  ]);
  return { contents, verdicts: { ...authentication, ...scanned } } satisfies Reading;
}

function reply(message: ReaderReply): void {
  self.postMessage(message);
}
