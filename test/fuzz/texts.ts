// Hostile input that is no request of the API: dialogues of SMTP, mails, notices, files of contacts. Bytes are texts of
// Latin-1.
import fc from "fast-check";
import { bytes, hostileText, mutated, TEXTS } from "./hostile.ts";

export type TextCase = { readonly kind: "smtp" | "mail" | "notice" | "sns" | "csv"; readonly text: string };

const latin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1");
const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("ada@elsewhere.test", "help@example.test", "text/plain") },
  hostileText,
);

const LINES = [
  "EHLO x",
  "HELO",
  "MAIL FROM:<ada@elsewhere.test>",
  "MAIL FROM:<> SIZE=99999999999",
  "MAIL FROM:<a@b.test> BODY=8BITMIME SMTPUTF8",
  "RCPT TO:<help@example.test>",
  "RCPT TO:<@a,@b:c@d>",
  "DATA",
  "From: a@b.test\r\n\r\n.x\r\n.",
  ".",
  "RSET",
  "NOOP x",
  "VRFY root",
  "BDAT 5 LAST\r\nhello",
  "AUTH PLAIN AGEAYg==",
  "AUTH LOGIN",
  "AUTH PLAIN",
  "STARTTLS",
  "HELP",
  "QUIT",
];

const smtp = fc
  .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...LINES) }, hostileText.map(latin1), bytes(200)), {
    maxLength: 14,
  })
  .map((lines) => `${lines.join("\r\n")}\r\n`);

const FIELDS = [
  "From",
  "To",
  "Subject",
  "Date",
  "Message-ID",
  "In-Reply-To",
  "References",
  "Auto-Submitted",
  "Content-Disposition",
  "Content-Transfer-Encoding",
  "DKIM-Signature",
  "Received",
  "X-Failed-Recipients",
];
const VALUES = [
  "Ada <ada@elsewhere.test>",
  "=?utf-8?Q?=C3=28=A0?=",
  "=?utf-16be?B?2D0=?=",
  "a:b:c;",
  "base64",
  "quoted-printable",
  "v=1; a=rsa-sha256; d=x; s=y; bh=; b=",
  "attachment; filename*0*=utf-8''%ff; filename*1=\"x",
  "auto-replied",
];

const field = fc
  .tuple(fc.constantFrom(...FIELDS), fc.oneof(fc.constantFrom(...VALUES), word.map(latin1)))
  .map(([name, value]) => `${name}: ${value}`);
const TYPES = [
  "text/plain; charset=utf-7",
  "text/html",
  "message/rfc822",
  "multipart/mixed; boundary=b",
  "image/png; name=x",
  "text/calendar",
  "application/ms-tnef",
];

const mail = mutated(
  fc
    .tuple(
      fc.array(field, { maxLength: 8 }),
      fc.array(fc.tuple(fc.constantFrom(...TYPES), field, bytes(120)), { maxLength: 5 }),
    )
    .map(([head, parts]) => {
      const inner = parts.map(([type, more, body]) => `--b\r\nContent-Type: ${type}\r\n${more}\r\n\r\n${body}\r\n`);
      return `${[...head, "Content-Type: multipart/mixed; boundary=b"].join("\r\n")}\r\n\r\n${inner.join("")}--b--\r\n`;
    }),
);

const REPORT_FIELDS = [
  "Reporting-MTA: dns; mx.example",
  "Final-Recipient: rfc822; bob@example.com",
  "Original-Recipient: utf-8; b\\x{FC}b@example.com",
  "Action: failed",
  "Action: delayed",
  "Status: 5.1.1",
  "Status: 4.999.99999",
  "Status:",
  "Diagnostic-Code: smtp; 550 5.1.1 User unknown",
  "Diagnostic-Code: x; \t (comment (nested)",
  "Will-Retry-Until: never",
  "Feedback-Type: abuse",
  "Feedback-Type: not-spam",
  "User-Agent: x/1",
  "Version: 1",
  "Original-Rcpt-To: <bob@example.com>",
  "",
];
const REPORTS = ["delivery-status", "feedback-report", "disposition-notification", ""];

const notice = mutated(
  fc
    .tuple(
      fc.constantFrom(...REPORTS),
      fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...REPORT_FIELDS) }, field), { maxLength: 14 }),
      word,
    )
    .map(([type, lines, text]) =>
      [
        "From: MAILER-DAEMON@mx.example",
        `Content-Type: multipart/report; report-type=${type}; boundary=b`,
        `\r\n--b\r\n\r\n${latin1(text)}\r\n<bob@example.com>: host mx.example said: 550 5.1.1 no`,
        `--b\r\nContent-Type: message/${type || "rfc822"}\r\n\r\n${lines.join("\r\n")}\r\n`,
        "--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <x@y>\r\nSubject: Hi\r\n\r\nx\r\n--b--\r\n",
      ].join("\r\n"),
    ),
);

const SES = ["Bounce", "Complaint", "Delivery", "Send", "Reject", "Open", "Click", "DeliveryDelay", "Subscription"];
const sns = mutated(
  fc
    .tuple(
      fc.constantFrom(...SES),
      fc.constantFrom("eventType", "notificationType"),
      fc.constantFrom(...TEXTS),
      fc.dictionary(
        fc.constantFrom("bounceType", "bouncedRecipients", "complainedRecipients", "timestamp", "messageId", "tags"),
        fc.oneof(hostileText, fc.constantFrom<unknown>(null, [], {}, [null], [{ emailAddress: 7 }], 7)),
      ),
    )
    .map(([type, name, text, details]) =>
      JSON.stringify({
        [name]: type,
        [type.toLowerCase()]: details,
        mail: { messageId: text, tags: details, ...details },
      }),
    ),
);

const cell = fc.oneof(
  fc.constantFrom("email", "subscribed", "plan", "ada@example.com", "yes", '"', '""', '"a,b"', ";", "\t", "=1+1"),
  hostileText,
);
const HEADER = ["email", "subscribed", "plan", "data"];

/** Mostly under a header that is right, or no row would be read. */
const csv = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constant(HEADER) }, fc.array(cell, { maxLength: 5 })),
    fc.array(fc.oneof(fc.array(cell, { maxLength: 5 }), fc.tuple(fc.constantFrom("ada@example.com", ""), cell, cell)), {
      maxLength: 6,
    }),
    fc.constantFrom(",", ";", "\t"),
    fc.constantFrom("\n", "\r\n", "\r"),
  )
  .map(([head, rows, comma, end]) => [head, ...rows].map((row) => row.join(comma)).join(end));

const of = (kind: TextCase["kind"], text: fc.Arbitrary<string>) =>
  text.map((found): TextCase => ({ kind, text: found }));

export const textCases: fc.Arbitrary<TextCase> = fc.oneof(
  { weight: 1, arbitrary: of("smtp", smtp) },
  { weight: 4, arbitrary: of("mail", mail) },
  { weight: 4, arbitrary: of("notice", notice) },
  { weight: 2, arbitrary: of("sns", sns) },
  { weight: 4, arbitrary: of("csv", csv) },
);
