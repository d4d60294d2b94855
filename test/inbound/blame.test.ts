// Whose fault a bounce is, by what servers really say: src/mail/emails/refusals/blame.ts, as
// src/mail/inbound/bounces/dsn.ts asks it.
import { expect, test } from "bun:test";
import { blameForGood, type Blame } from "../../src/mail/emails/refusals/blame.ts";
import { readDeliveryStatus } from "../../src/mail/inbound/bounces/dsn.ts";

function blameIn(diagnostic: string, status: string | null): Blame | undefined {
  const fields = ["Final-Recipient: rfc822; ada@example.com", "Action: failed"];
  if (status !== null) fields.push(`Status: ${status}`);
  if (diagnostic !== "") fields.push(`Diagnostic-Code: ${diagnostic}`);
  return readDeliveryStatus(fields.join("\n"), [])[0]?.blame;
}

const RCPT = " (in reply to RCPT TO command)";
const DATA = " (in reply to end of DATA command)";

const ROWS: readonly [diagnostic: string, status: string | null, blame: Blame][] = [
  // Nobody there.
  [
    "smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try 550-5.1.1 double-checking the recipient's email address for typos or 550-5.1.1 unnecessary spaces. 550 5.1.1 https://support.google.com/mail/?p=NoSuchUser",
    "5.1.1",
    "recipient",
  ],
  [
    "smtp; 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.com not found by SMTP address lookup",
    "5.1.10",
    "recipient",
  ],
  [
    "smtp; 550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table",
    "5.1.1",
    "recipient",
  ],
  [
    "smtp; 550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in relay recipient table",
    "5.1.1",
    "recipient",
  ],
  [
    `smtp; 550 <ada@example.com>: Recipient address rejected: User unknown in relay recipient table${RCPT}`,
    "5.0.0",
    "recipient",
  ],
  ['X-Postfix; unknown user: "ada"', "5.1.1", "recipient"],
  ["smtp; 550 5.2.1 The email account that you tried to reach is inactive.", "5.2.1", "recipient"],
  ["smtp; 553 5.1.3 The recipient address is not a valid RFC-5321 address", "5.1.3", "recipient"],
  ["smtp; 551 5.1.6 Recipient has moved to another address", "5.1.6", "recipient"],
  ["smtp; 550 5.1.2 Bad destination system: no such domain", "5.1.2", "recipient"],
  ["smtp; 550 #5.1.0 Address rejected.", "5.1.0", "recipient"],
  ["smtp; 550 sorry, no mailbox here by that name. (#5.1.1)", "5.0.0", "recipient"],
  [`smtp; 550 No such user here${RCPT}`, "5.0.0", "recipient"],
  [`smtp; 550 Requested action not taken: mailbox unavailable${RCPT}`, "5.0.0", "recipient"],
  [`smtp; 553 sorry, that domain isn't in my list of allowed rcpthosts${RCPT}`, "5.0.0", "sender"],
  ["smtp; 554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [0]", "5.0.0", "recipient"],
  ["smtp; 550 Unknown recipient", null, "recipient"],
  ["smtp; 550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550", "5.0.0", "recipient"],
  ["smtp; 550 5.1.1 Mailbox does not exist", "5.0.0", "recipient"],
  ["smtp; 550 5.1.1 <ada@web.example>... User unknown", null, "recipient"],
  // Full, or asleep.
  ["smtp; 552 5.2.2 The email account that you tried to reach is over quota.", "5.2.2", "passing"],
  ["smtp; 452-4.2.2 The recipient's inbox is out of storage space.", "4.2.2", "passing"],
  ["smtp; 554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException", "5.2.2", "passing"],
  [`smtp; 550 Mailbox quota exceeded / Mailbox voll${RCPT}`, "5.0.0", "passing"],
  [
    "smtp; 550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages",
    "5.2.1",
    "passing",
  ],
  ["smtp; 450 4.2.1 The user you are trying to contact is receiving mail too quickly.", "4.2.1", "passing"],
  // Not now.
  [
    "smtp; 450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted, see http://postgrey.example/",
    "4.2.0",
    "passing",
  ],
  ["smtp; 451 4.7.1 Greylisting in action, please come back in 00:04:59", "4.7.1", "passing"],
  ["smtp; 421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to user complaints", "4.7.0", "passing"],
  [
    "X-Postfix; delivery temporarily suspended: connect to mx.example.com[192.0.2.1]:25: Connection timed out",
    "4.4.1",
    "passing",
  ],
  ["smtp; 450 4.1.1 <ada@example.com>: Recipient address rejected: unverified address", "4.1.1", "passing"],
  ["smtp; The recipient server did not accept our requests to connect.", "4.4.7", "passing"],
  [
    "X-Postfix; Host or domain name not found. Name service error for name=example.com type=A: Host not found",
    "5.4.4",
    "recipient",
  ],
  ["smtp; 550 5.4.1 Recipient address rejected: Access denied.", "5.4.1", "recipient"],
  ["smtp; 554 5.4.14 Hop count exceeded - possible mail loop ATTR34", "5.4.14", "unclear"],
  // Blocked, or not liked for what it says: the same as at once (carrier/smtp/reply.ts).
  ["smtp; 554 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org", "5.0.0", "sender"],
  ["smtp; 550 Blocked by our policy, the user does as well", "5.1.1", "sender"],
  [
    "smtp; 550 SC-001 (BAY004) Unfortunately, messages from 192.0.2.1 weren't sent. Your IP is on our block list",
    "5.0.0",
    "sender",
  ],
  [`smtp; 550 High probability of spam${RCPT}`, "5.0.0", "sender"],
  [`smtp; 550 No such user here${DATA}`, "5.0.0", "recipient"],
  [`smtp; 503 need RCPT command${DATA}`, "5.1.1", "recipient"],
  [`smtp; 550 Message rejected as unwanted${DATA}`, "5.0.0", "sender"],
  ["smtp; 552 5.3.4 Message size exceeds fixed limit", "5.3.4", "unclear"],
  ["smtp; 550 5.6.0 Lone CR or LF in body", "5.6.0", "unclear"],
  [`smtp; 550 relay not permitted${RCPT}`, "5.0.0", "sender"],
  [`smtp; 553 sender address rejected: does not exist${RCPT}`, "5.0.0", "sender"],
  [`smtp; 571 Delivery not authorized, message refused${RCPT}`, "5.0.0", "sender"],
  ["smtp; 550 Verification failed for the return path", null, "sender"],
  ["", "5.0.0", "unclear"],
  ["", null, "unclear"],
  ["", "4.0.0", "passing"],
  ["", "5.1.1", "recipient"],
  [`smtp; 550 reverse DNS: an address for your IP was not found${RCPT}`, "5.0.0", "sender"],
  [`smtp; 550 SPF record does not exist for your address${RCPT}`, "5.1.1", "sender"],
  // Ours.
  ["smtp; 550-5.7.26 This mail has been blocked because the sender is unauthenticated.", "5.7.26", "sender"],
  [
    "smtp; 550 5.7.515 Access denied, sending domain example.test doesn't meet the required authentication level.",
    "5.7.515",
    "sender",
  ],
  [
    "smtp; 550-5.7.1 [192.0.2.1] Our system has detected that this message is likely unsolicited mail.",
    "5.7.1",
    "sender",
  ],
  [
    "smtp; 554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes",
    "5.7.9",
    "sender",
  ],
  ["smtp; 550 5.7.23 The message was rejected because of Sender Policy Framework violation", "5.1.1", "sender"],
  ["smtp; 550 5.7.606 Access denied, banned sending IP [192.0.2.1]", "5.7.606", "sender"],
  ["", "5.7.1", "sender"],
];

test.each(ROWS.map(([diagnostic, status, blame]) => [diagnostic || "nothing", status, blame, diagnostic] as const))(
  "%s (%s): %s",
  (_, status, blame, diagnostic) => {
    expect(blameIn(diagnostic, status)).toBe(blame);
  },
);

test("addresses and versions are no codes", () => {
  expect(blameIn("smtp; 554 rejected by 5.1.1.7 (Exim 5.1.1)", null)).toBe("unclear");
});

// No mistake about it, though the message had been taken before.
test.each([
  "554 delivery error: dd Not a valid recipient - mta1.mail.example",
  "554 delivery error: dd Sorry your message to ada@example.com cannot be delivered. This account has been disabled or discontinued [#102].",
  "550 ada@example.com not a valid recipient",
  "550 5.1.1 <ada@example.com>: account is inactive",
  "550 5.2.1 The email account that you tried to reach is disabled.",
  "554 User Ada (ada@example.com) not listed in Domino Directory",
])("at the end of the message as well: %s", (words) => {
  expect(blameIn(`smtp; ${words}${DATA}`, "5.0.0")).toBe("recipient");
});

test.each([
  "554 5.7.1 Message rejected: the sending account has been disabled or discontinued",
  "550 5.1.1 spam: user unknown",
  "554 delivery error: dd Message blocked due to spam content",
  "550 sender address rejected: not a valid user",
  "554 Transaction failed",
  "550 Requested action not taken: mailbox unavailable",
])("but not what may be about us: %s", (words) => {
  expect(blameIn(`smtp; ${words}${DATA}`, "5.0.0")).not.toBe("recipient");
});

test.each([
  ['<192.0.2.32 #5.0.0 smtp; 550 "Unknown User">', "recipient"],
  ["<mx.example.com #5.1.1 smtp;550-5.1.1 The email account that you tried to reach does not exist.>", "recipient"],
  [
    "<mx.example.com #5.0.0 smtp;550-5.7.26 Your email has been blocked because the sender is unauthenticated.>",
    "sender",
  ],
  ["<mx.example.com #5.0.0 smtp;552 5.2.2 mailbox full>", "passing"],
  ["< #2.0.0>", "unclear"],
] as const)("a reason only in X-Supplementary-Info: %s", (words, blame) => {
  const fields = ["Final-Recipient: rfc822; ada@example.com", "Action: failed", "Status: 5.0.0"];
  fields.push(`X-Supplementary-Info: ${words}`);
  expect(readDeliveryStatus(fields.join("\n"), [])[0]?.blame).toBe(blame);
});

// What is about us, in whatever language and with the code of an unknown user.
const ABOUT_US = [
  "550 Absender abgelehnt",
  "550 Ihre IP-Adresse 192.0.2.1 wurde gesperrt",
  "550 ist auf unserer Sperrliste (192.0.2.1)",
  "550 votre adresse IP est bloquée",
  "550 expéditeur inconnu",
  "550 remitente rechazado",
  "550 il mittente è stato rifiutato",
  "550 Remetente não autorizado ou bloqueado",
  "550 afzender geweigerd",
  "554 ваш IP в черном списке",
  "550 発信元IPが拒否されました",
  "554 垃圾邮件",
  "x509: certificate has expired or is not yet valid",
  "550 Message contains forbidden attachments",
  "550 Suspicious URL found in message",
  "554 HVU:B1 The URL is generating high volumes of member complaints",
  "554 Reject, id=1234-01 - BAD_HEADER",
  "550 the IP is not on the list of those who may send here",
];

test.each(ABOUT_US)("about us: %s", (words) => {
  expect(blameIn(`smtp; ${words}${RCPT}`, "5.1.1")).toBe("sender");
  expect(blameForGood({ phase: "unknown", code: 550, status: null, words })).toBe("sender");
});

test.each<[string, Blame]>([
  ["550 host lookup did not complete", "passing"],
  ["unable to get mx info: lookup example.com on 10.0.0.2:53: server misbehaving", "passing"],
  ["550 exceeded number of recipients per session", "passing"],
  ["550 too many hops", "unclear"],
])("neither the recipient's fault, even where a provider calls it final: %s", (words, blame) => {
  expect(blameForGood({ phase: "unknown", code: 550, status: null, words })).toBe(blame);
});

test("nor is what its code says of a protocol, a network or the content", () => {
  for (const status of ["5.3.0", "5.4.0", "5.5.2", "5.6.0"])
    expect(blameForGood({ phase: "unknown", code: 501, status, words: "501 Not this way" })).toBe("unclear");
});

test.each([
  "550 Empfänger unbekannt, die Nachricht geht zurück an den Absender",
  "550 Destinataire inconnu",
  "550 Benutzer unbekannt (IP-Adresse des Servers: 192.0.2.9)",
])("a sender who is only named is not to blame: %s", (words) => {
  expect(blameIn(`smtp; ${words}${RCPT}`, "5.1.1")).toBe("recipient");
});
