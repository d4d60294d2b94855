// The state that ACME keeps in the data directory: the key of the account, when to try again, and the certificate with
// its key in one file.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFileSync, renameSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { domainToASCII } from "node:url";
import { compatHosts, ownName, type Config } from "../../config.ts";
import { writePrivate } from "../../private-files.ts";
import type { CertificateFiles } from "../read.ts";

/** In the data directory, readable by its owner alone. */
const CERTIFICATE = "acme.pem";
const ACCOUNT = "acme.json";

export type AcmeState = {
  /** PEM. */
  readonly accountKey: string;
  /** The configuration of the last attempt: a different one is tried immediately. */
  readonly tried: string;
  readonly failures: number;
  readonly nextTryMs: number;
  /** Why the last attempt failed, in words; null = it succeeded. */
  readonly fault: string | null;
};

/**
 * Where the certificate is, as the API or the SMTP ports read it; null = ACME is off. One file, so that certificate and
 * key change together.
 */
export function acmeFiles({ http, data }: Config, section: CertificateFiles["section"]): CertificateFiles | null {
  if (http.tls !== "acme") return null;
  const file = join(data.dir, CERTIFICATE);
  return { section, certFile: file, keyFile: file };
}

/** The names of the certificate: the host of links, those of [compat], our name where mail is accepted. In ASCII. */
export function namesOf(config: Config): readonly string[] {
  const { submissionPort, submissionsPort, inboundPort, certFile } = config.smtp;
  const isShown = certFile === null && [submissionPort, submissionsPort, inboundPort].some((port) => port !== 0);
  const names = [new URL(config.http.baseUrl).hostname, ...compatHosts(config), ...(isShown ? [ownName(config)] : [])];
  return [...new Set(names.filter((name) => isIP(name) === 0).map(domainToASCII))];
}

/** The state as it was kept, or that of a new account that has tried nothing. */
export function readKept(dataDir: string): AcmeState {
  try {
    const kept = JSON.parse(readFileSync(join(dataDir, ACCOUNT), "utf8")) as AcmeState;
    createPrivateKey(kept.accountKey);
    return kept;
  } catch {
    return { accountKey: pemOf(newKey()), tried: "", failures: 0, nextTryMs: 0, fault: null };
  }
}

/** The authority and the names of the certificate that the configuration wants. */
export function wantedOf(config: Config): string {
  return [config.http.acmeDirectory, ...namesOf(config)].join(" ");
}

/** Why the last attempt at the wanted certificate failed; null = it did not, or there was none. */
export function faultIn(config: Config): string | null {
  try {
    const { tried, fault } = JSON.parse(readFileSync(join(config.data.dir, ACCOUNT), "utf8")) as AcmeState;
    return tried === wantedOf(config) ? fault : null;
  } catch {
    return null;
  }
}

export function keep(dataDir: string, kept: AcmeState): void {
  replace(join(dataDir, ACCOUNT), `${JSON.stringify(kept, null, 2)}\n`);
}

export function keepCertificate({ certFile }: CertificateFiles, cert: string, key: string): void {
  replace(certFile, key + cert);
}

export function newKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

export function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }) as string;
}

/** Readers see the old content or the new one, whole. */
function replace(path: string, content: string): void {
  writePrivate(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}
