// Who may bring email from outside, and how: the SMTP session, line by line.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DEFAULTS } from "../../src/base/config.ts";
import { inboundPort } from "../../src/mail/inbound/port.ts";
import type { Address, ServerSession } from "../../src/ground/smtp-listener/offered.ts";
import { returnPathFor } from "../../src/mail/emails/return-path.ts";
import * as notices from "../support/bounces.ts";
import { letter } from "../support/mails.ts";
import { bring, Caller, LETTER, received, startHouse, wire, type House } from "../support/outside.ts";
import { startPosthorn, type StartOptions } from "../support/posthorn.ts";
import { dialogue } from "../support/smtp-dialogue.ts";
import { addUnverifiedDomain } from "../support/workspaces.ts";

const HELLO = "S: 220\nC: EHLO mx.elsewhere.test\nS: 250";
const ENVELOPE = `${HELLO}\nC: MAIL FROM:<ada@elsewhere.test>\nS: 250\nC: RCPT TO:<help@example.test>\nS: 250`;

/** For cases that leave nothing behind; to be called inside their `describe`. */
function sharedHouse(options?: StartOptions, prepare = async (_: House) => {}): () => House {
  let house: House;
  beforeAll(async () => {
    house = await startHouse(options);
    await prepare(house);
  });
  afterAll(() => house.posthorn[Symbol.asyncDispose]());
  return () => house;
}

async function nothingIsKept({ posthorn }: House): Promise<void> {
  await posthorn.settle();
  expect(await posthorn.store.read((reader) => reader.all`select seq from messages`)).toEqual([]);
  expect(await posthorn.store.read((reader) => reader.all`select message from message_slices`)).toEqual([]);
  expect(await posthorn.events()).toEqual([]);
}

test("the greeting offers what the server supports: size, 8 bits, UTF-8, pipelining, encryption, and no login", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  const [, hello = ""] = await dialogue(house, `${HELLO}\nC: AUTH PLAIN AGEAYg==\nS: 5\nC: QUIT\nS: 221`);
  const offers = hello
    .split("\r\n")
    .slice(1)
    .map((line) => line.slice(4))
    .sort();
  expect(offers).toEqual(["8BITMIME", "ENHANCEDSTATUSCODES", "PIPELINING", "SIZE 26214400", "SMTPUTF8", "STARTTLS"]);
});

test("mail may come encrypted", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  const words = { letter: wire(LETTER).toString() };
  await dialogue(
    { ...house, words },
    `${HELLO}\nC: STARTTLS\nS: 220\nTLS\n${ENVELOPE.replace("S: 220\n", "")}\nC: DATA\nS: 354\nC+ {letter}.\\r\\n\nS: 250 2.6.0\nC: QUIT\nS: 221`,
  );
  expect(await received(house.posthorn)).toMatchObject([{ subject: "Hello" }]);
});

describe("nothing is relayed", () => {
  const house = sharedHouse({ config: { delivery: { returnPathDomain: "bounces.test" } } }, ({ posthorn }) =>
    addUnverifiedDomain(posthorn, "unverified.test"),
  );
  test.each([
    ["a domain that nobody here has", "x@foreign.test", "550 5.7.1"],
    ["a domain that is not verified yet", "x@unverified.test", "550 5.7.1"],
    ["a domain under one that is verified", "x@sub.example.test", "550 5.7.1"],
    ["percent signs", "x%foreign.test@example.test", "250"],
    ["a route", "@example.test:x@foreign.test", "5"],
    ["two at signs", "x@foreign.test@example.test", "5"],
    ["no domain", "postmaster", "5"],
    ["a return path of somebody else's making", "b+aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@bounces.test", "550 5.1.1"],
    ["any other address where bounces go", "postmaster@bounces.test", "550 5.1.1"],
  ])("%s", async (_, address, reply) => {
    await dialogue(
      house(),
      `${HELLO}\nC: MAIL FROM:<a@b.test>\nS: 250\nC: RCPT TO:<${address}>\nS: ${reply}\nC: QUIT\nS: 221`,
    );
  });
});

describe("postmaster and abuse at our own names go to the workspace that has verified the next domain above", () => {
  const config = { delivery: { returnPathDomain: "Bounces.mail.example.test" }, smtp: { hostname: "mx.example.test" } };
  test.each([
    ["postmaster", "postmaster@bounces.mail.example.test"],
    ["PostMaster", "postmaster@bounces.mail.example.test"],
    ["Postmaster@bounces.mail.example.test", "postmaster@bounces.mail.example.test"],
    ["abuse@bounces.mail.example.test", "abuse@bounces.mail.example.test"],
    ["postmaster@mx.example.test", "postmaster@mx.example.test"],
  ])("%s", async (address, to) => {
    const house = await startHouse({ config });
    await using _ = house.posthorn;
    expect(await bring(house, LETTER, { to: [address] })).toBe("250 2.6.0 Stored");
    expect(await received(house.posthorn)).toMatchObject([{ to, recipients: [to] }]);
  });

  const strict = sharedHouse({ config });
  test.each(["hostmaster@bounces.mail.example.test", "postmaster@other.example.test", "abuse"])(
    "nobody else there: %s",
    async (address) => {
      expect(bring(strict(), LETTER, { to: [address] })).rejects.toThrow("RCPT");
    },
  );
});

test("one client brings so many mails a minute, and is told when to bring more", async () => {
  await using posthorn = await startPosthorn();
  const { clock, store } = posthorn;
  const returnPath = { secrets: posthorn.secrets, returnPathDomain: null };
  const config = { ...DEFAULTS, limits: { ...DEFAULTS.limits, inboundPerMinute: 3 } };
  const { handlers } = inboundPort(config, { store, clock, returnPath });
  const begin = (remoteAddress: string) =>
    handlers.sender({ address: "" } as Address, { remoteAddress } as ServerSession);
  for (let n = 0; n < 3; n++) await begin("192.0.2.7");
  const refused = expect.objectContaining({
    message: expect.stringContaining("Too many emails from your address; try again in 60 s"),
  });
  expect(begin("::ffff:192.0.2.7")).rejects.toEqual(refused);
  await begin("198.51.100.7");
  // A relay or a filter of ours, in front.
  for (let n = 0; n < 4; n++) await begin("10.0.0.7");
  clock.advance(60_000);
  await begin("192.0.2.7");
});

test("a disabled workspace's mail shall come again later", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  await house.posthorn.store.write((tx) => tx.run`update workspaces set disabled_at = ${tx.now}`);
  await dialogue(house, ENVELOPE.replace(/S: 250$/, "S: 450 4.2.1"));
});

describe("what is refused leaves nothing", () => {
  const house = sharedHouse();
  test.each([
    ["a bare LF", "a\\nb\\r\\n.\\r\\n", "550 5.6.0"],
    ["a bare CR", "a\\rb\\r\\n.\\r\\n", "550 5.6.0"],
    ["a NUL", "a\\0b\\r\\n.\\r\\n", "550 5.6.0"],
    ["LF . LF", "a\\n.\\nMAIL FROM:<x@y.test>\\r\\n.\\r\\n", "550 5.6.0"],
    ["LF . CRLF", "a\\n.\\r\\nMAIL FROM:<x@y.test>\\r\\n.\\r\\n", "550 5.6.0"],
    ["CRLF . LF", "a\\r\\n.\\nMAIL FROM:<x@y.test>\\r\\n.\\r\\n", "550 5.6.0"],
    ["CR . CR", "a\\r.\\rMAIL FROM:<x@y.test>\\r\\n.\\r\\n", "550 5.6.0"],
    ["CRLF . CR", "a\\r\\n.\\rMAIL FROM:<x@y.test>\\r\\n.\\r\\n", "550 5.6.0"],
    ["CR . CRLF", "a\\r.\\r\\nMAIL FROM:<x@y.test>\\r\\n.\\r\\n", "550 5.6.0"],
    ["CR . LF", "a\\r.\\nMAIL FROM:<x@y.test>\\r\\n.\\r\\n", "550 5.6.0"],
    ["CR LF NUL . CRLF", "a\\r\\n\\0.\\r\\nMAIL FROM:<x@y.test>\\r\\n.\\r\\n", "550 5.6.0"],
    ["too many hops", "{hops}From: a@b.test\\r\\n\\r\\n.\\r\\n", "554 5.4.6"],
    ["a header without end", "{long}\\r\\n.\\r\\n", "552 5.3.4"],
  ])("%s", async (_, data, reply) => {
    const words = { hops: "Received: from a by b\r\n".repeat(30), long: `X: ${"y".repeat(900)}\r\n`.repeat(200) };
    const replies = await dialogue(
      { ...house(), words },
      `${ENVELOPE}\nC: DATA\nS: 354\nC+ ${data}\nS: ${reply}\nC: QUIT\nS: 221`,
    );
    expect(replies).toHaveLength(7);
    await nothingIsKept(house());
  });

  test("what says that it is too large, and what is", async () => {
    await dialogue(house(), `${HELLO}\nC: MAIL FROM:<a@b.test> SIZE=26214401\nS: 552\nC: QUIT\nS: 221`);
    const large = Buffer.alloc(26 * 1024 * 1024, `${"x".repeat(70)}\r\n`);
    expect(await bring(house(), large)).toStartWith("552 ");
    await nothingIsKept(house());
  });

  test("what is broken off", async () => {
    await dialogue(house(), `${ENVELOPE}\nC: DATA\nS: 354\nC: Subject: half`);
    await nothingIsKept(house());
  });
});

test("what comes is stored as it comes; what is broken off then is taken away", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  const begun = () => house.posthorn.store.read((reader) => reader.all`select message from message_slices`);
  const caller = new Caller(house.port);
  await caller.open();
  const body = Buffer.alloc(1024 * 1024, `${"x".repeat(70)}\r\n`);
  void caller.say(Buffer.concat([wire(LETTER), body])).catch(() => undefined);
  while ((await begun()).length < 3) await new Promise(setImmediate);
  caller[Symbol.dispose]();
  while ((await begun()).length > 0) await new Promise(setImmediate);
  await nothingIsKept(house);
});

test("the fifty-first recipient is deferred", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  const many = Array.from({ length: 50 }, (_, n) => `C: RCPT TO:<a${n}@example.test>\nS: 250`).join("\n");
  await dialogue(house, `${HELLO}\nC: MAIL FROM:<a@b.test>\nS: 250\n${many}\nC: RCPT TO:<z@example.test>\nS: 452`);
});

test("who comes too often from one address at once is sent away, and may come when another has left", async () => {
  const house = await startHouse({ config: { smtp: { connectionsPerAddress: 1 } } });
  await using _ = house.posthorn;
  using first = new Caller(house.port);
  expect(await first.heard()).toStartWith("220");
  using second = new Caller(house.port);
  expect(await second.heard()).toStartWith("421 4.7.0");
  expect(await first.say("QUIT\r\n")).toStartWith("221");
  expect(await first.heard()).toBe("");
  expect(await bring(house, LETTER)).toBe("250 2.6.0 Stored");
});

test("who takes too long is cut off", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  using idle = new Caller(house.port);
  using half = new Caller(house.port);
  await idle.heard();
  await half.open();
  house.posthorn.clock.advance(400_000);
  await house.posthorn.settle();
  expect(await idle.heard()).toStartWith("421 4.4.2");
  expect(await half.heard()).toStartWith("421 4.4.2");
  await nothingIsKept(house);
});

test("a bounce that comes to a return path goes to the mail that it is about, and is not kept", async () => {
  const house = await startHouse({ config: { delivery: { returnPathDomain: "bounces.test" } } });
  const { posthorn } = house;
  await using _ = posthorn;
  const isTried = async () => (await posthorn.call("GET /overview")).body.firstSteps.bouncesSetUp;
  const id = (await posthorn.call("POST /v1/send", letter)).body.data.emails[0].email;
  await bring(house, LETTER);
  await posthorn.settle();
  expect(await isTried()).toBe(false);
  const address = returnPathFor(posthorn.secrets, id, "bounces.test");
  const bounce = notices.dsn({ fields: "Action: failed\nStatus: 5.1.1" }).replaceAll("$ADDRESS", address);
  expect(
    await bring(house, bounce, { from: "", to: [address.toUpperCase().replace("BOUNCES.TEST", "bounces.test")] }),
  ).toBe("250 2.6.0 Stored");
  await posthorn.settle();
  expect((await posthorn.call(`GET /emails/${id}`)).body.status).toBe("BOUNCED");
  expect(await posthorn.eventNames()).toContain("email.bounce");
  expect(await posthorn.store.read((reader) => reader.all`select seq from messages where workspace is null`)).toEqual(
    [],
  );
  expect((await posthorn.call("GET /emails?status=RECEIVED")).body.total).toBe(1);
  expect(await isTried()).toBe(true);
});

test("a port that was chosen must be free; the usual one may be somebody else's", async () => {
  const { port, posthorn } = await startHouse();
  await using _ = posthorn;
  expect(posthorn.server.smtpPorts).toEqual([`${port} (email from outside)`]);
  const config = { smtp: { inboundPort: port } };
  await expect(startPosthorn({ config })).rejects.toThrow(`smtp.inbound_port: 127.0.0.1:${port} is in use`);
  const usual = DEFAULTS.smtp.inboundPort;
  await using first = await startPosthorn({ config: { smtp: { inboundPort: usual } } });
  await using second = await startPosthorn({ config: { smtp: { inboundPort: usual } } });
  expect(first.server.smtpPorts.length).toBeLessThanOrEqual(1);
  expect(second.server.smtpPorts).toEqual([]);
  expect(second.logLines.join("\n")).toContain(`smtp.inbound_port: 127.0.0.1:${usual} is in use`);
});

describe("a NUL in a message", () => {
  test("is taken out where the message goes to return paths alone, wherever it stands", async () => {
    const house = await startHouse({ config: { delivery: { returnPathDomain: "bounces.test" } } });
    const { posthorn } = house;
    await using _ = posthorn;
    const id = (await posthorn.call("POST /v1/send", letter)).body.data.emails[0].email;
    await posthorn.settle();
    const address = returnPathFor(posthorn.secrets, id, "bounces.test");
    const bounce = wire(notices.dsn({ fields: "Action: failed\nStatus: 5.1.1", text: "$ADDRESS" })).toString("latin1");
    const holed = bounce.replaceAll("\r\n", "\0\r\0\n\0").replace("5.1.1", "5.\x001.1");
    expect(await bring(house, Buffer.from(holed, "latin1"), { from: "", to: [address] })).toBe("250 2.6.0 Stored");
    await posthorn.settle();
    expect((await posthorn.call(`GET /emails/${id}`)).body).toMatchObject({ status: "BOUNCED", error: "5.1.1" });
    const mixed = bring(house, LETTER.replace("you", "\0"), { from: "", to: [address, "help@example.test"] });
    expect(await mixed).toStartWith("550 5.6.0");
  });

  test("is refused in mail to anybody else", async () => {
    const house = await startHouse();
    await using _ = house.posthorn;
    expect(await bring(house, LETTER.replace("you", "\0"))).toStartWith("550 5.6.0");
    await nothingIsKept(house);
  });
});

test("what Microsoft's reporting program sends to a return path is a complaint", async () => {
  const house = await startHouse({ config: { delivery: { returnPathDomain: "bounces.test" } } });
  const { posthorn } = house;
  await using _ = posthorn;
  const id = (await posthorn.call("POST /v1/send", letter)).body.data.emails[0].email;
  await posthorn.settle();
  const report = `From: <staff@hotmail.example>\nSubject: complaint about message from 192.0.2.1\nMIME-Version: 1.0
Content-Type: multipart/mixed; boundary=J\n\n--J\nContent-Type: message/rfc822\n
X-HmXmrOriginalRecipient: ${letter.to}\n${notices.ORIGINAL}\n--J--\n`;
  await bring(house, report, { from: "", to: [returnPathFor(posthorn.secrets, id, "bounces.test")] });
  await posthorn.settle();
  expect((await posthorn.call(`GET /emails/${id}`)).body.status).toBe("COMPLAINED");
});

test("a bounce in words is about the recipient of the mail, whomever else it names", async () => {
  const house = await startHouse({ config: { delivery: { returnPathDomain: "bounces.test" } } });
  const { posthorn } = house;
  await using _ = posthorn;
  const id = (await posthorn.call("POST /v1/send", letter)).body.data.emails[0].email;
  await posthorn.settle();
  const bounce = `From: gateway@mx.example.com\nSubject: Mail not delivered\n
For help, write to helpdesk@elsewhere.test, or bob@other.test.\n\n${letter.to}: 550 user unknown\n`;
  await bring(house, bounce, { from: "", to: [returnPathFor(posthorn.secrets, id, "bounces.test")] });
  await posthorn.settle();
  expect((await posthorn.call(`GET /emails/${id}`)).body.status).toBe("BOUNCED");
  expect((await posthorn.events()).at(-1)?.data).toMatchObject({ bounceType: "Permanent" });
});

describe("a parameter", () => {
  const house = sharedHouse();
  test.each([
    ["MAIL FROM:<ada@elsewhere.test> SIZE=100 BODY=8BITMIME SMTPUTF8", "250 2.1.0"],
    ["MAIL FROM:<ada@elsewhere.test> FOO", "555 5.5.4"],
    ["MAIL FROM:<ada@elsewhere.test> FOO=bar", "555 5.5.4"],
    ["MAIL FROM:<ada@elsewhere.test> RET=HDRS ENVID=x", "555 5.5.4"],
    ["MAIL FROM:<ada@elsewhere.test> AUTH=<>", "555 5.5.4"],
    ["MAIL FROM:<ada@elsewhere.test>\nS: 250 2.1.0\nC: RCPT TO:<help@example.test> NOTIFY=NEVER", "555 5.5.4"],
    ["MAIL FROM:<ada@elsewhere.test>\nS: 250 2.1.0\nC: RCPT TO:<help@example.test> SIZE=1", "555 5.5.4"],
  ])("%s: %s", async (command, reply) => {
    await dialogue(house(), `${HELLO}\nC: ${command}\nS: ${reply}\nC: QUIT\nS: 221 2.0.0`);
  });
});

test("every reply but those to the greetings has one enhanced code, ours or the library's", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  const commands = ["NOOP", "RSET", "VRFY ada", "BOGUS", "EXPN x", "MAIL FROM:<", "MAIL FROM:<a@b.test> FOO", "DATA"];
  const session = [...commands, "MAIL FROM:<a@b.test>", "MAIL FROM:<a@b.test>", "RCPT TO:<x@foreign.test>", "DATA"];
  const replies = await dialogue(
    house,
    `${HELLO}\n${session.map((command) => `C: ${command}\nS: `).join("\n")}\nC: EHLO\nS: 501\nC: QUIT\nS: 221`,
  );
  for (const reply of replies.slice(2)) expect(reply).toMatch(/^([245])\d\d \1\.\d{1,3}\.\d{1,3} (?!\d\.\d\.\d)/);
});
