// What real servers say when they do not take a mail, and what Posthorn makes of it.
import { describe, expect, test } from "bun:test";
import { oneLine } from "../../src/mail/emails/refusals/words.ts";
import type { Phase } from "../../src/mail/emails/refusals/blame.ts";
import { readReply, refusal, remoteIdOf } from "../../src/sending/carrier/smtp/reply.ts";

type Verdict = "bounced" | "failed" | "failed, transient" | "later, transient" | "unreachable";
type Case = readonly [phase: Phase, verdict: Verdict, response: string];

const RECIPIENT_GONE: Case[] = [
  [
    "rcpt",
    "bounced",
    "550 5.1.1 <anna@example.com>: Recipient address rejected: User unknown in local recipient table",
  ],
  [
    "rcpt",
    "bounced",
    "550 5.1.1 <anna@example.com>: Recipient address rejected: User unknown in virtual mailbox table",
  ],
  [
    "rcpt",
    "bounced",
    "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos or\n550-5.1.1 unnecessary spaces. For more information, go to\n550 5.1.1  https://support.google.com/mail/?p=NoSuchUser a1-20020a05 - gsmtp",
  ],
  ["rcpt", "bounced", "550-5.2.1 The email account that you tried to reach is inactive.\n550 5.2.1 gsmtp"],
  [
    "rcpt",
    "bounced",
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient anna@example.com not found by SMTP address lookup",
  ],
  ["rcpt", "bounced", "556 5.1.10 Recipient address has null MX"],
  ["rcpt", "bounced", "550 5.1.2 Bad destination mailbox domain: host not found"],
  ["rcpt", "bounced", "501 5.1.3 Bad recipient address syntax"],
  ["rcpt", "bounced", "551 5.1.6 The recipient has moved, no forwarding address"],
  ["rcpt", "bounced", "554 5.1.1 Mailbox does not exist"],
  ["rcpt", "bounced", "550 sorry, no mailbox here by that name. (#5.1.1)"],
  ["rcpt", "bounced", "550 #5.1.1 Unknown recipient"],
  ["rcpt", "bounced", "550 No such user here"],
  ["rcpt", "bounced", "550 Unrouteable address"],
  ["rcpt", "bounced", "550 Requested action not taken: mailbox unavailable"],
  ["rcpt", "bounced", "551 User not local; please try <anna@other.example>"],
  ["rcpt", "bounced", "553 Requested action not taken: mailbox name not allowed"],
  ["rcpt", "bounced", "550"],
  ["rcpt", "bounced", "550 #5.1.0 Address rejected."],
  // Unmistakable words count at every moment, and beside every code.
  ["data", "bounced", "550 5.1.1 anna@example.com does not exist here: unknown user"],
  ["data", "bounced", "550 No such user here"],
  ["data", "bounced", "554 delivery error: dd This user doesn't have a yahoo.com account (anna@yahoo.com) [0]"],
  [
    "data",
    "bounced",
    "550 Message was not accepted -- invalid mailbox. Local mailbox anna@mail.ru is unavailable: user not found",
  ],
  ["data", "bounced", "552 1 Requested mail action aborted, mailbox not found"],
  ["rcpt", "bounced", "550 5.7.1 <anna@example.com>: Recipient address rejected: User unknown"],
  ["data", "bounced", "550 5.7.1 Mailbox disabled"],
  // Words beat codes that say nothing.
  ["rcpt", "bounced", "550 5.1.0 Address unknown"],
  ["rcpt", "bounced", "550 5.5.0 Invalid recipient"],
  ["rcpt", "bounced", "550 5.1.1 Invalid recipient: <anna@example.com>"],
  ["rcpt", "bounced", "553 5.3.0 <anna@example.com>... No such user here"],
  ["rcpt", "bounced", "550 5.1.351 Remote server returned unknown recipient or mailbox unavailable"],
  ["rcpt", "bounced", "550 5.4.1 Recipient address rejected: Access denied. [DB5EUR01.prod.protection.outlook.com]"],
  ["rcpt", "bounced", "550 5.4.4 Domain example.com does not exist"],
  ["data", "bounced", "550 5.2.1 The account is disabled"],
];

const POLICY: Case[] = [
  // An account that is closed may be our own, unless the code says that it is a mailbox (RFC 3463 §3.3).
  ["data", "failed", "550 The account is disabled"],
  ["data", "failed", "550 5.7.1 The account is disabled"],
  ["data", "failed", "550 5.2.1 Your sending account is disabled"],
  ["rcpt", "failed", "554 5.7.1 <anna@example.com>: Relay access denied"],
  // OpenSMTPD, of everybody whom no rule lets us send to.
  ["rcpt", "failed", "550 Invalid recipient: <anna@example.com>"],
  ["rcpt", "failed", "550 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org"],
  ["rcpt", "failed", "550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain"],
  ["rcpt", "failed", "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
  ["rcpt", "failed", "550 relay not permitted"],
  ["rcpt", "failed", "550 relaying denied"],
  ["rcpt", "failed", "550 authentication required"],
  ["rcpt", "failed", "550-Verification failed for <news@example.org>\n550-No Such User Here\n550 Sender verify failed"],
  [
    "rcpt",
    "failed",
    '550-"JunkMail rejected - mail.example.org [192.0.2.1]:4711 is in\n550 an RBL, see https://example.net"',
  ],
  ["rcpt", "failed", "550 Access denied - Invalid HELO name (See RFC2821 4.1.1.1)"],
  ["rcpt", "failed", "550 Administrative prohibition"],
  ["rcpt", "failed", "550 SPF check failed"],
  ["rcpt", "failed", "550 Your host has no reverse DNS entry"],
  [
    "data",
    "failed",
    "550-5.7.26 This message does not have authentication information or fails to pass\n550 5.7.26 authentication checks - gsmtp",
  ],
  [
    "data",
    "failed",
    "550-5.7.1 Our system has detected that this message is likely unsolicited mail.\n550 5.7.1 gsmtp",
  ],
  ["data", "failed", "554 5.7.1 Spam message rejected"],
  ["data", "failed", "554 Message rejected: Email address is not verified."],
  ["data", "failed", "552 5.3.4 Message size exceeds fixed limit"],
  [
    "data",
    "failed",
    "552-5.7.0 This message was blocked because its content presents a potential\n552 5.7.0 security issue. - gsmtp",
  ],
  ["data", "failed", "550 5.6.0 Lone CR or LF in body"],
  ["data", "failed", "554 Transaction failed"],
  ["data", "failed", "550 5.7.1 Your account does not exist"],
  ["data", "failed", "554 5.7.1 account suspended"],
  ["data", "failed", "554 5.7.1 spam score too high, recipient unknown"],
  ["mail", "failed", "550 mailbox not found"],
  ["rcpt", "failed", "553 https://www.spamhaus.org/query/bl?ip=192.0.2.1"],
  ["data", "failed", "550 5.1.8 Sender's domain does not exist"],
  ["mail", "failed", "550 5.1.1 <news@example.org>: Sender address rejected: User unknown"],
  ["mail", "failed", "550 5.7.1 Client was not authenticated to send as this sender"],
  ["mail", "failed", "553 5.7.1 <news@example.org>: Sender address rejected: not owned by user shop"],
  ["mail", "failed", "501 5.1.7 Bad sender address syntax"],
  ["mail", "failed", "552 5.3.4 Message too big for system"],
];

const REFUSED_BY_THE_OTHER_SIDE: Case[] = [
  ["rcpt", "failed, transient", "552 5.2.3 Message length exceeds administrative limit"],
  ["rcpt", "failed, transient", "550 5.1.0 Address rejected."],
  ["rcpt", "failed, transient", "550 Go away"],
  ["rcpt", "failed, transient", "550 Message too big for this recipient"],
  ["rcpt", "failed, transient", "550 5.4.1 No answer from host"],
  ["rcpt", "failed, transient", "550 5.4.4 Unable to route"],
  ["rcpt", "failed, transient", "554 5.6.0 Content rejected"],
  ["rcpt", "failed, transient", "554 Transaction failed"],
  ["rcpt", "failed, transient", "500 5.5.2 Error: bad syntax"],
];

const LATER: Case[] = [
  ["rcpt", "later, transient", "552 5.2.2 Mailbox full"],
  ["rcpt", "later, transient", "550 5.1.1 Mailbox is full"],
  ["rcpt", "later, transient", "550 5.1.1 Too many recipients this hour"],
  [
    "rcpt",
    "later, transient",
    "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages",
  ],
  ["rcpt", "later, transient", "552-5.2.2 The email account that you tried to reach is over quota.\n552 5.2.2 gsmtp"],
  ["rcpt", "later, transient", "554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException"],
  ["rcpt", "later, transient", "552 Requested mail action aborted: exceeded storage allocation"],
  ["rcpt", "later, transient", "550 User's mailbox is full"],
  ["rcpt", "later, transient", "550 anna@example.com: over quota"],
  ["rcpt", "later, transient", "550 5.2.0 Mailbox trouble"],
  ["rcpt", "later, transient", "552 5.3.1 Mail system full"],
  ["data", "later, transient", "552 5.2.2 Mailbox full"],
  ["rcpt", "later, transient", "452-4.2.2 The email account that you tried to reach is over quota.\n452 4.2.2 gsmtp"],
  [
    "rcpt",
    "later, transient",
    "450 4.2.0 <anna@example.com>: Recipient address rejected: Greylisted, see postgrey.schweikert.ch",
  ],
  ["rcpt", "later, transient", "451 4.7.1 Greylisting in action, please come back later"],
  ["rcpt", "later, transient", "450 5.1.1 A temporary code counts more than the enhanced one"],
  ["rcpt", "later, transient", "451 Could not complete sender verify callout"],
  ["rcpt", "later, transient", "550 4.4.7 The enhanced code counts as well"],
  ["rcpt", "later, transient", "450 4.1.1 <anna@example.com>: unverified address"],
  ["mail", "later, transient", "452 4.3.1 Insufficient system storage"],
  ["mail", "later, transient", "451 4.3.0 Temporary server error. Please try again later. PRX2"],
  ["mail", "later, transient", "503 5.5.1 Error: nested MAIL command"],
  ["data", "later, transient", "451 4.3.2 Please try again later"],
  ["data", "later, transient", "454 Throttling failure: Maximum sending rate exceeded."],
  ["data", "later, transient", "421 4.7.0 Our system has detected an unusual rate of mail. - gsmtp"],
  ["data", "later, transient", "354 go ahead and once more"],
  ["rcpt", "later, transient", "what is this"],
];

const NO_WAY_IN: Case[] = [
  ["connect", "unreachable", "421 4.7.0 Too many connections from your host"],
  ["connect", "unreachable", "554 5.7.1 No SMTP service here"],
  ["connect", "unreachable", "521 5.3.2 This host does not accept mail"],
  ["connect", "unreachable", "450 4.3.2 try again"],
  ["auth", "unreachable", "535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6"],
  [
    "auth",
    "unreachable",
    "535-5.7.8 Username and Password not accepted. For more information, go to\n535 5.7.8  https://support.google.com/mail/?p=BadCredentials - gsmtp",
  ],
  ["auth", "unreachable", "535 Authentication Credentials Invalid"],
  ["auth", "unreachable", "534 5.7.9 Application-specific password required"],
  ["auth", "unreachable", "454 4.7.0 Temporary authentication failure"],
  ["auth", "unreachable", "550 5.1.1 Even so"],
  ["mail", "unreachable", "530 5.7.0 Must issue a STARTTLS command first"],
  ["mail", "unreachable", "530 5.7.57 Client not authenticated to send mail"],
  ["mail", "unreachable", "530 Authentication required"],
  ["mail", "unreachable", "421 4.4.2 mail.example.com Error: timeout exceeded"],
  ["mail", "failed", "530 Sender rejected"],
];

/** Once the sender was accepted, what the relay passes on is the word of the recipient's provider. */
const PASSED_ON: Case[] = [
  ["rcpt", "later, transient", "421 RP-001 (x) Unfortunately, some messages from 192.0.2.1 weren't sent"],
  ["rcpt", "later, transient", "421 4.3.2 Service shutting down"],
  ["rcpt", "later, transient", "530 5.7.0 Authentication Required"],
  ["data", "later, transient", "535 5.7.8 Authentication credentials invalid"],
];

describe.each([
  ["the recipient is at fault", RECIPIENT_GONE],
  ["we, the sender or the content are at fault", POLICY],
  ["the recipient's side refuses this mail, the recipient may be fine", REFUSED_BY_THE_OTHER_SIDE],
  ["another try may do", LATER],
  ["the relay did not let us in", NO_WAY_IN],
  ["what the relay passes on is not about our login", PASSED_ON],
])("%s", (_name, cases) => {
  test.each(cases)("%s: %s: %s", (phase, verdict, response) => {
    const { kind, transient } = refusal(phase, readReply(response));
    expect(transient ? `${kind}, transient` : kind).toBe(verdict);
  });
});

describe("a reply as it is shown", () => {
  test("joins the lines of a long answer and names the codes once", () => {
    const response = "550-5.1.1 No such user.\r\n550-5.1.1 Look for typos.\r\n550 5.1.1 Bye";
    expect(refusal("rcpt", readReply(response))).toEqual({
      kind: "bounced",
      reply: "550 5.1.1 No such user. Look for typos. Bye",
      phase: "rcpt",
    });
  });

  test("has no enhanced code where the server gave none", () => {
    expect(refusal("data", readReply("554 no"))).toEqual({ kind: "failed", reply: "554 no", phase: "data" });
  });

  test("does not take an address or a version for an enhanced code", () => {
    expect(readReply("550 5.1.1.1 is not a code").enhancedCode).toBeNull();
    expect(readReply("550 host 5.1.1 said no").enhancedCode).toBeNull();
  });

  test("holds no control characters and no line ends of any kind", () => {
    expect(oneLine("550 a\u0000b\u001b[31mc\u007f\u0085d\u2028e\tf")).toBe("550 a b [31mc d e f");
  });

  test("ends at 500 characters and never inside a character", () => {
    const text = oneLine(`${"x".repeat(499)}😀`);
    expect(text).toHaveLength(500);
    expect(text.isWellFormed()).toBe(true);
  });
});

test.each([
  ["250 2.0.0 Ok: queued as 4Zk9Xw1mHqz9s", "4Zk9Xw1mHqz9s"],
  ["250 2.6.0 <a1@example.com> [InternalId=1] Queued mail for delivery", null],
  ["250 OK id=1tKd2e-0001Ab-2C", "1tKd2e-0001Ab-2C"],
  [
    "250 Ok 0100018b5c3c0a4f-5a0d1c9e-1111-2222-3333-444455556666-000000",
    "0100018b5c3c0a4f-5a0d1c9e-1111-2222-3333-444455556666-000000",
  ],
  ["250 2.0.0 OK  1700000000 a1-20020a05 - gsmtp", null],
  ["250 ok", null],
])("the relay's own name for a message is read from: %s", (response, expected) => {
  expect(remoteIdOf(response)).toBe(expected);
});
