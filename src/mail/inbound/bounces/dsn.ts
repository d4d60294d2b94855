// Reports for machines: delivery status notifications (RFC 3464, RFC 6533) and feedback reports, which are complaints
// (RFC 5965).
import { blameFor, CERTAIN, type Blame } from "../../emails/refusals/blame.ts";
import { oneLine } from "../../emails/refusals/words.ts";
import { paragraphOf, reasonsFor, reasonsIn } from "./report-text.ts";
import { fieldGroups, spoken, withoutType, type ReportFields, type RecipientReport } from "./report.ts";

/** As RFC 3464 §2.3.3 names them; some servers write "failure" or "error". */
const ACTIONS: readonly (readonly [RegExp, RecipientReport["action"]])[] = [
  [/^(fail|error)/i, "failed"],
  [/^delayed/i, "delayed"],
  [/^delivered/i, "delivered"],
  [/^relayed/i, "relayed"],
  [/^expanded/i, "expanded"],
];
const MAX_RECIPIENTS = 50;
const MAX_SAID_CHARS = 2_000;

/**
 * One report for each recipient that has an action; the first group, about the message as a whole, has none. `lines`:
 * the text beside the fields, which has the phase of the session, and the reason where the fields have none.
 */
export function readDeliveryStatus(text: string, lines: readonly string[]): RecipientReport[] {
  const groups = fieldGroups(text).filter((fields) => fields.has("action"));
  return groups.slice(0, MAX_RECIPIENTS).flatMap((fields) => reportOf(fields, lines) ?? []);
}

function reportOf(fields: ReportFields, lines: readonly string[]): RecipientReport | null {
  const action = ACTIONS.find(([word]) => word.test(fields.get("action") ?? ""))?.[1];
  if (!action) return null;
  const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get("status") ?? "")?.[0] ?? null;
  const named = fields.get("original-recipient") ?? fields.get("final-recipient");
  const recipient = named === undefined ? null : withoutType(named).replace(/^<|>$/g, "");
  const reason = reasonOf(fields, lines, { status, recipient });
  return { recipient, action, status, ...reason, diagnostic: oneLine(reason.diagnostic) || status || action };
}

/** `<mx.example.com #5.0.0 smtp; 550 "Unknown User">`: some servers write this instead, Exchange among them. */
const SUPPLEMENT = /^<?\s*[^\s#]*\s*#\d\.\d{1,3}\.\d{1,3}\s*(.*?)>?\s*$/s;

function supplementOf(fields: ReportFields): string {
  return SUPPLEMENT.exec(fields.get("x-supplementary-info") ?? "")?.[1] ?? "";
}

type DsnRecipient = Pick<RecipientReport, "status" | "recipient">;

function reasonOf(
  fields: ReportFields,
  lines: readonly string[],
  named: DsnRecipient,
): { diagnostic: string; blame: Blame } {
  const code = (fields.get("diagnostic-code") || supplementOf(fields)).slice(0, MAX_SAID_CHARS);
  // X.400 reasons are numbers with their names, which are the same for every refusal.
  const said = /^\s*x400\s*;/i.test(code) ? "" : withoutType(code);
  if (said === "" && CERTAIN.test(named.status ?? "")) return reasonOfCertain(fields, lines, named);
  const told = named.status?.startsWith("4.") ? "" : toldOf(fields, lines);
  const blame = blameOf(said, told, named);
  if (said !== "" && (blame !== "unclear" || saysSomething(named.status))) return { diagnostic: said, blame };
  return { diagnostic: said || told, blame: blameOf(told, told, named) };
}

/**
 * Without a reply of the server, only the paragraph about the recipient may soften such a code: full, pace, not now.
 */
function reasonOfCertain(fields: ReportFields, lines: readonly string[], { status, recipient }: DsnRecipient) {
  const own = namesIn(fields).map((name) => paragraphOf(lines, name));
  const words = own.find((one) => one !== "") ?? "";
  const isPassing = blameFor({ phase: "unknown", code: 0, status, words, recipient }) === "passing";
  const blame: Blame = isPassing ? "passing" : "recipient";
  return { diagnostic: reasonsIn([words]) || (status ?? ""), blame };
}

function namesIn(fields: ReportFields): string[] {
  const names = ["original-recipient", "final-recipient"].map((name) => withoutType(fields.get(name) ?? ""));
  return names.map((name) => name.replace(/^<|>$/g, "")).filter((name) => name !== "");
}

/** The reasons beside any of the recipient's names in the text; else all its reasons. */
function toldOf(fields: ReportFields, lines: readonly string[]): string {
  const told = namesIn(fields).map((name) => reasonsFor(lines, name));
  return told.find((words) => words !== "") ?? reasonsIn(lines);
}

/** The refusing server's reply has precedence over the reporting server's verdict. */
function blameOf(words: string, told: string, { status, recipient }: DsnRecipient): Blame {
  const said = spoken(words);
  const phase = said.phase === "unknown" ? spoken(told).phase : said.phase;
  const reported = saysSomething(status) ? status : null;
  const counted = words === told ? (reported ?? said.status) : (said.status ?? reported);
  return blameFor({ ...said, phase, status: counted, words, recipient });
}

/** Servers report 5.0.0 if they were given no status. */
function saysSomething(status: string | null): boolean {
  return status !== null && status !== "5.0.0";
}

/** Types that a recipient causes; virus scanners, DMARC reports and "not spam" are no complaints. */
const COMPLAINTS = new Set(["abuse", "fraud", "opt-out", "opt-out-list"]);

const JUNK_RECIPIENT = /^x-hmxmroriginalrecipient:/im;
const JUNK_SUBJECT = /^subject: complaint about message from /im;
const WITH_A_MAIL = /^content-type: message\/rfc822/im;
const MAX_HEAD_BYTES = 64 * 1024;

/** Whether the text of a message/feedback-report part is a complaint. */
export function readFeedback(text: string): boolean {
  const type = fieldGroups(text)
    .find((fields) => fields.has("feedback-type"))
    ?.get("feedback-type");
  return COMPLAINTS.has((type ?? "").toLowerCase());
}

/**
 * Whether it is a report of Microsoft's Junk Mail Reporting Program, which is older than RFC 5965: the mail itself,
 * with a field that names the recipient, under its own subject.
 */
export function isJunkReport(raw: Buffer): boolean {
  const head = raw.subarray(0, MAX_HEAD_BYTES).toString("latin1");
  const own = head.slice(0, endOfHeader(head));
  if (JUNK_RECIPIENT.test(own)) return true;
  // In the body, any sender may quote such a field.
  const at = head.search(WITH_A_MAIL);
  return at !== -1 && (JUNK_SUBJECT.test(own) || JUNK_RECIPIENT.test(head.slice(at)));
}

function endOfHeader(text: string): number {
  const at = text.search(/\r?\n\r?\n/);
  return at === -1 ? text.length : at;
}
