// The certificates that this installation shows, for monitoring: how long each is valid, and its last fault.
import { X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { DAY_MS, iso } from "../clock.ts";
import type { Config } from "../config.ts";
import { acmeFiles, faultIn } from "./acme/kept.ts";
import { filesOf, ownFiles, readCertificate, reasonOf, type CertificateFiles } from "./read.ts";

/** The ports that a certificate is shown at. */
export type CertificatePort = "HTTPS" | "SMTP";

export type CertificateState = {
  readonly of: readonly CertificatePort[];
  /** Null: there is no readable certificate. */
  readonly validTo: string | null;
  /** It should have been renewed by now. */
  readonly endsSoon: boolean;
  /** Why it cannot be read, or why ACME has not got a newer one, in words; null = no fault. */
  readonly fault: string | null;
};

/** A certificate is not left to its last days, … */
const SOON_MS = 14 * DAY_MS;
/** … but one that is valid for days only is renewed then. */
const SOON_SHARE = 1 / 6;

/** Whether a certificate with this validity should have been renewed by now. */
export function endsSoon(fromMs: number, toMs: number, nowMs: number): boolean {
  return nowMs > toMs - Math.min(SOON_MS, (toMs - fromMs) * SOON_SHARE);
}

/** Each certificate once, though several ports show it. Read from the files, which the server follows. */
export function certificatesOf(config: Config, nowMs: number): readonly CertificateState[] {
  const { submissionPort, submissionsPort, inboundPort } = config.smtp;
  const hasSmtp = [submissionPort, submissionsPort, inboundPort].some((port) => port !== 0);
  const shown: { of: CertificatePort; files: CertificateFiles | null }[] = [
    { of: "HTTPS", files: filesOf(config, "http") ?? acmeFiles(config, "http") },
    { of: "SMTP", files: hasSmtp ? (filesOf(config, "smtp") ?? acmeFiles(config, "smtp") ?? ownFiles(config)) : null },
  ];
  const there = shown.flatMap(({ of, files }) => (files === null ? [] : [{ of, files }]));
  const groups = Map.groupBy(there, ({ files }) => files.certFile);
  return [...groups.values()].flatMap((some) => {
    const [{ files }] = some as [(typeof some)[number]];
    const state = stateOf(config, files, nowMs);
    return state === null ? [] : [{ of: some.map(({ of }) => of), ...state }];
  });
}

/** Null: the server has not made it yet. */
function stateOf(config: Config, files: CertificateFiles, nowMs: number): Omit<CertificateState, "of"> | null {
  const isAcme = files.certFile === acmeFiles(config, files.section)?.certFile;
  const isGiven = files.certFile === filesOf(config, files.section)?.certFile;
  if (!isGiven && !existsSync(files.certFile)) return null;
  try {
    const { validFrom, validTo } = new X509Certificate(readCertificate(files).cert);
    const [fromMs, toMs] = [Date.parse(validFrom), Date.parse(validTo)];
    return { validTo: iso(toMs), endsSoon: endsSoon(fromMs, toMs, nowMs), fault: isAcme ? faultIn(config) : null };
  } catch (error) {
    return { validTo: null, endsSoon: false, fault: reasonOf(error) };
  }
}

export function needsSomebody({ endsSoon, fault }: CertificateState): boolean {
  return endsSoon || fault !== null;
}

/** The operator's tasks, in words; empty = the certificate is in order. */
export function needsOf({ of, validTo, endsSoon, fault }: CertificateState, nowMs: number): readonly string[] {
  const ports = of.join(" and ");
  if (validTo === null) return [`The certificate of ${ports} cannot be used: ${fault}. The one before stays in use.`];
  const until = Date.parse(validTo) < nowMs ? `ended at ${validTo}` : `ends at ${validTo}`;
  if (fault !== null) return [`No new certificate for ${ports}: ${fault}. The one in use ${until}.`];
  return endsSoon ? [`The certificate of ${ports} ${until}, and has not been renewed.`] : [];
}
