// Complaints to an address for feedback loops, from the SMTP session to the mail that they prove.
import { describe, expect, test } from "bun:test";
import { trackingMarks } from "../../src/sending/carrier/tracking/links.ts";
import { returnPathFor } from "../../src/mail/emails/return-path.ts";
import { letter } from "../support/mails.ts";
import { bring, ELSEWHERE, received, signed, startHouse, type House } from "../support/outside.ts";
import { TableResolver } from "../support/resolver.ts";

const DOMAIN = "bounces.example.test";
const FROM = "staff@fbl.test";

type Sent = House & { readonly id: string; readonly messageId: string; readonly path: string };

type Wanted = { readonly template?: object; readonly returnPathDomain?: string; readonly [field: string]: unknown };

async function send({ template, returnPathDomain = DOMAIN, ...fields }: Wanted = {}): Promise<Sent & AsyncDisposable> {
  const resolver = new TableResolver(ELSEWHERE);
  const house = await startHouse({ config: { delivery: { returnPathDomain } }, resolver });
  const { posthorn } = house;
  await posthorn.call("POST /contacts", { email: letter.to });
  const { id: made } = template ? (await posthorn.call("POST /templates", template)).body : { id: null };
  const said = made === null ? letter : { to: letter.to, template: made };
  const { body } = await posthorn.call("POST /v1/send", { ...said, ...fields });
  const id = body.data.emails[0].email as string;
  await posthorn.settle();
  const { messageId } = (await posthorn.call(`GET /emails/${id}`)).body;
  const path = returnPathFor(posthorn.secrets, id, DOMAIN);
  return { ...house, id, messageId, path, [Symbol.asyncDispose]: () => posthorn[Symbol.asyncDispose]() };
}

async function sendNews(): Promise<Sent & AsyncDisposable> {
  const template = {
    name: "News",
    type: "MARKETING",
    subject: "News",
    body: "<p>Hello</p>",
    from: "hello@example.test",
  };
  return send({ template, subscribed: true });
}

/** The message as it left, without the breaks of its encoding. */
function newsOf({ posthorn }: Sent): string {
  const { raw } = posthorn.transport.sent.at(-1) as { readonly raw: Buffer };
  return raw.toString("latin1").replace(/=\r\n/g, "");
}

/** A field of it, unfolded. */
function fieldOf(message: string, name: string): string | undefined {
  const header = message.slice(0, message.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  return new RegExp(`^${name}: (.*)$`, "im").exec(header)?.[1]?.trim();
}

type Said = { readonly type?: string; readonly fields?: string; readonly original?: string; readonly from?: string };

function arf({ type = "abuse", fields = "", original = "", from = FROM }: Said): string {
  return `From: ${from}
To: fbl@example.test
Subject: A complaint
Message-ID: <1@fbl.test>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="B"

--B
Content-Type: text/plain

This is an email abuse report.

--B
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: Loop/1.0
Version: 1
${fields}
--B
Content-Type: message/rfc822

From: Shop <hello@example.test>
Subject: Hello
${original}

Hello

--B--
`;
}

/** What comes of it: the state of the mail, whether the person is subscribed, and how many mails came to the inbox. */
async function after({ posthorn, port, id }: Sent, message: string | Buffer, to = "fbl@example.test") {
  expect(await bring({ port }, message, { from: FROM, to: [to] })).toBe("250 2.6.0 Stored");
  await posthorn.settle();
  const contacts = (await posthorn.call("GET /contacts")).body.data as { email: string; subscribed: boolean }[];
  const contact = contacts.find(({ email }) => email === letter.to);
  const { status } = (await posthorn.call(`GET /emails/${id}`)).body;
  return [status, contact?.subscribed, (await received(posthorn)).length];
}

const COMPLAINED = ["COMPLAINED", false, 0];

describe("a complaint is taken", () => {
  test.each<[string, (sent: Sent) => string]>([
    ["by the return path", ({ path }) => arf({ fields: `Original-Mail-From: <${path}>\n` })],
    ["by the return path in the original", ({ path }) => arf({ original: `Return-Path: <${path}>` })],
    [
      "by a return path that a forwarder wrote anew",
      ({ path }) =>
        arf({
          fields: `Original-Mail-From: <SRS0=x=y=example.test=${path.replace("@bounces.example.test", "")}@f.test>\n`,
        }).replace("=b+", "=b+"),
    ],
    ["by the Message-ID", ({ messageId }) => arf({ original: `Message-ID: ${messageId}` })],
    [
      "by the Message-ID, with the recipient",
      ({ messageId }) => arf({ fields: `Original-Rcpt-To: ${letter.to}\n`, original: `Message-ID: ${messageId}` }),
    ],
    [
      "by the Message-ID, the recipient redacted",
      ({ messageId }) =>
        arf({ fields: `Original-Rcpt-To: k6x3h@${letter.to.split("@")[1]}\n`, original: `Message-ID: ${messageId}` }),
    ],
    ["by our id", ({ id }) => arf({ original: `X-Posthorn-Id: ${id}` })],
    ["by our id, as a provider has it", ({ id }) => arf({ original: `X-Mailgun-Variables: {"posthorn-id":"${id}"}` })],
    ["by CFBL-Feedback-ID", ({ path }) => arf({ original: `CFBL-Feedback-ID: ${path.slice(2, 36)}` })],
  ])("%s", async (_, written) => {
    await using sent = await send();
    expect(await after(sent, written(sent))).toEqual(COMPLAINED);
    expect(await after(sent, written(sent))).toEqual(COMPLAINED);
    expect((await sent.posthorn.eventNames()).filter((name) => name === "email.complaint")).toHaveLength(1);
  });

  test("by the link of marketing mail, in a body that is encoded", async () => {
    await using sent = await sendNews();
    const [, link = ""] = /\/unsubscribe\/([\w-]{59})/.exec(newsOf(sent)) ?? [];
    const encoded = Buffer.from(`<p><a href="https://mail.example.test/unsubscribe/${link}">leave</a></p>`);
    const type = "MIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: base64";
    const report = arf({ original: type }).replace("\nHello\n", `\n${encoded.toString("base64")}\n`);
    expect(await after(sent, report)).toEqual(COMPLAINED);
  });

  test("by the pixel", async () => {
    await using sent = await send();
    const base = "https://mail.example.test";
    const pixel = trackingMarks(sent.posthorn.secrets, { base, boundTo: null }, sent.id).openToken;
    const report = arf({}).replace("\nHello\n", `\nhttps://mail.example.test/o/${pixel}\n`);
    expect(await after(sent, report)).toEqual(COMPLAINED);
  });

  test.each(["abuse@example.test", "postmaster@example.test", "fbl@bounces.example.test"])("at %s", async (to) => {
    await using sent = await send();
    expect(await after(sent, arf({ original: `Message-ID: ${sent.messageId}` }), to)).toEqual(COMPLAINED);
  });

  test("as Microsoft's junk mail program writes it", async () => {
    await using sent = await send();
    const mail = `X-HmXmrOriginalRecipient: ${letter.to}\nFrom: hello@example.test\nTo: ${letter.to}\nSubject: Hello\nMessage-ID: ${sent.messageId}\n\nHello\n`;
    expect(await after(sent, mail)).toEqual(COMPLAINED);
  });
});

describe("it is mail as any other, and no complaint,", () => {
  const SENT = ["SENT", true, 1];
  test.each<[string, (sent: Sent) => string | Promise<string>]>([
    ["if it names no mail", () => arf({ fields: `Original-Rcpt-To: ${letter.to}\n` })],
    [
      "if its signature is not ours",
      ({ path }) => arf({ original: `Return-Path: <${path.replace(/[a-z2-7]{6}@/, "aaaaaa@")}>` }),
    ],
    [
      "if it names another's mail",
      ({ messageId }) => arf({ fields: "Original-Rcpt-To: eve@other.test\n", original: `Message-ID: ${messageId}` }),
    ],
    [
      "if its author is forged and nothing is signed",
      ({ messageId }) => arf({ from: "staff@elsewhere.test", original: `Message-ID: ${messageId}` }),
    ],
    [
      "if the person says that it is no spam",
      ({ path }) =>
        arf({ type: "not-spam", original: `Return-Path: <${path}>\nX-HmXmrOriginalRecipient: ${letter.to}` }),
    ],
    [
      "if a person writes",
      ({ path }) => `From: ${FROM}\nTo: fbl@example.test\nSubject: Question\n\nWhat is ${path}?\n`,
    ],
    [
      "if a person quotes a report of Microsoft's",
      ({ path }) =>
        `From: ${FROM}\nTo: abuse@example.test\nSubject: Question\n\nWhat is this?\nX-HmXmrOriginalRecipient: ${letter.to}\nReturn-Path: <${path}>\n`,
    ],
  ])("%s", async (_, written) => {
    await using sent = await send();
    expect(await after(sent, await written(sent))).toEqual(SENT);
  });

  test("if it comes to an address for people", async () => {
    await using sent = await send();
    expect(await after(sent, arf({ original: `Message-ID: ${sent.messageId}` }), "help@example.test")).toEqual(SENT);
  });

  test("if only the whole group's Message-ID is known", async () => {
    await using sent = await send({ to: [letter.to, "bob@example.com"], group: true });
    const forged = arf({ fields: `Original-Rcpt-To: ${letter.to}\n`, original: `Message-ID: ${sent.messageId}` });
    expect((await after(sent, forged))[0]).toBe("SENT");
  });
});

test("a report that its author has signed is taken by the Message-ID", async () => {
  await using sent = await send();
  const report = await signed(arf({ from: "staff@elsewhere.test", original: `Message-ID: ${sent.messageId}` }));
  expect(await after(sent, report)).toEqual(COMPLAINED);
});

describe("marketing mail says where complaints may go (RFC 9477)", () => {
  test("at the return-path domain below the sender's, signed, with an id that proves the mail", async () => {
    await using sent = await sendNews();
    const message = newsOf(sent);
    expect(fieldOf(message, "CFBL-Address")).toBe("fbl@bounces.example.test; report=arf");
    const id = fieldOf(message, "CFBL-Feedback-ID") ?? "";
    expect(id).toBe(sent.path.slice(2, 36));
    expect(fieldOf(message, "DKIM-Signature")).toMatch(/h=[^;]*cfbl-address[^;]*;/);
    expect(fieldOf(message, "DKIM-Signature")).toMatch(/h=[^;]*cfbl-feedback-id[^;]*;/);
    const report = arf({ original: `CFBL-Feedback-ID: ${id}` });
    expect(await after(sent, report, "fbl@bounces.example.test")).toEqual(COMPLAINED);
  });

  test("at the sender's domain itself, if its mail arrives here", async () => {
    const host = "mx.posthorn.example";
    const zones = { ...ELSEWHERE, [host]: { A: ["192.0.2.7"] }, "example.test": { MX: [host] } };
    const house = await startHouse({ config: { smtp: { hostname: host } }, resolver: new TableResolver(zones) });
    await using posthorn = house.posthorn;
    const [domain] = (await posthorn.call("GET /domains")).body.data;
    await posthorn.call(`POST /domains/${domain.id}/verify`);
    const news = { name: "News", type: "MARKETING", subject: "News", body: "<p>Hello</p>", from: "hello@example.test" };
    const template = (await posthorn.call("POST /templates", news)).body.id;
    await posthorn.call("POST /v1/send", { to: letter.to, template, subscribed: true });
    await posthorn.settle();
    const message = newsOf({ ...house, id: "", messageId: "", path: "" });
    expect(fieldOf(message, "CFBL-Address")).toBe("fbl@example.test; report=arf");
    expect(fieldOf(message, "CFBL-Feedback-ID")).toMatch(/^[a-z2-7]{34}$/);
  });

  test("nowhere, if no address of the sender's domain leads here; transactional mail never", async () => {
    const news = { name: "News", type: "MARKETING", subject: "News", body: "<p>Hello</p>", from: "hello@example.test" };
    await using elsewhere = await send({ template: news, subscribed: true, returnPathDomain: "bounces.other.test" });
    expect(fieldOf(newsOf(elsewhere), "CFBL-Address")).toBeUndefined();
    await using plain = await send();
    expect(fieldOf(newsOf(plain), "CFBL-Address")).toBeUndefined();
  });
});
