// A mail to an address beyond ASCII names it in its header where the next hop speaks SMTPUTF8 (RFC 6531, RFC 6532).
import { isAscii } from "node:buffer";
import { afterEach, expect, test } from "bun:test";
import { smtpRelay } from "../../src/sending/carrier/smtp/relay.ts";
import type { Transport } from "../../src/sending/carrier/transport/transport.ts";
import { headerFields, letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { startRelay, type RelayOptions } from "../support/relay.ts";
import { dialogue, plainToken } from "../support/smtp-dialogue.ts";
import { LOGGED_IN, startSubmission, type Ports } from "../support/submission.ts";
import { workspace } from "../support/workspace.ts";

const opened: Transport[] = [];
afterEach(async () => void (await Promise.all(opened.splice(0).map((transport) => transport.close()))));

/** All mails leave through a relay of this kind. */
async function relayFor(posthorn: Posthorn, options: RelayOptions = {}) {
  const relay = await startRelay(options);
  const transport = smtpRelay({
    ...{
      host: "127.0.0.1",
      port: relay.port,
      tls: "none",
      verifyCertificate: true,
      ca: null,
      user: null,
      password: null,
    },
    ...{ concurrency: 1, gapMs: 0, timeoutMs: 30_000, heloName: "posthorn.example" },
  });
  opened.push(transport);
  posthorn.transport.answer = (message) => transport.send(message);
  return relay;
}

/** The field as its bytes say, read as UTF-8. */
function fieldOf(raw: Buffer, name: string): string {
  const value = headerFields(raw).find((field) => field.name === name)?.value ?? "";
  return Buffer.from(value, "latin1").toString("utf8");
}

test("by the API, in To as in the envelope, and raw shows the same bytes (slow)", async () => {
  await using posthorn = await workspace();
  await using relay = await relayFor(posthorn);
  const to = { name: "Jörg", email: "jörg@example.com" };
  const sent = await posthorn.call("POST /v1/send", { ...letter, to, reply: "björn@example.test" });
  await posthorn.settle();
  const [mail] = await relay.received(1);
  expect([mail?.envelope.to, mail?.utf8]).toEqual([["jörg@example.com"], true]);
  const raw = mail?.raw as Buffer;
  expect(fieldOf(raw, "To")).toBe("=?UTF-8?Q?J=C3=B6rg?= <jörg@example.com>");
  expect(fieldOf(raw, "Reply-To")).toBe("björn@example.test");
  const shown = await posthorn.call(`GET /emails/${sent.body.data.emails[0].email}/raw`);
  expect(shown.body).toBe(raw.toString());
});

test("to others the header stays in ASCII, for it may have to go on by servers that take nothing else", async () => {
  await using posthorn = await workspace();
  await using relay = await relayFor(posthorn);
  await posthorn.call("POST /v1/send", { ...letter, reply: "jörg@example.test" });
  await posthorn.settle();
  const [mail] = await relay.received(1);
  expect([mail?.utf8, isAscii(mail?.raw as Buffer)]).toEqual([false, true]);
  expect(fieldOf(mail?.raw as Buffer, "Reply-To")).toBe("=?UTF-8?Q?=3Cj=C3=B6rg=40example=2Etest=3E?=:;");
});

test("a relay that does not speak it is not asked", async () => {
  await using posthorn = await workspace();
  await using relay = await relayFor(posthorn, { hide: ["SMTPUTF8"] });
  const sent = await posthorn.call("POST /v1/send", { ...letter, to: "jörg@example.com" });
  await posthorn.settle();
  const { body } = await posthorn.call(`GET /emails/${sent.body.data.emails[0].email}`);
  expect([body.status, body.error]).toEqual(["FAILED", expect.stringContaining("does not offer SMTPUTF8")]);
  expect(relay.mails).toEqual([]);
});

test("a sender beyond ASCII is in From as it is, where the relay speaks it", async () => {
  await using posthorn = await workspace();
  await using relay = await relayFor(posthorn);
  const from = { name: "Läden", email: "läden@example.test" };
  await posthorn.call("POST /v1/send", { ...letter, from });
  await posthorn.settle();
  const [mail] = await relay.received(1);
  expect([mail?.utf8, fieldOf(mail?.raw as Buffer, "From")]).toEqual([
    true,
    "=?UTF-8?Q?L=C3=A4den?= <läden@example.test>",
  ]);
});

test.each([["SMTPUTF8"], ["8BITMIME"]])("a sender beyond ASCII fails where the relay lacks %s", async (lacking) => {
  await using posthorn = await workspace();
  await using relay = await relayFor(posthorn, { hide: [lacking as "SMTPUTF8"] });
  const sent = await posthorn.call("POST /v1/send", { ...letter, from: "läden@example.test" });
  await posthorn.settle();
  const { body } = await posthorn.call(`GET /emails/${sent.body.data.emails[0].email}`);
  expect([body.status, body.error]).toEqual(["FAILED", expect.stringContaining("non-ASCII letters before the @")]);
  expect(relay.mails).toEqual([]);
});

const MESSAGE = [
  "From: Ada <ada@example.test>",
  "To: Jörg <jörg@example.com>, bob@example.com",
  "Cc: =?utf-8?q?B=C3=BCro?= <desk@example.com>",
  "Subject: Grüße",
  "Message-ID: <own@example.test>",
  "Date: Mon, 02 Mar 2026 10:00:00 +0100",
  "",
  "Hello",
  "",
].join("\r\n");

async function handIn(posthorn: Posthorn, ports: Ports): Promise<void> {
  const words = { token: plainToken(posthorn.keys.secret), message: `${MESSAGE}.\r\n` };
  const recipients = ["jörg@example.com", "bob@example.com"].map((to) => `C: RCPT TO:<${to}>\nS: 250`).join("\n");
  const begin = `${LOGGED_IN}\nC: MAIL FROM:<> SMTPUTF8\nS: 250\n${recipients}`;
  await dialogue({ port: ports.starttls, words }, `${begin}\nC: DATA\nS: 354\nC+ {message}\nS: 250`);
}

test("by submission, in the copy to that address; all else of the header is in ASCII (slow)", async () => {
  const { posthorn: server, ports } = await startSubmission();
  await using posthorn = server;
  await using relay = await relayFor(posthorn);
  await handIn(posthorn, ports);
  await posthorn.settle();
  const mails = await relay.received(2);
  const toJörg = mails.find(({ utf8 }) => utf8)?.raw as Buffer;
  const toBob = mails.find(({ utf8 }) => !utf8)?.raw as Buffer;
  expect(fieldOf(toJörg, "To")).toBe("Jörg <jörg@example.com>, bob@example.com");
  expect(fieldOf(toJörg, "Subject")).toBe("=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=");
  expect(isAscii(toBob)).toBe(true);
  expect(fieldOf(toBob, "To")).toBe("=?UTF-8?Q?J=C3=B6rg_=3Cj=C3=B6rg=40example=2Ecom=3E?=:;, bob@example.com");
  expect(fieldOf(toBob, "Subject")).toBe(fieldOf(toJörg, "Subject"));
});
