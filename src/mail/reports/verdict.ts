// The meaning of a domain's reports: whether a stricter DMARC policy is safe, and which sources still fail it.
import type { DmarcSourceRow } from "./figures-queries.ts";

export type DmarcPolicy = "none" | "quarantine" | "reject";

/** The evidence in the reports of the last thirty days. */
export type DmarcEvidence = {
  /** Null = there is no DMARC record. */
  readonly policy: DmarcPolicy | null;
  readonly domain: string;
  /** The number of days with reported mail, and of the receivers that reported it. */
  readonly days: number;
  readonly receivers: number;
  readonly sources: readonly DmarcSourceRow[];
};

type VerdictValues = Readonly<Record<string, string>>;
type Sentence = (values: Record<string, string>) => string;

const counted = (count: string | undefined, one: string) => `${count} ${one}${count === "1" ? "" : "s"}`;

const EVIDENCE = ({ days, receivers, messages, share }: Record<string, string>) =>
  `Of ${counted(messages, "email")} from your servers and from known services, ${share} % passed (${counted(days, "day")}, ${counted(receivers, "receiver")}).`;

const VERDICTS = {
  no_reports: () =>
    "No report has told of email from this domain yet. Receivers send reports once a day, from the day after the DMARC record asks for them.",
  failing: (values) => `Not yet: ${values["source"]} sends email that fails. ${EVIDENCE(values)}`,
  too_early: (values) => `Too early to tell: reports of ${values["least"]} days are needed. ${EVIDENCE(values)}`,
  too_few: (values) => `Too few emails to tell: ${values["least"]} are needed. ${EVIDENCE(values)}`,
  may_quarantine: (values) => `You may go to p=quarantine. ${EVIDENCE(values)}`,
  may_reject: (values) => `You may go to p=reject. ${EVIDENCE(values)}`,
  keep: (values) => `Stay with p=quarantine for now: p=reject needs ${values["least"]} %. ${EVIDENCE(values)}`,
  strict: (values) => `p=reject is in force, and nothing of yours is in its way. ${EVIDENCE(values)}`,
} satisfies Readonly<Record<string, Sentence>>;

const ADVICE = {
  own_fails: () =>
    "The signature of this server does not arrive intact. Check the DKIM record above, and whether the relay changes emails.",
  service_signs_as: ({ source, signedAs, domain }) =>
    `${source} sends in your name, but signs as ${signedAs}. If you use it, set up DKIM for ${domain} there. If not, a stricter policy stops it.`,
  service_unsigned: ({ source, domain }) =>
    `${source} sends in your name without a signature of yours. If you use it, set up DKIM for ${domain} there. If not, a stricter policy stops it.`,
  forwarded_changed: () =>
    "Forwarders and mailing lists changed emails of yours, so that the signature does not match any more. That is usual and does no harm.",
  nobody_knows: () =>
    "Nobody knows this server. If it is yours, let it sign with DKIM or send through Posthorn. If not, a stricter policy stops it.",
} satisfies Readonly<Record<string, Sentence>>;

export type VerdictCode = keyof typeof VERDICTS;
export type AdviceCode = keyof typeof ADVICE;
export const VERDICT_CODES = Object.keys(VERDICTS) as readonly VerdictCode[];
export const ADVICE_CODES = Object.keys(ADVICE) as readonly AdviceCode[];

/** `values`: the values in the sentence, for programs that phrase it themselves. */
export type ReportStatement<Code> = { readonly code: Code; readonly sentence: string; readonly values: VerdictValues };

const LEAST_DAYS = 14;
const LEAST_MAILS = 100;
/** The share of your own mail, in per cent: no receiver is without faults. */
const ENOUGH = { quarantine: 98, reject: 99 };
/** A source with a smaller share of the mail does not count. */
const SMALL_SHARE = 0.01;
const SMALL_MAILS = 10;

export function verdictOn(evidence: DmarcEvidence): ReportStatement<VerdictCode> {
  const { policy, days, receivers, sources } = evidence;
  const named = sources.filter(isNamed);
  const messages = mailTotal(named, "messages");
  const share = messages === 0 ? 0 : (100 * mailTotal(named, "passed")) / messages;
  const values = { days: `${days}`, receivers: `${receivers}`, messages: `${messages}`, share: inTenths(share) };
  const say = (code: VerdictCode, more: VerdictValues = {}) => statement(VERDICTS, code, { ...values, ...more });
  if (mailTotal(sources, "messages") === 0) return say("no_reports");
  const [worst] = failingOf(sources);
  if (worst) return say("failing", { source: dmarcSourceName(worst, evidence.domain) });
  if (days < LEAST_DAYS) return say("too_early", { least: `${LEAST_DAYS}` });
  if (messages < LEAST_MAILS) return say("too_few", { least: `${LEAST_MAILS}` });
  if (policy === "reject") return say("strict");
  if (policy !== "quarantine") return say("may_quarantine");
  return share >= ENOUGH.reject ? say("may_reject") : say("keep", { least: `${ENOUGH.reject}` });
}

/** The sources that fail a stricter policy, the largest first. */
function failingOf(sources: readonly DmarcSourceRow[]): readonly DmarcSourceRow[] {
  const named = sources.filter(isNamed);
  const least = Math.max(SMALL_MAILS, SMALL_SHARE * mailTotal(named, "messages"));
  const failing = named.filter(
    ({ messages, passed }) => messages >= least && (100 * passed) / messages < ENOUGH.quarantine,
  );
  return failing.toSorted((one, other) => other.messages - other.passed - (one.messages - one.passed));
}

/** Unknown senders in the domain's name are the ones to stop; these sources may be authorized. */
function isNamed({ origin }: DmarcSourceRow): boolean {
  return origin === "OWN" || origin === "KNOWN";
}

/** The advice about a source; null = none. */
export function adviceOn(source: DmarcSourceRow, domain: string): ReportStatement<AdviceCode> | null {
  const { origin, messages, passed, signedAs } = source;
  if (messages === 0 || (100 * passed) / messages >= ENOUGH.quarantine) return null;
  if (origin === "OWN") return statement(ADVICE, "own_fails", {});
  if (origin === "FORWARDED") return statement(ADVICE, "forwarded_changed", {});
  if (origin === "UNKNOWN") return statement(ADVICE, "nobody_knows", {});
  const values = { source: dmarcSourceName(source, domain), domain };
  if (signedAs === null || signedAs === "") return statement(ADVICE, "service_unsigned", values);
  return statement(ADVICE, "service_signs_as", { ...values, signedAs });
}

/** A provider, or our own server by the domain that it sends for. */
function dmarcSourceName({ origin, provider }: DmarcSourceRow, domain: string): string {
  if (origin === "OWN") return provider === "" ? `this server (${domain})` : `this server by ${provider}`;
  return provider;
}

function statement<Code extends string>(
  sentences: Readonly<Record<Code, Sentence>>,
  code: Code,
  values: VerdictValues,
): ReportStatement<Code> {
  return { code, sentence: sentences[code]({ ...values }), values };
}

function mailTotal(sources: readonly DmarcSourceRow[], field: "messages" | "passed"): number {
  return sources.reduce((total, source) => total + source[field], 0);
}

/** Never rounded up: 99.96 is 99.9. */
function inTenths(share: number): string {
  return `${Math.floor(share * 10) / 10}`;
}
