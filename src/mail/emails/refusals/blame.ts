// The blame for a refusal: one table for a relay's answers, for DSNs and for notices of SES (docs/bounces.md). A
// refusal counts as the recipient's fault only if that is certain, because it unsubscribes the contact.
import { domainOf } from "../../../base/addresses.ts";
import {
  ABOUT_US,
  bareWords,
  DENIED,
  FULL,
  GUESS,
  IRONPORT_UNKNOWN,
  LISTED,
  LOOP,
  NO_DOMAIN,
  NOBODY_THERE,
  NOT_IN_DIRECTORY,
  NOT_NOW,
  STANDARD,
  SURELY_NOBODY,
  THEIR_TROUBLE,
  TOO_LARGE,
  TOO_MUCH,
  UNAVAILABLE,
} from "./words.ts";

/** The step of the session that was refused. "data": the DATA command or the message itself. */
export type Phase = "connect" | "auth" | "mail" | "rcpt" | "data" | "unknown";

/**
 * - `recipient`: the address has no mailbox. A hard bounce.
 * - `sender`: our identity, content or rights. The mail is FAILED; the recipient is not to blame.
 * - `passing`: full, too much, not now. A retry may help; in the end a soft bounce.
 * - `unclear`: refused for good without a clear reason. A soft bounce.
 */
export type Blame = "recipient" | "sender" | "passing" | "unclear";

export type SmtpRefusal = {
  readonly phase: Phase;
  /** RFC 5321 §4.2; 0 = none. */
  readonly code: number;
  /** RFC 3463; null = none from the refusing server. */
  readonly status: string | null;
  readonly words: string;
  /** The refused address, if it is known. */
  readonly recipient?: string | null;
};

/** `words` without names, and `original` with them. */
type RefusalWords = SmtpRefusal & { readonly status: string; readonly original: string };

type BlameRule = readonly [blame: Blame, when: (said: RefusalWords) => boolean, why: string];

const says = (words: RegExp) => (said: RefusalWords) => words.test(said.words);
const during =
  (...phases: Phase[]) =>
  (said: RefusalWords) =>
    phases.includes(said.phase);
const coded = (codes: RegExp) => (said: RefusalWords) => codes.test(said.status);

/** Codes that name the recipient's fault (RFC 3463 §3.2, §3.3). */
export const CERTAIN = /^5\.(1\.([1236]|10)|2\.1)$/;

/** The first match counts. */
const TABLE: readonly BlameRule[] = [
  ["passing", ({ code }) => code >= 400 && code < 500, "The server itself says that it is temporary."],
  ["passing", coded(/^4\./), "The same, in the other notation."],
  ["sender", during("auth", "mail"), "No recipient was named yet."],
  ["passing", says(FULL), "A full mailbox is emptied some day, whatever the code: some servers add 5.1.1."],
  ["passing", says(TOO_MUCH), "Too much mail is a matter of pace, whatever the code."],
  ["passing", coded(/^5\.(2\.[24]|3\.1)$/), "Mailbox full, list trouble, system full."],
  ["sender", coded(/^5\.1\.[78]$/), "The sender's address."],
  [
    "recipient",
    (said) => !during("connect")(said) && SURELY_NOBODY.test(said.words) && !isDoubtful(said),
    "Unmistakable words about the recipient count at every moment after its name, and beside every code.",
  ],
  [
    "recipient",
    (said) => during("data")(said) && CERTAIN.test(said.status) && NOBODY_THERE.test(said.words) && !isDoubtful(said),
    "The code and the words agree.",
  ],
  ["sender", coded(/^5\.7\.\d+$/), "Policy, authentication."],
  ["sender", during("data"), "The recipient was accepted before; the message is refused."],
  ["unclear", coded(/^5\.(2\.3|3\.4|4\.(6|14)|6\.\d+)$/), "Size, loops, content: of this one mail."],
  ["sender", isAboutUs, "Servers use any code; words about us or about spam, and names of blocklists, say more."],
  ["unclear", says(TOO_LARGE), "The same, in words."],
  ["unclear", says(LOOP), "Of the way to it."],
  ["unclear", during("connect"), "No recipient was named yet, and nothing was said about us."],
  ["passing", says(NOT_NOW), "The words promise another time."],
  ["recipient", hasNoDomain, "If the domain does not exist, nobody is there."],
  ["passing", says(THEIR_TROUBLE), "Their server has trouble, whatever the code."],
  [
    "recipient",
    (said) => NOBODY_THERE.test(said.words) && !GUESS.test(said.words),
    "Words that say so beat codes that say nothing.",
  ],
  ["recipient", says(IRONPORT_UNKNOWN), "Its directory of recipients does not know the address."],
  ["recipient", (said) => said.status === "5.4.1" && NOT_IN_DIRECTORY.test(said.words), "Exchange Online says so."],
  ["sender", says(DENIED), "Denied without a reason: that may be us."],
  ["recipient", coded(CERTAIN), "No such mailbox, domain or address; moved; null MX; disabled."],
  [
    "recipient",
    (said) => said.code === 550 && UNAVAILABLE.test(said.words),
    "The meaning of 550 if nothing else is said.",
  ],
  ["passing", coded(/^5\.2\.0$/), "Trouble with a mailbox that exists."],
  ["passing", (said) => said.code === 552 && said.status === "", "The code for a lack of storage."],
  ["recipient", isBareAtRecipient, "What these codes mean in answer to RCPT (RFC 5321 §4.3.2)."],
];

export function blameFor(refused: SmtpRefusal): Blame {
  return lineFor(refused)?.[0] ?? "unclear";
}

/**
 * The reporting server calls it a refusal for good: where the refusing server gives no reason, the report is believed.
 */
export function blameForGood(refused: SmtpRefusal): Blame {
  return lineFor(refused)?.[0] ?? (NOT_OF_ADDRESS.test(refused.status ?? "") ? "unclear" : "recipient");
}

/** Systems, networks, protocols and content (RFC 3463 §3.4 to §3.7): these are reasons. */
const NOT_OF_ADDRESS = /^5\.[3-6]\./;

function lineFor(outer: SmtpRefusal): BlameRule | undefined {
  const refused = innerOf(outer);
  const said = { ...refused, status: refused.status ?? "", words: bareWords(refused.words), original: refused.words };
  return TABLE.find(([, when]) => when(said));
}

/** `550-'5.7.1 <ada@example.com>... Access denied'`: the reply to a gateway, quoted in the gateway's own. */
const QUOTED = /\b([45]\d\d)-\[?(['"])(.{3,2000})\2|(['"])\s*([45]\d\d)[ -]+(.{3,2000})\4/s;
const MAX_QUOTED_CHARS = 2_000;
const LEADING_STATUS = /^\s*#?([245]\.\d{1,3}\.\d{1,3})\b/;

/** The quoted reply is judged, not the gateway's own. */
function innerOf(refused: SmtpRefusal): SmtpRefusal {
  const found = QUOTED.exec(refused.words.slice(0, MAX_QUOTED_CHARS));
  if (!found) return refused;
  const [code = "0", words = ""] = found[1] === undefined ? [found[5], found[6]] : [found[1], found[3]];
  return { ...refused, code: Number(code), status: LEADING_STATUS.exec(words)?.[1] ?? null, words };
}

/** A report names the server in front of its reply. */
const SERVER_NAMED = /^.*?\bsaid:/s;

function isAboutUs({ words, original }: RefusalWords): boolean {
  return ABOUT_US.test(words) || LISTED.test(original.replace(SERVER_NAMED, ""));
}

/** Words about us, the server's own trouble, another time or a guess beside it. */
function isDoubtful(said: RefusalWords): boolean {
  return isAboutUs(said) || [GUESS, NOT_NOW, THEIR_TROUBLE, TOO_LARGE].some((group) => group.test(said.words));
}

/** Postfix and Exchange name the domain that they did not find; a relay's domain is not the recipient's fault. */
const NOT_FOUND = /(?:\bname=|\bDNS domain )([\w.-]+\w)/i;

function hasNoDomain({ words, original, recipient }: RefusalWords): boolean {
  if (!NO_DOMAIN.test(words)) return false;
  const named = NOT_FOUND.exec(original)?.[1];
  return named === undefined || domainOf(recipient ?? "") === named.toLowerCase();
}

/** Whether the words name the domain of this address as missing: then the address has no mailbox in any case. */
export function isDeadDomain(words: string, recipient: string): boolean {
  const domain = domainOf(recipient).toLowerCase();
  const isNamed = words
    .toLowerCase()
    .split(/[^\w.-]+/)
    .some((word) => word.replace(/\.$/, "") === domain);
  return isNamed && NO_DOMAIN.test(bareWords(words)) && !NOT_NOW.test(bareWords(words));
}

function isBareAtRecipient({ phase, code, status, words }: RefusalWords): boolean {
  return phase === "rcpt" && status === "" && (code === 550 || code === 551 || code === 553) && STANDARD.test(words);
}
