// Bounces that are written for people: qmail, Exim, Exchange, large providers, and old systems that know no RFC 3464.
import type { ParsedMail } from "mailparser";
import { oneLine } from "../../emails/refusal.ts";
import { blameFor } from "./blame.ts";
import type { RecipientReport } from "./recipient-report.ts";

/** The senders of bounces; vacation programs write in the name of a person. */
const DAEMON = /^(mailer-?daemon|postmaster|mail-?daemon|mdaemon|microsoftexchange[0-9a-f]+|mail delivery)/i;
const SUBJECT =
  /undeliver|returned (mail|to sender)|delivery (status|has failed|fail|problem|unsuccessful|incomplete|report)|failure (notice|delivery)|mail (delivery )?(system )?(fail|error)|could ?n[o']t be delivered|nicht zustellbar|non remis|rejected|bounce|warning: message/i;
const DELAYED =
  /^(warning: |delivery (status notification )?\(?delay)|has been delayed|delayed mail|still being retried|will (continue to|keep) (be )?(retr|try)|warning message only/i;
/** Below these lines comes the returned mail itself, whose words say nothing of its fate. */
const ORIGINAL =
  /^[ \t>]*(-+ ?(below this line|this is a copy|original (message|headers)|the header of|returned message|message header)|-{3,} ?(forwarded|unsent) |original message headers|diagnostic information for administrators.*original|reporting-mta:)/im;
const TELLING =
  /\b[45]\d\d[ -]|[45]\.\d\.\d{1,2}|\b(rcpt|end of data)\b|user|recipient|mailbox|address|account|domain|host|quota|does(n't| not) exist|unrouteable/i;
const ADDRESS = /<?([^\s<>()[\],;:"]{1,64}@[\w.-]{1,253}\w)>?/;

const MAX_REPORT_CHARS = 20_000;
const MAX_DIAGNOSTIC_LINES = 6;

/** Null for what is no bounce. */
export function readFreeForm(mail: ParsedMail): RecipientReport | null {
  const failed = headerText(mail, "x-failed-recipients");
  if (failed === null && !isFromServer(mail)) return null;
  const body = reportIn(mail);
  const told = tellingLines(body);
  const isDelayed = DELAYED.test(mail.subject ?? "") || DELAYED.test(body);
  const diagnostic = oneLine(told) || "returned without a reason";
  const recipient = ADDRESS.exec(failed ?? "")?.[1] ?? ADDRESS.exec(body)?.[1] ?? null;
  const blame = blameFor({ status: null, diagnostic: told });
  return { recipient, action: isDelayed ? "delayed" : "failed", status: null, diagnostic, blame };
}

function isFromServer({ from, subject }: ParsedMail): boolean {
  const { address = "", name = "" } = from?.value[0] ?? {};
  return (DAEMON.test(address) || DAEMON.test(name)) && SUBJECT.test(subject ?? "");
}

function headerText({ headers }: ParsedMail, name: string): string | null {
  const value = headers.get(name);
  return typeof value === "string" ? value : null;
}

function reportIn({ text, html }: ParsedMail): string {
  const whole = (text ?? (html || "")).slice(0, MAX_REPORT_CHARS).replace(/<\/?[a-z][^<>@]{0,500}>/gi, " ");
  const end = whole.search(ORIGINAL);
  return end === -1 ? whole : whole.slice(0, end);
}

/** From the line that names the recipient on, the lines that give reasons: what stands above is boilerplate. */
function tellingLines(body: string): string {
  const lines = body.split(/\r?\n/).map((line) => line.trim());
  const from = lines.findIndex((line) => ADDRESS.test(line) || /\b[45]\d\d[ -]\d\.\d/.test(line));
  const telling = lines.slice(Math.max(0, from)).filter((line) => TELLING.test(line));
  return telling.slice(0, MAX_DIAGNOSTIC_LINES).join(" ");
}
