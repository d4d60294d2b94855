// Reports of the relay's provider: what each changes, and that nobody else's do (src/mail/providers/).
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { DEFAULTS } from "../../src/base/config.ts";
import { RULES } from "../../src/base/config/rules.ts";
import { lookAtReports } from "../../src/operator/operation/doctor/store.ts";
import { letter } from "../support/mails.ts";
import { somebody } from "../support/people.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { everything } from "../support/scenario.ts";
import {
  TO,
  mailgun,
  mailgunFailed,
  postmark,
  postmarkBounce,
  sendgrid,
  resend,
  resendBounce,
  brevo,
  mailjet,
  mailjetBounce,
  sparkpost,
  sparkpostBounce,
  generic,
} from "../support/provider-events.ts";
import { KEYS, pathOf, post, posted } from "../support/providers.ts";
import type { ProviderName } from "../../src/mail/providers/table.ts";
import { workspace } from "../support/workspace.ts";

async function start(provider: ProviderName, relay: object = {}) {
  const config = { relay: { provider, providerKey: KEYS[provider], ...relay } };
  return workspace({ config });
}

async function send(posthorn: Posthorn, fields: object = {}): Promise<string> {
  await posthorn.call("POST /contacts", { email: letter.to });
  const { body } = await posthorn.call("POST /v1/send", { ...letter, ...fields });
  await posthorn.settle();
  return body.data.emails[0].email;
}

async function statusOf(posthorn: Posthorn, id: string): Promise<string> {
  const { status, bounceType } = (await posthorn.call(`GET /emails/${id}`)).body;
  return bounceType === null ? status : `${status} ${bounceType}`;
}

/** What was seen once is remembered, and changes nothing else. */
const withoutNotices = ({ notices: _, ...rest }: Record<string, unknown[]>) => rest;

const NOBODY = "550 5.1.1 The email account that you tried to reach does not exist.";
const SPAM = "554 5.7.1 blocked using zen.spamhaus.org";
const FULL = "552 5.2.2 mailbox is full";

type Row = readonly [what: string, event: (id: string) => object, status: string];

const ROWS: Readonly<Record<ProviderName, readonly Row[]>> = {
  mailgun: [
    ["delivered", mailgun("delivered", { "delivery-status": { code: 250, message: "OK" } }), "DELIVERED"],
    [
      "nobody there",
      mailgunFailed("permanent", "bounce", { code: 550, message: NOBODY, "bounce-type": "hard" }),
      "BOUNCED Permanent",
    ],
    ["spam", mailgunFailed("permanent", "bounce", { code: 554, message: SPAM }), "FAILED"],
    ["full", mailgunFailed("permanent", "old", { code: 452, message: "4.2.2 mailbox full" }), "BOUNCED Transient"],
    [
      "bounced before",
      mailgunFailed("permanent", "suppress-bounce", {
        code: 605,
        message: "",
        description: "Not delivering to previously bounced address",
      }),
      "BOUNCED Permanent",
    ],
    [
      "unsubscribed there",
      mailgunFailed("permanent", "suppress-unsubscribe", {
        code: 606,
        description: "Not delivering to unsubscribed address",
      }),
      "BOUNCED Transient",
    ],
    ["tried again", mailgunFailed("temporary", "generic", { code: 451, message: "try later" }), "SENT"],
    ["a complaint", mailgun("complained"), "COMPLAINED"],
    ["accepted", mailgun("accepted"), "SENT"],
    [
      "not taken",
      mailgun("rejected", { reject: { reason: "Sandbox subdomains are for test purposes only" } }),
      "FAILED",
    ],
  ],
  postmark: [
    ["delivered", postmark("Delivery", { Details: "250 OK", DeliveredAt: "2026-03-01T09:00:00Z" }), "DELIVERED"],
    ["nobody there", postmarkBounce("HardBounce", 1, `smtp;${NOBODY}`), "BOUNCED Permanent"],
    ["full", postmarkBounce("SoftBounce", 4096, `smtp;${FULL}`), "BOUNCED Transient"],
    ["spam", postmarkBounce("Blocked", 100006, `smtp;${SPAM}`), "FAILED"],
    ["tried again", postmarkBounce("Transient", 2, "smtp;451 later"), "SENT"],
    ["out of office", postmarkBounce("AutoResponder", 64, "I am away"), "SENT"],
    ["a complaint", postmark("SpamComplaint", { Type: "SpamComplaint", TypeCode: 512 }), "COMPLAINED"],
  ],
  sendgrid: [
    ["delivered", sendgrid("delivered", { response: "250 OK" }), "DELIVERED"],
    ["nobody there", sendgrid("bounce", { type: "bounce", reason: NOBODY, status: "5.1.1" }), "BOUNCED Permanent"],
    ["spam", sendgrid("bounce", { type: "blocked", reason: SPAM, status: "5.7.1" }), "FAILED"],
    ["full", sendgrid("bounce", { type: "blocked", reason: FULL, status: "5.2.2" }), "BOUNCED Transient"],
    ["bounced before", sendgrid("dropped", { reason: "Bounced Address", status: "5.0.0" }), "BOUNCED Permanent"],
    ["no address", sendgrid("dropped", { reason: "Invalid" }), "BOUNCED Permanent"],
    ["over quota", sendgrid("dropped", { reason: "Recipient List over Package Quota" }), "FAILED"],
    ["tried again", sendgrid("deferred", { response: "400 try again later", attempt: "5" }), "SENT"],
    ["a complaint", sendgrid("spamreport"), "COMPLAINED"],
  ],
  resend: [
    ["delivered", resend("email.delivered"), "DELIVERED"],
    ["nobody there", resendBounce("Permanent", "General", NOBODY), "BOUNCED Permanent"],
    ["spam", resendBounce("Transient", "ContentRejected", SPAM), "FAILED"],
    ["full", resendBounce("Transient", "MailboxFull", FULL), "BOUNCED Transient"],
    [
      "bounced before",
      resend("email.suppressed", { suppressed: { type: "OnAccountSuppressionList", message: "It is on the list." } }),
      "BOUNCED Permanent",
    ],
    ["over quota", resend("email.failed", { failed: { reason: "reached_daily_quota" } }), "FAILED"],
    ["tried again", resend("email.delivery_delayed"), "SENT"],
    ["a complaint", resend("email.complained"), "COMPLAINED"],
  ],
  brevo: [
    ["delivered", brevo("delivered"), "DELIVERED"],
    ["nobody there", brevo("hard_bounce", { reason: NOBODY }), "BOUNCED Permanent"],
    ["full", brevo("soft_bounce", { reason: FULL }), "BOUNCED Transient"],
    ["soft, in the words of a hard one", brevo("soft_bounce", { reason: NOBODY }), "BOUNCED Transient"],
    ["spam", brevo("hard_bounce", { reason: SPAM }), "FAILED"],
    ["no address", brevo("invalid_email"), "BOUNCED Permanent"],
    ["on their list", brevo("blocked", { reason: "blocked : due to blacklist user" }), "BOUNCED Transient"],
    ["tried again", brevo("deferred", { reason: "try later" }), "SENT"],
    ["a complaint", brevo("spam"), "COMPLAINED"],
  ],
  mailjet: [
    ["delivered", mailjet("sent", { smtp_reply: "sent (250 2.0.0 OK)" }), "DELIVERED"],
    [
      "nobody there",
      mailjetBounce(true, "recipient", "user unknown", "Host or domain name not found"),
      "BOUNCED Permanent",
    ],
    ["full", mailjetBounce(false, "recipient", "quota exceeded"), "BOUNCED Transient"],
    ["spam", mailjetBounce(false, "spam", "content blocked", SPAM), "FAILED"],
    ["bounced before", mailjet("blocked", { error_related_to: "mailjet", error: "preblocked" }), "BOUNCED Permanent"],
    ["greylisted", mailjetBounce(false, "domain", "greylisted"), "BOUNCED Transient"],
    ["a complaint", mailjet("spam", { source: "JMRPP" }), "COMPLAINED"],
  ],
  sparkpost: [
    ["delivered", sparkpost("delivery"), "DELIVERED"],
    ["nobody there", sparkpostBounce("10", "550", NOBODY), "BOUNCED Permanent"],
    ["later", sparkpostBounce("10", "550", NOBODY, "out_of_band"), "BOUNCED Permanent"],
    ["full", sparkpostBounce("22", "552", FULL), "BOUNCED Transient"],
    ["spam", sparkpostBounce("51", "554", SPAM), "FAILED"],
    ["out of office", sparkpostBounce("60", "", "away"), "SENT"],
    [
      "bounced before",
      sparkpost("policy_rejection", {
        bounce_class: "25",
        raw_reason: "554 5.7.1 recipient address was suppressed due to previous hard bounce",
      }),
      "BOUNCED Permanent",
    ],
    [
      "against their rules",
      sparkpost("policy_rejection", { bounce_class: "25", raw_reason: "551 5.7.1 sending domain is not verified" }),
      "FAILED",
    ],
    ["tried again", sparkpost("delay", { raw_reason: "451 later" }), "SENT"],
    ["a complaint", sparkpost("spam_complaint", { fbtype: "abuse" }), "COMPLAINED"],
  ],
  generic: [
    ["delivered", generic("delivered"), "DELIVERED"],
    ["nobody there", generic("bounced", { bounceType: "Permanent", reason: NOBODY }), "BOUNCED Permanent"],
    ["gone, without a reason", generic("bounced", { bounceType: "Permanent" }), "BOUNCED Permanent"],
    ["full", generic("bounced", { reason: FULL }), "BOUNCED Transient"],
    ["spam", generic("bounced", { bounceType: "Permanent", reason: SPAM }), "FAILED"],
    ["a complaint", generic("complained"), "COMPLAINED"],
  ],
};

describe.each(Object.keys(ROWS) as ProviderName[])("%s", (name) => {
  test.each(ROWS[name])("reports %s", async (_, event, status) => {
    await using posthorn = await start(name);
    const id = await send(posthorn);
    const request = posted(posthorn, name, event(id));
    expect((await post(posthorn, name, request)).status).toBe(200);
    expect(await statusOf(posthorn, id)).toBe(status);
    const before = await everything(posthorn);
    for (const again of [request, posted(posthorn, name, event(id))])
      expect((await post(posthorn, name, again)).status).toBe(200);
    expect(withoutNotices(await everything(posthorn))).toEqual(withoutNotices(before));
  });

  test("is believed by its proof alone", async () => {
    await using posthorn = await start(name, { providerKey: KEYS[name] ?? "user:password" });
    const id = await send(posthorn);
    const [, event] = ROWS[name].find(([, , status]) => status === "COMPLAINED") as Row;
    const before = await everything(posthorn);
    const forged = posted(posthorn, name, event(id), "whsec_c29tZWJvZHkgZWxzZQ==");
    for (const request of [forged, { ...posted(posthorn, name, event(id)), headers: {} }].slice(
      0,
      name === "mailgun" ? 1 : 2,
    ))
      expect((await post(posthorn, name, request)).body.error.code).toBe("FORBIDDEN");
    const elsewhere = pathOf(posthorn, name).replace(/.$/, (sign) => (sign === "A" ? "Q" : "A"));
    const lost = posted(posthorn, name, event(id));
    expect((await posthorn.call(`POST ${elsewhere}`, lost.body, { authorization: "", ...lost.headers })).status).toBe(
      404,
    );
    expect(await everything(posthorn)).toEqual(before);
    expect(posthorn.logLines.filter((line) => line.includes("was refused"))).toHaveLength(1);
  });
});

test.each(["mailgun", "sendgrid", "resend"] as const)("an old request of %s is a replay", async (name) => {
  await using posthorn = await start(name);
  const id = await send(posthorn);
  const request = posted(posthorn, name, (ROWS[name][0] as Row)[1](id));
  posthorn.clock.advance(25 * 3_600_000);
  expect((await post(posthorn, name, request)).status).toBe(403);
  expect(await statusOf(posthorn, id)).toBe("SENT");
});

test("the token that Mailgun signs proves one event", async () => {
  await using posthorn = await start("mailgun");
  const id = await send(posthorn);
  const request = posted(posthorn, "mailgun", mailgun("delivered")(id));
  await post(posthorn, "mailgun", request);
  const { signature } = JSON.parse(request.body);
  const body = JSON.stringify({ signature, "event-data": mailgun("complained")(id) });
  expect((await post(posthorn, "mailgun", { body, headers: {} })).body.recorded).toBe(0);
  expect(await statusOf(posthorn, id)).toBe("DELIVERED");
});

describe("a mail is known", () => {
  const reported = (fields: object) => ({ type: "complained", ...fields });

  test("by its Message-ID together with its recipient", async () => {
    await using posthorn = await start("generic");
    const id = await send(posthorn);
    const messageId = `${id}@example.test`;
    for (const fields of [{ messageId }, { recipient: TO }, { messageId, recipient: "bob@example.com" }])
      expect((await post(posthorn, "generic", posted(posthorn, "generic", reported(fields)))).body.recorded).toBe(0);
    expect(await statusOf(posthorn, id)).toBe("SENT");
    const known = reported({ messageId: `<${messageId}>`, recipient: TO.toUpperCase() });
    expect((await post(posthorn, "generic", posted(posthorn, "generic", known))).body).toEqual({
      events: 1,
      recorded: 1,
    });
    expect(await statusOf(posthorn, id)).toBe("COMPLAINED");
  });

  test("in a group by its recipient", async () => {
    await using posthorn = await start("generic");
    const { body } = await posthorn.call("POST /v1/send", { ...letter, to: [TO, "bob@example.com"], group: true });
    await posthorn.settle();
    const [ada, bob] = body.data.emails.map(({ email }: { email: string }) => email);
    const { messageId } = (await posthorn.call(`GET /emails/${bob}`)).body;
    const event = reported({ messageId, recipient: "bob@example.com" });
    await post(posthorn, "generic", posted(posthorn, "generic", event));
    expect([await statusOf(posthorn, ada), await statusOf(posthorn, bob)]).toEqual(["SENT", "COMPLAINED"]);
  });

  test("by what the relay called it", async () => {
    await using posthorn = await start("sparkpost");
    posthorn.transport.answer = () => ({ kind: "accepted", reply: "Taken", remoteId: "000443ee14578172be22" });
    const id = await send(posthorn);
    await post(posthorn, "sparkpost", posted(posthorn, "sparkpost", sparkpost("delivery", { rcpt_meta: {} })("")));
    expect(await statusOf(posthorn, id)).toBe("DELIVERED");
  });

  test("only after its hand-over is recorded: until then the provider is to try again", async () => {
    await using posthorn = await start("generic");
    const during: number[] = [];
    posthorn.transport.answer = async ({ id }) => {
      during.push((await post(posthorn, "generic", posted(posthorn, "generic", generic("delivered")(id)))).status);
      return { kind: "accepted", reply: "Taken" };
    };
    const id = await send(posthorn);
    expect(during).toEqual([503]);
    await post(posthorn, "generic", posted(posthorn, "generic", generic("delivered")(id)));
    expect(await statusOf(posthorn, id)).toBe("DELIVERED");
  });
});

describe("opens and clicks", () => {
  const VISITS: readonly (readonly [ProviderName, (id: string) => object, (id: string) => object])[] = [
    ["mailgun", mailgun("opened", { "client-info": {} }), mailgun("clicked", { url: "https://example.com/a" })],
    ["postmark", postmark("Open", { FirstOpen: true }), postmark("Click", { OriginalLink: "https://example.com/a" })],
    ["sendgrid", sendgrid("open", { sg_machine_open: false }), sendgrid("click", { url: "https://example.com/a" })],
    ["resend", resend("email.opened"), resend("email.clicked", { click: { link: "https://example.com/a" } })],
    ["brevo", brevo("opened"), brevo("click", { link: "https://example.com/a" })],
    ["mailjet", mailjet("open"), mailjet("click", { url: "https://example.com/a" })],
    [
      "sparkpost",
      sparkpost("open", {}, "track_event"),
      sparkpost("click", { target_link_url: "https://example.com/a" }, "track_event"),
    ],
    ["generic", generic("opened"), generic("clicked", { link: "https://example.com/a" })],
  ];
  test.each(VISITS)("of %s are taken if told to", async (name, open, click) => {
    for (const providerTracking of [false, true]) {
      await using posthorn = await start(name, { providerTracking });
      const id = await send(posthorn);
      for (const event of [open, click, open]) await post(posthorn, name, posted(posthorn, name, event(id)));
      const { opens, clicks } = (await posthorn.call(`GET /emails/${id}`)).body;
      expect([opens, clicks]).toEqual(providerTracking ? [1, 1] : [0, 0]);
    }
  });
});

describe("a batch", () => {
  test("is taken as a whole, the known and the unknown", async () => {
    await using posthorn = await start("sendgrid");
    const id = await send(posthorn);
    const events = [...sendgrid("delivered")(id), ...sendgrid("spamreport")(id), ...sendgrid("bounce")("")];
    const { body } = await post(posthorn, "sendgrid", posted(posthorn, "sendgrid", events));
    expect(body).toEqual({ events: 3, recorded: 2 });
    expect(await statusOf(posthorn, id)).toBe("COMPLAINED");
  });

  test("is bounded", async () => {
    await using posthorn = await start("generic");
    const many = (count: number) => posted(posthorn, "generic", Array(count).fill(generic("delivered")("")));
    expect((await post(posthorn, "generic", many(1_000))).body).toEqual({ events: 1_000, recorded: 0 });
    expect((await post(posthorn, "generic", many(1_001))).status).toBe(422);
  });

  test.each([
    ["no JSON", "{", 400],
    ["another kind of event", '{"type":"lost"}', 422],
    ["too many fields", `[${"[],".repeat(100_001)}[]]`, 422],
  ])("that is %s is refused", async (_, body, status) => {
    await using posthorn = await start("generic");
    expect((await post(posthorn, "generic", { body, headers: {} })).status).toBe(status);
  });
});

test("without a provider, and for another one, there is no such route", async () => {
  await using posthorn = await workspace();
  expect((await post(posthorn, "generic", posted(posthorn, "generic", {}))).status).toBe(404);
  await using other = await start("brevo");
  expect((await post(other, "generic", posted(other, "generic", {}))).status).toBe(404);
});

test("owners see where the provider is to report, and when it last did", async () => {
  await using posthorn = await start("generic");
  const owner = await somebody(posthorn, "OWNER");
  const shown = async () => (await owner.ask("GET /installation")).body.reports;
  const url = `http://127.0.0.1:8484${pathOf(posthorn, "generic")}`;
  expect(await shown()).toEqual({ provider: "generic", url, lastAt: null });
  const report = async () => post(posthorn, "generic", posted(posthorn, "generic", generic("delivered")("")));
  await report();
  expect((await shown()).lastAt).toBe("2026-03-01T09:00:00.000Z");
  posthorn.clock.advance(30_000);
  await report();
  expect((await shown()).lastAt).toBe("2026-03-01T09:00:00.000Z");
  posthorn.clock.advance(31_000);
  await report();
  expect((await shown()).lastAt).toBe("2026-03-01T09:01:01.000Z");
});

test("the doctor warns of a provider that has never reported", async () => {
  await using posthorn = await start("generic");
  const { store } = posthorn;
  const [way] = posthorn.server.ways.all;
  const looked = async (provider: "generic" | null) =>
    lookAtReports({ store, config: DEFAULTS, ways: [{ ...way, relay: { ...way.relay, provider } }], machineMs: 0 });
  expect(await looked(null)).toEqual([]);
  expect(await looked("generic")).toMatchObject([{ state: "wrong", text: "generic has never reported anything" }]);
  await post(posthorn, "generic", posted(posthorn, "generic", generic("delivered")("")));
  expect(await looked("generic")).toMatchObject([{ state: "ok" }]);
});

test("the reports that the guide shows are taken", async () => {
  await using posthorn = await start("generic");
  const page = readFileSync("docs/providers.md", "utf8");
  const [, reports = ""] = /```jsonc\n(\[[^`]*)```/.exec(page) ?? [];
  const answer = await post(posthorn, "generic", { body: reports, headers: {} });
  expect([answer.status, answer.body]).toEqual([200, { events: 2, recorded: 0 }]);
});

test.each([
  ["a provider that signs, without its key", { provider: "mailgun" }],
  ["a key that is none", { provider: "sendgrid", providerKey: "MFkwEwYHKoZI" }],
  ["a key without a provider", { providerKey: "secret" }],
])("the configuration refuses %s", (_, relay) => {
  const broken = RULES.filter((rule) =>
    rule.isBroken({ ...DEFAULTS, relay: { ...DEFAULTS.relay, ...relay } as never }),
  );
  expect(broken.map(({ key }) => key)).toEqual([expect.stringContaining("relay.provider")]);
});
