// Mail leaves through the API of Amazon SES (SendEmail, version 2), raw as it was made.
import { SendEmailCommand, SESv2Client, type SESv2ClientConfig } from "@aws-sdk/client-sesv2";
import { systemClock } from "../../clock.ts";
import { BAD_ENVELOPE, wireEnvelope } from "../envelope.ts";
import { ConcurrencyLimit } from "../concurrency-limit.ts";
import { sesRefusal } from "./refusal.ts";
import { Spacing } from "../spacing.ts";
import { CLOSING, TAKEN_OVER, type FinishedMessage, type Outcome, type Refusal, type Transport } from "../transport.ts";

export type SesOptions = {
  readonly region: string;
  /** Null leaves it to the SDK to find credentials: environment, profile, role of the machine. */
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
  readonly sessionToken: string | null;
  readonly configurationSet: string | null;
  /** Null is the region's own. */
  readonly endpoint: string | null;
  /** For one request from beginning to end. */
  readonly timeoutMs: number;
  /** Requests at once; more wait their turn. */
  readonly concurrency: number;
  /** Time between two departures at least; 0 = none. */
  readonly gapMs: number;
};

/** Hands every message to SES in one request; SES sends it under a Message-ID of its own, which is the `remoteId`. */
export function sesTransport(options: SesOptions): Transport {
  const client = new SESv2Client(clientConfig(options));
  const limit = new ConcurrencyLimit(options.concurrency);
  const spacing = new Spacing(options.gapMs, systemClock);
  const send = async (message: FinishedMessage) => {
    return (await spacing.turnOf(message)) ? handOver(client, options, message) : TAKEN_OVER;
  };
  return {
    send: async (message) => (await limit.run(() => send(message))) ?? CLOSING,
    close: async () => {
      await limit.close();
      client.destroy();
    },
  };
}

async function handOver(client: SESv2Client, options: SesOptions, message: FinishedMessage): Promise<Outcome> {
  const envelope = wireEnvelope(message.envelope);
  if (envelope === null) return BAD_ENVELOPE;
  const raw = await inAscii(message);
  if ("kind" in raw) return raw;
  const command = sendCommand(envelope.recipient, { ...message, raw }, options.configurationSet);
  try {
    const answer = await client.send(command, { abortSignal: AbortSignal.timeout(options.timeoutMs) });
    const remoteId = answer.MessageId ?? "";
    return { kind: "accepted", reply: `Taken by SES as ${remoteId}`, ...(remoteId === "" ? {} : { remoteId }) };
  } catch (error) {
    return sesRefusal(error instanceof Error ? error : new Error(String(error)));
  }
}

/** SES asks for parts that are encoded. */
async function inAscii({ raw, sevenBit }: FinishedMessage): Promise<Buffer | Refusal> {
  if (!sevenBit) return raw;
  return sevenBit().catch((error: Error) => ({ kind: "failed", reply: `SES takes ASCII only: ${error.message}` }));
}

function sendCommand(recipient: string, message: FinishedMessage, configurationSet: string | null): SendEmailCommand {
  return new SendEmailCommand({
    Content: { Raw: { Data: message.raw } },
    Destination: { ToAddresses: [recipient] },
    // Comes back in every notification, so that the mail is known even before its MessageId is stored.
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
    // Tries again are for the delivery schedule, which counts them.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: options.timeoutMs / 2, httpAgent: sockets, httpsAgent: sockets },
    ...(options.endpoint === null ? {} : { endpoint: options.endpoint }),
    ...(explicit ? { credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) } } : {}),
  };
}
