// Nobody is kept waiting by those who are slow, many, large or guessing.
import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { DEFAULTS } from "../../src/base/config.ts";
import { TestClock } from "../support/clock.ts";
import { dialogue, plainToken } from "../support/smtp-dialogue.ts";
import { freePort } from "../support/free-port.ts";
import { envelope, LOGGED_IN, startSubmission, submit } from "../support/submission.ts";

const LETTER = "From: Ada <ada@example.test>\nSubject: Hi\n\nHello\n";

describe("who guesses keys", () => {
  const WRONG = `S: 220\nC: EHLO x\nS: 250\n${"C: AUTH PLAIN {token}\nS: 535 5.7.8\n".repeat(4)}`;

  test("waits ever longer and is not heard after ten times; a right key at the same address always is", async () => {
    const clock = new TestClock();
    const { posthorn, ports } = await startSubmission({ clock });
    await using _ = posthorn;
    const words = { token: plainToken("sk_0000000000") };
    const startMs = performance.now();
    await dialogue({ port: ports.starttls, words }, WRONG);
    // 100 + 200 + 400 + 800 ms.
    expect(performance.now() - startMs).toBeGreaterThan(1_400);
    const right = { token: plainToken(posthorn.keys.secret) };
    await dialogue({ port: ports.starttls, words: right }, LOGGED_IN);
    const tried = (key: string, reply: string) =>
      dialogue(
        { port: ports.starttls, words: { token: plainToken(key) } },
        `S: 220\nC: EHLO x\nS: 250\nC: AUTH PLAIN {token}\nS: ${reply}`,
      );
    const others = [4, 5, 6, 7].flatMap((n) => Array.from({ length: 10 }, () => `sk_${n}`));
    await Promise.all([...Array.from({ length: 6 }, () => "sk_0000000000"), ...others].map((key) => tried(key, "535")));
    await tried("sk_0000000000", "454 4.7.0");
    await tried("sk_another", "454 4.7.0");
    await dialogue({ port: ports.starttls, words: right }, LOGGED_IN);
    clock.advance(10 * 60_000);
    await dialogue({ port: ports.starttls, words }, "S: 220\nC: EHLO x\nS: 250\nC: AUTH PLAIN {token}\nS: 535 5.7.8");
  });
});

describe("connections", () => {
  test("of one address are so many and no more; one that ends makes room", async () => {
    const { posthorn, ports } = await startSubmission({ config: { smtp: { connectionsPerAddress: 3 } } });
    await using _ = posthorn;
    const held = await Promise.all([1, 2, 3].map(() => opened(ports.starttls)));
    await dialogue({ port: ports.starttls }, "S: 421 4.7.0 Too many connections from your address\nEND");
    await ended(held[0] as Socket);
    await eventually(() => dialogue({ port: ports.starttls }, "S: 220"));
    held.forEach((socket) => socket.destroy());
  });

  test("in all are so many and no more", async () => {
    const { posthorn, ports } = await startSubmission({ config: { smtp: { connections: 2 } } });
    await using _ = posthorn;
    const held = await Promise.all([1, 2].map(() => opened(ports.starttls)));
    await dialogue({ port: ports.starttls }, "S: 421\nEND");
    held.forEach((socket) => socket.destroy());
  });

  test("that do nothing, a thousand of them, keep nobody from handing in a mail", async () => {
    const open = await startSubmission({ config: { smtp: { connectionsPerAddress: 2000 } } });
    await using posthorn = open.posthorn;
    const held = await Promise.all(Array.from({ length: 1_000 }, () => opened(open.ports.starttls)));
    expect(await submit(open, LETTER)).toStartWith("250");
    expect((await posthorn.call("GET /health")).status).toBe(200);
    held.forEach((socket) => socket.destroy());
  });
});

describe("who takes too long", () => {
  const HELLO = "S: 220\nC: EHLO x\nS: 250\n";

  async function opened() {
    const { posthorn, ports } = await startSubmission();
    const words = {
      token: plainToken(posthorn.keys.secret),
      ten: `X: ${"x".repeat(500)}\\r\\n`.repeat(20),
      letter: "From: ada@example.test\\r\\n\\r\\nHello\\r\\n.\\r\\n",
    };
    const talk = (transcript: string, ms: number) => {
      const act = async () => {
        // What was sent before has come in.
        await idleIsOpen(ports.starttls);
        posthorn.clock.advance(ms);
        await posthorn.settle();
      };
      return dialogue({ port: ports.starttls, words, act }, transcript);
    };
    const mails = async () => (await posthorn.call("GET /emails?pageSize=1")).body.total as number;
    return { posthorn, talk, mails };
  }

  test("to log in, or to hand in a mail after that, is disconnected within a minute", async () => {
    const { posthorn, talk, mails } = await opened();
    await using _ = posthorn;
    await talk(`${HELLO}DO\nC: NOOP\nS: 250`, 54_000);
    await talk(`${HELLO}DO\nS: 421 4.4.2 You took too long to log in\nEND`, 55_000);
    await talk(`${LOGGED_IN}\nDO\nC: NOOP\nS: 250`, 54_000);
    await talk(`${LOGGED_IN}\nDO\nS: 421 4.4.2 No email for too long\nEND`, 55_000);
    await talk(`${envelope("bob@example.com").replace(/\nC: DATA.*/s, "")}\nDO\nS: 421 4.4.2\nEND`, 55_000);
    expect(await mails()).toBe(0);
  });

  test("with commands that come to no mail is disconnected as well; mails keep a connection open", async () => {
    const { posthorn, talk, mails } = await opened();
    await using _ = posthorn;
    const begun = "C: MAIL FROM:<>\nS: 250\nC: RCPT TO:<bob@example.com>\nS: 250\n";
    await talk(`${LOGGED_IN}\nDO\nC: NOOP\nS: 250\nDO\n${begun}C: RSET\nS: 250\nDO\nS: 421 4.4.2\nEND`, 20_000);
    await talk(`${LOGGED_IN}\n${`DO\n${begun}C: DATA\nS: 354\nC+ {letter}\nS: 250\n`.repeat(3)}`, 50_000);
    expect(await mails()).toBe(3);
  });

  test("with a message is disconnected, unless a KB has come each second of the last minute", async () => {
    const { posthorn, talk, mails } = await opened();
    await using _ = posthorn;
    const begun = `${envelope("bob@example.com")}\nC+ From: ada@example.test\\r\\n\\r\\n`;
    const fast = `${"C+ {ten}\n".repeat(7)}DO\n`;
    await talk(`${begun}\n${fast}${fast}C+ \\r\\n.\\r\\n\nS: 250`, 58_000);
    await talk(`${begun}\nC+ {ten}\nDO\nS: 421 4.4.2 The message arrives too slowly\nEND`, 58_000);
    // However much has come before.
    await talk(`${begun}\n${"C+ {ten}\n".repeat(60)}DO\nDO\nS: 421 4.4.2\nEND`, 58_000);
    expect(await mails()).toBe(1);
  });

  test("with a message, at whatever pace, is disconnected in the end", async () => {
    const { posthorn, talk, mails } = await opened();
    await using _ = posthorn;
    const begun = `${envelope("bob@example.com")}\nC+ From: ada@example.test\\r\\n\\r\\n`;
    await talk(
      `${begun}\n${`${"C+ {ten}\n".repeat(7)}DO\n`.repeat(27)}S: 421 4.4.2 The message takes too long\nEND`,
      58_000,
    );
    expect(await mails()).toBe(0);
  });

  test("with very many commands and no mail is disconnected", async () => {
    const { posthorn, talk } = await opened();
    await using _ = posthorn;
    const heard = await talk(
      `${LOGGED_IN}\n${"C: RSET\nS: 250\n".repeat(248)}C: RSET\nS: 421 4.7.0 Too many commands\nEND`,
      0,
    );
    expect(heard.length).toBeGreaterThan(250);
  });
});

describe("what is too large", () => {
  const LARGEST = 15 * 1024 * 1024;

  test("is refused when it is there; what is as large as it may be arrives", async () => {
    const open = await startSubmission();
    await using posthorn = open.posthorn;
    const header = "From: ada@example.test\r\nMessage-ID: <1@a>\r\nDate: x\r\n\r\n";
    const line = `${"x".repeat(98)}\r\n`;
    const body = line.repeat(Math.floor((LARGEST - header.length) / 100));
    const rest = `${"x".repeat(LARGEST - header.length - body.length - 2)}\r\n`;
    expect(await submit(open, Buffer.from(`${header}${body}x${rest}`))).toStartWith("552");
    const reply = await submit(open, Buffer.from(`${header}${body}${rest}`));
    expect(reply).toStartWith("250");
    await posthorn.settle();
    expect(posthorn.transport.sent[0]?.raw.length).toBeGreaterThan(LARGEST);
  });

  test("without an end is cut off", async () => {
    const { posthorn, ports } = await startSubmission();
    await using _ = posthorn;
    const words = { token: plainToken(posthorn.keys.secret), megabyte: `${"x".repeat(998)}\\r\\n`.repeat(1_024) };
    const end = await dialogue(
      { port: ports.starttls, words },
      `${envelope("bob@example.com")}\n${"C+ {megabyte}\n".repeat(32)}S: 552 5.3.4\nEND`,
    );
    expect(end.at(-1)).toStartWith("552");
  });
});

describe("the end", () => {
  test("lets the message in hand be answered, and tells everybody else", async () => {
    const { posthorn, ports } = await startSubmission({ clock: new TestClock() });
    const words = { token: plainToken(posthorn.keys.secret) };
    const idle = dialogue({ port: ports.starttls }, "S: 220\nS: 421 4.3.2\nEND");
    let stopping: Promise<void> = Promise.resolve();
    const act = async () => {
      await idleIsOpen(ports.starttls);
      stopping = posthorn[Symbol.asyncDispose]();
    };
    await dialogue(
      { port: ports.starttls, words, act },
      String.raw`${envelope("bob@example.com")}
      C+ From: ada@example.test\r\n
      DO
      C+ \r\nHello\r\n.\r\n
      S: 250 2.6.0
      S: 421
      END`,
    );
    await Promise.all([idle, stopping]);
    await expect(dialogue({ port: ports.starttls }, "S: 220")).rejects.toThrow();
  });

  test("a port that is taken is said at the start", async () => {
    const port = await freePort();
    await using listening = Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response() });
    expect(listening.port).toBe(port);
    await expect(startSubmission({ config: { smtp: { submissionPort: port } } })).rejects.toThrow(
      `smtp.submission_port: 127.0.0.1:${port} is in use`,
    );
  });
});

test("a port that nobody has chosen and that is taken is complained of, and the rest goes on", async () => {
  const { submissionPort } = DEFAULTS.smtp;
  using taken = listenUnlessTaken(submissionPort);
  expect(taken).toBeDefined();
  // Of its own: what it says at its start is looked at.
  const { posthorn, ports } = await startSubmission({ clock: new TestClock(), config: { smtp: { submissionPort } } });
  await using _ = posthorn;
  expect(posthorn.server.smtpPorts).toEqual([`${ports.tls} (TLS)`]);
  expect(posthorn.logLines.join("\n")).toContain(`smtp.submission_port: 127.0.0.1:${submissionPort} is in use`);
});

/** Somebody else on this machine may have it already, which is as good. */
function listenUnlessTaken(port: number): Disposable {
  try {
    const server = Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response() });
    return { [Symbol.dispose]: () => void server.stop(true) };
  } catch {
    return { [Symbol.dispose]: () => {} };
  }
}

/**
 * A greeting comes after a while: by then an earlier connection has had its own, and what was sent before has come in.
 */
async function idleIsOpen(port: number): Promise<void> {
  (await opened(port)).destroy();
}

/** Once it has been greeted. */
function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port });
    socket.once("data", () => resolve(socket)).once("error", reject);
  });
}

function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()).destroy());
}

async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 20; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
