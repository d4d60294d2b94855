// Bounce mailboxes by IMAP: what is taken from them, once each, and what stays.
import { afterEach, expect, test } from "bun:test";
import { DEFAULTS } from "../../src/base/config.ts";
import type { MailboxSettings } from "../../src/base/config/mailboxes.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { NO_TOKENS } from "../../src/ground/way-tokens/way-tokens.ts";
import { returnPathFor } from "../../src/mail/emails/return-path.ts";
import { openMailbox } from "../../src/mail/inbound/mailbox/open.ts";
import { conditionOf } from "../../src/operator/operation/needs/condition.ts";
import { NOTHING_YET, operatorNeeds } from "../../src/operator/operation/needs/needs.ts";
import { lookAtMailboxes } from "../../src/operator/operation/doctor/mailboxes.ts";
import { holdAll } from "../../src/store/hold.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE, freshDirectory } from "../support/database.ts";
import { letter } from "../support/mails.ts";
import { somebody } from "../support/people.ts";
import { MailboxServer, type MailboxServerOptions } from "../support/mailbox-server.ts";
import { received } from "../support/outside.ts";
import { dmarcXml, mailWith, packed } from "../support/reports.ts";
import { TokenService } from "../support/token-service.ts";
import { startPosthorn, type Posthorn, type StartOptions } from "../support/posthorn.ts";

const CERTIFICATE = new URL("../support/certificates/localhost.cert.pem", import.meta.url).pathname;

type Wanted = Partial<Omit<MailboxSettings, "relay">> & { readonly relay?: Partial<MailboxSettings["relay"]> };

function mailboxAt(port: number, { relay, ...wanted }: Wanted = {}): MailboxSettings {
  const { provider: _, providerKey: __, providerTracking: ___, ...login } = DEFAULTS.relay;
  return {
    ...{ name: "office", kind: "imap", folder: "INBOX", movedTo: "Posthorn", delete: false, asInbound: false },
    ...wanted,
    relay: {
      ...{ ...login, host: "localhost", port, tls: "implicit", caFile: CERTIFICATE },
      ...{
        user: "bounces@example.test",
        password: "secret",
        timeoutSeconds: 5,
        graphUrl: "https://graph.microsoft.com",
      },
      ...relay,
    },
  };
}

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

type House = { readonly posthorn: Posthorn; readonly server: MailboxServer };

async function startHouse(
  wanted: Wanted = {},
  { server: given, ...options }: MailboxServerOptions & StartOptions & { readonly server?: MailboxServer } = {},
): Promise<House> {
  const server = given ?? (await MailboxServer.start(options));
  if (!given) open.push(server);
  const config = { ...options.config, bounceMailboxes: [mailboxAt(server.port, wanted)] };
  const posthorn = await startPosthorn({ ...options, config });
  open.push(posthorn);
  await posthorn.settle();
  return { posthorn, server };
}

type Sent = { readonly id: string; readonly messageId: string };

async function send(posthorn: Posthorn, to = "ada@example.com"): Promise<Sent> {
  const { body } = await posthorn.call("POST /v1/send", { ...letter, to });
  const id = body.data.emails[0].email as string;
  await posthorn.settle();
  return { id, messageId: (await posthorn.call(`GET /emails/${id}`)).body.messageId };
}

/** As a relay writes it that has put its own address in place of the return path. */
function bounce({ messageId }: Sent, { to = "ada@example.com", subject = "Undelivered", more = "" } = {}): string {
  return `Return-Path: <>
From: MAILER-DAEMON@relay.example
To: bounces@example.test
Subject: ${subject}
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="B"

--B
Content-Type: text/plain

Your message could not be delivered.
${more}
--B
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.example

Final-Recipient: rfc822; ${to}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 No such user here

--B
Content-Type: text/rfc822-headers

From: hello@example.test
To: ada@example.com
Message-ID: ${messageId}

--B--
`;
}

const LETTER = `From: Ada <ada@example.com>
To: bounces@example.test
Subject: A question

How are you?
`;

async function statusOf(posthorn: Posthorn, { id }: Sent): Promise<string> {
  return (await posthorn.call(`GET /emails/${id}`)).body.status;
}

/** The mailbox is looked at again, whatever it tells. */
async function later(posthorn: Posthorn): Promise<void> {
  posthorn.clock.advance(6 * MINUTE_MS);
  await posthorn.settle();
}

test("a bounce that names an email of ours by its Message-ID alone is its bounce, and moved", async () => {
  const { posthorn, server } = await startHouse();
  const sent = await send(posthorn);
  server.deliver(bounce(sent));
  await later(posthorn);
  expect(await statusOf(posthorn, sent)).toBe("BOUNCED");
  expect([server.subjects(), server.subjects("Posthorn")]).toEqual([[], ["Undelivered"]]);
});

test("a signed return path proves the email as well, wherever it stands", async () => {
  const { posthorn, server } = await startHouse(
    {},
    { config: { delivery: { returnPathDomain: "bounces.example.test" } } },
  );
  const sent = await send(posthorn);
  const path = returnPathFor(posthorn.secrets, sent.id, "bounces.example.test");
  server.deliver(`Delivered-To: ${path}\n${bounce({ ...sent, messageId: "<gone@relay.example>" })}`);
  await later(posthorn);
  expect(await statusOf(posthorn, sent)).toBe("BOUNCED");
});

test("a report that only answers the email is its report", async () => {
  const { posthorn, server } = await startHouse();
  const sent = await send(posthorn);
  server.deliver(`In-Reply-To: ${sent.messageId}\n${bounce({ ...sent, messageId: "<gone@relay.example>" })}`);
  await later(posthorn);
  expect(await statusOf(posthorn, sent)).toBe("BOUNCED");
});

test("a complaint counts, and is moved", async () => {
  const { posthorn, server } = await startHouse();
  const sent = await send(posthorn);
  server.deliver(`From: staff@provider.example
To: bounces@example.test
Subject: Complaint
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="B"

--B
Content-Type: message/feedback-report

Feedback-Type: abuse
Version: 1

--B
Content-Type: message/rfc822

From: hello@example.test
Message-ID: ${sent.messageId}

Hello
--B--
`);
  await later(posthorn);
  expect(await statusOf(posthorn, sent)).toBe("COMPLAINED");
  expect(server.subjects("Posthorn")).toEqual(["Complaint"]);
});

test("what is no report stays as it is, and is fetched once", async () => {
  const { posthorn, server } = await startHouse();
  const sent = await send(posthorn);
  server.deliver(LETTER);
  server.deliver(bounce({ ...sent, messageId: "<another@elsewhere.example>" }, { subject: "Of somebody else" }));
  server.deliver(bounce(sent, { to: "eve@elsewhere.example", subject: "Of a forwarder" }));
  await later(posthorn);
  await later(posthorn);
  expect(await statusOf(posthorn, sent)).toBe("SENT");
  expect(server.subjects()).toEqual(["A question", "Of somebody else", "Of a forwarder"]);
  expect(server.asked.filter((command) => command.includes("BODY.PEEK"))).toHaveLength(3);
  expect(server.asked.some((command) => command.includes("STORE"))).toBe(false);
});

test("what was there before the mailbox was configured is not read", async () => {
  const server = await MailboxServer.start();
  open.push(server);
  server.deliver(LETTER);
  const { posthorn } = await startHouse({ asInbound: true }, { server });
  await later(posthorn);
  expect(server.subjects()).toEqual(["A question"]);
  expect(server.asked.some((command) => command.includes("FETCH"))).toBe(false);
});

test("reports are deleted if that is wanted, also by a server without MOVE", async () => {
  const { posthorn, server } = await startHouse({ delete: true }, { without: ["MOVE"] });
  server.deliver(bounce(await send(posthorn)));
  server.deliver(LETTER);
  await later(posthorn);
  expect([...server.folders.keys()]).toEqual(["INBOX"]);
  expect(server.subjects()).toEqual(["A question"]);
});

test("email is taken as if it had come by the port if that is wanted", async () => {
  const { posthorn, server } = await startHouse({ asInbound: true });
  const long = "A line of text.\n".repeat(40_000);
  const to = (address: string) => LETTER.replace("bounces@example.test", address);
  server.deliver(LETTER);
  server.deliver(to("help@example.test") + long);
  server.deliver(to("somebody@elsewhere.example"));
  server.deliver(`Delivered-To: <team@example.test>\n${LETTER}`);
  await later(posthorn);
  const mails = await received(posthorn);
  const recipients = mails.map(({ recipients: all }) => all).toSorted();
  expect(recipients).toEqual([
    ["bounces@example.test"],
    ["bounces@example.test"],
    ["help@example.test"],
    ["team@example.test"],
  ]);
  expect(mails[0]).toMatchObject({ subject: "A question", spfVerdict: "GRAY" });
  const stored = await posthorn.store.read(
    (reader) =>
      reader.all<{
        bytes: number;
      }>`select cast(sum(length(bytes)) as bigint) as bytes from message_slices group by message order by 1`,
  );
  expect(stored.at(-1)?.bytes).toBe(server.folder("Posthorn").messages[1]?.raw.length as number);
  expect(server.subjects()).toEqual([]);
});

test("without a Return-Path the author is the sender: an unknown one is not the null sender of servers", async () => {
  const { posthorn, server } = await startHouse({ asInbound: true });
  server.deliver(LETTER);
  server.deliver(`Return-Path: <>\n${LETTER}`);
  await later(posthorn);
  const stored = await posthorn.store.read(
    (reader) => reader.all<{ sender: string }>`select sender from messages order by seq`,
  );
  expect(stored.map(({ sender }) => sender)).toEqual(["ada@example.com", ""]);
});

test("a report for a sender domain is read, although it is about no email", async () => {
  const { posthorn, server } = await startHouse();
  const [{ token } = { token: "" }] = await posthorn.store.read(
    (reader) => reader.all<{ token: string }>`select report_token as token from domains`,
  );
  const to = `reports-${token}@example.test`;
  server.deliver(mailWith(packed(dmarcXml()), "application/gzip", to));
  await later(posthorn);
  expect(await posthorn.store.read((reader) => reader.all`select kind from reports`)).toEqual([{ kind: "DMARC" }]);
  expect(server.subjects()).toEqual([]);
});

test("what was taken and could not be moved is moved by the next start, and taken once", async () => {
  const directory = freshDirectory();
  const { posthorn, server } = await startHouse({ asInbound: true }, { dataDir: directory.path });
  server.instead = (command) => (command.startsWith("UID MOVE") ? "" : null);
  server.deliver(LETTER);
  await later(posthorn);
  expect([await received(posthorn), server.subjects()]).toEqual([[expect.anything()], ["A question"]]);
  await open.pop()?.[Symbol.asyncDispose]();
  server.instead = () => null;
  const again = await startHouse({ asInbound: true }, { dataDir: directory.path, server, clock: posthorn.clock });
  server.deliver(LETTER);
  await later(again.posthorn);
  expect([(await received(again.posthorn)).length, server.subjects()]).toEqual([2, []]);
});

test("a server that numbers its messages anew is read on by their times", async () => {
  const { posthorn, server } = await startHouse({ asInbound: true }, { clock: new TestClock() });
  const [before, at, after] = [9, 10, 11].map((hour) => new Date(Date.now() + (hour - 9) * HOUR_MS)) as [
    Date,
    Date,
    Date,
  ];
  server.deliver(`${LETTER}`.replace("bounces@example.test", "a@elsewhere.example"), before);
  server.deliver(LETTER, at);
  server.instead = (command) => (command.startsWith("UID MOVE") ? "NO not now" : null);
  await later(posthorn);
  server.instead = () => null;
  server.renumber();
  server.deliver(LETTER.replace("question", "second question"), after);
  await later(posthorn);
  const subjects = (await received(posthorn)).map(({ subject }) => subject).toSorted();
  expect(subjects).toEqual(["A question", "A question", "A second question"]);
});

test("the server tells of news by itself", async () => {
  await using server = await MailboxServer.start();
  const idles = new Promise<void>((resolve) => (server.onIdle = resolve));
  const news = Promise.withResolvers<void>();
  const settings = mailboxAt(server.port);
  const mailbox = await openMailbox({ settings, tokens: NO_TOKENS, onNews: news.resolve });
  const position = await mailbox.begin(0);
  await idles;
  server.deliver(LETTER);
  await news.promise;
  const { messages } = await mailbox.newAfter(position);
  expect(messages).toHaveLength(1);
  mailbox.close();
});

test("a message over the limit stays, and the log says so", async () => {
  const { posthorn, server } = await startHouse({ asInbound: true });
  server.deliver(Buffer.concat([Buffer.from(LETTER.replaceAll("\n", "\r\n")), Buffer.alloc(26 * 1024 * 1024, "x")]));
  server.deliver(LETTER);
  await later(posthorn);
  expect(server.subjects()).toEqual(["A question"]);
  expect(server.asked.filter((command) => command.includes("BODY.PEEK"))).toHaveLength(1);
  expect(posthorn.logLines.filter((line) => line.includes("larger than 25 MB"))).toHaveLength(1);
});

test("a login is tried again after five minutes, and says why", async () => {
  const { posthorn, server } = await startHouse();
  server.secret = "another";
  server.hangUp();
  await later(posthorn);
  const logins = () => server.asked.filter((command) => command.startsWith("LOGIN")).length;
  expect(logins()).toBe(2);
  posthorn.clock.advance(4 * MINUTE_MS);
  await posthorn.settle();
  expect(logins()).toBe(2);
  expect(posthorn.logLines.filter((line) => line.includes("It does not accept our login"))).toHaveLength(1);
  server.secret = "secret";
  await later(posthorn);
  expect(posthorn.logLines.at(-1)).toContain("a bounce mailbox can be read again");
});

test("an access token takes the place of the password, and one that is refused is replaced once", async () => {
  await using tokens = new TokenService();
  const server = await MailboxServer.start();
  open.push(server);
  server.secret = "token-1";
  const relay = { auth: "oauth2" as const, password: null, tokenUrl: tokens.url, clientId: "app", clientSecret: "s" };
  const { posthorn } = await startHouse({ relay }, { server });
  server.secret = "token-2";
  server.hangUp();
  await later(posthorn);
  expect(server.asked.filter((command) => command.startsWith("TOKEN"))).toEqual([
    "TOKEN token-1",
    "TOKEN token-1",
    "TOKEN token-2",
  ]);
  expect(posthorn.logLines.filter((line) => line.includes("cannot be read"))).toEqual([]);
});

test("STARTTLS is insisted on where it is to be", async () => {
  const { server } = await startHouse({ relay: { tls: "starttls" } }, { tls: "starttls" });
  expect(server.asked).toContain("SELECT INBOX");
  const open = await startHouse({ relay: { tls: "starttls" } }, { tls: "starttls", without: ["STARTTLS"] });
  expect(open.server.asked.filter((command) => command !== "CAPABILITY")).toEqual([]);
  expect(open.posthorn.logLines.some((line) => line.includes("a bounce mailbox cannot be read"))).toBe(true);
});

test("a copy that is held leaves the mailbox to its original", async () => {
  const { posthorn, server } = await startHouse();
  await posthorn.store.write(holdAll);
  server.deliver(LETTER);
  await later(posthorn);
  await server.onlyHas(0);
  expect(server.subjects()).toEqual(["A question"]);
});

test.skipIf(ENGINE !== "postgres")(
  "of several servers one reads it, and another one as soon as that one is gone",
  async () => {
    const secrets = { key: "07".repeat(32) };
    const { posthorn, server } = await startHouse({ asInbound: true }, { config: { secrets } });
    const { clock, databaseUrl } = posthorn;
    const config = { secrets, database: { url: databaseUrl, connections: 4 } };
    const { posthorn: other } = await startHouse({ asInbound: true }, { server, clock, config });
    expect(server.sessions).toBe(1);
    server.deliver(LETTER);
    // The first one has not been heard of for longer than its lease.
    await later(other);
    await posthorn.settle();
    await server.onlyHas(1);
    expect(await received(posthorn)).toHaveLength(1);
    await open.pop()?.[Symbol.asyncDispose]();
    server.deliver(LETTER);
    await posthorn.settle();
    expect(server.subjects()).toEqual([]);
  },
);

test("the operator sees whether it can be read", async () => {
  const { posthorn, server } = await startHouse();
  const config = { ...DEFAULTS, data: { dir: posthorn.dataDir }, bounceMailboxes: [mailboxAt(server.port)] };
  const place = `INBOX of bounces@example.test at localhost:${server.port}`;
  expect(await lookAtMailboxes({ config })).toMatchObject([{ state: "ok", text: `${place} can be read` }]);
  server.secret = "another";
  server.hangUp();
  await later(posthorn);
  const problem = "It does not accept our login: Invalid credentials";
  expect(await lookAtMailboxes({ config })).toMatchObject([{ state: "wrong", text: `${place}: ${problem}` }]);
  const owner = await somebody(posthorn, "OWNER");
  const { body } = await owner.ask("GET /overview");
  expect(body.attention).toContainEqual({ kind: "MAILBOX_AWAY", name: "office", problem, since: expect.any(String) });
  const seen = await posthorn.store.read((reader) => conditionOf(reader, config, posthorn.clock.nowMs()));
  const needs = operatorNeeds(seen, NOTHING_YET, posthorn.clock.nowMs()).map(({ text }) => text);
  expect(needs).toContain(`The bounce mailbox office cannot be read: ${problem}`);
});

test("a message that cannot be read stays, and the log says so", async () => {
  const { posthorn, server } = await startHouse({ asInbound: true });
  server.deliver(`${"Received: by a.example\n".repeat(31)}${LETTER}`);
  await later(posthorn);
  expect(server.subjects()).toEqual(["A question"]);
  expect(posthorn.logLines.at(-1)).toContain("The message has been through too many servers");
});
