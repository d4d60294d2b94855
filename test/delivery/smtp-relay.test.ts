// Mail that leaves through an SMTP relay: what arrives there, over what kind of connection, and what a refusal becomes.
import { afterEach, describe, expect, jest, test } from "bun:test";
import { DEFAULTS } from "../../src/base/config.ts";
import { transportOptions } from "../../src/sending/open-ways/sending-options.ts";
import { type SmtpRelayOptions, smtpRelay } from "../../src/sending/carrier/smtp/relay.ts";
import type { FinishedMessage, Transport } from "../../src/sending/carrier/transport/transport.ts";
import { openingFault } from "../../src/sending/carrier/smtp/opening.ts";
import { certificatePem, type RelayScript, startRelay } from "../support/relay.ts";

const opened: Transport[] = [];
afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(opened.splice(0).map((transport) => transport.close()));
});

function transportTo(port: number, options: Partial<SmtpRelayOptions> = {}): Transport {
  const transport = smtpRelay({
    host: "127.0.0.1",
    port,
    tls: "none",
    verifyCertificate: true,
    ca: null,
    user: null,
    password: null,
    concurrency: 1,
    gapMs: 0,
    timeoutMs: 30_000,
    heloName: "posthorn.example",
    ...options,
  });
  opened.push(transport);
  return transport;
}

function mail(recipient = "anna@example.com", body: string | Buffer = "Hello\r\n"): FinishedMessage {
  const head = Buffer.from("From: news@shop.example\r\nTo: anna@example.com\r\nSubject: Hi\r\n\r\n");
  const raw = Buffer.concat([head, Buffer.from(body)]);
  return { id: "e1", envelope: { returnPath: "b+1@bounces.example", recipient }, raw };
}

test("the relay is greeted by the configured host name, else by that of the base URL", () => {
  const greeting = (hostname: string | null) => {
    const http = { ...DEFAULTS.http, baseUrl: "https://app.example.com" };
    const delivery = { ...DEFAULTS.delivery, transport: "smtp" as const };
    return transportOptions({ ...DEFAULTS, http, delivery, smtp: { ...DEFAULTS.smtp, hostname } });
  };
  expect(greeting("mail.example.com")).toMatchObject({ relay: { heloName: "mail.example.com" } });
  expect(greeting(null)).toMatchObject({ relay: { heloName: "app.example.com" } });
});

test("a mail arrives as it was given, with its envelope, and the relay's name for it is known", async () => {
  await using relay = await startRelay();
  const message = mail();
  expect(await transportTo(relay.port).send(message)).toEqual({
    kind: "accepted",
    reply: "250 2.0.0 Ok: queued as TEST1",
    remoteId: "TEST1",
  });
  const [arrived] = await relay.received(1);
  expect(arrived?.envelope).toEqual({ from: "b+1@bounces.example", to: ["anna@example.com"] });
  expect(arrived?.raw.equals(message.raw)).toBe(true);
});

describe("the connection", () => {
  test.each([
    ["starttls", "PLAIN"],
    ["starttls", "LOGIN"],
    ["implicit", "PLAIN"],
    ["implicit", "LOGIN"],
  ] as const)("is encrypted (%s) and logged in (%s)", async (tls, method) => {
    const login = { user: "shop", password: "pässword" };
    await using relay = await startRelay({ tls, login, authMethods: [method] });
    const transport = transportTo(relay.port, { tls, ca: certificatePem(), ...login });
    expect((await transport.send(mail())).kind).toBe("accepted");
    expect(relay.mails[0]).toMatchObject({ secure: true, user: "shop" });
  });

  test("is logged in without encryption only where that was chosen", async () => {
    const login = { user: "shop", password: "secret" };
    await using relay = await startRelay({ login });
    expect((await transportTo(relay.port, { tls: "none", ...login }).send(mail())).kind).toBe("accepted");
    expect(relay.mails[0]).toMatchObject({ secure: false, user: "shop" });
    const refused = await transportTo(relay.port, { tls: "starttls", ...login }).send(mail());
    expect(refused).toMatchObject({
      kind: "unreachable",
      reply: expect.stringContaining("The relay does not offer STARTTLS"),
    });
    expect(relay.mails).toHaveLength(1);
  });

  test.each([
    ["starttls", "localhost", "an unknown authority", {}, "unreachable"],
    ["implicit", "localhost", "an unknown authority", {}, "unreachable"],
    ["starttls", "localhost", "the configured authority", { ca: certificatePem() }, "accepted"],
    ["implicit", "localhost", "the configured authority", { ca: certificatePem() }, "accepted"],
    ["starttls", "elsewhere", "another name", { ca: certificatePem("elsewhere") }, "unreachable"],
    ["implicit", "elsewhere", "another name", { ca: certificatePem("elsewhere") }, "unreachable"],
    ["starttls", "elsewhere", "checks switched off", { verifyCertificate: false }, "accepted"],
    ["implicit", "elsewhere", "checks switched off", { verifyCertificate: false }, "accepted"],
  ] as const)("%s to a relay whose certificate says %s, with %s", async (tls, certificate, _why, options, kind) => {
    await using relay = await startRelay({ tls, certificate });
    expect((await transportTo(relay.port, { tls, ...options }).send(mail())).kind).toBe(kind);
    expect(relay.mails).toHaveLength(kind === "accepted" ? 1 : 0);
  });

  test.each([
    ["No authority that is trusted here has signed the relay's certificate (", "localhost", {}],
    ["The relay's certificate is for another name (", "elsewhere", { ca: certificatePem("elsewhere") }],
  ] as const)("says: %s", async (words, certificate, options) => {
    await using relay = await startRelay({ tls: "implicit", certificate });
    const { reply } = await transportTo(relay.port, { tls: "implicit", ...options }).send(mail());
    expect(reply).toStartWith(words);
  });

  test.each([
    ["certificate has expired", "The relay's certificate has expired (certificate has expired)"],
    [
      "self signed certificate",
      "No authority that is trusted here has signed the relay's certificate (self signed certificate)",
    ],
    [
      "error:10000438:SSL routines:OPENSSL_internal:TLSV1_ALERT",
      "The TLS handshake with the relay failed (error:10000438:SSL routines:OPENSSL_internal:TLSV1_ALERT)",
    ],
    ["connect ECONNREFUSED 192.0.2.1:587", "connect ECONNREFUSED 192.0.2.1:587"],
  ])("is not to be had for %s, in words of ours", (message, words) => {
    expect(openingFault(new Error(message))).toBe(words);
  });

  test("is not to be had with a wrong password, and the words do not repeat it", async () => {
    await using relay = await startRelay({ login: { user: "shop", password: "right" } });
    const outcome = await transportTo(relay.port, { user: "shop", password: "hunter2" }).send(mail());
    expect(outcome).toEqual({
      kind: "unreachable",
      reply: "The relay did not accept our login: 535 5.7.8 Authentication credentials invalid",
    });
  });

  test("is not to be had where nobody listens", async () => {
    const relay = await startRelay();
    const { port } = relay;
    await relay.stop();
    const outcome = await transportTo(port).send(mail());
    expect(outcome).toMatchObject({ kind: "unreachable", reply: expect.stringContaining("ECONNREFUSED") });
  });

  test("comes back by itself when the relay does", async () => {
    const relay = await startRelay();
    const { port } = relay;
    const transport = transportTo(port);
    expect((await transport.send(mail())).kind).toBe("accepted");
    await relay.stop();
    expect((await transport.send(mail())).kind).toBe("unreachable");
    await using _again = await startRelay({ port });
    expect((await transport.send(mail())).kind).toBe("accepted");
  });
});

describe("many mails", () => {
  test("in parallel share a few connections, and each arrives once and whole", async () => {
    await using relay = await startRelay();
    const transport = transportTo(relay.port, { concurrency: 5 });
    const messages = Array.from({ length: 50 }, (_, i) => mail(`r${i}@example.com`, `Number ${i}\r\n`.repeat(i * 40)));
    const outcomes = await Promise.all(messages.map((message) => transport.send(message)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(50).fill("accepted"));
    expect(relay.connections).toBe(5);
    const arrived = new Map(relay.mails.map(({ envelope, raw }) => [envelope.to[0], raw]));
    expect(relay.mails).toHaveLength(50);
    expect(messages.every(({ envelope, raw }) => arrived.get(envelope.recipient)?.equals(raw))).toBe(true);
  });

  test("leave in the order in which they were given", async () => {
    await using relay = await startRelay();
    const transport = transportTo(relay.port);
    const recipients = Array.from({ length: 20 }, (_, i) => `r${i}@example.com`);
    await Promise.all(recipients.map((recipient) => transport.send(mail(recipient))));
    expect(relay.mails.map(({ envelope }) => envelope.to[0])).toEqual(recipients);
  });

  test("make do with the connections that the relay allows", async () => {
    const tooMany = "421 4.7.0 Too many connections";
    await using relay = await startRelay({ script: { connect: ["220 ok", "220 ok", tooMany, tooMany, tooMany] } });
    const transport = transportTo(relay.port, { concurrency: 5 });
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => transport.send(mail(`r${i}@example.com`))));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(20).fill("accepted"));
    expect(relay.connections).toBe(5);
  });

  test("all learn at once that the relay is gone", async () => {
    await using relay = await startRelay({ script: { connect: "554 5.3.2 Closed for the season" } });
    const transport = transportTo(relay.port, { concurrency: 3 });
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => transport.send(mail())));
    expect(outcomes).toEqual(Array(30).fill({ kind: "unreachable", reply: "554 5.3.2 Closed for the season" }));
    expect(relay.connections).toBe(3);
  });

  test("get a new connection after a thousand (slow)", async () => {
    await using relay = await startRelay();
    const transport = transportTo(relay.port);
    await Promise.all(Array.from({ length: 1001 }, () => transport.send(mail())));
    expect(relay.mails).toHaveLength(1001);
    expect(relay.connections).toBe(2);
  });
});

describe("a refusal", () => {
  test.each<[string, RelayScript, object]>([
    ["at the greeting", { connect: "554 5.7.1 Go away" }, { kind: "unreachable", reply: "554 5.7.1 Go away" }],
    ["at the greeting, for now", { connect: "421 4.3.2 Busy" }, { kind: "unreachable", reply: "421 4.3.2 Busy" }],
    ["of the sender", { mail: "550 5.1.8 Bad sender" }, { kind: "failed", reply: "550 5.1.8 Bad sender" }],
    ["of the sender, for now", { mail: "451 4.3.0 Try later" }, { kind: "later", reply: "451 4.3.0 Try later" }],
    ["for want of a login", { mail: "530 5.7.0 Authenticate first" }, { kind: "unreachable" }],
    [
      "of a recipient who is gone",
      { rcpt: "550 5.1.1 No such user" },
      { kind: "bounced", reply: "550 5.1.1 No such user" },
    ],
    ["of a recipient, without an enhanced code", { rcpt: "550 No such user" }, { kind: "bounced" }],
    ["of a full mailbox", { rcpt: "552 5.2.2 Full" }, { kind: "later", reply: "552 5.2.2 Full" }],
    ["of a recipient, for now", { rcpt: "450 4.2.0 Greylisted" }, { kind: "later" }],
    [
      "by policy",
      { rcpt: "554 5.7.1 Relay access denied" },
      { kind: "failed", reply: "554 5.7.1 Relay access denied" },
    ],
    ["of content at the recipient", { rcpt: "554 5.6.0 Not this" }, { kind: "failed", transient: true }],
    ["because the relay is closing", { rcpt: "421 4.3.2 Shutting down" }, { kind: "later", isLost: true }],
    ["of the message", { data: "554 5.7.1 Spam" }, { kind: "failed", reply: "554 5.7.1 Spam" }],
    ["of the message, for now", { data: "451 4.3.2 Scanner is busy" }, { kind: "later" }],
    ["of the recipient after the message", { data: "550 5.1.1 No such user" }, { kind: "bounced" }],
    ["after the message, closing", { data: "421 4.3.2 Shutting down" }, { kind: "later" }],
  ])("%s", async (_when, script, expected) => {
    await using relay = await startRelay({ script });
    const transport = transportTo(relay.port);
    expect(await transport.send(mail())).toMatchObject(expected);
    relay.script = {};
    expect((await transport.send(mail("next@example.com"))).kind).toBe("accepted");
    expect(relay.mails.map(({ envelope }) => envelope.to)).toEqual([["next@example.com"]]);
  });

  test.each([{ hide: [] }, { hide: ["PIPELINING"] as const }])(
    "of some keeps the connection for the rest (%j)",
    async ({ hide }) => {
      const recipients = { "gone@example.com": "550 5.1.1 No such user", "full@example.com": "452 4.2.2 Full" };
      await using relay = await startRelay({ hide, script: { recipients } });
      const transport = transportTo(relay.port);
      const kinds: string[] = [];
      for (const name of ["anna", "gone", "bert", "full", "carla"]) {
        kinds.push((await transport.send(mail(`${name}@example.com`))).kind);
      }
      expect(kinds).toEqual(["accepted", "bounced", "accepted", "later", "accepted"]);
      expect(relay.connections).toBe(1);
    },
  );

  test("of a message larger than the relay takes comes before it is sent", async () => {
    await using relay = await startRelay({ maxBytes: 1000 });
    const outcome = await transportTo(relay.port).send(mail("anna@example.com", "x".repeat(2000)));
    expect(outcome).toMatchObject({ kind: "failed", reply: expect.stringContaining("larger than allowed") });
  });
});

describe("the bytes of a message", () => {
  test.each([
    ["dots at line starts", ".\r\n..\r\n...three\r\n.\r\nend\r\n"],
    ["a lone dot as the last line", "text\r\n.\r\n"],
    ["what looks like commands", "\r\n.\r\nQUIT\r\nRSET\r\n"],
    ["8-bit text", "Grüße, 你好 😀\r\n"],
    ["bytes that are no text", Buffer.from([0x80, 0xff, 0x00, 0xfe, 0x0d, 0x0a])],
    ["empty lines at the end", "text\r\n\r\n\r\n"],
    ["a very long line", `${"x".repeat(100_000)}\r\n`],
    ["three megabytes", "0123456789abcdef.\r\n.".repeat(150_000) + "\r\n"],
  ])("stay as they are: %s", async (_what, body) => {
    await using relay = await startRelay();
    const message = mail("anna@example.com", body);
    expect((await transportTo(relay.port).send(message)).kind).toBe("accepted");
    expect(relay.mails[0]?.raw.equals(message.raw)).toBe(true);
  });

  test.each(["a\n.\nb", "a\n.\r\nb", "a\r\n.\nb", "a\r.\rb", "a\r\n.\rb", "a\r.\r\nb"])(
    "cannot end the message early or leave as half a line end: %j",
    async (trick) => {
      await using relay = await startRelay();
      await transportTo(relay.port).send(mail("anna@example.com", `${trick}\r\nMAIL FROM:<evil@example.com>\r\n`));
      expect(relay.mails).toHaveLength(1);
      const text = relay.mails[0]?.raw.toString("latin1") ?? "";
      expect(text).toEndWith("\r\na\r\n.\r\nb\r\nMAIL FROM:<evil@example.com>\r\n");
    },
  );

  test("arrive at a relay without extensions, too", async () => {
    await using relay = await startRelay({ hide: ["PIPELINING", "8BITMIME", "SMTPUTF8"] });
    const message = mail("anna@example.com", "Hello\r\n");
    expect((await transportTo(relay.port).send(message)).kind).toBe("accepted");
    expect(relay.mails[0]?.raw.equals(message.raw)).toBe(true);
  });

  test("go in ASCII to a relay that takes nothing else, if they can", async () => {
    await using relay = await startRelay({ hide: ["8BITMIME"] });
    const message = mail("anna@example.com", "Grüße\r\n");
    const inAscii = mail("anna@example.com", "Gr=C3=BC=C3=9Fe\r\n").raw;
    const transport = transportTo(relay.port);
    expect((await transport.send({ ...message, sevenBit: async () => inAscii })).kind).toBe("accepted");
    expect(relay.mails[0]?.raw.equals(inAscii)).toBe(true);
    const sevenBit = () => Promise.reject(new Error("signed"));
    expect(await transport.send({ ...message, sevenBit })).toMatchObject({
      kind: "failed",
      reply: expect.stringContaining("8BITMIME"),
    });
    expect({ ...(await transport.send(message)) }).toMatchObject({
      kind: "failed",
      reply: expect.stringContaining("8BITMIME"),
    });
    expect(relay.mails).toHaveLength(1);
  });

  test("go with text beyond ASCII where the relay takes it", async () => {
    await using relay = await startRelay();
    const message = mail("anna@example.com", "Grüße\r\n");
    const sevenBit = () => Promise.reject(new Error("nobody asked"));
    expect((await transportTo(relay.port).send({ ...message, sevenBit })).kind).toBe("accepted");
    expect(relay.mails[0]?.raw.equals(message.raw)).toBe(true);
  });
});

describe("the envelope", () => {
  test("may have no return path", async () => {
    await using relay = await startRelay();
    const message = { ...mail(), envelope: { returnPath: "", recipient: "anna@example.com" } };
    expect((await transportTo(relay.port).send(message)).kind).toBe("accepted");
    expect(relay.mails[0]?.envelope).toEqual({ from: "", to: ["anna@example.com"] });
  });

  test("names international local parts where the relay can take them", async () => {
    await using relay = await startRelay();
    expect((await transportTo(relay.port).send(mail("jürgen@example.com"))).kind).toBe("accepted");
    expect(relay.mails[0]?.envelope.to).toEqual(["jürgen@example.com"]);
    await using old = await startRelay({ hide: ["SMTPUTF8"] });
    const outcome = await transportTo(old.port).send(mail("jürgen@example.com"));
    // A copy: Bun puts the matcher into the object that it looks at, and this outcome is a constant.
    expect({ ...outcome }).toMatchObject({ kind: "failed", reply: expect.stringContaining("SMTPUTF8") });
    expect(old.mails).toHaveLength(0);
  });

  test.each([
    "a@example.com>\r\nRCPT TO:<b@example.com",
    "a@example.com\r\nDATA",
    "a@example.com> NOTIFY=NEVER <",
    "<a@example.com>",
    "a b@example.com",
    "a@example.com ",
    "a\u0000@example.com",
    "a\u00a0b@example.com",
    "a\u2028b@example.com",
    "a@",
    "@example.com",
    "anna",
    "",
  ])("with the recipient %j is refused before anything is sent", async (recipient) => {
    await using relay = await startRelay();
    expect((await transportTo(relay.port).send(mail(recipient))).kind).toBe("failed");
    const returnPath = recipient === "" ? "<>" : recipient;
    const outcome = await transportTo(relay.port).send({
      ...mail(),
      envelope: { returnPath, recipient: "a@example.com" },
    });
    expect(outcome.kind).toBe("failed");
    expect(relay.connections).toBe(0);
  });
});

describe("closing", () => {
  test("of a connection comes by itself when no mail needed it for ten seconds", async () => {
    await using relay = await startRelay();
    const transport = transportTo(relay.port);
    await transport.send(mail());
    jest.useFakeTimers();
    await transport.send(mail());
    jest.advanceTimersByTime(9_999);
    expect(relay.closed).toBe(0);
    const hungUp = relay.hungUp(1);
    jest.advanceTimersByTime(1);
    await hungUp;
  });

  test("lets the mail in hand arrive, turns away those that wait, and hangs up", async () => {
    await using relay = await startRelay();
    const transport = transportTo(relay.port);
    await transport.send(mail("first@example.com"));
    const inHand = transport.send(mail("second@example.com"));
    const waiting = transport.send(mail("third@example.com"));
    await transport.close();
    expect((await inHand).kind).toBe("accepted");
    expect((await waiting).kind).toBe("unreachable");
    expect((await transport.send(mail())).kind).toBe("unreachable");
    expect(relay.mails.map(({ envelope }) => envelope.to[0])).toEqual(["first@example.com", "second@example.com"]);
  });

  test("is quick when nothing was ever sent", async () => {
    await using relay = await startRelay();
    await transportTo(relay.port).close();
    expect(relay.connections).toBe(0);
  });
});
