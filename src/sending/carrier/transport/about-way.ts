// Refusals about the way out instead of the mail: its account is unusable, or it does not know the sender. One table
// for all relays and services; all other refusals are judged in emails/refusals/blame.ts.
import { bareWords } from "../../../mail/emails/refusals/words.ts";
import type { HandoverOutcome, HopRefusal } from "./transport.ts";

/**
 * - `account`: the login, the quota, or the rights of the account: no mail would be taken.
 * - `sender`: the way does not know the sender's domain or address: no mail from there would be taken.
 *
 * `isSure` false: the reply may be that of a recipient's server, passed on by the relay.
 */
export type AboutWay = { readonly what: "account" | "sender"; readonly isSure: boolean };

type WayReply = {
  readonly phase: HopRefusal["phase"];
  readonly code: number;
  readonly status: string;
  readonly words: string;
};
type ReplyRule = readonly [what: AboutWay["what"] | "nothing", when: (said: WayReply) => boolean, why: string];

const says = (words: RegExp) => (said: WayReply) => words.test(said.words);
const coded = (codes: RegExp) => (said: WayReply) => codes.test(said.status);
const during =
  (...phases: HopRefusal["phase"][]) =>
  (said: WayReply) =>
    phases.includes(said.phase);
/** Once the sender was accepted, only relays that pass answers on refuse the sender or the account. */
const isLate = during("rcpt", "data");
const not = (condition: (said: WayReply) => boolean) => (said: WayReply) => !condition(said);
const both = (one: (said: WayReply) => boolean, other: (said: WayReply) => boolean) => (said: WayReply) =>
  one(said) && other(said);

const NAMED =
  "(sender|sending|from|mail ?from|return.?path|envelope.?(from|sender)|domain|identit(y|ies)|e-?mail address)";
const KNOWN =
  "(verified|validated|confirmed|registered|authori[sz]ed|activated|approved|configured|associated|provisioned|enabled|set up|added|recogni[sz]ed|linked|onboarded)";
const NOT_KNOWN = `(is |are |was |has |have |been )*(not|never) (yet |been |be |currently |properly )*${KNOWN}`;
const UNKNOWN = "un(verified|configured|registered|validated|confirmed|approved)";
const LOGIN = "(authori[sz]|authenticat|log(ged)?.?(in|on)|user|account)";

/** Only a service with us as a customer says so. */
const UNKNOWN_SENDER = anyOf(
  `\\b${NAMED}\\b[^.;!?]{0,80}\\b${NOT_KNOWN}\\b(?! to send (mail |e-?mails? )?(directly|to)\\b)`,
  `\\b${NAMED}\\b[^.;!?]{0,80}\\b(must|needs? to|has to|have to) (first )?be ${KNOWN}`,
  `\\b${NAMED}\\b[^.;!?]{0,80}\\b(is|are|was) (still |currently )?${UNKNOWN}\\b`,
  `\\bnot (an?|the|one of (the|your)|among (the|your)) (\\w+ ){0,3}${KNOWN} (sender|sending|from|domain|identit|address)`,
  `\\b(sender|sending|from|domain)\\b[^.;!?]{0,80}\\b(not|no)\\b[^.;!?]{0,60}\\b(in|on|to|of|for|with|under) (your (sending |smtp )?account|(your|this) (project|stack|subscription|api[ -]?key))\\b`,
  "\\bverify a domain\\b|\\bverify (the|your) (sender|sending) (domain|identity|address)|\\bcomplete (the )?(sender|domain) (authentication|verification)|\\bsenders? (&|and) domains\\b|\\bno such sending domain\\b",
  `\\b(unverified|unconfigured|unregistered|unvalidated|unauthori[sz]ed|unauthenticated)( or un\\w+)? (senders?|sending|domains?|from|identit(y|ies)|e-?mail address)\\b`,
  "verified sender|sender (identit|signature)|\\b(sender|from)\\b[^.;!?]{0,60}\\b(not |in)valid\\b|identities failed the check|NotVerified(Exception)?\\b",
  "SendAsDenied|\\bsend[ -]?(on behalf|as)\\b[^.;]{0,30}\\b(denied|this|another)|permissions? to send (as|from|on behalf)|client does not have permission",
  "\\b(not|never) (be )?(allowed|permitted|authori[sz]ed|entitled) to (send|relay|submit)( mails?| e-?mails?| messages?)? (as|from|on behalf|with|using|for (this|that|the) (domain|sender))\\b",
  "\\bnot (be )?(allowed|permitted|authori[sz]ed|entitled) to use [^.;!?]{0,40}\\b(sender|from|domain)\\b|\\b(may|can|must) ?not use [^.;!?]{0,40}\\bas (the )?(sender|from)\\b",
  "\\b(mail ?from|sender|from)\\b[^.;!?]{0,40}\\bnot conform|\\b(user|login|account) (name )?(does not|must|do not) match (the )?(mail ?from|sender|from|envelope)",
  `\\b(domain|sender)\\b[^.;!?]{0,80}\\bnot (be )?(allowed|permitted|authori[sz]ed) to (send|relay)\\b(?! (\\w+ )?to\\b)`,
  "not owned by|not one of your|not belong to (you|the|this|an?) ?(authenticated|logged|user|account)|not (logged in|permitted for (the )?authenticated)",
  `(sender|from|domain|address|mail)\\b[^.;!?]{0,40}\\b(must|has to|should|needs? to|does not|do not) (be |match|equal|correspond)[\\w ]{0,30}\\b${LOGIN}`,
  "sending from [^.;!?]{0,80}\\bnot (allowed|permitted|possible)|relaying disallowed|(invalid|bad) credentials for relay|is not registered (in|under|with) your|unregistered domains",
  "not authori[sz]ed to perform\\b.{0,60}\\bses:send|not allowed to relay (mails?|e-?mails?|messages?)",
);

/** A reply about a domain alone may mean the recipient's. */
const TO_SENDER = /\bsend|\bfrom\b|\byour?\b|\baccount|\brelay|\bidentit|\b(auth|log)|\bperm|NotVerified|not owned/i;

/** About the sender as well, but any server on the route may say it. */
const SENDER_REFUSED = anyOf(
  "\\b(sender|from|return.?path)( e-?mail)?( address)?( @)? (is |was )?(rejected|refused|denied|invalid|unknown|disallowed|not (allowed|permitted|authori[sz]ed|accepted|valid|known|found)|unauthori[sz]ed|mismatch)",
  "\\b(invalid|unallowed|disallowed|unknown|unrecogni[sz]ed) ['\"]?(sender|from|sending|return.?path)\\b|\\b(sender|sending|from)\\b[^.;!?]{0,60}\\bnot (on|in|among) [^.;!?]{0,20}\\b(list|approved|allowed|domains)\\b",
  "\\b(verify|validate|register|authenticate) (the|your) (sender|sending|from|domain)|\\bdomain\\b[^.;!?]{0,40}\\bnot (yet )?(been )?(authenticated|white-?listed)",
  "\\babsender[^.;!?]{0,80}\\b(nicht|kein|ungültig|abgelehnt|unbekannt)|exp[ée]diteur[^.;!?]{0,80}\\b(non|pas|refus|invalide|inconnu)|remitente[^.;!?]{0,80}\\b(no|rechazad|inválid|desconocid)|mittente[^.;!?]{0,80}\\b(non|rifiutat|sconosciut)|afzender[^.;!?]{0,80}\\b(niet|geweigerd|onbekend)",
  "\\bsender verif\\w* failed|verification failed for @|\\bdomain of sender\\b|no mx for your from|sender (domain|address)[^.;!?]{0,40}\\b(not (found|exist)|does not (exist|resolve))",
);

const ACCOUNT = anyOf(
  "\\b(account|user|domain|sending|tenant)\\b.{0,40}\\b(suspended|disabled|blocked|paused|inactive|terminated|not (yet )?(active|activated|enabled))\\b|\\bsandbox\\b|pending approval",
  "\\b(daily|hourly|monthly|sending|message|e-?mail|relay) (sending |smtp |relay )*(quota|limit)\\b|\\bquota\\b.{0,20}\\bexceeded\\b|\\bmaximum credits\\b|\\bout of credits?\\b|(not enough|insufficient|no) credits?\\b|\\bthrottling failure\\b|exceeded [^.;]{0,40}\\b(per hour|a day|per day|threshold|limit)\\b",
  "\\brelay(ing)? (access )?(denied|not (permitted|allowed)|prohibited)\\b|\\b(unable|not permitted|not allowed) to relay\\b|\\b(do|does|will) ?not relay\\b|5\\.7\\.1 @: (client host|recipient address) rejected: access denied|5\\.7\\.1 \\S+: client host rejected: access denied|i cannot deliver mail for|^550 invalid recipient: <?@>?$|\\bmail relay denied\\b|\\btenantattribution\\b",
  "\\bauthenti(cation|cate) (is )?(required|first|failed|unsuccessful)|\\bunauthori[sz]ed ip\\b|not loving your login|\\bclient was not authenticated\\b|\\bbad outbound sender\\b|outgoing blocked|free accounts? (is|are) for test|only send test(ing)? (mails?|e-?mails?|messages?) to\\b|unusual (sending|outgoing) activity",
);

/** A full mailbox is the recipient's. */
const MAILBOX = /\bmailbox\b|\b[45]\.2\.\d/i;
/**
 * A receiver's verdict on the authentication, the content or the reputation of a sender, and the permissions of its
 * mailboxes.
 */
const RECEIVERS = anyOf(
  "\\b(dmarc|spf)\\b|\\bdkim\\b[^.;]{0,40}\\b(fail|pass|check|align|invalid|policy)|requires all senders|level of authentication|required authentication level",
  "\\bspam|\\b(block|black|deny|drop)[ -]?list|\\brbl\\b|reputation|blocked using|gr[ea]y-?list",
  "RESOLVER\\.RST|\\b(to|for) (this|the|that|these) (recipients?|groups?|users?|mailbox|(mailing )?lists?|addressee)\\b|allowed[- ]senders?|delivery restriction",
);
/** RFC 4954 §6, RFC 5248: only the AUTH command, or a command without the required AUTH, is answered so. */
const LOGIN_CODES = new Set([432, 454, 525, 530, 534, 535, 538]);

/** RFC 5321 §4.2.4. */
const SYNTAX_CODES = new Set([500, 501, 502, 503, 504, 555]);

/** The first match counts. */
const TABLE: readonly ReplyRule[] = [
  ["nothing", ({ phase, code }) => phase === "mail" && code === 552, "Size."],
  ["nothing", coded(/^[45]\.(3\.4|2\.3|6\.\d+)$/), "Size and format are of the mail."],
  [
    "nothing",
    coded(/^[45]\.7\.(2\d|509|515|1[23]\d)$/),
    "Proofs of the sender that a receiver asks for, and its own restrictions.",
  ],
  ["account", says(/\bbad outbound sender\b|SubmissionQuotaExceeded/i), "Exchange Online has blocked the account."],
  [
    "sender",
    both(says(UNKNOWN_SENDER), not(says(RECEIVERS))),
    "It does not know the domain, or the login may not send for it.",
  ],
  ["sender", coded(/^[45]\.(7\.60|2\.252)$/), "Exchange: may not send as this sender."],
  ["nothing", both(isLate, says(RECEIVERS)), "A receiver has judged the mail."],
  [
    "account",
    ({ phase, code, status }) => phase === undefined && code === 421 && !status.startsWith("4.7."),
    "Service not available; 4.7.x is of a mailbox provider.",
  ],
  ["sender", both(says(SENDER_REFUSED), not(says(RECEIVERS))), "The sender's address was refused."],
  ["account", ({ code }) => LOGIN_CODES.has(code), "The login."],
  ["account", both(during("mail"), coded(/^[45]\.7\.(8|9|1[1-4])$/)), "The same, by other servers."],
  ["account", both(says(ACCOUNT), (said) => !MAILBOX.test(`${said.status} ${said.words}`)), "What the account may do."],
  ["nothing", ({ phase, code }) => phase === "mail" && SYNTAX_CODES.has(code), "The command was not understood."],
  ["sender", coded(/^[45]\.1\.[78]$/), "The sender's address."],
  ["sender", ({ phase, code }) => phase === "mail" && code >= 500, "Only the sender had been named."],
];

/** Null: the refusal is about the mail, its recipient or the moment. */
export function aboutWay(outcome: HandoverOutcome): AboutWay | null {
  if (outcome.kind !== "failed" && outcome.kind !== "later") return null;
  if (outcome.isLocal || outcome.isTakenOver || outcome.isLost) return null;
  const said = saidIn(outcome);
  const what = TABLE.find(([, when]) => when(said))?.[0] ?? "nothing";
  if (what === "nothing") return null;
  const isOfSender = what === "sender" && UNKNOWN_SENDER.test(said.words) && TO_SENDER.test(said.words);
  return { what, isSure: !isLate(said) || isOfSender };
}

const START = /^(\d{3})?[ -]?(?:([245]\.\d{1,3}\.\d{1,3})(?=\s|$))?/;

const SHORT_NOT = /\Bn't\b/gi;

function saidIn({ phase, reply }: HopRefusal): WayReply {
  const [, code = "0", status = ""] = START.exec(reply) ?? [];
  return { phase, code: Number(code), status, words: bareWords(reply).replace(SHORT_NOT, " not") };
}

function anyOf(...sources: readonly string[]): RegExp {
  return new RegExp(sources.join("|"), "i");
}
