// The authentication of a message: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989).
import type { DKIMResult } from "mailauth";
import { dkimVerify } from "mailauth/lib/dkim/verify";
import { spf } from "mailauth/lib/spf";
import { Readable } from "node:stream";
import { domainToASCII } from "node:url";
import { domainOf } from "../../../base/addresses.ts";
import type { DnsResult } from "../../../base/dns.ts";
import { dmarcRecords, organizationalDomain, policyFor, type TxtRecords } from "../../../base/dns/dmarc.ts";
import type { RecordType } from "../../../base/dns/message.ts";
import type { ScanVerdict, ScanVerdicts } from "../../emails/receive.ts";
import type { InboundEnvelope } from "./reading.ts";
import { authorsOf, withFewSignatures } from "./header.ts";

/** Answers null if the lookup fails. */
export type DnsLookup = (name: string, type: RecordType) => Promise<DnsResult | null>;

export type Authentication = Pick<ScanVerdicts, "spfVerdict" | "dkimVerdict" | "dmarcVerdict">;

/** For one message: all of SPF (RFC 7208 §4.6.4), its signatures, and DMARC. */
const MAX_DNS_QUESTIONS = 150;
/** For all questions of one message; later questions count as a temporary error. */
const MAX_ANSWERS_MS = 20_000;
const UNSURE = "temperror";
/** RFC 8301 §3.1. */
const HISTORIC = /-sha1\s*$/i;

/** Never throws: a check that breaks down is PROCESSING_FAILED. `host` is our own name. */
export async function authenticate(
  raw: Buffer,
  envelope: InboundEnvelope,
  { ask, host, nowMs }: { readonly ask: DnsLookup; readonly host: string; readonly nowMs: number },
): Promise<Authentication> {
  const askSome = atMost(MAX_DNS_QUESTIONS, ask);
  const resolver = mailauthResolver(askSome);
  const [path, signed] = await Promise.all([
    checkPath(envelope, host, resolver).catch(() => null),
    checkSignatures(raw, nowMs, resolver).catch(() => null),
  ]);
  const txt = async (name: string) => (await askSome(name, "TXT")).records;
  const dmarcVerdict =
    path && signed
      ? await checkDmarc(txt, {
          authors: authorsOf(raw).map((address) => (address === null ? null : domainOf(address))),
          spf: path.passed,
          dkim: signed.passed,
          isUnsure: path.isUnsure || signed.isUnsure,
        })
      : "PROCESSING_FAILED";
  return {
    spfVerdict: path?.verdict ?? "PROCESSING_FAILED",
    dkimVerdict: signed?.verdict ?? "PROCESSING_FAILED",
    dmarcVerdict,
  };
}

type MailauthRecords = (string[] | string | { readonly exchange: string; readonly priority: number })[];
type MailauthResolver = (name: string, type: string) => Promise<MailauthRecords>;

/** The domains for which SPF or DKIM pass, independent of the author. Never throws. */
export async function provenDomains(
  raw: Buffer,
  envelope: InboundEnvelope,
  { ask, host, nowMs }: { readonly ask: DnsLookup; readonly host: string; readonly nowMs: number },
): Promise<readonly string[]> {
  const resolver = mailauthResolver(atMost(MAX_DNS_QUESTIONS, ask));
  const [path, signed] = await Promise.all([
    checkPath(envelope, host, resolver).catch(() => null),
    checkSignatures(raw, nowMs, resolver).catch(() => null),
  ]);
  return [path?.passed ?? [], signed?.passed ?? []].flat();
}

type PathCheck = { readonly verdict: ScanVerdict; readonly passed: string | null; readonly isUnsure: boolean };

async function checkPath(
  { sender, clientAddress: ip, helo }: InboundEnvelope,
  mta: string,
  resolver: MailauthResolver,
) {
  // From a mailbox: another server has seen the client.
  if (ip === "") return { verdict: "GRAY", passed: null, isUnsure: true } satisfies PathCheck;
  const { status, domain } = await spf({ sender, ip, helo, mta, resolver: resolver as never });
  const passed = status.result === "pass" ? asciiDomain(domain) : null;
  return { verdict: verdictOf(status.result), passed, isUnsure: status.result === UNSURE } satisfies PathCheck;
}

/** Fields of the library's answer that it does not declare. */
type MailauthFields = {
  readonly bodyHash?: string;
  readonly bodyHashExpecting?: string;
  readonly algo?: string;
  /** `keys`: the names of the signed fields, as in the message, with `: ` between them. */
  readonly signingHeaders?: { readonly keys: string };
};

type SignatureCheck = {
  readonly verdict: ScanVerdict;
  readonly passed: readonly string[];
  readonly isUnsure: boolean;
};

/** One valid signature is enough. A signature over a part of the body (l=) counts for nothing (RFC 6376 §8.2). */
async function checkSignatures(raw: Buffer, nowMs: number, resolver: MailauthResolver): Promise<SignatureCheck> {
  const options = { resolver: resolver as never, curTime: new Date(nowMs) };
  // In one piece: the library scans an unfinished line again with each further piece.
  const { results } = await dkimVerify(Readable.from([withFewSignatures(raw)]), options);
  const judged = results.map((one: DKIMResult & MailauthFields) => {
    const isAltered = one.bodyHashExpecting !== undefined && one.bodyHash !== one.bodyHashExpecting;
    const isOpen = one.status.result === "pass" && one.status.underSized !== undefined;
    if (HISTORIC.test(one.algo ?? "") || !coversFrom(one)) return "permerror";
    return isAltered ? "fail" : isOpen ? "neutral" : one.status.result;
  });
  const passed = results.flatMap((one, index) =>
    judged[index] === "pass" ? [asciiDomain(one.signingDomain ?? "")] : [],
  );
  const verdicts = judged.map(verdictOf);
  return {
    verdict: passed.length > 0 ? "PASS" : verdicts.includes("FAIL") ? "FAIL" : "GRAY",
    passed,
    isUnsure: judged.includes(UNSURE),
  };
}

/** RFC 6376 §6.1.1: a signature that does not cover From proves nothing about the author. */
function coversFrom({ signingHeaders }: MailauthFields): boolean {
  return !signingHeaders || signingHeaders.keys.split(":").some((name) => name.trim().toLowerCase() === "from");
}

function verdictOf(result: string): ScanVerdict {
  if (result === "pass") return "PASS";
  return ["none", "neutral", UNSURE].includes(result) ? "GRAY" : "FAIL";
}

function asciiDomain(domain: string): string {
  return domainToASCII(domain.trim().toLowerCase()) || domain;
}

/** @throws Error if the lookup fails, or exceeds the number of questions */
type StrictDnsLookup = (name: string, type: RecordType) => Promise<DnsResult>;

function atMost(most: number, ask: DnsLookup): StrictDnsLookup {
  const deadline = AbortSignal.timeout(MAX_ANSWERS_MS);
  let asked = 0;
  return async (name, type) => {
    const found = asked++ < most && !deadline.aborted ? await ask(name, type) : null;
    // The library takes only this code of node:dns for temporary everywhere, also below include: and redirect=.
    if (!found) throw Object.assign(new Error(`${type} of ${name} cannot be looked up`), { code: "ETIMEOUT" });
    return found;
  };
}

/** Our answers in the form of node:dns. */
function mailauthResolver(answers: StrictDnsLookup): MailauthResolver {
  return async (name, type) => {
    const { records, nameExists } = await answers(name, type as RecordType);
    if (records.length === 0)
      throw Object.assign(new Error(`There is no ${type} of ${name}`), { code: nameExists ? "ENODATA" : "ENOTFOUND" });
    if (type === "TXT") return records.map((text) => [text]);
    return type === "MX" ? records.map((exchange) => ({ exchange, priority: 0 })) : [...records];
  };
}

type AuthIdentities = {
  /** The domain of each mailbox in From; null for a mailbox without one. */
  readonly authors: readonly (string | null)[];
  /** The domains for which SPF and DKIM have passed. */
  readonly spf: string | null;
  readonly dkim: readonly string[];
  /** A check ended in a temporary error: it may pass at another time. */
  readonly isUnsure: boolean;
};

/**
 * PASS or FAIL where the author's domain has a DMARC record, whatever its policy, else GRAY. Several authors fail, even
 * of one domain: readers may be shown an author without authentication.
 */
export async function checkDmarc(txt: TxtRecords, identities: AuthIdentities): Promise<ScanVerdict> {
  const [author = null, ...others] = identities.authors;
  if (others.length > 0) return "FAIL";
  if (author === null) return "GRAY";
  try {
    const records = await dmarcRecords(txt, author);
    const applied = policyFor(author, records);
    if (!applied) return "GRAY";
    const home = organizationalDomain(author, records);
    const isAligned = async (domain: string, strict: boolean) =>
      domain === author || (!strict && organizationalDomain(domain, await dmarcRecords(txt, domain)) === home);
    const isStrict = (tag: string) => applied.tags.get(tag)?.toLowerCase() === "s";
    if (identities.spf !== null && (await isAligned(identities.spf, isStrict("aspf")))) return "PASS";
    for (const domain of identities.dkim) if (await isAligned(domain, isStrict("adkim"))) return "PASS";
    return identities.isUnsure ? "GRAY" : "FAIL";
  } catch {
    return "GRAY";
  }
}
