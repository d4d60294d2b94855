// The transport by Microsoft Graph (sendMail with a message in MIME form). Graph has no envelope: it sends to everybody
// whom the header names, and writes the header anew. So it takes only mail that is for one recipient and whose header
// loses nothing that must stay.
import { FairQueue } from "../../base/brakes/fair-queue.ts";
import { parseAddress } from "../../base/addresses.ts";
import { systemClock } from "../../base/clock.ts";
import { decodedWords } from "../../content/mime/encoded-words.ts";
import { fieldsIn, takenApart, valueIn } from "../../content/mime/message-bytes.ts";
import { askGraph, refusalIn, type GraphAccess } from "../../ground/microsoft-graph/graph.ts";
import type { AccessTokens } from "../../ground/way-tokens/way-tokens.ts";
import { oneLine } from "../../mail/emails/refusals/words.ts";
import { HandOverSpacing } from "./transport/spacing.ts";
import {
  ANSWER_TIMEOUT_MS,
  CLOSING,
  CLOSING_MS,
  TAKEN_OVER,
  type FinishedMessage,
  type HandoverOutcome,
  type HopRefusal,
  type Transport,
} from "./transport/transport.ts";

export type GraphOptions = Omit<GraphAccess, "tokens"> & {
  readonly concurrency: number;
  /** The least time between two departures; 0 = none. */
  readonly gapMs: number;
};

export function graphTransport({ concurrency, gapMs, ...place }: GraphOptions, tokens: AccessTokens): Transport {
  const access: GraphAccess = { ...place, tokens };
  const queue = new FairQueue(Math.max(1, concurrency));
  const closing = new AbortController();
  const cutOff = new AbortController();
  const spacing = new HandOverSpacing(gapMs, systemClock);
  const rest = new GraphRest();
  const send = async (message: FinishedMessage): Promise<HandoverOutcome> => {
    const raw = await fittingBytes(message);
    if ("kind" in raw) return raw;
    if (!(await spacing.turnOf(message))) return TAKEN_OVER;
    return rest.inForce ?? rest.after(await handOver(access, { ...message, raw }, cutOff.signal));
  };
  return {
    send: (message) => queue.run(() => send(message), { until: closing.signal }).catch(() => CLOSING),
    look: async () => rest.inForce?.reply ?? graphFault(access),
    close: async () => {
      closing.abort();
      const deadline = setTimeout(() => cutOff.abort(), CLOSING_MS);
      await queue.idle();
      clearTimeout(deadline);
    },
  };
}

/** While Graph asks to be left alone, it is: each request would make that longer. */
class GraphRest {
  #reply = "";
  #untilMs = -Infinity;

  get inForce(): HopRefusal | null {
    const waitMs = this.#untilMs - systemClock.monotonicMs();
    return waitMs > 0 ? { kind: "unreachable", reply: this.#reply, waitMs } : null;
  }

  after(outcome: HandoverOutcome): HandoverOutcome {
    if (outcome.kind !== "unreachable" || !outcome.waitMs || outcome.isLocal) return outcome;
    [this.#reply, this.#untilMs] = [outcome.reply, systemClock.monotonicMs() + outcome.waitMs];
    return outcome;
  }
}

/** Graph takes requests of 4 MB, and base64 adds a third. */
const MOST_BYTES = 2_900_000;
const RECIPIENTS = /^(to|cc|bcc|resent-to|resent-cc|resent-bcc):/i;
/** An address alone, or after a name without any character that could begin another one. */
const ONE_MAILBOX = /^(?:(?:"[^"<>\\]*"|[^"@,;:<>()\\]*)\s*<([^<>\s]+)>|([^<>\s"(),;:]+))$/;

const unfit = (reply: string): HopRefusal => ({ kind: "failed", reply, isLocal: true, isUnfit: true });

/** The message in ASCII; or why Graph cannot carry it. */
async function fittingBytes({ raw, sevenBit, envelope }: FinishedMessage): Promise<Buffer | HopRefusal> {
  const fields = fieldsIn(takenApart(raw).header);
  const named = fields.filter((field) => RECIPIENTS.test(field)).map(valueIn);
  if (named.length !== 1 || mailboxIn(named[0] ?? "") !== parseAddress(envelope.recipient))
    return unfit("Microsoft Graph sends to everybody whom the header names, which is not the recipient alone");
  if (fields.some((field) => /^list-unsubscribe-post:/i.test(field)))
    return unfit("Microsoft Graph may remove the field by which marketing email is unsubscribed from with one click");
  if (raw.length > MOST_BYTES) return unfit("Microsoft Graph takes emails of 2.9 MB at most");
  if (!sevenBit) return raw;
  return sevenBit().catch((error: Error) => unfit(`Microsoft Graph is given ASCII only: ${error.message}`));
}

/** Null: it has no address, or another reader may find a second one in it. */
function mailboxIn(value: string): string | null {
  if (decodedWords(value).split("@").length !== 2) return null;
  const [, inBrackets, bare] = ONE_MAILBOX.exec(value) ?? [];
  return parseAddress(inBrackets ?? bare ?? "");
}

const MAYBE = "Microsoft Graph was asked to send and did not answer: it may or may not have accepted the message";
/** No connection was made, so nothing was sent. */
const NO_CONNECTION =
  /^(ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_TLS|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/;
const TOKEN_WAIT_MS = 2_000;

async function handOver(access: GraphAccess, message: FinishedMessage, cutOff: AbortSignal): Promise<HandoverOutcome> {
  const body = { type: "text/plain", text: message.raw.toString("base64") };
  const signal = AbortSignal.any([AbortSignal.timeout(ANSWER_TIMEOUT_MS), cutOff]);
  try {
    // From here on, Graph may have it.
    message.onSaid?.();
    const answer = await askGraph(access, { method: "POST", path: "/sendMail", body, signal });
    if ("fault" in answer) {
      const reply = oneLine(answer.fault);
      return { kind: "unreachable", reply, ...(answer.isLocal ? { isLocal: true, waitMs: TOKEN_WAIT_MS } : {}) };
    }
    if (!answer.ok) return await refusalOf(answer);
    await answer.body?.cancel();
    const request = answer.headers.get("request-id");
    return { kind: "accepted", reply: oneLine(`Accepted by Microsoft Graph${request ? ` as ${request}` : ""}`) };
  } catch (error) {
    const { code = "", message: words } = error as Error & { readonly code?: string };
    if (NO_CONNECTION.test(code)) return { kind: "unreachable", reply: oneLine(words) };
    return { kind: "unanswered", reply: oneLine(`${MAYBE} (${words})`) };
  }
}

const LONGEST_WAIT_MS = 60 * 60_000;
const SENDER = /SendAs|SendOnBehalf/i;
const RECIPIENT = /InvalidRecipients/i;
const QUOTA = /Quota|ExceededMessageLimit|SubmissionLimit/i;

async function refusalOf(answer: Response): Promise<HopRefusal> {
  const { status, code, words, waitMs } = await refusalIn(answer, systemClock.nowMs());
  const reply = oneLine(words);
  // A gateway has got no answer of Graph.
  if (status === 502 || status === 504) return { kind: "unanswered", reply: oneLine(`${MAYBE} (${reply})`) };
  if (SENDER.test(code))
    return { kind: "failed", reply: oneLine(`${status} not allowed to send as this sender: ${words}`) };
  if (status === 429 || status === 503 || QUOTA.test(code))
    return { kind: "unreachable", reply, waitMs: Math.min(waitMs, LONGEST_WAIT_MS) };
  if (status === 401 || status === 403 || status === 404) return { kind: "unreachable", reply };
  if (status >= 500) return { kind: "later", reply };
  return { kind: RECIPIENT.test(code) ? "bounced" : "failed", reply };
}

const LONGEST_LOOK_MS = 10_000;

/** The mailbox is there. An app may have the right to send and no other. */
async function graphFault(access: GraphAccess): Promise<string | null> {
  const signal = AbortSignal.timeout(LONGEST_LOOK_MS);
  try {
    const answer = await askGraph(access, { path: "/mailFolders/inbox?$select=id", signal });
    if ("fault" in answer) return answer.fault;
    const { words } = await refusalIn(answer, systemClock.nowMs());
    return answer.ok || answer.status === 403 ? null : oneLine(words);
  } catch (error) {
    return oneLine(`Microsoft Graph does not answer: ${(error as Error).message}`);
  }
}
