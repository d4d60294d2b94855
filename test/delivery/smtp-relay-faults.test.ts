// Relays that break off, fall silent or talk nonsense: no mail is lost, none is sent twice, and nothing hangs.
import { afterEach, describe, expect, test } from "bun:test";
import { type SmtpRelayOptions, smtpRelay } from "../../src/sending/carrier/smtp/relay.ts";
import { SmtpPool } from "../../src/sending/carrier/smtp/pool.ts";
import type { SmtpSession } from "../../src/sending/carrier/smtp/session.ts";
import type { FinishedMessage, Transport } from "../../src/sending/carrier/transport/transport.ts";
import { inFakeTime } from "../support/fake-time.ts";
import { startTranscriptServer, type TranscriptServer } from "../support/transcript-server.ts";

const MESSAGE: FinishedMessage = {
  id: "e1",
  envelope: { returnPath: "b+1@bounces.example", recipient: "anna@example.com" },
  raw: Buffer.from("Subject: Hi\r\n\r\nHello\r\n"),
};

const HELLO = "S: 220 relay.example\nC: EHLO posthorn.example\nS: 250-relay.example\nS: 250 8BITMIME";
const TO_RCPT = `${HELLO}\nC: MAIL\nS: 250 ok\nC: RCPT`;
const TO_BODY = `${TO_RCPT}\nS: 250 ok\nC: DATA\nS: 354 go on\nC: Subject: Hi`;
const ONE_MAIL = `${TO_BODY}\nC: .\nS: 250 ok`;
const MAYBE = "it may or may not have accepted it";

/** For answers that never come, in time that goes by only while the relay is silent. */
const SHORT_MS = 600;

/** As soon as the relay has heard and said all that it will, time goes by. */
function sent(server: TranscriptServer, transport: Transport, message = MESSAGE, mostMs = Infinity) {
  const progress = () => server.lines.length + server.connections + server.ended;
  return inFakeTime(progress, () => transport.send(message), mostMs);
}

const opened: Transport[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((transport) => transport.close()));
});

function addressOf(port: number) {
  const security = { tls: "none", verifyCertificate: true, ca: null } as const;
  return { host: "127.0.0.1", port, ...security, user: null, password: null, heloName: "posthorn.example" };
}

function transportTo(port: number, options: Partial<SmtpRelayOptions> = {}): Transport {
  const rest = { concurrency: 1, gapMs: 0, timeoutMs: 30_000 };
  // As long as any other answer, where a test is not about that.
  const answerTimeoutMs = options.timeoutMs ?? rest.timeoutMs;
  const transport = smtpRelay({ ...addressOf(port), ...rest, answerTimeoutMs, ...options });
  opened.push(transport);
  return transport;
}

describe("a relay that was told DATA along with a recipient whom it refuses", () => {
  const PIPELINED = HELLO.replace("S: 250 8BITMIME", "S: 250 PIPELINING");
  const REFUSED = `${PIPELINED}\nC: MAIL\nC: RCPT\nC: DATA\nS: 250 ok\nS: 550 5.1.1 unknown`;

  test.each([
    ["says nothing of DATA", REFUSED],
    ["wants a message and says nothing of an empty one", `${REFUSED}\nS: 354 go on\nC: .`],
  ])("and %s holds up nobody for longer than any answer may take", async (_, script) => {
    await using server = await startTranscriptServer(script);
    const outcome = await sent(server, transportTo(server.port, { timeoutMs: SHORT_MS }), MESSAGE, 2 * SHORT_MS);
    expect(outcome).toMatchObject({ kind: "bounced", reply: expect.stringContaining("550 5.1.1 unknown") });
  });
});

test("with another way to go, a relay that does not greet is away before any other answer would be late", async () => {
  await using server = await startTranscriptServer("C: nothing");
  const options = { timeoutMs: 30_000, openingTimeoutMs: SHORT_MS };
  const transport = transportTo(server.port, options);
  expect(await sent(server, transport, MESSAGE, 2 * SHORT_MS)).toMatchObject({ kind: "unreachable" });
  expect(
    await inFakeTime(
      () => server.ended,
      async () => transport.look?.(),
      2 * SHORT_MS,
    ),
  ).toContain("took too long");
});

describe("a relay that", () => {
  test.each([
    ["is closing before it greets", "S: 421 4.3.2 Closing", "unreachable", "421 4.3.2 Closing"],
    ["hangs up before it greets", "DROP", "unreachable", "closed"],
    ["greets with something else than SMTP", "S: HTTP/1.1 400 Bad Request", "unreachable", "HTTP/1.1 400 Bad Request"],
    ["hangs up in the greeting", `${HELLO.slice(0, 12)}\nC: EHLO\nDROP`, "unreachable", "closed"],
    ["hangs up at MAIL", `${HELLO}\nC: MAIL\nDROP`, "later", "before the message was handed over"],
    ["hangs up at RCPT", `${TO_RCPT}\nDROP`, "later", "before the message was handed over"],
    ["is closing at RCPT", `${TO_RCPT}\nS: 421 4.3.2 Closing\nDROP`, "later", "421 4.3.2 Closing"],
    ["answers RCPT with nonsense", `${TO_RCPT}\nS: what?`, "later", "what?"],
    ["hangs up at DATA", `${TO_RCPT}\nS: 250 ok\nC: DATA\nDROP`, "later", "before the message was handed over"],
    [
      "answers DATA as if it were done",
      `${TO_RCPT}\nS: 250 ok\nC: DATA\nS: 250 ok`,
      "later",
      "before the message was handed over",
    ],
    ["answers the message with half a code", `${TO_BODY}\nC: .\nS: 2`, "unanswered", "answer is none: 2"],
    ["hangs up before it has read the message", `${TO_BODY}\nDROP`, "unanswered", MAYBE],
    ["hangs up after the message", `${TO_BODY}\nC: .\nDROP`, "unanswered", MAYBE],
    ["is closing after the message", `${TO_BODY}\nC: .\nS: 421 4.3.2 Closing`, "later", "421 4.3.2 Closing"],
    ["answers the message with nonsense", `${TO_BODY}\nC: .\nS: fine, thanks`, "unanswered", "fine, thanks"],
    ["refuses half-heartedly", `${TO_BODY}\nC: .\nS+ 554 5.7.1 Spam\nDROP`, "failed", "554 5.7.1 Spam"],
    ["is closing half-heartedly", `${TO_BODY}\nC: .\nS+ 421 4.3.2 Closing\nDROP`, "later", "421 4.3.2 Closing"],
    ["breaks off its refusal", `${TO_BODY}\nC: .\nS+ 55\nDROP`, "unanswered", MAYBE],
  ])("%s", async (_what, transcript, kind, words) => {
    await using server = await startTranscriptServer(transcript);
    const outcome = await transportTo(server.port).send(MESSAGE);
    expect(outcome).toEqual(expect.objectContaining({ kind, reply: expect.stringContaining(words) }));
    expect(server.connections).toBe(1);
  });

  test.each([
    ["never greets", "C: nothing", "unreachable", "took too long"],
    ["greets one letter at a time", "DRIP 2", "unreachable", "took too long"],
    ["is silent after EHLO", "S: 220 hi", "unreachable", "took too long"],
    ["answers EHLO for ever", "S: 220 hi\nC: EHLO\nDRIP 2", "unreachable", "took too long"],
    ["is silent after MAIL", HELLO, "later", "before the message was handed over (Took too long)"],
    ["is silent after the message", TO_BODY, "unanswered", `${MAYBE} (Took too long)`],
    ["answers the message one letter at a time", `${TO_BODY}\nC: .\nDRIP 2`, "unanswered", MAYBE],
  ])("%s does not hold us for ever", async (_what, transcript, kind, words) => {
    await using server = await startTranscriptServer(transcript);
    const outcome = await sent(server, transportTo(server.port, { timeoutMs: SHORT_MS }));
    expect(outcome).toEqual(expect.objectContaining({ kind, reply: expect.stringContaining(words) }));
  });

  test.each([
    ["answers in many lines", ONE_MAIL.replaceAll("S: 250 ok", "S: 250-first\nS: 250-second\nS: 250 ok")],
    ["knows HELO only", ONE_MAIL.replace("S: 250-relay.example\nS: 250 8BITMIME", "S: 502 what?\nC: HELO\nS: 250 hi")],
    ["cuts its answers in pieces", ONE_MAIL.replaceAll("S: 250 ok", "S+ 25\nS+ 0 o\nS: k")],
  ])("%s is understood", async (_what, transcript) => {
    await using server = await startTranscriptServer(transcript);
    expect((await transportTo(server.port).send(MESSAGE)).kind).toBe("accepted");
  });

  test("lets us write to nobody gets an empty message at most", async () => {
    const pipelined = HELLO.replace("8BITMIME", "PIPELINING");
    await using server = await startTranscriptServer(
      `${pipelined}\nC: MAIL\nS: 250 ok\nC: RCPT\nS: 550 5.1.1 gone\nC: DATA\nS: 354 go on\nC: .\nS: 250 ok\nC: RSET\nS: 250 ok`,
    );
    expect((await transportTo(server.port).send(MESSAGE)).kind).toBe("bounced");
    expect(server.lines).not.toContain("Subject: Hi");
  });
});

describe("a relay that offers PIPELINING", () => {
  const AT_ONCE = `${HELLO.replace("8BITMIME", "PIPELINING")}\nC: MAIL\nC: RCPT\nC: DATA`;

  test("hears the envelope and DATA at once, and the message after its 354", async () => {
    const body = "\nS: 250 ok\nS: 250 ok\nS: 354 go on\nC: Subject: Hi\nC: .\nS: 250 ok";
    await using server = await startTranscriptServer(
      `${AT_ONCE}${body}${AT_ONCE.slice(AT_ONCE.indexOf("\nC: MAIL"))}${body}`,
    );
    const transport = transportTo(server.port);
    expect((await transport.send(MESSAGE)).kind).toBe("accepted");
    expect((await transport.send(MESSAGE)).kind).toBe("accepted");
    expect(server.connections).toBe(1);
  });

  test.each([
    ["refuses the sender and wants a message", "550 5.1.8 Bad sender", "250 ok", "354 go on", "failed"],
    ["does not say when the message may begin", "250 ok", "250 ok", "250 ok", "later"],
    ["is one answer ahead of us", "250 ok\nS: 250 ok", "250 ok", "354 go on", "later"],
    ["hangs up after the refusal", "250 ok", "550 5.1.1 gone", "354 go on\nDROP", "bounced"],
  ])("and %s gets no message", async (_what, mail, rcpt, data, kind) => {
    await using server = await startTranscriptServer(`${AT_ONCE}\nS: ${mail}\nS: ${rcpt}\nS: ${data}`);
    expect((await transportTo(server.port).send(MESSAGE)).kind).toBe(kind as "later");
    expect(server.lines).not.toContain("Subject: Hi");
  });
});

describe("after a message", () => {
  test.each([
    ["is refused", "S: 554 5.7.1 Spam", "failed"],
    ["is refused, and the relay is closing", "S: 421 4.3.2 Closing\nDROP", "later"],
    ["is not answered for", "DROP", "unanswered"],
    ["is answered for twice", "S: 250 ok\nS: 554 5.5.1 What?", "accepted"],
  ])("that %s, the next mail is sent once, over another connection", async (_what, answers, kind) => {
    await using server = await startTranscriptServer(`${TO_BODY}\nC: .\n${answers}`, ONE_MAIL);
    const transport = transportTo(server.port);
    const outcomes = await Promise.all([transport.send(MESSAGE), transport.send(MESSAGE)]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual([kind as "later", "accepted"]);
    expect(server.lines.filter((line) => line === "Subject: Hi")).toHaveLength(2);
    expect(server.connections).toBe(2);
  });
});

describe("a connection that served before", () => {
  test.each([
    ["is closed at the next mail", `${ONE_MAIL}\nC: MAIL\nDROP`],
    ["is ended politely at the next mail", `${ONE_MAIL}\nC: MAIL\nS: 421 4.4.2 Timeout exceeded\nDROP`],
    ["is closed while it lies idle", `${ONE_MAIL}\nDROP`],
    ["is closed at the next DATA", `${ONE_MAIL}\nC: MAIL\nS: 250 ok\nC: RCPT\nS: 250 ok\nC: DATA\nDROP`],
  ])("and %s is replaced, and the mail sent once", async (_how, transcript) => {
    await using server = await startTranscriptServer(transcript, ONE_MAIL);
    const transport = transportTo(server.port);
    expect((await transport.send(MESSAGE)).kind).toBe("accepted");
    expect((await transport.send(MESSAGE)).kind).toBe("accepted");
    expect(server.connections).toBe(2);
    expect(server.lines.filter((line) => line === "Subject: Hi")).toHaveLength(2);
  });

  test("and has gone deaf is replaced when our patience ends", async () => {
    await using server = await startTranscriptServer(ONE_MAIL, ONE_MAIL);
    const transport = transportTo(server.port, { timeoutMs: SHORT_MS });
    await sent(server, transport);
    expect((await sent(server, transport)).kind).toBe("accepted");
    expect(server.connections).toBe(2);
  });

  test("and breaks after the message was sent is not tried again, as the relay may have it", async () => {
    await using server = await startTranscriptServer(
      `${ONE_MAIL}\n${TO_BODY.slice(HELLO.length)}\nC: .\nDROP`,
      ONE_MAIL,
    );
    const transport = transportTo(server.port);
    await transport.send(MESSAGE);
    expect(await transport.send(MESSAGE)).toMatchObject({ kind: "unanswered", reply: expect.stringContaining(MAYBE) });
    expect(server.connections).toBe(1);
  });

  test.each([
    ["refused a message before it had heard all of it", `${TO_BODY}\nS: 554 5.7.1 No\nC: .\nS: 250 ok\nC: MAIL\nDROP`],
    ["does not let us start over", `${TO_RCPT}\nS: 554 5.7.1 No\nC: RSET\nS: 502 No\nC: MAIL\nDROP`],
  ])("and %s is not trusted with the next mail", async (_what, transcript) => {
    await using server = await startTranscriptServer(transcript, ONE_MAIL);
    const transport = transportTo(server.port);
    expect((await transport.send(MESSAGE)).kind).toBe("failed");
    expect((await transport.send(MESSAGE)).kind).toBe("accepted");
    expect(server.lines.filter((line) => line.startsWith("MAIL"))).toHaveLength(2);
  });

  test("and turns out dead makes us doubt the others that lie idle", async () => {
    const old = `${ONE_MAIL.replace("C: EHLO", "WAIT 2 connected\nC: EHLO")}\nC: MAIL\nDROP`;
    await using server = await startTranscriptServer(old, old, ONE_MAIL);
    const transport = transportTo(server.port, { concurrency: 2 });
    await Promise.all([transport.send(MESSAGE), transport.send(MESSAGE)]);
    expect((await transport.send(MESSAGE)).kind).toBe("accepted");
    expect(server.connections).toBe(3);
  });

  test("is enough where the relay allows no second one", async () => {
    const patient = `${ONE_MAIL.replace("C: MAIL", "C: MAIL\nWAIT 1 ended")}${ONE_MAIL.slice(HELLO.length).repeat(3)}`;
    await using server = await startTranscriptServer(patient, "WAIT 2 heard\nS: 421 4.7.0 Too many connections");
    const transport = transportTo(server.port, { concurrency: 2 });
    const first = await Promise.all([transport.send(MESSAGE), transport.send(MESSAGE)]);
    const then = await Promise.all([transport.send(MESSAGE), transport.send(MESSAGE)]);
    expect([...first, ...then].map(({ kind }) => kind)).toEqual(Array(4).fill("accepted"));
    expect(server.connections).toBe(2);
  });

  test("is tried anew once only", async () => {
    await using server = await startTranscriptServer(`${ONE_MAIL}\nC: MAIL\nDROP`, `${HELLO}\nC: MAIL\nDROP`);
    const transport = transportTo(server.port);
    await transport.send(MESSAGE);
    expect((await transport.send(MESSAGE)).kind).toBe("later");
    expect(server.connections).toBe(2);
  });
});

describe("a relay that takes so many mails in a session", () => {
  const NEXT = ONE_MAIL.slice(HELLO.length);

  test.each(["421 4.7.0 Enough", "451 4.3.0 No", "452 4.5.3 No", "503 5.5.1 No", "554 5.7.1 No", "550 5.1.8 No"])(
    "and then answers MAIL with %s gets the next mail at once in another",
    async (answer) => {
      await using server = await startTranscriptServer(`${ONE_MAIL}${NEXT}\nC: MAIL\nS: ${answer}`, ONE_MAIL);
      const transport = transportTo(server.port);
      const outcomes = await Promise.all([MESSAGE, MESSAGE, MESSAGE].map((message) => transport.send(message)));
      expect(outcomes.map(({ kind, mailsPerSession }) => [kind, mailsPerSession])).toEqual([
        ["accepted", undefined],
        ["accepted", undefined],
        ["accepted", 2],
      ]);
      expect(server.connections).toBe(2);
    },
  );

  test("is asked for no more than that in the sessions that follow", async () => {
    const limited = `${ONE_MAIL}${NEXT}\nC: MAIL\nS: 452 4.5.3 Too many messages`;
    const ended = `${ONE_MAIL}${NEXT}\nC: QUIT\nS: 221 bye\nDROP`;
    await using server = await startTranscriptServer(limited, ended, ended, ended);
    const transport = transportTo(server.port);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => transport.send(MESSAGE)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(8).fill("accepted"));
    expect(server.lines.filter((line) => line.startsWith("MAIL"))).toHaveLength(9);
    expect(server.connections).toBe(4);
  });

  test("says so to a recipient as well", async () => {
    const limited = `${ONE_MAIL}\nC: MAIL\nS: 250 ok\nC: RCPT\nS: 452 4.5.3 Too many recipients in this session`;
    await using server = await startTranscriptServer(limited, ONE_MAIL);
    const transport = transportTo(server.port);
    await transport.send(MESSAGE);
    expect(await transport.send(MESSAGE)).toMatchObject({ kind: "accepted", mailsPerSession: 1 });
  });

  test("leaves nobody behind who needs a new session, however many mails wait for the old one", async () => {
    await using server = await startTranscriptServer(ONE_MAIL, ONE_MAIL);
    const pool = new SmtpPool({
      ...addressOf(server.port),
      timeoutMs: 30_000,
      answerTimeoutMs: 30_000,
      concurrency: 1,
    });
    const used = (await pool.take()) as SmtpSession;
    await used.send(MESSAGE);
    const [next, afresh] = [pool.take(), pool.takeNew()];
    pool.give(used);
    const fresh = (await afresh) as SmtpSession;
    expect([fresh === used, fresh.mails]).toEqual([false, 0]);
    pool.give(fresh);
    expect(await next).toBe(fresh);
    pool.give(fresh);
    await inFakeTime(
      () => server.ended,
      () => pool.close(),
    );
  });

  test("is not what refuses a sender in a new session too: that mail is refused, and other sessions go on", async () => {
    const refusing = "C: MAIL\nS: 550 5.1.8 Bad sender";
    const rest = `${refusing}\nC: RSET\nS: 250 ok${NEXT.repeat(3)}`;
    await using server = await startTranscriptServer(`${ONE_MAIL}\n${refusing}`, `${HELLO}\n${rest}`);
    const transport = transportTo(server.port);
    await transport.send(MESSAGE);
    expect(await transport.send(MESSAGE)).toMatchObject({ kind: "failed", reply: "550 5.1.8 Bad sender" });
    for (let mail = 0; mail < 3; mail++) expect((await transport.send(MESSAGE)).kind).toBe("accepted");
    expect(server.connections).toBe(2);
  });

  test("and whose other sessions are as old gets a new one, not another of those", async () => {
    const old = `${ONE_MAIL.replace("C: EHLO", "WAIT 2 connected\nC: EHLO")}\nC: MAIL\nS: 452 4.5.3 No`;
    await using server = await startTranscriptServer(old, old, ONE_MAIL, ONE_MAIL);
    const transport = transportTo(server.port, { concurrency: 2 });
    await Promise.all([transport.send(MESSAGE), transport.send(MESSAGE)]);
    const then = await Promise.all([transport.send(MESSAGE), transport.send(MESSAGE)]);
    expect(then.map(({ kind }) => kind)).toEqual(["accepted", "accepted"]);
  });
});

describe("a relay that answers for a message", () => {
  test("later than it may answer for anything else is waited for, and so is one that is slow to read it", async () => {
    const raw = Buffer.concat([MESSAGE.raw, Buffer.from("line\r\n".repeat(3_000_000))]);
    await using server = await startTranscriptServer(
      `${TO_RCPT}\nS: 250 ok\nC: DATA\nS: 354 go on\nDEAF ${3 * SHORT_MS}\nC: .\nS: 250 ok`,
    );
    const transport = transportTo(server.port, { timeoutMs: SHORT_MS, answerTimeoutMs: 30_000 });
    expect((await sent(server, transport, { ...MESSAGE, raw })).kind).toBe("accepted");
    expect(server.connections).toBe(1);
  });

  test("and hangs up while most of it is still to be said has surely not got it", async () => {
    await using server = await startTranscriptServer(`${TO_BODY}\nDROP`);
    const raw = Buffer.concat([MESSAGE.raw, Buffer.from("line\r\n".repeat(5_000_000))]);
    expect(await transportTo(server.port).send({ ...MESSAGE, raw })).toMatchObject({
      ...{ kind: "later", reply: expect.stringContaining("while the message was being sent") },
    });
  });
});

describe("STARTTLS", () => {
  const OFFER = "S: 220 hi\nC: EHLO\nS: 250-relay.example\nS: 250 STARTTLS\nC: STARTTLS";

  test.each([
    ["that is followed by no TLS", `${OFFER}\nS: 220 go on\nS: 250 this is not a handshake`],
    ["that is followed by nothing", `${OFFER}\nS: 220 go on`],
    ["that is taken back", `${OFFER}\nS: 454 4.7.0 TLS not available`],
    ["that ends the connection", `${OFFER}\nDROP`],
  ])("%s sends nothing in the clear", async (_what, transcript) => {
    await using server = await startTranscriptServer(transcript);
    const login = { user: "shop", password: "secret" };
    const transport = transportTo(server.port, { tls: "starttls", timeoutMs: SHORT_MS, ...login });
    expect((await sent(server, transport)).kind).toBe("unreachable");
    expect(server.lines.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([]);
  });
});

describe("the commands", () => {
  test("name international domains in their ASCII form, without asking for SMTPUTF8", async () => {
    await using server = await startTranscriptServer(ONE_MAIL);
    const envelope = { returnPath: "b+1@bücher.example", recipient: "anna@bücher.example" };
    await transportTo(server.port).send({ ...MESSAGE, envelope });
    expect(server.lines).toContain("MAIL FROM:<b+1@xn--bcher-kva.example>");
    expect(server.lines).toContain("RCPT TO:<anna@xn--bcher-kva.example>");
  });

  test("announce 8-bit text where there is some", async () => {
    await using server = await startTranscriptServer(ONE_MAIL);
    await transportTo(server.port).send({ ...MESSAGE, raw: Buffer.from("Subject: Hi\r\n\r\nGrüße\r\n") });
    expect(server.lines).toContain("MAIL FROM:<b+1@bounces.example> BODY=8BITMIME");
  });

  test("announce the size to a relay that asks for it", async () => {
    await using server = await startTranscriptServer(ONE_MAIL.replace("8BITMIME", "SIZE 10000"));
    await transportTo(server.port).send(MESSAGE);
    expect(server.lines).toContain(`MAIL FROM:<b+1@bounces.example> SIZE=${MESSAGE.raw.length}`);
  });

  test("end with QUIT", async () => {
    await using server = await startTranscriptServer(`${ONE_MAIL}\nC: QUIT\nS: 221 bye\nDROP`);
    const transport = transportTo(server.port);
    await transport.send(MESSAGE);
    await transport.close();
    expect(server.lines.at(-1)).toBe("QUIT");
  });
});
