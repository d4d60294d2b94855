// Notices of Amazon SES that arrive through SNS: the proof that they are genuine, and their effects.
import type { Mail } from "../../emails/queries.ts";
import { HOUR_MS, iso, MINUTE_MS, type Clock } from "../../../base/clock.ts";
import { findLeftMail } from "../../emails/feedback/feedback.ts";
import { idByRemoteId } from "../../emails/soft-bounces/feedback-queries.ts";
import { AppError } from "../../../base/errors.ts";
import { SparseWarnings } from "../../../base/jobs/sparse-warnings.ts";
import type { Log } from "../../../base/log.ts";
import type { Store, Tx } from "../../../store/store.ts";
import type { FetchText } from "../../../http/fetch-text.ts";
import { forgetNoticesBefore, noticeTaken, rememberNotice } from "../queries.ts";
import { readSesEvent, type SesEvent } from "./event.ts";
import { isCertificateUrl, isConfirmationUrl, isSignedBy, SnsCertificates } from "./sns.ts";
import type { SnsMessage } from "./shape.ts";
import { applyNotice } from "../bounces/take-notice.ts";

type SesNoticeOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** ARNs; a message of any other topic is refused. */
  readonly topics: () => readonly string[];
  readonly fetchText: FetchText;
};

/** SNS retries for an hour at most, and a dead-letter queue may be delivered later; older messages are replays. */
const MAX_AGE_MS = 24 * HOUR_MS;
const MAX_CLOCK_SKEW_MS = 15 * MINUTE_MS;
/** Longer than messages are accepted. */
const REMEMBERED_MS = MAX_AGE_MS + HOUR_MS;
/** A notice with SES's name of a mail may be faster than the record of that name. */
const UNRECORDED_MS = 2 * MINUTE_MS;

export class SesNotices {
  readonly #options: SesNoticeOptions;
  readonly #certificates: SnsCertificates;
  readonly #warnings: SparseWarnings;

  constructor(options: SesNoticeOptions) {
    this.#options = options;
    this.#certificates = new SnsCertificates(options.fetchText, options.clock);
    this.#warnings = new SparseWarnings(options.log, options.clock, HOUR_MS);
  }

  get areTaken(): boolean {
    return this.#options.topics().length > 0;
  }

  /**
   * Takes a message once. A message about an unknown mail changes nothing.
   * @throws AppError FORBIDDEN if it is not from one of our topics, NOTICE_EARLY if it has to be sent again later
   */
  async take(message: SnsMessage): Promise<void> {
    await this.#mustBeGenuine(message);
    if (message.Type === "Notification") return this.#takeNotification(message);
    if (message.Type === "SubscriptionConfirmation") return this.#confirm(message);
    const { store, log } = this.#options;
    if ((await store.write((tx) => rememberNotice(tx, message.MessageId))) > 0)
      log.warn("an SNS topic no longer sends notices of SES here", { topic: message.TopicArn });
  }

  /** The cheapest checks come first. */
  async #mustBeGenuine(message: SnsMessage): Promise<void> {
    if (!this.#options.topics().includes(message.TopicArn))
      throw noticeRefusal("comes from a topic that is not listed");
    const ageMs = this.#ageMs(message);
    if (!(ageMs <= MAX_AGE_MS && ageMs >= -MAX_CLOCK_SKEW_MS))
      throw this.#logged(noticeRefusal("is too old, or from the future"));
    if (!isCertificateUrl(message.SigningCertURL))
      throw noticeRefusal("names a certificate that is not from Amazon SNS");
    const key = await this.#certificates.keyAt(message.SigningCertURL).catch((error: AppError) => {
      throw this.#logged(error);
    });
    if (!isSignedBy(message, key)) throw this.#logged(noticeRefusal("is not signed by Amazon SNS"));
  }

  /**
   * Logs the refusal of a message of a listed topic, each reason once an hour: it may be genuine and the fault ours.
   */
  #logged(error: AppError): AppError {
    const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
    const fields = { reason: error.message, ...cause };
    this.#warnings.warn("a message of a listed topic was refused", fields, error.message);
    return error;
  }

  #ageMs({ Timestamp }: SnsMessage): number {
    return this.#options.clock.nowMs() - Date.parse(Timestamp);
  }

  async #takeNotification(message: SnsMessage): Promise<void> {
    const event = readSesEvent(message.Message);
    if (event === null) return;
    const isFresh = this.#ageMs(message) < UNRECORDED_MS;
    await this.#options.store.write(async (tx) => {
      if ((await rememberNotice(tx, message.MessageId)) === 0) return;
      const mail = await mailOf(tx, event, isFresh);
      if (mail !== null) await applyNotice(tx, mail, { ...event.notice, byCarrier: true });
    });
  }

  async #confirm({ MessageId, SubscribeURL = "", TopicArn: topic }: SnsMessage): Promise<void> {
    const { store, log, fetchText } = this.#options;
    if (!isConfirmationUrl(SubscribeURL, topic)) throw noticeRefusal("asks to confirm its subscription elsewhere");
    if (await store.read((reader) => noticeTaken(reader, MessageId))) return;
    await fetchText(SubscribeURL).catch((error: unknown) => {
      log.warn("the subscription of a topic could not be confirmed", { topic, reason: (error as Error).message });
      throw new AppError("NOTICE_EARLY", "The subscription could not be confirmed at the moment.");
    });
    await store.write((tx) => rememberNotice(tx, MessageId));
    log.info("an SNS topic sends notices of SES here now", { topic });
  }
}

/** @throws AppError NOTICE_EARLY for a mail whose hand-over is not recorded yet; then the transaction is rolled back */
async function mailOf(tx: Tx, { emailId, remoteId }: SesEvent, isFresh: boolean): Promise<Mail | null> {
  const id = emailId ?? (await idByRemoteId(tx, remoteId))?.id;
  if (id === undefined && isFresh) throw early();
  const mail = id === undefined ? null : await findLeftMail(tx, id);
  if (mail === "early") throw early();
  return mail;
}

function early(): AppError {
  return new AppError("NOTICE_EARLY", "The email that the notice is about is not recorded as sent yet.");
}

function noticeRefusal(why: string): AppError {
  return new AppError("FORBIDDEN", `The message ${why}.`);
}

/** Forgets notices that can no longer arrive; answers their number. */
export function forgetOldNotices(store: Store, most: number): Promise<number> {
  return store.write((tx) => forgetNoticesBefore(tx, iso(tx.nowMs - REMEMBERED_MS), most));
}
