// The rules of submission: logins, the rights of a key, and the storing of a mail before it is answered.
import type { SMTPServerAuthentication } from "smtp-server";
import { domainToASCII, domainToUnicode } from "node:url";
import { domainOf, isAscii, parseAddress } from "../../base/addresses.ts";
import { MINUTE_MS } from "../../base/clock.ts";
import { AppError, type ErrorCode } from "../../base/errors.ts";
import { sha256Hex } from "../../base/ids.ts";
import { addressAt, hostAt } from "../../base/ip-addresses.ts";
import { FairQueue } from "../../base/brakes/fair-queue.ts";
import { SlidingLimit } from "../../base/brakes/sliding-limit.ts";
import { complete } from "../../ground/smtp-listener/incoming.ts";
import type { Address, Handlers, ServerSession } from "../../ground/smtp-listener/offered.ts";
import { SmtpReply } from "../../ground/smtp-listener/smtp-reply.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { refuseBeyond, refuseElsewhere, refuseExpired } from "../../tenant/access/key-limits.ts";
import { sharing } from "../../store/shared-tx.ts";
import { acceptHandedIn, type SubmittedMessage } from "./acceptance.ts";
import { Outcomes } from "../../base/jobs/outcomes.ts";
import { readSubmitted } from "./submitted.ts";

/** Kept in memory while the connection lasts; each message checks again whether the key is still active. */
type SmtpUser = { readonly key: string; readonly workspace: number };

const FAILURES_A_WINDOW = { address: 50, key: 10 };
const WINDOW_MS = 10 * MINUTE_MS;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
const KEY_PREFIX_CHARS = 11;
/** Assembling and storing a larger message takes some ten milliseconds each: other work comes in between. */
const LARGE_BYTES = 1024 * 1024;
/** A smaller message is stored together with others of the same moment; for a larger one they would wait. */
const SMALL_BYTES = 64 * 1024;
/** The longest wait of a small message for others that are arriving: separate commits would take longer. */
const GATHER_MS = 2;
/** As many ids as a line of a reply can hold. */
const IDS_A_LINE = 12;

const REPLIES: Partial<Readonly<Record<ErrorCode, readonly [code: number, enhanced: string]>>> = {
  DOMAIN_NOT_ALLOWED: [550, "5.7.1"],
  DOMAIN_NOT_VERIFIED: [550, "5.7.1"],
  RECIPIENT_SUPPRESSED: [550, "5.7.1"],
  WORKSPACE_DISABLED: [550, "5.7.1"],
  INVALID_API_KEY: [535, "5.7.8"],
  FORBIDDEN: [535, "5.7.8"],
  RATE_LIMIT_EXCEEDED: [452, "4.7.0"],
  VALIDATION_ERROR: [550, "5.6.0"],
  IDEMPOTENCY_KEY_REUSED: [550, "5.6.0"],
  STORE_UNAVAILABLE: [451, "4.3.0"],
};

/**
 * The same door, scope and limits as POST /v1/send. `tracking`: whether opens and clicks are tracked, if the workspace
 * wants that.
 */
export function submissionHandlers(access: Access, tracking: boolean): Handlers {
  const guard = new Guard(access);
  // The buffers of one large message are freed before the next one.
  const large = new FairQueue(1);
  const together = sharing(acceptHandedIn);
  const small = new Outcomes((message: SubmittedMessage) => access.store.writeTogether(together, message), GATHER_MS);
  return {
    logIn: (login, session) => orReply(() => guard.logIn(login, session)),
    sender: (_, session) => orReply(async () => countRequest(access, session.user as SmtpUser)),
    recipient: async (address, session) => void recipient(address, session),
    message: async (slices, session) => {
      const bytes = await small.whileOnItsWay(() => complete(slices));
      const acceptMail = () => acceptMessage({ access, tracking, small }, bytes, session);
      return orReply(() => (bytes.length > LARGE_BYTES ? large.run(acceptMail) : acceptMail()));
    },
  };
}

/**
 * A correct key is accepted after any failures. After a wrong key the answer comes later each time, and after too many
 * there is only a refusal.
 */
class Guard {
  readonly #addresses = new SlidingLimit(FAILURES_A_WINDOW.address, WINDOW_MS);
  // One program with a wrong key must not use up the attempts of the others at its address.
  readonly #keys = new SlidingLimit(FAILURES_A_WINDOW.key, WINDOW_MS);

  constructor(private readonly access: Access) {}

  async logIn(login: SMTPServerAuthentication, { remoteAddress }: ServerSession): Promise<SmtpUser> {
    const password = login.password ?? "";
    const caller = await this.access.callers.with(password);
    if (caller?.kind === "secret" && caller.limits !== null) {
      refuseExpired(caller.limits, this.access.clock.nowMs());
      refuseBeyond(caller.limits, ["send"]);
      refuseElsewhere(caller.limits, addressAt(remoteAddress));
      return { key: password, workspace: caller.workspace };
    }
    await this.#slowDown(hostAt(remoteAddress) ?? "", password.slice(0, KEY_PREFIX_CHARS));
    throw wrongKey(caller);
  }

  /** @throws SmtpReply after too many failures */
  async #slowDown(host: string, keyPrefix: string): Promise<void> {
    const nowMs = this.access.clock.monotonicMs();
    const key = sha256Hex(`${host} ${keyPrefix}`);
    if (!this.#addresses.left(host, nowMs).allowed || !this.#keys.left(key, nowMs).allowed) {
      throw new SmtpReply(454, "4.7.0", "Too many failed logins; try again in ten minutes");
    }
    const failures = Math.max(this.#addresses.count(host, nowMs), this.#keys.count(key, nowMs));
    await pause(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)));
  }
}

function wrongKey(caller: Caller | null): SmtpReply {
  const reason = caller ? "A public key cannot send" : "The password is not a secret key, or the key was revoked";
  return new SmtpReply(535, "5.7.8", `${reason}; use the secret key (sk_) of a key set`);
}

/** @throws AppError RATE_LIMIT_EXCEEDED: mails count as requests of the API do */
function countRequest({ clock, requestLimit }: Access, { workspace }: SmtpUser): void {
  const { allowed, limit } = requestLimit.take(workspace, clock.monotonicMs());
  if (!allowed) throw new AppError("RATE_LIMIT_EXCEEDED", `${limit} requests were made in the last minute.`);
}

function recipient({ address }: Address, { envelope }: ServerSession): string {
  const parsed = parseAddress(withAsciiDomain(address));
  if (parsed === null) throw new SmtpReply(553, "5.1.3", "Invalid recipient address");
  if (!isAscii(parsed) && !envelope.smtpUtf8) {
    throw new SmtpReply(553, "5.6.7", "An address beyond ASCII needs SMTPUTF8");
  }
  return parsed;
}

/** The library has decoded names such as xn--i-7iq.ws to Unicode, which our grammar does not fully accept. */
function withAsciiDomain(address: string): string {
  const domain = domainOf(address);
  if (isAscii(domain)) return address;
  const ascii = domainToASCII(domain);
  if (domainToUnicode(ascii) !== domain.toLowerCase()) return address;
  return address.slice(0, address.length - domain.length) + ascii;
}

type AcceptanceOptions = {
  readonly access: Access;
  readonly tracking: boolean;
  readonly small: Outcomes<SubmittedMessage, readonly string[]>;
};

/** Answers once all mails are durable. */
async function acceptMessage(
  { access: { store, clock }, tracking, small }: AcceptanceOptions,
  bytes: Buffer,
  session: ServerSession,
): Promise<string> {
  const submitted = readSubmitted(bytes, clock.nowMs());
  if (bytes.length > LARGE_BYTES) await new Promise((resolve) => setImmediate(resolve));
  const recipients = [...new Set(session.envelope.rcptTo.map((address) => recipient(address, session)))];
  const client = addressAt(session.remoteAddress);
  const message = { key: (session.user as SmtpUser).key, client, submitted, recipients, tracking };
  if (bytes.length < SMALL_BYTES) return linesOf(await small.record(message));
  const ids = await store.write((tx) => acceptHandedIn(tx, message));
  if (ids instanceof AppError) throw ids;
  return linesOf(ids);
}

/** Each line with the enhanced code (RFC 2034 §4). */
function linesOf(ids: readonly string[]): string {
  const lines = Array.from({ length: Math.ceil(ids.length / IDS_A_LINE) }, (_, at) =>
    ids.slice(at * IDS_A_LINE, (at + 1) * IDS_A_LINE).join(" "),
  );
  return lines.map((line, at) => `2.6.0 ${at === 0 ? "Queued as " : ""}${line}`).join("\n");
}

/** Answers an AppError as the reply that means the same. */
async function orReply<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reply = error instanceof AppError ? REPLIES[error.code] : undefined;
    if (!reply) throw error;
    throw new SmtpReply(...reply, (error as AppError).message);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
