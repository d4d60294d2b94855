// Submission as it goes over the wire, line by line.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import type { Posthorn } from "../support/posthorn.ts";
import { dialogue, plainToken } from "../support/smtp-dialogue.ts";
import type { KeySetInput } from "../../src/tenant/access/key-set.ts";
import { addKeys } from "../support/workspaces.ts";
import { envelope, idsIn, LOGGED_IN, startSubmission, type Ports } from "../support/submission.ts";

const MESSAGE = String.raw`From: ada@example.test\r\nSubject: Hi\r\n\r\nHello\r\n.\r\n`;
/** No timer waits longer. */
const NEVER_MS = 2 ** 31 - 1;

let open: { posthorn: Posthorn; ports: Ports };
beforeAll(async () => {
  open = await startSubmission({ config: { limits: { requestsPerMinute: 0 } } });
});
afterAll(() => open.posthorn[Symbol.asyncDispose]());

function talk(transcript: string, { tls = false, key = open.posthorn.keys.secret } = {}) {
  const words = { token: plainToken(key), MESSAGE, user: btoa("anybody"), password: btoa(key) };
  return dialogue({ port: tls ? open.ports.tls : open.ports.starttls, tls, words }, transcript);
}

async function mails(): Promise<number> {
  return (await open.posthorn.call("GET /emails?pageSize=1")).body.total;
}

describe("a session", () => {
  test("begins in the clear, goes on with TLS and hands in a mail", async () => {
    const before = await mails();
    const replies = await talk(`
      S: 220 [127.0.0.1] ESMTP Posthorn
      C: EHLO client.test
      S: 250 SIZE 15728640
      C: STARTTLS
      S: 220
      TLS
      C: EHLO client.test
      S: 250 SIZE 15728640
      C: AUTH PLAIN {token}
      S: 235
      C: MAIL FROM:<anybody@elsewhere.test> SIZE=60 BODY=8BITMIME
      S: 250
      C: RCPT TO:<Bob@Example.com>
      S: 250
      C: DATA
      S: 354
      C+ {MESSAGE}
      S: 250 2.6.0 Queued as
      C: QUIT
      S: 221
      END`);
    for (const extension of ["PIPELINING", "8BITMIME", "SMTPUTF8", "STARTTLS"]) expect(replies[1]).toContain(extension);
    expect(replies[3]).not.toContain("STARTTLS");
    expect(await mails()).toBe(before + 1);
  });

  test("begins encrypted, logs in with LOGIN, and hands in several mails", async () => {
    const before = await mails();
    await talk(
      `S: 220
      C: EHLO client.test
      S: 250
      C: AUTH LOGIN
      S: 334 VXNlcm5hbWU6
      C: {user}
      S: 334 UGFzc3dvcmQ6
      C: {password}
      S: 235
      ${"C: MAIL FROM:<>\nS: 250\nC: RCPT TO:<bob@example.com>\nS: 250\nC: DATA\nS: 354\nC+ {MESSAGE}\nS: 250\n".repeat(3)}
      C: QUIT
      S: 221`,
      { tls: true },
    );
    expect(await mails()).toBe(before + 3);
  });

  test("takes commands that come all at once, and in pieces", async () => {
    const before = await mails();
    await talk(String.raw`${LOGGED_IN}
      C+ MAIL FROM:<a@example.test>\r\nRCPT TO:<bob@example.com>\r\nRCPT TO:<cy@example.com>\r\nDATA\r\n
      S: 250
      S: 250
      S: 250
      S: 354
      C+ {MESSAGE}MAIL FROM:<a@example.test>\r\nRCPT TO:<dee@exam
      S: 250 2.6.0
      S: 250
      C+ ple.com>\r\nDA
      S: 250
      C+ TA\r\n
      S: 354
      C+ From: ada@example.test\r
      C+ \n\r\nHello\r\n.
      C+ \r\nQUIT\r\n
      S: 250 2.6.0
      S: 221`);
    expect(await mails()).toBe(before + 3);
  });

  test("takes dots at the beginning of lines as they were meant", async () => {
    const [id = ""] =
      /[0-9a-f-]{36}/.exec(
        (
          await talk(String.raw`${envelope("bob@example.com")}
      C+ From: ada@example.test\r\n\r\n..\r\n...\r\n..a\r\n.\r\n
      S: 250`)
        ).at(-1) ?? "",
      ) ?? [];
    const raw = (await open.posthorn.call(`GET /emails/${id}/raw`)).body as string;
    expect(raw).toEndWith("\r\n\r\n.\r\n..\r\n.a\r\n");
  });
});

test("who logs in is greeted at once, and may even talk first", async () => {
  const before = await mails();
  await talk(String.raw`C+ EHLO x\r\nAUTH PLAIN {token}\r\nMAIL FROM:<>\r\nRCPT TO:<bob@example.com>\r\nDATA\r\n{MESSAGE}QUIT\r\n
    S: 220
    S: 250
    S: 235
    S: 250
    S: 250
    S: 354
    S: 250
    S: 221`);
  expect(await mails()).toBe(before + 1);
  // The library would greet when a timer of 100 ms ends: here none does.
  const { setTimeout: later } = globalThis;
  const timers = spyOn(globalThis, "setTimeout");
  timers.mockImplementation(((call: () => void, ms = 0) => later(call, ms < 100 ? ms : NEVER_MS)) as typeof later);
  try {
    await talk("S: 220");
  } finally {
    timers.mockRestore();
  }
});

test("an address with letters beyond ASCII is taken where it is announced, and the way out can carry it", async () => {
  const begin = "S: 220\nC: EHLO x\nS: 250\nC: AUTH PLAIN {token}\nS: 235\nC: MAIL FROM:<> SMTPUTF8\n";
  await talk(`${begin}S: 250\nC: RCPT TO:<jürgen@exämple.com>\nS: 250\nC: DATA\nS: 354\nC+ {MESSAGE}\nS: 250`);
  expect((await open.posthorn.call("GET /emails?pageSize=1")).body.data[0].to).toBe("jürgen@xn--exmple-cua.com");
  const ses = await startSubmission({ config: { delivery: { transport: "ses" } } });
  await using posthorn = ses.posthorn;
  const words = { token: plainToken(posthorn.keys.secret) };
  const [, hello] = await dialogue({ port: ses.ports.starttls, words }, `${begin}S: 555 5.6.7`);
  expect(hello).not.toContain("SMTPUTF8");
  expect(hello).toContain("8BITMIME");
});

test("whom the API takes is taken, under the name that the DNS has", async () => {
  const { posthorn } = open;
  const recipients = ["bob@xn--i-7iq.ws", "bob@xn--exmple-cua.com", "bob@EXÄMPLE.com"];
  for (const to of recipients) {
    await posthorn.call("POST /v1/send", { to, from: "ada@example.test", subject: "Hi", body: "Hello" });
    await talk(`${envelope(to)}\nC+ {MESSAGE}\nS: 250`);
    const { data } = (await posthorn.call("GET /emails?pageSize=2")).body as { data: { to: string }[] };
    expect(data[0]?.to).toBe(data[1]?.to as string);
  }
  for (const to of ["bob@ｅxample.com", "bob@exam\u00adple.com"]) {
    await talk(`${LOGGED_IN}\nC: MAIL FROM:<>\nS: 250\nC: RCPT TO:<${to}>\nS: 553 5.1.3`);
  }
});

test.each(["root@my_host", "root@localhost", "user.@example.test", "a..b@-.test", "root@[192.0.2.300]"])(
  "the envelope's sender does not count, not even %s; as a recipient it would",
  async (sender) => {
    const before = await mails();
    await talk(`${LOGGED_IN}\nC: MAIL FROM:<${sender}>\nS: 250\nC: RCPT TO:<${sender}>\nS: 553 5.1.3
      C: RCPT TO:<bob@example.com>\nS: 250\nC: DATA\nS: 354\nC+ {MESSAGE}\nS: 250 2.6.0`);
    expect(await mails()).toBe(before + 1);
  },
);

describe("refused", () => {
  const REFUSED: readonly [what: string, transcript: string][] = [
    ["who has not logged in", "S: 220\nC: EHLO x\nS: 250\nC: MAIL FROM:<a@example.test>\nS: 530"],
    ["who has not said hello", "S: 220\nC: MAIL FROM:<a@example.test>\nS: 503"],
    ["a key that is none", "S: 220\nC: EHLO x\nS: 250\nC: AUTH PLAIN AGEAc2tfYQ==\nS: 535 5.7.8"],
    ["a recipient that is none", `${LOGGED_IN}\nC: MAIL FROM:<>\nS: 250\nC: RCPT TO:<bob@localhost>\nS: 553 5.1.3`],
    ["a source route to elsewhere", `${LOGGED_IN}\nC: MAIL FROM:<>\nS: 250\nC: RCPT TO:<bob@a.test@b.test>\nS: 501`],
    ["what RFC 8689 asks for", `${LOGGED_IN}\nC: MAIL FROM:<> REQUIRETLS\nS: 5`],
    ...["RET=HDRS", "ENVID=a", "HOLDFOR=60", "MT-PRIORITY=3", "FOO=bar", "FOO"].map((parameter): [string, string] => [
      `${parameter} with a sender`,
      `${LOGGED_IN}\nC: MAIL FROM:<> SIZE=9 BODY=8BITMIME AUTH=<> ${parameter}\nS: 555 5.5.4\nC: RCPT TO:<b@example.com>\nS: 503`,
    ]),
    ...["NOTIFY=SUCCESS", "ORCPT=rfc822;b@example.com", "RRVS=2026-01-01T00:00:00Z", "FOO"].map(
      (parameter): [string, string] => [
        `${parameter} with a recipient`,
        `${LOGGED_IN}\nC: MAIL FROM:<>\nS: 250\nC: RCPT TO:<b@example.com> ${parameter}\nS: 555 5.5.4\nC: DATA\nS: 503`,
      ],
    ),
    ["a mail to nobody", `${LOGGED_IN}\nC: MAIL FROM:<>\nS: 250\nC: DATA\nS: 503`],
    ["a recipient without a sender", `${LOGGED_IN}\nC: RCPT TO:<bob@example.com>\nS: 503`],
    ["a size that is announced", `${LOGGED_IN}\nC: MAIL FROM:<> SIZE=15728641\nS: 552`],
    [
      "letters beyond ASCII that are not announced",
      `${LOGGED_IN}\nC: MAIL FROM:<>\nS: 250\nC: RCPT TO:<bö@example.com>\nS: 553`,
    ],
    ["commands that only proxies may say", `${LOGGED_IN}\nC: XCLIENT ADDR=192.0.2.1\nS: 500\nC: WIZ\nS: 500`],
    [
      "a From of another domain",
      `${envelope("b@example.com")}\nC+ From: a@elsewhere.test\\r\\n\\r\\n.\\r\\n\nS: 550 5.7.1`,
    ],
    ["no From", `${envelope("b@example.com")}\nC+ Subject: a\\r\\n\\r\\n.\\r\\n\nS: 550 5.6.0`],
    [
      "two From fields",
      `${envelope("b@example.com")}\nC+ From: a@example.test\\r\\nFrom: b@example.test\\r\\n\\r\\n.\\r\\n\nS: 550 5.6.0`,
    ],
    [
      "two in a From",
      `${envelope("b@example.com")}\nC+ From: a@example.test, b@elsewhere.test\\r\\n\\r\\n.\\r\\n\nS: 550 5.6.0`,
    ],
    ["a header that is none", `${envelope("b@example.com")}\nC+ From a@example.test\\r\\n\\r\\n.\\r\\n\nS: 550 5.6.0`],
    [
      "a message that begins with an empty line",
      `${envelope("b@example.com")}\nC+ \\r\\nFrom: a@example.test\\r\\n\\r\\nHi\\r\\n.\\r\\n\nS: 550 5.6.0`,
    ],
    ["an empty message", `${envelope("b@example.com")}\nC+ .\\r\\n\nS: 550 5.6.0`],
    [
      "a field that steers SES",
      `${envelope("b@example.com")}\nC+ From: a@example.test\\r\\nX-SES-Return-Path: c@d.test\\r\\n\\r\\n.\\r\\n\nS: 550 5.6.0`,
    ],
  ];

  test.each(REFUSED)("%s, and nothing is queued", async (_, transcript) => {
    const before = await mails();
    await talk(transcript);
    expect(await mails()).toBe(before);
  });

  test("a client that wants to log in in the clear, unless that is allowed here", async () => {
    const strict = await startSubmission({ config: { smtp: { insecureLoopback: false } } });
    await using posthorn = strict.posthorn;
    const words = { token: plainToken(posthorn.keys.secret) };
    const [, hello] = await dialogue(
      { port: strict.ports.starttls, words },
      `S: 220\nC: EHLO x\nS: 250\nC: AUTH PLAIN {token}\nS: 500\nC: MAIL FROM:<a@example.test>\nS: 530 5.7.0 Use STARTTLS
      C: STARTTLS\nS: 220\nTLS\nC: EHLO x\nS: 250\nC: AUTH PLAIN {token}\nS: 235\nC: MAIL FROM:<a@example.test>\nS: 250`,
    );
    expect(hello).not.toContain("AUTH");
  });

  test("more than fifty recipients: the fifty-first is told to come again", async () => {
    const many = Array.from({ length: 50 }, (_, index) => `C: RCPT TO:<p${index}@example.com>\nS: 250`).join("\n");
    const before = await mails();
    const replies =
      await talk(`${LOGGED_IN}\nC: MAIL FROM:<>\nS: 250\n${many}\nC: RCPT TO:<one.more@example.com>\nS: 452
      C: RCPT TO:<p1@example.com>\nS: 250\nC: DATA\nS: 354\nC+ {MESSAGE}\nS: 250 2.6.0`);
    expect(await mails()).toBe(before + 50);
    const lines = replies.at(-1)?.split("\r\n") ?? [];
    expect(lines.map((line) => line.slice(0, 10))).toEqual([...Array(4).fill("250-2.6.0 "), "250 2.6.0 "]);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(510);
    const { data } = (await open.posthorn.call("GET /emails?pageSize=50")).body as { data: { id: string }[] };
    expect(idsIn(lines.join(" ")).toSorted()).toEqual(data.map(({ id }) => id).toSorted());
  });

  test("a key that may only read, has expired, or is for another address", async () => {
    const refusal = async (input: KeySetInput, said: string) =>
      talk(`S: 220\nC: EHLO x\nS: 250\nC: AUTH PLAIN {token}\nS: ${said}`, {
        key: (await addKeys(open.posthorn, input)).secret,
      });
    await refusal({ permissions: "send", allowedIps: ["127.0.0.1"] }, "235");
    await refusal({ permissions: "read" }, "535 5.7.8 The API key has the permission read; this call needs send.");
    await refusal({ allowedIps: ["192.0.2.1"] }, "535 5.7.8 The API key may not be used from 127.0.0.1.");
    const ending = await addKeys(open.posthorn, { expiresAt: "2026-03-01T09:00:01Z" });
    open.posthorn.clock.advance(1_000);
    await talk("S: 220\nC: EHLO x\nS: 250\nC: AUTH PLAIN {token}\nS: 535 5.7.8 The API key expired at", {
      key: ending.secret,
    });
  });

  test("a public key (slow)", async () => {
    const { posthorn } = open;
    await talk("S: 220\nC: EHLO x\nS: 250\nC: AUTH PLAIN {token}\nS: 535 5.7.8 A public key", {
      key: posthorn.keys.public,
    });
  });
});

describe("the end of a message", () => {
  const NO_ENDS = [
    ...[String.raw`\n.\n`, String.raw`\n.\r\n`, String.raw`\r\n.\n`, String.raw`\r.\r`, String.raw`\r.\r\n`],
    ...[String.raw`\r\n.\r`, String.raw`\n.\r`, String.raw`\r.\n`, String.raw`\r\n\0.\r\n`, String.raw`\r\n.\0\r\n`],
  ];

  test.each(NO_ENDS)("is nothing but CRLF.CRLF: %j smuggles no second mail in", async (end) => {
    const before = await mails();
    const smuggled = `${end}MAIL FROM:<e@example.test>\\r\\nRCPT TO:<eve@example.com>\\r\\nDATA\\r\\nFrom: e@example.test\\r\\n\\r\\nEvil`;
    await talk(`${envelope("bob@example.com")}
      C+ From: ada@example.test\\r\\n\\r\\nHello${smuggled}\\r\\n.\\r\\n
      S: 550 5.6.0 Lines must end in CRLF
      C: NOOP
      S: 250`);
    expect(await mails()).toBe(before);
  });
});
