// Runs on a carrying thread: opens its own transport, carries mails, answers in batches.
import { LeastCostFirst } from "../../base/brakes/least-cost-first.ts";
import { systemClock as clock } from "../../base/clock.ts";
import { makeRoom } from "../../base/jobs/large-memory.ts";
import { lowerThreadPriority } from "../../base/jobs/thread-priority.ts";
import { askBack, carryOutWhatIsAsked } from "../../base/jobs/worker-side.ts";
import type { TokenAnswer } from "../../ground/way-tokens/way-tokens.ts";
import { signWith } from "./message/dkim.ts";
import { fastestSigner } from "./signing/signing-thread.ts";
import type { Transport } from "./transport/transport.ts";
import { carry, rawMessage } from "./carrier.ts";
import type { Handover } from "./handover.ts";
import { NO_PARTS, type LargeParts } from "./large-parts.ts";
import { transportFor, type TransportOptions } from "./transports.ts";

export type CarrierRequest =
  | { readonly kind: "open"; readonly options: TransportOptions; readonly said: Uint8Array }
  | {
      readonly kind: "send";
      readonly mail: Omit<Handover, keyof LargeParts>;
      /** The key of its large parts; null = none. */
      readonly parts: number | null;
      /** The place where `said` is set once the whole message is sent. */
      readonly place: number;
      /** Whether the lease is checked just before the mail leaves. */
      readonly asks: boolean;
    }
  | { readonly kind: "keep"; readonly key: number; readonly parts: LargeParts }
  | { readonly kind: "forget"; readonly key: number }
  | { readonly kind: "raw"; readonly handover: Handover }
  | { readonly kind: "look" }
  | { readonly kind: "finish" };

/** The thread's questions: for how long it has a mail, or for an access token. */
export type CarrierQuestion = { readonly mail: string } | { readonly refused: string | null };

/** The large parts of mails in hand. */
const kept = new Map<number, LargeParts>();
let transport: Promise<Transport> | null = null;
let said: Uint8Array = new Uint8Array();
const line = new LeastCostFirst();

carryOutWhatIsAsked<CarrierRequest>(carriedOut, true);

async function carriedOut(request: CarrierRequest): Promise<unknown> {
  if (request.kind === "open") {
    lowerThreadPriority();
    signWith(fastestSigner());
    said = request.said;
    transport = transportFor(request.options, (refused) => ask<TokenAnswer>({ refused }));
    await transport;
    return null;
  }
  if (!transport) throw new Error("The carrying thread has no transport.");
  if (request.kind === "keep") return void kept.set(request.key, request.parts);
  if (request.kind === "forget") return void kept.delete(request.key);
  if (request.kind === "send") {
    const onSaid = () => void (said[request.place] = 1);
    return carry(withParts(request), { transport: await transport, line, ...mayLeave(request), onSaid });
  }
  if (request.kind === "raw") return rawMessage(request.handover, line);
  if (request.kind === "look") return (await (await transport).look?.()) ?? null;
  await (await transport).close();
  return null;
}

type CarrierSendRequest = Extract<CarrierRequest, { readonly kind: "send" }>;

function withParts({ mail, parts }: CarrierSendRequest): Handover {
  const large = parts === null ? NO_PARTS : kept.get(parts);
  if (!large) throw new Error("The carrying thread does not have the attachments of the email.");
  makeRoom(large.raw?.length ?? large.attachments.reduce((sum, { content }) => sum + content.length, 0));
  return { ...mail, ...large };
}

function mayLeave({ mail, asks }: CarrierSendRequest) {
  return asks ? { mayLeave: mayLeaveBy(() => ask<number>({ mail: mail.id })) } : {};
}

function ask<Answer>(question: CarrierQuestion): Promise<Answer> {
  return askBack<Answer>(question);
}

/** The main thread keeps the leases: its answer holds for the time that it gives. */
function mayLeaveBy(hold: () => Promise<number>): () => Promise<boolean> {
  let untilMs = -Infinity;
  return async () => {
    while (clock.monotonicMs() >= untilMs) {
      // Counted from the question: this thread may stall between the answer and its arrival.
      const askedMs = clock.monotonicMs();
      const heldMs = await hold();
      if (heldMs <= 0) return false;
      untilMs = askedMs + heldMs;
    }
    return true;
  };
}
