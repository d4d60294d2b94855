// Bounces, reports and answers as they come in, read by src/mail/inbound/bounces/notice.ts.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { threadCpuMs } from "../../src/base/clock.ts";
import { readNotice, type DeliveryNotice } from "../../src/mail/inbound/bounces/notice.ts";
import * as mails from "../support/bounces.ts";

const ID = "<0199a3b4@example.test>";

function read(mail: string, lineEnd = "\r\n"): Promise<DeliveryNotice> {
  const whole = mail.replaceAll("$ADDRESS", "b+abc@bounces.example.com").replaceAll("$ID", ID);
  return readNotice(Buffer.from(whole.replaceAll("\n", lineEnd)));
}

const POSTFIX_DSN = mails.dsn({
  fields: `Final-Recipient: rfc822; ada@example.com
Original-Recipient: rfc822;ada@example.com
Action: failed
Status: 5.1.1
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; 550 5.1.1 <ada@example.com>: Recipient address rejected:
    User unknown in virtual mailbox table`,
});

describe("a delivery report", () => {
  test.each(["\r\n", "\n"])("tells its recipient, what became of it and why (lines end with %j)", async (lineEnd) => {
    expect(await read(POSTFIX_DSN, lineEnd)).toEqual({
      kind: "bounce",
      recipients: [
        {
          recipient: "ada@example.com",
          action: "failed",
          status: "5.1.1",
          diagnostic: "550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table",
          blame: "recipient",
        },
      ],
    });
  });

  const group = (action: string, status: string) =>
    `Final-Recipient: rfc822; ${action}@example.com\nAction: ${action}\nStatus: ${status}`;
  test.each([
    ["failed", "5.1.1", "bounce"],
    ["Failed", "5.1.1 (bad destination mailbox address)", "bounce"],
    ["delayed", "4.4.1", "delayed"],
    ["delivered", "2.0.0", "delivered"],
    ["relayed", "2.0.0", "unknown"],
    ["expanded", "2.0.0", "unknown"],
  ])("with the action %s (%s) is %s", async (action, status, kind) => {
    expect((await read(mails.dsn({ fields: group(action, status), text: "." }))).kind).toBe(
      kind as DeliveryNotice["kind"],
    );
  });

  test("of several recipients has one entry each", async () => {
    const fields = [group("delivered", "2.0.0"), group("failed", "5.2.2"), group("delayed", "4.2.0")].join("\n\n");
    const { kind, recipients } = await read(mails.dsn({ fields }));
    expect([kind, recipients.map(({ action, blame }) => [action, blame])]).toEqual([
      "bounce",
      [
        ["delivered", "unclear"],
        ["failed", "passing"],
        ["delayed", "passing"],
      ],
    ]);
  });

  test("counts, whatever its text and the mail that it is about say", async () => {
    const fields = "Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 4.4.7";
    const { recipients } = await read(
      mails.dsn({ fields, text: "550 5.1.1 user unknown\n\nAction: failed\nStatus: 5.1.1" }),
    );
    expect(recipients).toMatchObject([{ status: "4.4.7", diagnostic: "4.4.7", blame: "passing" }]);
  });

  test("in UTF-8 (RFC 6533), encoded and cut off is read as far as it goes", async () => {
    const utf8 = POSTFIX_DSN.replace("message/delivery-status", "message/global-delivery-status");
    expect((await read(utf8)).kind).toBe("bounce");
    expect((await read(POSTFIX_DSN.slice(0, POSTFIX_DSN.indexOf("message/rfc822")))).kind).toBe("bounce");
    const status = /(Reporting-MTA[\s\S]*?)\n\n--A/.exec(POSTFIX_DSN)?.[1] as string;
    const encoded = POSTFIX_DSN.replace(
      `status\n\n${status}`,
      `status\nContent-Transfer-Encoding: base64\n\n${btoa(status)}`,
    );
    expect((await read(encoded)).recipients).toMatchObject([{ blame: "recipient" }]);
  });

  test("with a large mail in it is read at once", async () => {
    const large = POSTFIX_DSN.replace("550 5.1.1 user unknown\n", `${"x".repeat(70)}\n`.repeat(200_000));
    expect(large.length).toBeGreaterThan(10_000_000);
    expect((await read(large)).recipients).toHaveLength(1);
  });
});

describe("a bounce without a report", () => {
  const ROWS = {
    "qmail's": [mails.QMAIL, "bounce", "recipient", "no mailbox here"],
    "qmail's, of a full mailbox": [mails.QMAIL_FULL, "bounce", "passing", "over quota"],
    "Exim's": [mails.EXIM, "bounce", "recipient", "550 No such person"],
    "Exim's, of content": [mails.EXIM_CONTENT, "bounce", "sender", "scored too high"],
    "Exim's, of a delay": [mails.EXIM_DELAYED, "delayed", "passing", "451 Greylisted"],
    "Exchange's": [mails.EXCHANGE, "bounce", "recipient", "5.1.1 RESOLVER"],
    "Gmail's": [mails.GMAIL, "bounce", "recipient", "550 5.1.1"],
    "Postfix's": [mails.POSTFIX_TEXT, "bounce", "sender", "554 5.7.1"],
    "qmail's, after the message": [mails.QMAIL_CONTENT, "bounce", "recipient", "no such user"],
    "Yahoo's": [mails.YAHOO, "bounce", "recipient", "doesn't have"],
  } as const;
  test.each(Object.entries(ROWS))("%s: read from its words", async (_, [mail, kind, blame, words]) => {
    const notice = await read(mail);
    expect(notice.kind).toBe(kind);
    expect(notice.recipients).toMatchObject([{ recipient: "ada@example.com", blame }]);
    expect(notice.recipients[0]?.diagnostic).toContain(words);
    expect(notice.recipients[0]?.diagnostic).not.toContain("This user does not exist");
  });
});

test.each(mails.AUTO_REPLIES.map((mail) => [mail.split("\n").slice(1, 3).join(" / "), mail]))(
  "%s: a machine's answer, no bounce",
  async (_, mail) => {
    expect(await read(mail)).toMatchObject({ kind: "autoreply", recipients: [] });
  },
);

test.each(mails.LETTERS.map((mail) => [JSON.stringify(mail.slice(0, 60)), mail]))(
  "%s: nothing that is known",
  async (_, mail) => {
    expect(await read(mail)).toMatchObject({ kind: "unknown", recipients: [] });
  },
);

test.each([
  ["abuse", "complaint"],
  ["Fraud", "complaint"],
  ["opt-out", "complaint"],
  ["not-spam", "unknown"],
  ["auth-failure", "unknown"],
  ["virus", "unknown"],
  ["other", "unknown"],
])("feedback of the type %s is %s", async (type, kind) => {
  expect(await read(mails.feedback(type))).toEqual({
    kind: kind as DeliveryNotice["kind"],
    recipients: [],
  });
});

test("what is made to be hard to read takes no time (slow)", async () => {
  const hard = [
    "x-failed-recipients: a@b.example\n\n" + "<".repeat(400_000),
    "From: postmaster@a.example\nSubject: returned mail\n\n" + " \n".repeat(200_000),
    "From: postmaster@a.example\nSubject: returned mail\n\n" + "user ".repeat(100_000),
    "From: postmaster@a.example\nSubject: returned mail\n\n" + "a@".repeat(200_000),
    mails.dsn({ fields: "Action: failed\n".repeat(30_000) }),
    mails.dsn({ fields: "Action: failed\n\n".repeat(30_000) }),
    mails.dsn({ fields: `Action: failed\nDiagnostic-Code: ${"550 user address ".repeat(20_000)}` }),
  ];
  for (const mail of hard) {
    const before = threadCpuMs();
    await read(mail);
    expect(threadCpuMs() - before).toBeLessThan(2_000);
  }
});

describe("the text beside the fields of a report", () => {
  const fields = "Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.0.0";
  const told = (words: string) => `The following address(es) failed:\n\n  ada@example.com\n    ${words}`;
  test.each([
    ["Unrouteable address", "", "recipient"],
    ["all relevant MX records point to non-existent hosts", "", "recipient"],
    ["SMTP error after RCPT TO:<ada@example.com>:\n    550 No", "", "recipient"],
    ["host mx.example.com said: 550 No (in reply to RCPT TO command)", "smtp; 550 No", "recipient"],
    ["host mx.example.com said: 553 No (in reply to RCPT TO command)", "smtp; 553 No", "recipient"],
    ["host mx.example.com said: 550 No (in reply to end of DATA command)", "smtp; 550 No", "sender"],
    ["host mx.example.com said: 550 No (in reply to MAIL FROM command)", "smtp; 550 No", "sender"],
    ["host mx.example.com said: 550 No", "smtp; 550 No", "unclear"],
    ["host mx.example.com said: 554 No (in reply to RCPT TO command)", "smtp; 554 No", "unclear"],
    ["the mailbox is full", "", "passing"],
    ["There may be no such user", "", "unclear"],
  ] as const)("%s (%s): %s", async (words, diagnostic, blame) => {
    const more = diagnostic === "" ? "" : `\nDiagnostic-Code: ${diagnostic}`;
    const { recipients } = await read(mails.dsn({ fields: fields + more, text: told(words) }));
    expect(recipients).toMatchObject([{ recipient: "ada@example.com", blame }]);
  });

  test.each([
    ["iso-8859-1", "Empf\xe4nger unbekannt"],
    ["windows-1252", "Bo\xeete inconnue"],
    ["koi8-r", "\xee\xc5\xd4 \xd4\xc1\xcb\xcf\xc7\xcf"],
    ["iso-2022-jp", "\x1b$B08@h$,8+$D$+$j$^$;$s\x1b(B"],
  ])("is read in its charset: %s", async (charset, words) => {
    const mail = mails.dsn({ fields, text: told("$WORDS") });
    const [before = "", after = ""] = mail.replace("text/plain", `text/plain; charset=${charset}`).split("$WORDS");
    const { recipients } = await readNotice(Buffer.from(`${before}${words}${after}`, "latin1"));
    expect(recipients).toMatchObject([{ blame: "recipient" }]);
  });

  test("is read for each recipient alone", async () => {
    const group = (name: string) => `Final-Recipient: rfc822; ${name}@example.com\nAction: failed\nStatus: 5.0.0`;
    const text = "<ada@example.com>:\n550 user unknown\n<bob@example.com>:\n552 mailbox full";
    const { recipients } = await read(mails.dsn({ fields: `${group("ada")}\n\n${group("bob")}`, text }));
    expect(recipients.map(({ blame }) => blame)).toEqual(["recipient", "passing"]);
  });

  test("is the report itself, where no part is one", async () => {
    const report = `Reporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1`;
    const mail = `From: postmaster@mx.example.com\nSubject: Delivery failure\n\nIt did not get through.\n\n${report}\n`;
    expect((await read(mail)).recipients).toMatchObject([{ recipient: "ada@example.com", status: "5.1.1" }]);
  });
});

describe("a bounce without fields is about", () => {
  const bounce = (body: string) =>
    `From: Mailer-Daemon@mx.example.com\nTo: $ADDRESS\nSubject: Undeliverable\n\nAsk postmaster@mx.example.com.\n${body}`;
  const about = async (body: string, addressees: readonly string[] = ["ada@example.com"]) => {
    const raw = Buffer.from(bounce(body).replaceAll("$ADDRESS", "b+abc@bounces.example.com"));
    return (await readNotice(raw, { addressees, sender: "" })).recipients[0]?.recipient;
  };

  test("the recipient of the mail, whomever else it names", async () => {
    expect(await about("From hello@example.test\nto bob@example.com:\nAda@Example.com: 550 user unknown\n")).toBe(
      "ada@example.com",
    );
  });

  test("or one of the same domain", async () => {
    expect(await about("From hello@example.test:\n<lovelace@example.com>: 550 user unknown\n")).toBe(
      "lovelace@example.com",
    );
  });

  test("or the address on the line that tells the reason, or next above it", async () => {
    expect(await about("From hello@example.test:\n<ada@other.test>: 550 user unknown\n")).toBe("ada@other.test");
    expect(await about("From hello@example.test:\n\n  ada@other.test\n\n  550 user unknown\n")).toBe("ada@other.test");
  });

  test("nobody, rather than the postmaster or the return path", async () => {
    expect(await about("Sent by b+abc@bounces.example.com\n550 user unknown\n", [])).toBeNull();
  });
});

test("a server is known by the null sender, whatever it calls itself", async () => {
  const mail = Buffer.from(
    "From: gateway@mx.example.com\nSubject: Returned mail\n\n<ada@example.com>: 550 user unknown\n",
  );
  expect((await readNotice(mail, { addressees: [], sender: "" })).recipients).toMatchObject([{ blame: "recipient" }]);
  expect((await readNotice(mail, { addressees: [], sender: "gateway@mx.example.com" })).kind).toBe("unknown");
});

test.each([
  ["in the addressee's name", "From: ada@example.com\nSubject: Your delivery has failed\n"],
  ["that answers by its subject", "From: a.lovelace@example.com\nSubject: Re: Your delivery has failed\n"],
  [
    "that a mail program has written",
    `From: lovelace@example.com
Subject: Not read: Your delivery has failed
Content-Type: multipart/report; report-type=disposition-notification; boundary=R

--R
Content-Type: text/plain

This mailbox is no longer in use.
--R
Content-Type: message/disposition-notification

Final-Recipient: rfc822; ada@example.com
Disposition: automatic-action/MDN-sent-automatically; deleted
--R--
`,
  ],
])("a note %s is no bounce, though it has the null sender", async (_, mail) => {
  const raw = Buffer.from(`${mail}\nada@example.com: This mailbox is no longer in use.\n`);
  const { kind } = await readNotice(raw, { addressees: ["ada@example.com"], sender: "" });
  expect(kind).not.toBe("bounce");
});

describe("a report of Microsoft's Junk Mail Reporting Program", () => {
  const report = (subject: string, field: string) => `From: <staff@hotmail.example>
To: $ADDRESS
Subject: ${subject}
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="J"

--J
Content-Type: message/rfc822
Content-Disposition: inline

${field}${mails.ORIGINAL}
--J--
`;
  test.each([
    ["complaint about message from 192.0.2.1", ""],
    ["FW: Hi", "X-HmXmrOriginalRecipient: ada@example.com\n"],
    ["complaint about message from 192.0.2.1", "X-HmXmrOriginalRecipient: ada@example.com\n"],
  ])("%s %j is a complaint", async (subject, field) => {
    expect(await read(report(subject, field))).toEqual({ kind: "complaint", recipients: [] });
  });

  test("is not every mail that comes with another one", async () => {
    expect((await read(report("Re: complaint about message from 192.0.2.1", ""))).kind).toBe("unknown");
  });
});

describe("a report whose words are not about the recipient, or are where nobody looks for them", () => {
  test.each([
    ["listed", "sender", "550 zen.blocklist.example Listed by CSS"],
    ["gateway-wraps-policy", "sender", "5.7.1 <b@bounces.acme.test>... Access denied"],
    ["scanner-footer", "recipient", "5.1.1"],
    ["sendmail-need-rcpt", "recipient", "551 not our customer"],
    ["no-mail-host", "recipient", "host/domain does not accept mail"],
    ["end-of-data-user-unknown", "recipient", "user not found"],
  ] as const)("%s: %s", async (name, blame, words) => {
    const raw = readFileSync(new URL(`notices/${name}.eml`, import.meta.url));
    const { kind, recipients } = await readNotice(raw, { addressees: ["r@dest.test"], sender: "" });
    expect([kind, recipients.length, recipients[0]?.blame]).toEqual(["bounce", 1, blame]);
    expect(recipients[0]?.diagnostic).toContain(words);
    expect(recipients[0]?.diagnostic).not.toContain("scanned");
  });

  const failed = (status: string) => `Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: ${status}`;
  const FOOTERS = [
    "This e-mail has been scanned for all viruses and spam by Example Labs.",
    "________________\nVirus scanned by a gateway. Blocked content is removed.",
    "CONFIDENTIAL: this message is intended only for the sender's customers.",
    "This email and any attachments are privileged. Unauthorised use is prohibited.",
    "DISCLAIMER\nRelaying this message is against our policy.",
  ];
  test.each(FOOTERS)("below it stands: %s", async (footer) => {
    const blameIn = async (status: string, own: string) => {
      const text = `Delivery to the following recipients failed.\n\n   ada@example.com ${own}\n\n${footer}\n`;
      return (await read(mails.dsn({ fields: failed(status), text }))).recipients[0]?.blame;
    };
    expect(await blameIn("5.1.1", "")).toBe("recipient");
    expect(await blameIn("5.1.1", "mailbox is full")).toBe("passing");
    expect(await blameIn("5.0.0", "550 User unknown")).toBe("recipient");
  });

  test.each([
    ["PERM_FAILURE: SMTP Error (state 9): 550 5.1.1 unknown or illegal alias: ada@example.com", "recipient"],
    ["PERM_FAILURE: DNS Error: Domain name not found", "recipient"],
    ["PERM_FAILURE: The email account that you tried to reach does not exist.", "recipient"],
    ["PERM_FAILURE: SMTP Error (state 18): 554 5.7.1 blocked using zen.spamhaus.org", "sender"],
  ] as const)("Google's old form: %s", async (words, blame) => {
    const mail = `From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: b@bounces.example.com
Subject: Delivery Status Notification (Failure)

Delivery to the following recipient failed permanently:

     ada@example.com

Technical details of permanent failure:
${words}

   ----- Original message -----

Subject: Hello
`;
    expect((await read(mail)).recipients).toMatchObject([{ recipient: "ada@example.com", blame }]);
  });
});

const SAID = "X-Notes; ユーザー Ada (ada@example.co.jp) は Domino ディレクトリには見つかりません。";
test("what a server says in its own charset counts, though none is declared for it", async () => {
  const fields = "Final-Recipient: rfc822;ada@example.co.jp\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: ";
  const mail = mails.dsn({ fields: `${fields}@@` });
  const [before = "", after = ""] = mail.split("@@");
  const raw = Buffer.concat([Buffer.from(before), Buffer.from(SAID), Buffer.from(after)]);
  expect((await readNotice(raw)).recipients).toMatchObject([{ blame: "recipient" }]);
  const switched =
    "X-Notes; Ada (ada@example.co.jp) \x1b$B$O\x1b(B Domino \x1b$B%G%#%l%/%H%j$K$O8+$D$+$j$^$;$s!#\x1b(B";
  const seven = Buffer.concat([Buffer.from(before), Buffer.from(switched, "latin1"), Buffer.from(after)]);
  expect((await readNotice(seven)).recipients).toMatchObject([{ blame: "recipient" }]);
  const latin = Buffer.from("X-Notes; User ada (ada@example.de) nicht im Domino-Verzeichnis aufgeführt", "latin1");
  const german = Buffer.concat([Buffer.from(before), latin, Buffer.from(after)]);
  expect((await readNotice(german)).recipients).toMatchObject([
    { blame: "recipient", diagnostic: expect.stringContaining("aufgeführt") },
  ]);
});
