// The problems of DNS records by code: the sentence in English, and the values that a program needs to say it in
// another language.

type ProblemValues = Readonly<Record<string, string>>;
type Sentence = (values: Record<string, string>) => string;

const UNTIL = "SES looks for the DKIM record by itself, for up to 72 hours.";

const SENTENCES = {
  none: ({ name }) => `There is no such record at ${name}.`,
  alias: ({ name, alias }) => `There is a CNAME to ${alias} at ${name}, and the record is not found there.`,
  doubled_name: ({ doubled, short }) =>
    `The record is at ${doubled}: the DNS provider adds the domain itself, so enter ${short} as its name.`,
  dkim_several: ({ count, name }) => `There are ${count} DKIM records at ${name}; only ours is allowed.`,
  dkim_other_key: ({ found, key }) => `The record does not contain our key: found ${found}, expected p=${key}.`,
  dkim_bad_tag: ({ tag, found, expected }) =>
    `The record contains our key, but ${tag}= is ${found} and must be ${expected} or absent.`,
  dmarc_several: ({ count, name }) => `There are ${count} DMARC records at ${name}; receivers then use none.`,
  dmarc_no_policy: () => "The record has no p=, which means p=none; older receivers need it written out.",
  dmarc_bad_policy: ({ name, found }) => `The policy p= at ${name} is ${found} and must be none, quarantine or reject.`,
  dmarc_no_reports: ({ address }) =>
    `The record asks nobody for reports (rua=). With rua=mailto:${address}, receivers tell how much of your email passes, and who else sends in your name.`,
  dmarc_reports_elsewhere: ({ found, address }) =>
    `Reports go to ${found}. To read them here as well, add mailto:${address}.`,
  tls_reports_none: ({ name }) =>
    `There is no such record at ${name}. Publish one if you want to know when other servers cannot encrypt email to you.`,
  tls_reports_several: ({ count, name }) => `There are ${count} such records at ${name}; senders then use none.`,
  tls_reports_elsewhere: ({ found, address }) =>
    `Reports go to ${found}. To read them here as well, add mailto:${address}.`,
  permission_none: ({ home, name }) =>
    `There is no such record at ${name}. It belongs in the DNS of ${home}; published as *._report._dmarc.${home}, one record serves all domains.`,
  permission_not_needed: ({ home }) => `The record is not needed: ${home} belongs to the same organization.`,
  bimi_none: () => "There is no BIMI record, so mailbox providers show no logo beside emails.",
  bimi_bad: ({ found }) => `The BIMI record ${found} is not valid: l= and a= must be https addresses.`,
  bimi_policy: () =>
    "There is a BIMI record, but mailbox providers show the logo only if the DMARC policy is quarantine or reject.",
  mta_sts_none: () => "There is no MTA-STS record, so other servers may send email to this domain unencrypted.",
  mta_sts_bad: ({ found }) =>
    `The MTA-STS record ${found} is not valid: a name has one, with an id of letters and digits.`,
  mta_sts_no_policy: ({ url }) =>
    `There is an MTA-STS record, but no valid policy at ${url}, so it counts for nothing.`,
  mta_sts_mode: ({ mode, hosts }) => `The MTA-STS policy is in mode ${mode}, for ${hosts}.`,
  dane_none: ({ name }) =>
    `The next hop has no TLSA record at ${name}, so it proves who it is by its certificate alone.`,
  dane_there: ({ count, name }) =>
    `The next hop has TLSA records (${count}) at ${name}. They count if its DNS zone is signed, which is not checked here.`,
  mx_none_bounces: ({ name }) => `There is no MX record at ${name}, which bounces need.`,
  mx_none_inbound: ({ name }) =>
    `There is no MX record at ${name}. Publish one only if email to ${name} is to arrive here.`,
  mx_refuses: ({ name }) => `The MX record at ${name} says that the domain accepts no email (RFC 7505).`,
  mx_no_address: ({ host }) => `The host ${host} of the MX record has no address.`,
  mx_elsewhere_bounces: ({ name, found, host, subdomain }) =>
    `Email to ${name} goes to ${found} and not to ${host}, so bounces do not arrive. If people receive email at ${name}, leave the record as it is and use another return-path domain, such as ${subdomain}.`,
  mx_elsewhere_inbound: ({ name, found, host, subdomain }) =>
    `Email to ${name} goes to ${found}: leave that as it is. To receive email at ${host} as well, add a subdomain here, such as ${subdomain}, and publish its records.`,
  spf_none: ({ name }) => `There is no TXT record at ${name} that begins with v=spf1.`,
  spf_several: ({ count, name }) =>
    `There are ${count} SPF records at ${name}, which makes all of them invalid: merge them into one.`,
  spf_placeholder: ({ found }) => `The record ${found} contains a placeholder: replace it by what your relay asks for.`,
  spf_everybody: ({ found }) => `The record ${found} lets everybody send: make it end with ~all.`,
  spf_nobody: ({ found }) => `The record ${found} allows nobody to send.`,
  spf_not_ours: ({ found, term }) => `The record ${found} does not allow what sends your emails: add ${term}.`,
  spf_merged_lookups: ({ found, term, most }) =>
    `The record ${found} does not allow what sends your emails. With ${term} it would need more than ${most} DNS lookups, which makes it invalid: remove an include that is no longer used, then add ours.`,
  spf_bad_term: ({ name, term }) => `The SPF record at ${name} is invalid because of ${term}.`,
  spf_lookups: ({ most }) =>
    `The record needs more than ${most} DNS lookups, which makes it invalid: remove some includes.`,
  spf_include_none: ({ name }) =>
    `The record includes ${name}, which has no SPF record. That makes it invalid: remove the include.`,
  spf_include_several: ({ name, count }) =>
    `The record includes ${name}, which has ${count} SPF records. That makes it invalid: remove the include.`,
  verified_elsewhere: () => "The domain is verified in another workspace.",
  service_waits: ({ service }) => `${service} is asked once the DKIM record is found.`,
  ses_added: () => `The domain has just been added to SES. ${UNTIL}`,
  ses_again: () => `SES had given up on the domain and was asked to check again. ${UNTIL}`,
  ses_looks: () => `SES has not verified the domain yet. ${UNTIL}`,
  ses_not_ours: () => "SES knows the domain with DKIM settings that are not ours, and has not verified it.",
  ses_unknown: () => "SES does not know the domain. posthorn domain verify adds it there.",
  way_refuses: ({ reply }) => `It does not take email of this domain: ${reply}`,
} satisfies Readonly<Record<string, Sentence>>;

/**
 * The record is void by a fault that only its owner can correct; replacing it with ours would drop the senders in it.
 */
export const TO_CORRECT: ReadonlySet<string> = new Set<keyof typeof SENTENCES>([
  "spf_bad_term",
  "spf_lookups",
  "spf_include_none",
  "spf_include_several",
]);

/** The record is right, but its reports are sent elsewhere. */
export const SENT_ELSEWHERE: ReadonlySet<string> = new Set<keyof typeof SENTENCES>([
  "dmarc_no_reports",
  "dmarc_reports_elsewhere",
  "tls_reports_elsewhere",
]);

export type DnsProblemCode = keyof typeof SENTENCES;
export const PROBLEM_CODES = Object.keys(SENTENCES) as readonly DnsProblemCode[];
/** `values.instead`: the domain that receivers check, so that this record matters little. */
export type DnsProblem = {
  readonly problem: string;
  readonly code: DnsProblemCode;
  readonly values: ProblemValues;
};

export function problemOf(code: DnsProblemCode, values: ProblemValues = {}): DnsProblem {
  const { instead } = values;
  const sentence = (SENTENCES[code] as Sentence)(values);
  const more = instead === undefined ? "" : ` It matters little: receivers look at ${instead}.`;
  return { problem: sentence + more, code, values };
}
