// The transport through the API of Amazon SES (SendEmail, version 2), with raw messages.
import { GetAccountCommand, SendEmailCommand, SESv2Client, type SESv2ClientConfig } from "@aws-sdk/client-sesv2";
import { FairQueue } from "../../../base/brakes/fair-queue.ts";
import { systemClock } from "../../../base/clock.ts";
import { oneLine } from "../../../mail/emails/refusals/words.ts";
import { BAD_ENVELOPE, wireEnvelope } from "../transport/envelope.ts";
import { HandOverSpacing } from "../transport/spacing.ts";
import {
  ANSWER_TIMEOUT_MS,
  CLOSING_MS,
  CLOSING,
  TAKEN_OVER,
  type FinishedMessage,
  type HandoverOutcome,
  type HopRefusal,
  type Transport,
} from "../transport/transport.ts";

/** A slower upload is cancelled. */
const SLOWEST_BYTES_A_MS = 4;

export type SesOptions = {
  readonly region: string;
  /** Null: the SDK finds credentials in the environment, a profile or the role of the machine. */
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
  readonly sessionToken: string | null;
  readonly configurationSet: string | null;
  /** Null = the region's own. */
  readonly endpoint: string | null;
  /** The longest wait for a connection. */
  readonly timeoutMs: number;
  /** For one whole request, however slowly its body leaves; ten minutes unless given, and more for a large message. */
  readonly answerTimeoutMs?: number;
  readonly concurrency: number;
  /** The least time between two departures; 0 = none. */
  readonly gapMs: number;
};

/** One request a message; SES sends it under its own Message-ID, which is the `remoteId`. */
export function sesTransport(options: SesOptions): Transport {
  const client = new SESv2Client(clientConfig(options));
  const queue = new FairQueue(Math.max(1, options.concurrency));
  const closing = new AbortController();
  const cutOff = new AbortController();
  const spacing = new HandOverSpacing(options.gapMs, systemClock);
  const send = async (message: FinishedMessage) => {
    return (await spacing.turnOf(message))
      ? handOver(client, options, { ...message, cutOff: cutOff.signal })
      : TAKEN_OVER;
  };
  return {
    send: (message) => queue.run(() => send(message), { until: closing.signal }).catch(() => CLOSING),
    look: () => sesFault(client),
    close: async () => {
      closing.abort();
      const deadline = setTimeout(() => cutOff.abort(), CLOSING_MS);
      await queue.idle();
      clearTimeout(deadline);
      client.destroy();
    },
  };
}

const LONGEST_LOOK_MS = 10_000;

/** SES answers, takes our key, and has not paused the account. */
async function sesFault(client: SESv2Client): Promise<string | null> {
  try {
    const account = await client.send(new GetAccountCommand({}), { abortSignal: AbortSignal.timeout(LONGEST_LOOK_MS) });
    return account.SendingEnabled === false ? "Amazon SES has paused sending for this account" : null;
  } catch (error) {
    // A key may be allowed to send and do nothing else.
    if ((error as { name?: string }).name === "AccessDeniedException") return null;
    return sesRefusal(error instanceof Error ? error : new Error(String(error))).reply;
  }
}

type SesMessage = FinishedMessage & { /** Waits no longer. */ readonly cutOff: AbortSignal };

async function handOver(client: SESv2Client, options: SesOptions, message: SesMessage): Promise<HandoverOutcome> {
  const envelope = wireEnvelope(message.envelope);
  if (envelope === null) return BAD_ENVELOPE;
  const raw = await inAscii(message);
  if ("kind" in raw) return raw;
  const command = sendCommand(envelope.recipient, { ...message, raw }, options.configurationSet);
  const { answerTimeoutMs = ANSWER_TIMEOUT_MS + raw.length / SLOWEST_BYTES_A_MS } = options;
  try {
    // The SDK does not signal when the whole body has left: from here on, SES may have it.
    message.onSaid?.();
    const deadline = AbortSignal.any([AbortSignal.timeout(Math.round(answerTimeoutMs)), message.cutOff]);
    const answer = await client.send(command, { abortSignal: deadline });
    const remoteId = answer.MessageId ?? "";
    return { kind: "accepted", reply: `Accepted by SES as ${remoteId}`, ...(remoteId === "" ? {} : { remoteId }) };
  } catch (error) {
    return sesRefusal(error instanceof Error ? error : new Error(String(error)));
  }
}

/** SES takes encoded parts only. */
async function inAscii({ raw, sevenBit }: FinishedMessage): Promise<Buffer | HopRefusal> {
  if (!sevenBit) return raw;
  return sevenBit().catch((error: Error) => ({ kind: "failed", reply: `SES takes ASCII only: ${error.message}` }));
}

function sendCommand(recipient: string, message: FinishedMessage, configurationSet: string | null): SendEmailCommand {
  return new SendEmailCommand({
    Content: { Raw: { Data: message.raw } },
    Destination: { ToAddresses: [recipient] },
    // Returned in every notification, so a mail is recognised even before its MessageId is stored.
    EmailTags: [{ Name: "emailId", Value: message.id }],
    ...(configurationSet === null ? {} : { ConfigurationSetName: configurationSet }),
  });
}

export function clientConfig(options: SesOptions): SESv2ClientConfig {
  const { accessKeyId, secretAccessKey, sessionToken } = options;
  const sockets = { keepAlive: true, maxSockets: Math.max(1, options.concurrency) };
  const explicit = accessKeyId !== null && secretAccessKey !== null;
  return {
    region: options.region,
    // The retry schedule repeats the attempt, and counts it.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: options.timeoutMs / 2, httpAgent: sockets, httpsAgent: sockets },
    ...(options.endpoint === null ? {} : { endpoint: options.endpoint }),
    ...(explicit ? { credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) } } : {}),
  };
}

type SdkError = Error & { readonly code?: string; readonly $metadata?: { readonly httpStatusCode?: number } };

/** The account, the credentials or the configuration set: no other mail would get through. */
const ACCOUNT_TROUBLE =
  /^(AccountSuspended|SendingPaused|LimitExceeded|NotFound|Credentials|ExpiredToken|UnrecognizedClient|InvalidClientTokenId|IncompleteSignature|InvalidSignature|MissingAuthenticationToken|OptInRequired)/;
/** A policy of the key names the identities that it may send as. */
const OF_IDENTITY = /not authorized to perform\b.*\bidentity\//i;
const THROTTLED = /^(TooManyRequests|Throttling)/;
const DAILY_QUOTA = /daily message quota/i;
const SUPPRESSED = /suppression list|address (is )?blacklisted/i;
/** No connection was made, so nothing was sent. */
const NO_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_SSL|ERR_TLS|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/;
const NEVER_CONNECTED = /did not establish a connection/;
const MAYBE = "SES was asked to send and did not answer: it may or may not have accepted the message";
/** A proxy has forwarded the request to SES and got no answer. */
const NO_ANSWER_BEHIND = new Set([502, 504]);

/** Never throws. A fault that is not surely the mail's does not count against it. */
function sesRefusal(error: SdkError): HopRefusal {
  const status = error.$metadata?.httpStatusCode;
  const reply = oneLine(`${status ?? ""} ${error.name}: ${error.message}`);
  if (status === 403 && OF_IDENTITY.test(error.message)) return { kind: "failed", reply };
  if (ACCOUNT_TROUBLE.test(error.name) || status === 401 || status === 403) return { kind: "unreachable", reply };
  if (status === undefined || status < 400 || NO_ANSWER_BEHIND.has(status)) return withoutAnswer(error, reply);
  if (THROTTLED.test(error.name) || status === 429)
    return { kind: quotaIsSpent(error) ? "unreachable" : "later", reply };
  if (status >= 500) return { kind: "later", reply };
  return { kind: SUPPRESSED.test(error.message) ? "bounced" : "failed", reply };
}

function quotaIsSpent(error: SdkError): boolean {
  return DAILY_QUOTA.test(error.message);
}

function withoutAnswer(error: SdkError, reply: string): HopRefusal {
  const neverSent = NO_CONNECTION.test(error.code ?? "") || NEVER_CONNECTED.test(error.message);
  return neverSent ? { kind: "unreachable", reply } : { kind: "unanswered", reply: oneLine(`${MAYBE} (${reply})`) };
}
