// How a host shows that it leads to this installation: it answers a nonce of ours with a signature that only our key
// can make.
import { randomBytes } from "node:crypto";
import { isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import { HOST_PROOF } from "../../base/link-bases.ts";
import { responseText } from "../../http/fetch-text.ts";
import type { Secrets } from "../../base/secrets.ts";
import { machineLookUp, targetOf, type LookUp } from "../../programs/webhooks/sending/target.ts";

const PURPOSE = "link-host";
const SIGNATURE_BYTES = 24;
const MAX_WAIT_MS = 5_000;
const MOST_BYTES = 200;

/** The answer to a path below `HOST_PROOF`; null = the path is no proof. */
export function proofAt(secrets: Secrets, path: string): string | null {
  const nonce = /^[0-9a-f]{32}$/.exec(path.slice(HOST_PROOF.length))?.[0];
  if (!path.startsWith(HOST_PROOF) || nonce === undefined) return null;
  return secrets.sign(PURPOSE, Buffer.from(nonce, "hex"), SIGNATURE_BYTES).toString("base64url");
}

/**
 * `own`: the addresses of this server, where the DNS has nothing else for the host. They may be private ones, and are
 * not resolved again: the next answer might differ.
 */
type ProofTarget = { readonly base: string; readonly own: readonly string[] | null };
export type ProofOptions = { readonly secrets: Secrets; readonly lookUp?: LookUp | undefined };

/** Null = this installation answers there; else why not, in words. Redirects are no proof. */
export async function faultAt({ base, own }: ProofTarget, options: ProofOptions): Promise<string | null> {
  const { secrets, lookUp = machineLookUp } = options;
  const path = HOST_PROOF + randomBytes(16).toString("hex");
  const url = new URL(path, base);
  const terms = { allow: [], lookUp, interfaces: networkInterfaces };
  const target = own === null ? await targetOf(url, terms) : { addresses: own };
  if ("refused" in target) return "it is not on the public internet.";
  if ("unreachable" in target) return target.unreachable;
  try {
    const said = await ask(url, target.addresses[0] ?? "");
    return said === proofAt(secrets, path) ? null : "another server answers there.";
  } catch (error) {
    return `the connection failed (${(error as { code?: string }).code ?? (error as Error).name}).`;
  }
}

async function ask(url: URL, address: string): Promise<string> {
  const at = new URL(url);
  at.hostname = isIPv6(address) ? `[${address}]` : address;
  const answer = await fetch(at, {
    headers: { host: url.host, "user-agent": "Posthorn" },
    redirect: "manual",
    keepalive: false,
    signal: AbortSignal.timeout(MAX_WAIT_MS),
    ...(url.protocol === "https:" ? { tls: { serverName: url.hostname } } : {}),
  });
  return (await responseText(answer, MOST_BYTES)).trim();
}
