// Where mails are composed and sent: on a thread of their own, so that rendering and TLS never hold up HTTP; in tests
// on this thread.
import { LeastCostFirst } from "../../base/brakes/least-cost-first.ts";
import { WorkerThread } from "../../base/jobs/worker-thread.ts";
import { CLOSING, type HandoverOutcome, type Transport } from "./transport/transport.ts";
import { NO_TOKENS, type AccessTokens } from "../../ground/way-tokens/way-tokens.ts";
import type { CarrierQuestion, CarrierRequest } from "./carrier-worker.ts";
import { carry, rawMessage, type CarrierResult } from "./carrier.ts";
import type { Handover } from "./handover.ts";
import { PostedParts } from "./large-parts.ts";
import type { TransportOptions } from "./transports.ts";

/** Milliseconds for which no other process can take the mail over; 0 = another process may have it. */
type Hold = () => Promise<number>;

export interface Carriers {
  /** `hold`: null = no other process can take the mail over. */
  send(handover: Handover, hold: Hold | null): Promise<CarrierResult>;
  raw(handover: Handover): Promise<Buffer>;
  /** As `look` of the transport. */
  look(): Promise<string | null>;
  /** Refuses the mails that have not begun to leave; resolves when the others are done. `raw` works until `close`. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** More than the connections of a way. */
const MOST_AT_ONCE = 1_024;

function unanswered({ message }: Error): HandoverOutcome {
  const reply = `The message was sent, and nobody heard the answer: it may or may not have been accepted (${message})`;
  return { kind: "unanswered", reply };
}

/** On this thread, through this transport. */
export function carriersHere(transport: Transport): Carriers {
  const line = new LeastCostFirst();
  let finished: Promise<void> | null = null;
  const finish = () => (finished ??= transport.close());
  const watched = (hold: Hold | null) => (hold === null ? {} : { mayLeave: async () => (await hold()) > 0 });
  return {
    send: (handover, hold) => carry(handover, { transport, line, ...watched(hold) }),
    raw: (handover) => rawMessage(handover, line),
    look: async () => (await transport.look?.()) ?? null,
    finish,
    close: finish,
  };
}

/** On a thread that starts with the first mail and opens its own transport; the tokens come from this one. */
export function carriersInThread(options: TransportOptions, tokens: AccessTokens = NO_TOKENS): Carriers {
  const holds = new Map<string, Hold>();
  /** By place: mails that the next hop has received and not yet answered. The thread writes it, without a message. */
  const said = new Uint8Array(new SharedArrayBuffer(MOST_AT_ONCE));
  const places = [...said.keys()];
  let isClosed = false;
  let finished: Promise<void> | null = null;
  const thread = new WorkerThread<CarrierRequest>({
    name: "The carrying thread",
    // Most of its garbage is short-lived: a heap that begins small is collected before it piles up.
    start: () => new Worker(new URL("./carrier-worker.ts", import.meta.url).href, { smol: true }),
    opening: { kind: "open", options, said },
    isGathered: true,
    answer: async (asked: CarrierQuestion) =>
      "mail" in asked ? ((await holds.get(asked.mail)?.()) ?? 0) : tokens(asked.refused),
  });
  const posted = new PostedParts({
    post: (key, parts) => void thread.ask({ kind: "keep", key, parts }).catch(() => undefined),
    // A request would start the thread again.
    forget: (key) => void (isClosed || thread.ask({ kind: "forget", key }).catch(() => undefined)),
  });
  const send = async (handover: Handover, hold: Hold | null): Promise<CarrierResult> => {
    // The thread would start, or start again, and send the mail.
    if (finished) return { outcome: CLOSING, subject: handover.subject };
    if (hold !== null) holds.set(handover.id, hold);
    const { attachments, raw, ...mail } = handover;
    const parts = posted.take({ attachments, raw });
    const place = places.pop() ?? MOST_AT_ONCE;
    said[place] = 0;
    try {
      return await thread.ask({ kind: "send", mail, parts: parts?.key ?? null, place, asks: hold !== null });
    } catch (error) {
      // Without a place in `said`, the state of the mail is unknown.
      if (said[place] === 0) throw error;
      return { outcome: unanswered(error as Error), subject: handover.subject };
    } finally {
      posted.give(parts);
      holds.delete(handover.id);
      if (place < MOST_AT_ONCE) places.push(place);
    }
  };
  const finish = () => (finished ??= thread.isRunning ? thread.ask<void>({ kind: "finish" }) : Promise.resolve());
  return {
    send,
    raw: async (handover) => Buffer.from(await thread.ask<Uint8Array>({ kind: "raw", handover })),
    look: () => (finished ? Promise.resolve(CLOSING.reply) : thread.ask<string | null>({ kind: "look" })),
    finish,
    close: async () => {
      // A thread that has stopped has nothing left to finish.
      await finish().catch(() => undefined);
      isClosed = true;
      await thread.close();
    },
  };
}
