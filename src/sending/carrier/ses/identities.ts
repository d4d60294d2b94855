// Sender domains at Amazon SES: registered with our own DKIM key (BYODKIM), and their state there.
import {
  CreateEmailIdentityCommand,
  GetEmailIdentityCommand,
  PutEmailIdentityDkimSigningAttributesCommand,
  SESv2Client,
  type GetEmailIdentityCommandOutput,
} from "@aws-sdk/client-sesv2";
import { FairQueue } from "../../../base/brakes/fair-queue.ts";
import { oneLine } from "../../../mail/emails/refusals/words.ts";
import type { Identities, SigningKey } from "../../../tenant/domains/check.ts";
import { missing, OK, wrong, type DnsFinding } from "../../../tenant/domains/dns-check/finding.ts";
import { clientConfig, type SesOptions } from "./ses.ts";

/** SES allows one request a second; the SDK waits and tries again. */
const MAX_ATTEMPTS = 5;
const REQUEST_TIMEOUT_MS = 15_000;

export function sesIdentities(options: SesOptions): Pick<Identities, "look" | "close"> {
  const client = new SESv2Client({ ...clientConfig(options), maxAttempts: MAX_ATTEMPTS });
  const queue = new FairQueue(1);
  const closing = new AbortController();
  return {
    look: (domain, key) =>
      queue
        .run(() => identityFinding(client, domain, key), { until: closing.signal })
        .catch(() => unknown("the server is shutting down")),
    close: async () => {
      closing.abort();
      await queue.idle();
      client.destroy();
    },
  };
}

/** `key` null: nothing is registered or changed. */
async function identityFinding(client: SESv2Client, domain: string, key: SigningKey | null): Promise<DnsFinding> {
  try {
    const identity = await identityOf(client, domain);
    if (key === null) return seen(identity);
    if (identity) return await concluded(client, domain, key, identity);
    await client.send(
      new CreateEmailIdentityCommand({ EmailIdentity: domain, DkimSigningAttributes: attributesOf(key) }),
      timeout(),
    );
    return missing("ses_added");
  } catch (error) {
    return unknown(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
}

function seen(identity: GetEmailIdentityCommandOutput | null): DnsFinding {
  if (identity === null) return wrong("ses_unknown");
  return identity.VerifiedForSendingStatus ? OK : missing("ses_looks");
}

async function identityOf(client: SESv2Client, domain: string): Promise<GetEmailIdentityCommandOutput | null> {
  try {
    return await client.send(new GetEmailIdentityCommand({ EmailIdentity: domain }), timeout());
  } catch (error) {
    if (error instanceof Error && error.name === "NotFoundException") return null;
    throw error;
  }
}

/**
 * Foreign settings at SES stay unchanged. A key of ours is replaced by the next one, or set again so that SES checks
 * again.
 */
async function concluded(
  client: SESv2Client,
  domain: string,
  key: SigningKey,
  { DkimAttributes: dkim = {}, VerifiedForSendingStatus: isVerified }: GetEmailIdentityCommandOutput,
): Promise<DnsFinding> {
  const [selector = ""] = dkim.Tokens ?? [];
  const isOurs = dkim.SigningAttributesOrigin === "EXTERNAL" && key.ownSelectors.includes(selector);
  const isGivenUp = dkim.Status === "FAILED";
  const isIdle = isGivenUp || dkim.Status === "NOT_STARTED";
  if (isOurs && (selector !== key.selector || (isIdle && !isVerified))) await giveKey(client, domain, key);
  if (isVerified) return OK;
  if (isOurs && isGivenUp) return wrong("ses_again");
  if (isOurs) return missing("ses_looks");
  return wrong("ses_not_ours");
}

async function giveKey(client: SESv2Client, domain: string, key: SigningKey): Promise<void> {
  await client.send(
    new PutEmailIdentityDkimSigningAttributesCommand({
      EmailIdentity: domain,
      SigningAttributesOrigin: "EXTERNAL",
      SigningAttributes: attributesOf(key),
    }),
    timeout(),
  );
}

function timeout() {
  return { abortSignal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
}

/** SES takes the key as base64 on one line, without the lines that frame a PEM. */
function attributesOf({ selector, privateKeyPem }: SigningKey) {
  const base64 = privateKeyPem.replace(/-----[^-]+-----|\s/g, "");
  return { DomainSigningSelector: selector, DomainSigningPrivateKey: base64 };
}

function unknown(reason: string): DnsFinding {
  return { state: "UNKNOWN", problem: oneLine(`SES could not be asked: ${reason}`) };
}
