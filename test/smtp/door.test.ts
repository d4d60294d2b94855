// The door is the one of POST /v1/send: the same keys, domains and limits, the same mail at the other end.
import { describe, expect, test } from "bun:test";
import { simpleParser } from "mailparser";
import { headerFields } from "../support/mails.ts";
import { TestClock } from "../support/clock.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { countOf } from "../support/scenario.ts";
import { dialogue, plainToken } from "../support/smtp-dialogue.ts";
import { envelope, idsIn, LOGGED_IN, startSubmission, submit } from "../support/submission.ts";
import { addKeys, addUnverifiedDomain, addWorkspace } from "../support/workspaces.ts";

const LETTER = "From: Ada <ada@example.test>\nTo: bob@example.com\nSubject: Hi\n\nHello\n";

describe("who may send", () => {
  test("a key that is scoped to other domains may not; a domain that is not verified sends nothing (slow)", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const scoped = await addKeys(posthorn, { domains: ["other.test"] });
    expect(await submit(open, LETTER, { key: scoped.secret })).toStartWith("550 5.7.1");
    await addUnverifiedDomain(posthorn, "new.test");
    expect(await submit(open, LETTER.replaceAll("example.test", "new.test"))).toStartWith("550 5.7.1");
    const other = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
    expect(await submit(open, LETTER, { key: other.secret })).toStartWith("550 5.7.1");
    expect((await posthorn.call("GET /emails")).body.total).toBe(0);
    expect((await posthorn.call("GET /contacts")).body.total).toBe(0);
    expect((await submit(open, LETTER)).slice(0, 3)).toBe("250");
  });

  test("the field Sender counts as From does: readers are shown it, so its domain must be one that the key may send from", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const scoped = await addKeys(posthorn, { domains: ["example.test"] });
    const by = (sender: string) => submit(open, `Sender: ${sender}\n${LETTER}`, { key: scoped.secret });
    expect(await by("Bank <security@bank.test>")).toStartWith("550 5.7.1");
    expect(await by("a@example.test, b@example.test")).toStartWith("550 5.6.0");
    expect((await posthorn.call("GET /emails")).body.total).toBe(0);
    expect(await by("Desk <desk@example.test>")).toStartWith("250");
  });

  test("a key that is revoked or bound to other addresses, and a workspace that is disabled, while the connection is open or the message comes in", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const keys = await addKeys(posthorn, { name: "short" });
    const moved = await addKeys(posthorn, { name: "moved" });
    const bind = () => posthorn.call(`PATCH /keys/${moved.id}`, { allowedIps: ["192.0.2.1"] });
    const disable = () => posthorn.store.write((tx) => tx.run`update workspaces set disabled_at = ${tx.now}`);
    const cases = [
      { key: keys.secret, act: () => posthorn.call(`DELETE /keys/${keys.id}`), reply: "535 5.7.8" },
      { key: moved.secret, act: bind, reply: "535 5.7.8" },
      { key: posthorn.keys.secret, act: disable, reply: "550 5.7.1" },
    ];
    const again = "C: MAIL FROM:<>\nS: 250\nC: RCPT TO:<bob@example.com>\nS: 250\nC: DATA\nS: 354";
    const message = "C+ From: ada@example.test\\r\\n\\r\\n.\\r\\n";
    for (const { key, act, reply } of cases) {
      await dialogue(
        { port: open.ports.starttls, words: { token: plainToken(key) }, act },
        `${envelope("bob@example.com")}\nDO\n${message}\nS: ${reply}\n${again}\n${message}\nS: ${reply}`,
      );
    }
    expect(await posthorn.store.read((reader) => reader.all`select seq from emails`)).toEqual([]);
  });

  test("no more mails than requests in a minute, both counted together", async () => {
    const clock = new TestClock();
    const open = await startSubmission({ clock, config: { limits: { requestsPerMinute: 3 } } });
    await using posthorn = open.posthorn;
    await posthorn.call("GET /emails");
    const words = { token: plainToken(posthorn.keys.secret) };
    const begin = "C: MAIL FROM:<>\nS: 250\nC: RSET\nS: 250\n";
    await dialogue({ port: open.ports.starttls, words }, `${LOGGED_IN}\n${begin}${begin}C: MAIL FROM:<>\nS: 452 4.7.0`);
    clock.advance(61_000);
    expect((await submit(open, LETTER)).slice(0, 3)).toBe("250");
  });

  test("nobody while the store is away; the same message is taken later", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const { write, writeTogether } = posthorn.store;
    const away = () => Promise.reject(Object.assign(new Error("gone"), { code: "SQLITE_FULL" }));
    const words = { token: plainToken(posthorn.keys.secret) };
    Object.assign(posthorn.store, { write: away, writeTogether: away });
    await dialogue(
      { port: open.ports.starttls, words },
      String.raw`${envelope("bob@example.com")}
      C+ From: ada@example.test\r\n\r\n.\r\n
      S: 451 4.3.0`,
    );
    Object.assign(posthorn.store, { write, writeTogether });
    expect((await submit(open, LETTER)).slice(0, 3)).toBe("250");
  });
});

describe("a message submitted twice", () => {
  const NAMED = `Message-ID: <1@ada>\n${LETTER}`;

  test("is accepted once for each recipient, and answered with the same ids, for a day", async () => {
    const clock = new TestClock();
    const open = await startSubmission({ clock });
    await using posthorn = open.posthorn;
    const first = await submit(open, NAMED, { to: ["bob@example.com", "cy@example.com"] });
    expect(idsIn(first)).toHaveLength(2);
    expect(await submit(open, NAMED, { to: ["bob@example.com", "cy@example.com"] })).toBe(first);
    const [bob, dee] = idsIn(await submit(open, NAMED, { to: ["bob@example.com", "dee@example.com"] }));
    expect(bob).toBe(idsIn(first)[0] ?? "");
    expect(idsIn(first)).not.toContain(dee ?? "");
    expect((await posthorn.call("GET /emails")).body.total).toBe(3);
    clock.advance(24 * 60 * 60 * 1000);
    expect(idsIn(await submit(open, NAMED))).not.toContain(bob ?? "");
  });

  test("is told by its Idempotency-Key, whatever its Message-ID; a key that comes with another message is refused (slow)", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const first = await submit(open, `Idempotency-Key: k\n${NAMED}`);
    expect(await submit(open, `Idempotency-Key: k\nMessage-ID: <2@ada>\n${LETTER}`)).toBe(first);
    expect(await submit(open, `Idempotency-Key: k\n${NAMED.replace("Hi", "Ho")}`)).toStartWith("550 5.6.0");
    expect(idsIn(await submit(open, NAMED))).not.toEqual(idsIn(first));
    await posthorn.settle();
    expect(posthorn.transport.sent.map(({ raw }) => /idempotency-key/i.test(raw.toString()))).toEqual([false, false]);
  });

  test("is told by its Idempotency-Key if a program composes it anew, and refused if it says anything else", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const composed = (boundary: string, { text = "Hello", type = "plain" } = {}) =>
      `Idempotency-Key: k\nMessage-ID: <${boundary}@ada>\nDate: ${boundary}\n${LETTER.replace(
        /\n\n.*/s,
        `\nContent-Type: multipart/mixed;\n boundary="${boundary}"\n\n--${boundary}\n`,
      )}Content-Type: multipart/alternative; boundary=${boundary}.in\n\n--${boundary}.in\n\n${text}\n--${boundary}.in
Content-Type: text/${type}\n\n--none\n--${boundary}.in--\n\n--${boundary}--\n`;
    const first = await submit(open, composed("=_1"));
    expect(idsIn(first)).toHaveLength(1);
    expect(await submit(open, composed("=_2"))).toBe(first);
    expect(await submit(open, composed("=_2", { text: "Hello!" }))).toStartWith("550 5.6.0");
    expect(await submit(open, composed("=_2", { type: "html" }))).toStartWith("550 5.6.0");
    expect(await submit(open, `Idempotency-Key: k\n${LETTER}`)).toStartWith("550 5.6.0");
    expect((await posthorn.call("GET /emails")).body.total).toBe(1);
  });

  test("is told by its Message-ID if a program composes it anew; another message with this Message-ID is another mail", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const composed = (date: string, { text = "Hello", more = "" } = {}) =>
      `Received: from a\n by b; ${date}\nMessage-ID: <1@ada.test>\nDate: ${date}\n${more}${LETTER.replace("Hello", text)}`;
    const [first] = idsIn(await submit(open, composed("1")));
    expect(idsIn(await submit(open, composed("2")))).toEqual([first as string]);
    const others = [
      composed("1", { text: "Hello!" }),
      composed("1", { more: "Reply-To: desk@example.test\n" }),
      composed("1").replace("Subject: Hi", "Subject: Ho"),
      composed("1").replace("From: Ada", "Content-Type: text/html\nFrom: Ada"),
    ];
    const ids = [first];
    for (const other of others) ids.push(...idsIn(await submit(open, other)));
    expect(new Set(ids).size).toBe(5);
    for (const [at, other] of others.entries())
      expect(idsIn(await submit(open, other))).toEqual([ids[at + 1] as string]);
    await posthorn.settle();
    const sentIds = posthorn.transport.sent.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw.toString())?.[1]?.trim());
    expect(sentIds).toEqual(ids.map(() => "<1@ada.test>"));
  });

  test.each(["<>", "", "<systemmessage>"])("is two mails if its Message-ID is %p", async (value) => {
    const open = await startSubmission();
    await using _ = open.posthorn;
    const message = `Message-ID: ${value}\n${LETTER}`;
    expect(idsIn(await submit(open, message))).not.toEqual(idsIn(await submit(open, message)));
  });

  test("still needs a key that may send it", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    expect(await submit(open, NAMED)).toStartWith("250");
    const scoped = await addKeys(posthorn, { domains: ["other.test"] });
    expect(await submit(open, NAMED, { key: scoped.secret })).toStartWith("550 5.7.1");
    await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
    expect(await submit(open, NAMED)).toStartWith("550 5.7.1");
  });

  test("is two mails if it has no name, or comes from another workspace", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    expect(idsIn(await submit(open, LETTER))).not.toEqual(idsIn(await submit(open, LETTER)));
    const other = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
    const theirs = NAMED.replace("ada@example.test", "ada@other.test");
    expect(idsIn(await submit(open, NAMED))).not.toEqual(idsIn(await submit(open, theirs, { key: other.secret })));
  });

  test("at the same time is still accepted once", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const to = ["bob@example.com", "cy@example.com", "dee@example.com"];
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => submit(open, NAMED, { to: index % 2 ? to : to.toReversed() })),
    );
    expect(new Set(replies.flatMap(idsIn)).size).toBe(3);
    expect((await posthorn.call("GET /emails")).body.total).toBe(3);
  });

  test("and was refused the first time is taken the second time", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const scoped = await addKeys(posthorn, { domains: ["other.test"] });
    expect(await submit(open, NAMED, { key: scoped.secret })).toStartWith("550");
    expect(await submit(open, NAMED)).toStartWith("250");
  });
});

describe("what arrives", () => {
  test("is the same by SMTP and by API", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const file = Buffer.from("PDF\0ÿ").toString("base64");
    await posthorn.call("POST /v1/send", {
      ...{ to: "bob@example.com", from: "Ädä <ada@example.test>", replyTo: "desk@example.test", subject: "Grüße 😀" },
      ...{ body: `<p>Größe ${"здравствуй ".repeat(200)}<img src="cid:logo"></p>`, text: ".Größe\n..\nFrom here" },
      headers: { "X-Order": "7", "X-Note": `Ä${"ö".repeat(300)}` },
      attachments: [
        { filename: `Rechnung ${"ü".repeat(90)}.pdf`, content: file, contentType: "application/pdf" },
        { filename: "logo.png", content: file, contentType: "image/png", disposition: "inline", contentId: "logo" },
      ],
    });
    await posthorn.settle();
    const composed = posthorn.transport.sent[0]?.raw ?? Buffer.of();
    const unsigned = composed.toString("latin1").replace(/^DKIM-Signature:.*\r\n(?:[ \t].*\r\n)*/, "");
    await submit(open, Buffer.from(unsigned.replace(/^Message-ID:.*\r\n/m, ""), "latin1"), { to: ["cy@example.com"] });
    await posthorn.settle();
    const [one, other] = await Promise.all(posthorn.transport.sent.map(async ({ raw }) => comparable(raw)));
    expect(other).toEqual(one);
    const records = (await posthorn.call("GET /emails")).body.data as Record<string, unknown>[];
    const [two, first] = records.map(({ subject, from, fromName, replyTo, status, sourceType, templateId }) => {
      return { subject, from, fromName, replyTo, status, sourceType, templateId };
    });
    expect(two).toEqual(first);
    expect((await posthorn.eventNames()).filter((name) => name === "email.sent")).toHaveLength(2);
  });

  test("holds no field and no mail that somebody smuggled in", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const words = { token: plainToken(posthorn.keys.secret) };
    await dialogue(
      { port: open.ports.starttls, words },
      String.raw`${envelope("bob@example.com")}
      C+ From: ada@example.test\r\nSubject: =?utf-8?q?Hi=0D=0ABcc:_eve@example.com?=\r\nBcc: eve@example.com\r\n\r\n..\r\nRCPT TO:<eve@example.com>\r\n.\r\n
      S: 250`,
    );
    await posthorn.settle();
    expect(posthorn.transport.recipients).toEqual(["bob@example.com"]);
    const raw = posthorn.transport.sent[0]?.raw ?? Buffer.of();
    expect(headerFields(raw).filter(({ name }) => /bcc/i.test(name))).toEqual([]);
    expect(raw.toString()).toEndWith("\r\n\r\n.\r\nRCPT TO:<eve@example.com>\r\n");
    expect((await posthorn.call("GET /emails")).body.data[0].subject).not.toMatch(/[\r\n]/);
  });

  test("leaves contacts as they are, and new ones unsubscribed", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    await posthorn.call("POST /contacts", { email: "bob@example.com", data: { plan: "pro" } });
    await submit(open, LETTER, { to: ["BOB@example.com", "bob@Example.com", "new@example.com"] });
    const rows = await posthorn.store.read(
      (reader) =>
        reader.all<{
          email: string;
          subscribed: number;
          data: string;
        }>`select email, subscribed, json(data) as data from contacts order by seq`,
    );
    expect(rows.map((row) => ({ ...row, data: JSON.parse(row.data) as unknown }))).toEqual([
      { email: "bob@example.com", subscribed: 1, data: { plan: "pro" } },
      { email: "new@example.com", subscribed: 0, data: {} },
    ]);
  });
});

async function comparable(raw: Buffer) {
  const { html, text, subject, from, replyTo, attachments, headers } = await simpleParser(raw);
  const files = attachments.map(({ filename, contentType, contentDisposition, cid, content }) => {
    return { filename, contentType, contentDisposition, cid, content };
  });
  const own = [headers.get("x-order"), headers.get("x-note")];
  return { html, text, subject, from: from?.value, replyTo: replyTo?.value, files, own };
}

describe("a message to several people of whom one is erased", () => {
  const TO_BOTH = LETTER.replace("To: bob@example.com", "To: bob@example.com, eve@example.com");

  async function eraseEve(posthorn: Posthorn): Promise<void> {
    const { found } = (await posthorn.call("POST /contacts/lookup", { emails: ["eve@example.com"] })).body;
    expect((await posthorn.call(`DELETE /contacts/${found[0].id}`)).status).toBe(204);
  }

  test("is forgotten, and the other's mail stays on record", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const [bobs = ""] = idsIn(await submit(open, TO_BOTH, { to: ["bob@example.com", "eve@example.com"] }));
    await posthorn.settle();
    expect((await posthorn.call(`GET /emails/${bobs}/raw`)).body).toContain("eve@example.com");
    await eraseEve(posthorn);
    await posthorn.settle();
    expect(await rowsIn(posthorn)).toEqual([0, 0]);
    expect((await posthorn.call(`GET /emails/${bobs}`)).body).toMatchObject({ to: "bob@example.com", subject: "Hi" });
    expect((await posthorn.call(`GET /emails/${bobs}/raw`)).body.error.code).toBe("EMAIL_NOT_FOUND");
  });

  test("still reaches the others first", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    posthorn.transport.answer = () => ({ kind: "later", reply: "451 4.3.0 Later" });
    await submit(open, TO_BOTH, { to: ["bob@example.com", "eve@example.com"] });
    await posthorn.settle();
    await eraseEve(posthorn);
    await posthorn.settle();
    expect(await rowsIn(posthorn)).toEqual([1, 1]);
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
    posthorn.clock.advance(60 * 60_000);
    await posthorn.settle();
    expect(posthorn.transport.recipients.at(-1)).toBe("bob@example.com");
    expect(await rowsIn(posthorn)).toEqual([0, 0]);
  });

  const rowsIn = async (posthorn: Posthorn) => [
    await countOf(posthorn, "raw_messages"),
    await countOf(posthorn, "messages_to_forget"),
  ];
});

test("a message to several recipients is one message to a group: the header says who is in To and Cc, and others are hidden", async () => {
  const open = await startSubmission();
  await using posthorn = open.posthorn;
  const header = [
    "From: ada@example.test",
    'To: Team: "bob@example.com" <BOB@example.com>, (of Sales) cy@example.com;',
    'Cc: "eve@example.com, really" <dee@example.com>',
    "Bcc: fay@example.com",
    "Subject: Minutes",
  ].join("\n");
  const to = ["eve@example.com", "dee@example.com", "cy@example.com", "bob@example.com", "fay@example.com"];
  const ids = idsIn(await submit(open, `${header}\n\nHello\n`, { to }));
  await posthorn.settle();
  const { body } = await posthorn.call(`GET /emails/${ids[0]}`);
  expect(body.recipients.map((one: Record<string, string>) => [one["role"], one["to"], one["id"]])).toEqual([
    ["TO", "cy@example.com", ids[2]],
    ["TO", "bob@example.com", ids[3]],
    ["CC", "dee@example.com", ids[1]],
    ["BCC", "eve@example.com", ids[0]],
    ["BCC", "fay@example.com", ids[4]],
  ]);
  const listed = await posthorn.call(`GET /emails?group=${body.group}`);
  expect(listed.body.data).toHaveLength(5);
  expect(posthorn.transport.recipients.toSorted()).toEqual(to.toSorted());
  expect(new Set(posthorn.transport.sent.map(({ raw }) => raw.toString())).size).toBe(1);
  const fields = headerFields(posthorn.transport.sent[0]?.raw as Buffer);
  expect(fields.some(({ name }) => /^bcc$/i.test(name))).toBe(false);
  expect(fields.find(({ name }) => name === "Cc")?.value).toBe('"eve@example.com, really" <dee@example.com>');
  const alone = idsIn(await submit(open, LETTER));
  const single = await posthorn.call(`GET /emails/${alone[0]}`);
  expect([single.body.group, single.body.role]).toEqual([null, null]);
});
