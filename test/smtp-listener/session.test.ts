// What the library alone would let through.
import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { threadCpuMs } from "../../src/base/clock.ts";
import { AppError } from "../../src/base/errors.ts";
import { TestClock } from "../support/clock.ts";
import { bring, received, startHouse } from "../support/outside.ts";
import { dialogue, plainToken } from "../support/smtp-dialogue.ts";
import { freePort } from "../support/free-port.ts";
import { LOGGED_IN, startSubmission } from "../support/submission.ts";

describe("TLS", () => {
  test("of versions that are broken is not spoken, on any port (slow)", async () => {
    const inbound = await freePort();
    const { posthorn, ports } = await startSubmission({ config: { smtp: { inboundPort: inbound } } });
    await using _ = posthorn;
    for (const version of ["TLSv1", "TLSv1.1"] as const) {
      await expect(shaken(ports.tls, { version })).rejects.toThrow();
      await expect(shaken(ports.starttls, { version, startTls: true })).rejects.toThrow();
      await expect(shaken(inbound, { version, startTls: true })).rejects.toThrow();
    }
    expect(await shaken(ports.tls, { version: "TLSv1.2" })).toBe("TLSv1.2");
    expect(await shaken(inbound, { version: "TLSv1.2", startTls: true })).toBe("TLSv1.2");
  });

  test.each(["in one piece with it", "in a piece of its own"])(
    "begins anew: what was said in the clear after STARTTLS, %s, is never done",
    async (pieces) => {
      const { posthorn, ports } = await startSubmission();
      await using _ = posthorn;
      const words = { token: plainToken(posthorn.keys.secret) };
      const injected = String.raw`AUTH PLAIN {token}\r\nMAIL FROM:<eve@example.test>\r\nRCPT TO:<eve@example.com>\r\nNOOP\r\n`;
      const sent = pieces.startsWith("in one") ? `C+ STARTTLS\\r\\n${injected}` : `C: STARTTLS\nC+ ${injected}`;
      const replies = await dialogue(
        { port: ports.starttls, words },
        `S: 220\nC: EHLO x\nS: 250\n${sent}\nS: 220\nTLS\nC: MAIL FROM:<a@example.test>\nS: 503\nC: EHLO y\nS: 250\n
        C: RCPT TO:<bob@example.com>\nS: 530\nC: MAIL FROM:<a@example.test>\nS: 530\nC: AUTH PLAIN {token}\nS: 235\n
        C: RCPT TO:<bob@example.com>\nS: 503\nC: QUIT\nS: 221\nEND`,
      );
      expect(replies).toHaveLength(10);
    },
  );

  test("forgets who has logged in, and the mail that had begun", async () => {
    const { posthorn, ports } = await startSubmission();
    await using _ = posthorn;
    const words = { token: plainToken(posthorn.keys.secret) };
    await dialogue(
      { port: ports.starttls, words },
      String.raw`${LOGGED_IN}
        C: MAIL FROM:<a@example.test>
        S: 250
        C: RCPT TO:<bob@example.com>
        S: 250
        C+ STARTTLS\r\nDATA\r\nFrom: a@example.test\r\n\r\nEvil\r\n.\r\n
        S: 220
        TLS
        C: EHLO x
        S: 250
        C: DATA
        S: 530
        C: AUTH PLAIN {token}
        S: 235
        C: DATA
        S: 503
        C: QUIT
        S: 221`,
    );
    expect((await posthorn.call("GET /emails")).body.total).toBe(0);
  });
});

test("who leaves while it logs in, or hands in a mail, is no fault of ours", async () => {
  const { posthorn, ports } = await startSubmission();
  await using _ = posthorn;
  const token = plainToken(posthorn.keys.secret);
  const log = `EHLO x\r\nAUTH PLAIN ${token}\r\n`;
  const mail = "MAIL FROM:<>\r\nRCPT TO:<b@example.com>\r\nDATA\r\nFrom: a@example.test\r\n\r\nHi\r\n";
  const leaving = [log, `EHLO x\r\nAUTH PLAIN AHgAc2s=\r\n`, `${log}${mail}`, `${log}${mail}.\r\n`];
  for (const words of leaving) {
    for (let round = 0; round < 10; round++) {
      const socket = connect({ port: ports.starttls });
      await new Promise((resolve) => socket.once("data", resolve));
      await new Promise((resolve) => socket.write(words, resolve));
      socket.resetAndDestroy();
    }
  }
  await dialogue({ port: ports.starttls, words: { token } }, LOGGED_IN);
  expect(posthorn.logLines.filter((line) => / error /.test(line))).toEqual([]);
});

/** A server remembers what it has warned of lately, and of how many more. */
const unshared = () => startSubmission({ clock: new TestClock() });

describe("who fails to log in", () => {
  const GUESS = "S: 220\nC: EHLO x\nS: 250\nC: AUTH PLAIN {token}\nS: 535";

  test("is named in the log, once a minute, and what was tried is not (slow)", async () => {
    const { posthorn, ports } = await unshared();
    await using _ = posthorn;
    const words = { token: plainToken("sk_0000000000") };
    const told = () => posthorn.logLines.filter((line) => line.includes("an SMTP login failed"));
    await dialogue({ port: ports.starttls, words }, GUESS);
    await dialogue({ port: ports.starttls, words }, GUESS);
    expect(told()).toHaveLength(1);
    expect(told()[0]).toEndWith("client=127.0.0.1");
    posthorn.clock.advance(60_000);
    await dialogue({ port: ports.starttls, words }, GUESS);
    expect(told()).toHaveLength(2);
    expect(told()[1]).toEndWith("client=127.0.0.1 moreSinceLastLine=1");
    expect(posthorn.logLines.join("\n")).not.toContain("0000000000");
  });
});

test("a login while the store is away is answered so, and is no failed login", async () => {
  const { posthorn, ports } = await unshared();
  await using _ = posthorn;
  const { read } = posthorn.store;
  const logIn = (reply: string) =>
    dialogue(
      { port: ports.starttls, words: { token: plainToken(posthorn.keys.secret) } },
      `S: 220\nC: EHLO x\nS: 250\nC: AUTH PLAIN {token}\nS: ${reply}`,
    );
  posthorn.store.read = () => Promise.reject(new AppError("STORE_UNAVAILABLE", "The store is away."));
  for (let n = 0; n < 3; n++) await logIn("451 4.3.0");
  expect(posthorn.logLines.filter((line) => line.includes("login"))).toEqual([]);
  posthorn.store.read = read;
  await logIn("235");
});

test("a message of nothing but dots costs no more than another (slow)", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const startMs = threadCpuMs();
  expect(await bring({ port }, `From: ada@elsewhere.test\n\n${".\n".repeat(1_500_000)}`)).toBe("250 2.6.0 Stored");
  // A step of the event loop for each dot takes more than ten seconds.
  expect(threadCpuMs() - startMs).toBeLessThan(5_000);
  expect(await received(posthorn)).toHaveLength(1);
});

type Handshake = { readonly version: "TLSv1" | "TLSv1.1" | "TLSv1.2"; readonly startTls?: boolean };

/** Answers the version that was agreed upon. */
async function shaken(port: number, { version, startTls = false }: Handshake): Promise<string | null> {
  const socket = connect({ port });
  if (startTls) {
    for (const word of ["EHLO x\r\n", "STARTTLS\r\n"]) {
      await new Promise((resolve) => socket.once("data", resolve));
      socket.write(word);
    }
    await new Promise((resolve) => socket.once("data", resolve));
  }
  const secured = connectTls({ socket, rejectUnauthorized: false, minVersion: "TLSv1", maxVersion: version });
  try {
    await new Promise((resolve, reject) => {
      secured.once("secureConnect", resolve).once("error", reject);
      secured.once("close", () => reject(new Error("The handshake was broken off.")));
    });
    return secured.getProtocol();
  } finally {
    secured.destroy();
    socket.destroy();
  }
}
