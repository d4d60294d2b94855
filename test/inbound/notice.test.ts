// Bounces, reports and answers as they come in, read by src/inbound/bounces/notice.ts.
import { describe, expect, test } from "bun:test";
import { readNotice, type Notice } from "../../src/inbound/bounces/notice.ts";
import * as mails from "../support/bounces.ts";
import { cpuMs } from "../support/cpu.ts";

const ID = "<0199a3b4@example.test>";

function read(mail: string, lineEnd = "\r\n"): Promise<Notice> {
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
    expect((await read(mails.dsn({ fields: group(action, status), text: "." }))).kind).toBe(kind as Notice["kind"]);
  });

  test("of several recipients has one entry each", async () => {
    const fields = [group("delivered", "2.0.0"), group("failed", "5.2.2"), group("delayed", "4.2.0")].join("\n\n");
    const { kind, recipients } = await read(mails.dsn({ fields }));
    expect([kind, recipients.map(({ action, blame }) => [action, blame])]).toEqual([
      "bounce",
      [
        ["delivered", "nobody"],
        ["failed", "nobody"],
        ["delayed", "nobody"],
      ],
    ]);
  });

  test("counts, whatever its text and the mail that it is about say", async () => {
    const fields = "Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 4.4.7";
    const { recipients } = await read(
      mails.dsn({ fields, text: "550 5.1.1 user unknown\n\nAction: failed\nStatus: 5.1.1" }),
    );
    expect(recipients).toMatchObject([{ status: "4.4.7", diagnostic: "4.4.7", blame: "nobody" }]);
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
    "qmail's, of a full mailbox": [mails.QMAIL_FULL, "bounce", "nobody", "over quota"],
    "Exim's": [mails.EXIM, "bounce", "recipient", "550 No such person"],
    "Exim's, of content": [mails.EXIM_CONTENT, "bounce", "nobody", "scored too high"],
    "Exim's, of a delay": [mails.EXIM_DELAYED, "delayed", "nobody", "451 Greylisted"],
    "Exchange's": [mails.EXCHANGE, "bounce", "recipient", "5.1.1 RESOLVER"],
    "Gmail's": [mails.GMAIL, "bounce", "recipient", "550 5.1.1"],
    "Postfix's": [mails.POSTFIX_TEXT, "bounce", "sender", "554 5.7.1"],
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
    kind: kind as Notice["kind"],
    recipients: [],
  });
});

test("what is made to be hard to read takes no time", async () => {
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
    const before = cpuMs();
    await read(mail);
    expect(cpuMs() - before).toBeLessThan(2_000);
  }
});
