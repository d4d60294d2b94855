// Bounces written for people: qmail, Exim, Exchange, large providers, and old systems without RFC 3464.
import type { ParsedMail } from "mailparser";
import { parseAddress } from "../../../base/addresses.ts";
import { blameFor } from "../../emails/refusals/blame.ts";
import { oneLine } from "../../emails/refusals/words.ts";
import { namesAutoReply } from "../reading/parsed.ts";
import { spoken, type NoticeEnvelope, type RecipientReport } from "./report.ts";
import { reasonsFor, reasonsIn, recipientIn, type ReportText } from "./report-text.ts";

/** The senders of bounces; vacation programs write in the name of a person. */
const DAEMON =
  /^"?(mailer-?daemon|postmaster|mail-?daemon|mdaemon|microsoftexchange[0-9a-f]+|mail[ .]delivery|system administrator|mail administrator|jetmail system)/i;
const SUBJECT =
  /undeliver|not (be )?delivered|non-?delivery|returned? (mail|to sender)|returning (message )?to sender|delivery (status|has failed|fail|problem|unsuccessful|incomplete|report|notification)|failure (notice|delivery)|mail (delivery )?(system )?(fail|error)|failed mail|user unknown|could ?n[o']t be delivered|nicht zu(stellbar|gestellt)|unzustellbar|non remis|non distribu|no (se pudo )?entrega|devuelto|n[ãa]o (foi |p[ôo]de ser )?entregue|mancata consegna|не доставлен|недоставл|配信|rejected|bounce|warning: /i;
const OPENING =
  /(was|could|can|is|have)(n't| not|not) (be(en)? )?(able to )?deliver|unable to deliver|undeliverable|delivery .{0,60}failed|permanent (fatal )?error|did not reach the following/i;
const DELAYED =
  /^warning: (?=.*\b(delay|still|hours?\b))|^delivery (status notification )?\(?delay|has been (delayed|postponed)|delayed mail|still being retried|will (continue to|keep) (be )?(made|retr|try)|attempts will continue|warning message only|not yet been delivered/im;

/**
 * Vacation programs use the null sender as well (RFC 3834 §3.3), and quote subjects of ours, such as "Your delivery
 * failed".
 */
const ANSWER = /^(re|aw|antw|sv|vs|rv|r|odp|tr)\s*:/i;

const OPENING_CHARS = 1_000;

/** Null if it is not a bounce. */
export function readFreeForm(
  mail: ParsedMail,
  { lines }: ReportText,
  envelope: NoticeEnvelope,
): RecipientReport | null {
  const failed = headerText(mail, "x-failed-recipients");
  const body = lines.join("\n");
  if (failed === null && !isFromServer(mail, body, envelope)) return null;
  const recipient = addressIn(failed) ?? recipientIn(lines, envelope.addressees, correspondentsOf(mail));
  const own = recipient === null ? "" : reasonsFor(lines, recipient);
  const reports = [own, reasonsIn(lines)].map((words) => reportOf(words, recipient));
  const report = reports.find(({ blame }) => blame !== "unclear") ?? reports[own === "" ? 1 : 0];
  const isDelayed = DELAYED.test(mail.subject ?? "") || DELAYED.test(body);
  return { ...(report as typeof report & object), recipient, action: isDelayed ? "delayed" : "failed", status: null };
}

function reportOf(words: string, recipient: string | null): Pick<RecipientReport, "diagnostic" | "blame"> {
  const diagnostic = oneLine(words) || "returned without a reason";
  return { diagnostic, blame: blameFor({ ...spoken(words), words, recipient }) };
}

/** Servers send with the null sender (RFC 5321 §4.5.5), or in their own names. */
function isFromServer(mail: ParsedMail, body: string, { sender, addressees }: NoticeEnvelope): boolean {
  const { from, subject = "" } = mail;
  const { address = "", name = "" } = from?.value[0] ?? {};
  const isAnswer = ANSWER.test(subject) || addressees.includes(parseAddress(address) ?? "");
  const isServer = DAEMON.test(address) || DAEMON.test(name) || isReport(mail) || (sender === "" && !isAnswer);
  if (!isServer || namesAutoReply(subject)) return false;
  return SUBJECT.test(subject) || OPENING.test(body.slice(0, OPENING_CHARS));
}

function isReport({ headers }: ParsedMail): boolean {
  const type: unknown = headers.get("content-type");
  return typeof type === "object" && type !== null && Reflect.get(type, "value") === "multipart/report";
}

/** The sender and the recipients of the notice. */
function correspondentsOf({ from, to }: ParsedMail): string[] {
  const fields = [from, to].flat().flatMap((field) => field?.value ?? []);
  return fields.flatMap(({ address }) => parseAddress(address ?? "") ?? []);
}

function addressIn(text: string | null): string | null {
  return /[^\s<>,;]{1,64}@[\w.-]{1,253}\w/.exec(text ?? "")?.[0] ?? null;
}

function headerText({ headers }: ParsedMail, name: string): string | null {
  const value = headers.get(name);
  return typeof value === "string" ? value : null;
}
