// Mail from outside, from the SMTP session to what the API shows of it.
import { expect, test } from "bun:test";
import { addWorkspace } from "../support/workspaces.ts";
import { bring, LETTER, received, signed, startHouse, wire } from "../support/outside.ts";
import { ask } from "../support/scenario.ts";

test("however many get it, and whatever it is made of, the events of a mail stay small", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const to = Array.from({ length: 50 }, (__, n) => `help${n}@example.test`);
  await bring({ port }, LETTER.replace("How are you?", `How are you? ${"\x01\x02\x03".repeat(60_000)}`), { to });
  const events = await received(posthorn);
  expect(events).toHaveLength(50);
  expect(JSON.stringify(events).length).toBeLessThan(1.5 * 1024 * 1024);
  for (const { body } of events) expect(body).toStartWith("How are you? \x01\x02");
});

test("a letter becomes a mail, an event with every field, and a contact that is not subscribed", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  expect(await bring({ port }, await signed(LETTER))).toBe("250 2.6.0 Stored");
  expect(await received(posthorn)).toEqual([
    {
      emailId: expect.any(String),
      messageId: "<first@elsewhere.test>",
      inReplyTo: null,
      references: [],
      from: "ada@elsewhere.test",
      fromHeader: "Ada Lovelace <ada@elsewhere.test>",
      to: "help@example.test",
      subject: "Hello",
      timestamp: "2026-03-01T09:00:00.000Z",
      recipients: ["help@example.test"],
      addressed: { to: ["help@example.test"], cc: [] },
      hasContent: true,
      body: "How are you?\n",
      text: "How are you?\n",
      attachments: [],
      spamVerdict: "GRAY",
      virusVerdict: "GRAY",
      spfVerdict: "PASS",
      dkimVerdict: "PASS",
      dmarcVerdict: "PASS",
      processingTimeMillis: expect.any(Number),
    },
  ]);
  const [mail] = (await posthorn.call("GET /emails?status=RECEIVED")).body.data;
  expect(mail).toMatchObject({
    ...{ sourceType: "INBOUND", from: "ada@elsewhere.test", fromName: "Ada Lovelace", to: "help@example.test" },
    ...{ subject: "Hello", messageId: "<first@elsewhere.test>", returnPath: "ada@elsewhere.test", error: null },
  });
  const contact = (await posthorn.call(`GET /contacts/${mail.contactId}`)).body;
  expect(contact).toMatchObject({ email: "ada@elsewhere.test", subscribed: false, data: { name: "Ada Lovelace" } });
  const { timeline } = (await posthorn.call(`GET /emails/${mail.id}`)).body;
  expect(timeline.map(({ what }: { what: string }) => what)).toEqual(["email.received"]);
});

test("the event names its mail, the thread and the files, and says it in plain text", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const older = Array.from({ length: 60 }, (_, n) => `<${n}@elsewhere.test>`);
  const message = `From: ada@elsewhere.test
To: help@example.test
Subject: Re: Order
In-Reply-To: <59@elsewhere.test> (yours of Monday)
References: ${older.join("\n ")}
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/html; charset=utf-8

<p>Where is <b>it</b>?</p><p>Ada</p>
--x
Content-Type: application/pdf
Content-Disposition: attachment; filename="order 7.pdf"

%PDF
--x
Content-Type: text/csv
Content-Disposition: attachment

a,b
--x--
`;
  await bring({ port }, message);
  const [event] = await received(posthorn);
  const [mail] = (await posthorn.call("GET /emails?status=RECEIVED")).body.data;
  expect(event).toMatchObject({
    ...{ emailId: mail.id, inReplyTo: "<59@elsewhere.test>", text: "Where is it?\n\nAda" },
    references: ["<0@elsewhere.test>", ...older.slice(-49)],
    attachments: [
      { id: "0", filename: "order 7.pdf", contentType: "application/pdf", size: 4 },
      { id: "1", filename: null, contentType: "text/csv", size: 3 },
    ],
  });
  const file = await posthorn.call(`GET /emails/${event.emailId}/attachments/${event.attachments[1].id}`);
  expect([file.status, String(file.body)]).toEqual([200, "a,b"]);
});

test("the message is kept byte by byte", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const message = `${LETTER}.\n..two dots\nlatin1 \xff\x80 and a NUL-free end\n`;
  await bring({ port }, Buffer.from(message.replaceAll("\n", "\r\n"), "latin1"));
  await posthorn.settle();
  const [{ id }] = (await posthorn.call("GET /emails")).body.data;
  const reply = await fetch(`${posthorn.server.url}/emails/${id}/raw`, {
    headers: { authorization: `Bearer ${posthorn.keys.secret}` },
  });
  expect(reply.headers.get("content-type")).toBe("message/rfc822");
  expect(Buffer.from(await reply.arrayBuffer()).toString("latin1")).toBe(message.replaceAll("\n", "\r\n"));
});

test("each recipient has a mail and an event; who is named twice has one", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  await bring({ port }, LETTER, { to: ["help@example.test", "Sales@Example.test", "HELP@example.test"] });
  const events = await received(posthorn);
  expect(events.map(({ to, recipients }) => [to, recipients])).toEqual([
    ["help@example.test", ["help@example.test", "sales@example.test"]],
    ["sales@example.test", ["help@example.test", "sales@example.test"]],
  ]);
  expect((await posthorn.call("GET /emails")).body.total).toBe(2);
});

test("a reply to several of us is a group: who is in To and Cc, and who of all the event names", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const letter = LETTER.replace(
    /^To:.*$/m,
    'To: Team: "a, b" <HELP@example.test>, bob@example.com;\nCc: Sales <sales@example.test>, cy@example.com',
  );
  const to = ["hidden@example.test", "sales@example.test", "help@example.test"];
  await bring({ port }, letter, { to });
  const [event] = await received(posthorn);
  expect(event?.["addressed"]).toEqual({
    to: ["help@example.test", "bob@example.com"],
    cc: ["sales@example.test", "cy@example.com"],
  });
  const [{ group }] = (await posthorn.call("GET /emails")).body.data;
  const { data } = (await posthorn.call(`GET /emails?group=${group}`)).body;
  const roles = data.map(({ role, to: address }: Record<string, string>) => [role, address]).sort();
  expect(roles).toEqual([
    ["BCC", "hidden@example.test"],
    ["CC", "sales@example.test"],
    ["TO", "help@example.test"],
  ]);
  await bring({ port }, LETTER.replace("<first@", "<second@"), { to: ["help@example.test"] });
  await posthorn.settle();
  const [alone] = (await posthorn.call("GET /emails?limit=1")).body.data;
  expect([alone.group, alone.role]).toEqual([null, null]);
});

test("a copy of a message to a group that comes back is our own, and nobody's", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const from = "hello@example.test";
  await posthorn.call("POST /v1/send", {
    to: "ada@example.com",
    bcc: "help@example.test",
    from,
    subject: "Hi",
    text: "Hi",
  });
  await posthorn.settle();
  await bring({ port }, posthorn.transport.sent[0]?.raw.toString() ?? "", { from, to: ["help@example.test"] });
  await posthorn.settle();
  const { data } = (await posthorn.call("GET /emails?status=RECEIVED&limit=5")).body;
  expect(data.map(({ contactId }: { contactId: string | null }) => contactId)).toEqual([null]);
});

test("two workspaces get a message each, and neither learns of the other", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  await bring({ port }, LETTER, { to: ["help@example.test", "info@other.test"] });
  const events = await received(posthorn);
  expect(events.map(({ to, recipients }) => [to, recipients]).sort()).toEqual([
    ["help@example.test", ["help@example.test"]],
    ["info@other.test", ["info@other.test"]],
  ]);
  for (const bearer of [posthorn.keys.secret, other.secret]) {
    const { data, total } = (await ask(posthorn, "GET /emails", { key: { bearer } })).body;
    expect(total).toBe(1);
    expect((await ask(posthorn, `GET /emails/${data[0].id}/raw`, { key: { bearer } })).body).toBe(
      wire(LETTER).toString(),
    );
  }
});

test("a contact that is there already stays as it is", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  await posthorn.call("POST /contacts", { email: "ada@elsewhere.test", subscribed: true, data: { plan: "pro" } });
  await bring({ port }, LETTER);
  await posthorn.settle();
  const [contact] = (await posthorn.call("GET /contacts")).body.data;
  expect(contact).toMatchObject({ subscribed: true, data: { plan: "pro" } });
  expect(await posthorn.eventNames()).toEqual(["email.received"]);
});

test.each([
  ["the null sender", LETTER, ""],
  ["an automatic answer", LETTER.replace("Subject:", "Auto-Submitted: auto-replied\nSubject:"), "ada@elsewhere.test"],
])("%s makes no contact", async (_, letter, from) => {
  const { posthorn, port } = await startHouse();
  await using __ = posthorn;
  await bring({ port }, letter, { from });
  expect(await received(posthorn)).toHaveLength(1);
  expect((await posthorn.call("GET /contacts")).body.data).toEqual([]);
  expect((await posthorn.call("GET /emails")).body.data[0]).toMatchObject({ contactId: null, returnPath: from });
});

test.each([
  "Vacation home in Nice: is it free in May?",
  "On holiday bookings",
  "Away from keyboard?",
  "Re: Vacation",
  "Out of office",
])("a person's mail is no automatic one for its subject: %s", async (subject) => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  await bring({ port }, LETTER.replace("Hello", subject));
  await posthorn.settle();
  expect((await posthorn.call("GET /contacts")).body.data).toMatchObject([{ email: "ada@elsewhere.test" }]);
});

test("HTML is the body where there is some; a long body is cut, the message is not", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const html = `<p>${"long ".repeat(60_000)}</p>`.replace(/.{60}/g, "$&\n");
  const head = "From: ada@elsewhere.test\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n";
  const letter = `${head}--b\nContent-Type: text/plain\n\nshort\n--b\nContent-Type: text/html\n\n${html}\n--b--\n`;
  await bring({ port }, letter);
  const [event] = await received(posthorn);
  expect(event).toMatchObject({ hasContent: true, subject: "", spfVerdict: "PASS", dkimVerdict: "GRAY" });
  expect(event.body).toHaveLength(128 * 1024);
  expect(event.body).toStartWith("<p>long long");
  const [{ id }] = (await posthorn.call("GET /emails")).body.data;
  expect((await posthorn.call(`GET /emails/${id}/raw`)).body).toBe(wire(letter).toString());
});

test("files that are attached are listed, and handed out one by one", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const head = "From: ada@elsewhere.test\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n";
  const file = "Content-Type: text/html; name=x\nContent-Disposition: attachment; filename*=UTF-8''%C3%A6.html";
  const picture =
    "Content-Type: image/png\nContent-ID: <logo>\nContent-Disposition: inline\nContent-Transfer-Encoding: base64";
  await bring({ port }, `${head}--b\n\nSee there.\n--b\n${file}\n\n<script>\n--b\n${picture}\n\nAAEC/w==\n--b--\n`);
  await posthorn.settle();
  const [{ id }] = (await posthorn.call("GET /emails")).body.data;
  expect((await posthorn.call(`GET /emails/${id}/attachments`)).body).toEqual([
    { number: 0, filename: "æ.html", contentType: "text/html", disposition: "attachment", contentId: null, size: 8 },
    { number: 1, filename: null, contentType: "image/png", disposition: "inline", contentId: "logo", size: 4 },
  ]);
  const reply = await fetch(`${posthorn.server.url}/emails/${id}/attachments/1`, {
    headers: { authorization: `Bearer ${posthorn.keys.secret}` },
  });
  expect([...new Uint8Array(await reply.arrayBuffer())]).toEqual([0, 1, 2, 255]);
  const saved = await posthorn.call(`GET /emails/${id}/attachments/0`);
  expect(saved.headers.get("content-type")).toBe("application/octet-stream");
  expect(saved.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''%C3%A6.html");
  for (const number of ["2", "-1", "x", "0.0"])
    expect((await posthorn.call(`GET /emails/${id}/attachments/${number}`)).body.error.code).toBe(
      "ATTACHMENT_NOT_FOUND",
    );
});

test("a large message comes in slices and is whole again", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const letter = LETTER + `${"x".repeat(70)}\n`.repeat(30_000);
  expect(await bring({ port }, await signed(letter))).toBe("250 2.6.0 Stored");
  expect(await received(posthorn)).toMatchObject([{ dkimVerdict: "PASS", subject: "Hello" }]);
  const slices = await posthorn.store.read(
    (reader) => reader.all<{ number: number }>`select number from message_slices`,
  );
  expect(slices.length).toBeGreaterThan(4);
  const [{ id }] = (await posthorn.call("GET /emails")).body.data;
  expect((await posthorn.call(`GET /emails/${id}/raw`)).body).toEndWith(wire(letter).toString());
});

test("erasing a person erases what they wrote, byte by byte", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  await bring({ port }, LETTER);
  await posthorn.settle();
  const [{ contactId }] = (await posthorn.call("GET /emails")).body.data;
  await posthorn.call(`DELETE /contacts/${contactId}`);
  await posthorn.settle();
  const rest = (table: "messages" | "message_slices") =>
    posthorn.store.read((reader) =>
      table === "messages" ? reader.all`select seq from messages` : reader.all`select number from message_slices`,
    );
  expect([await rest("messages"), await rest("message_slices")]).toEqual([[], []]);
});

test("a large file is handed out to many at once within little memory", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const MB = 1024 * 1024;
  const DOWNLOADS = 5;
  const file = Buffer.alloc(12 * MB, 7)
    .toString("base64")
    .replace(/.{76}/g, "$&\n");
  const part = "Content-Type: application/pdf\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment";
  await bring(
    { port },
    `From: ada@elsewhere.test\nContent-Type: multipart/mixed; boundary=b\n\n--b\n${part}\n\n${file}\n--b--\n`,
  );
  await posthorn.settle();
  const [{ id }] = (await posthorn.call("GET /emails")).body.data;
  const headers = { authorization: `Bearer ${posthorn.keys.secret}` };
  const before = process.memoryUsage().rss;
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  const sizes = await Promise.all(
    Array.from({ length: DOWNLOADS }, async () => {
      const reply = await fetch(`${posthorn.server.url}/emails/${id}/attachments/0`, { headers });
      let size = 0;
      for await (const chunk of reply.body ?? []) size += chunk.length;
      return size;
    }),
  );
  clearInterval(watch);
  expect(new Set(sizes)).toEqual(new Set([12 * MB]));
  expect((peak - before) / MB).toBeLessThan(800);
});

test("a message that the parser gives up is from whom it is signed by, not from the envelope's sender", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const parts = `Content-Type: multipart/mixed; boundary=b\n\n${"--b\n\nx\n".repeat(1_100)}--b--\n`;
  await bring({ port }, await signed(`From: ada@elsewhere.test\n${parts}`), { from: "chief@company.test" });
  expect(await received(posthorn)).toMatchObject([
    { from: "ada@elsewhere.test", dkimVerdict: "PASS", dmarcVerdict: "PASS", subject: "", hasContent: false },
  ]);
  expect((await posthorn.call("GET /contacts")).body.data).toMatchObject([{ email: "ada@elsewhere.test" }]);
});

test("a message of several authors is from the first, and fails DMARC", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  await bring({ port }, await signed(LETTER.replace(/^From: .*/, "From: Ada <ada@elsewhere.test>, boss@bank.test")), {
    from: "list@elsewhere.test",
  });
  expect(await received(posthorn)).toMatchObject([
    { from: "ada@elsewhere.test", dkimVerdict: "PASS", dmarcVerdict: "FAIL" },
  ]);
  expect((await posthorn.call("GET /contacts")).body.data).toMatchObject([{ email: "ada@elsewhere.test" }]);
});
