// Notices of Amazon SES through SNS: what they change, and that nobody else's do (src/mail/inbound/ses/notices.ts).
import { describe, expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { everything } from "../support/scenario.ts";
import { Amazon, CERTIFICATES, confirmation, post, sesMessage, signed, TOPIC } from "../support/sns.ts";
import type { SnsMessage } from "../../src/mail/inbound/ses/shape.ts";

const REMOTE_ID = "0102018ea1b2c3d4-11111111-2222-3333-4444-555555555555-000000";
const OUR_HOST = "https://sns.eu-west-1.amazonaws.com";

type Started = { readonly posthorn: Posthorn; readonly amazon: Amazon } & AsyncDisposable;

async function start(topics: readonly string[] = [TOPIC]): Promise<Started> {
  const amazon = new Amazon();
  const posthorn = await startPosthorn({ config: { ses: { topics } }, fetchText: amazon.fetchText });
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "Taken", remoteId: REMOTE_ID });
  return { posthorn, amazon, [Symbol.asyncDispose]: () => posthorn[Symbol.asyncDispose]() };
}

async function send(posthorn: Posthorn): Promise<string> {
  await posthorn.call("POST /contacts", { email: letter.to });
  const id = (await posthorn.call("POST /v1/send", letter)).body.data.emails[0].email;
  await posthorn.settle();
  return id;
}

async function statusOf(posthorn: Posthorn, id: string): Promise<string> {
  return (await posthorn.call(`GET /emails/${id}`)).body.status;
}

const HARD = ["email.bounce", "contact.unsubscribed"];
const bounce = (bounceType: string, bounceSubType: string, diagnosticCode = "", status = "") => ({
  bounceType,
  bounceSubType,
  bouncedRecipients: [{ emailAddress: letter.to, action: "failed", status, diagnosticCode }],
});

const DEAD = "smtp; 550 5.4.4 Host or domain name not found. Name service error for name=example.com type=A";
const topics = (...statuses: readonly (readonly [topicName: string, subscriptionStatus: string])[]) => ({
  source: "UnsubscribeHeader",
  newTopicPreferences: {
    unsubscribeAll: false,
    topicSubscriptionStatus: statuses.map(([topicName, subscriptionStatus]) => ({ topicName, subscriptionStatus })),
  },
});

const ROWS: readonly [type: string, details: object, status: string, events: readonly string[]][] = [
  ["Delivery", { processingTimeMillis: 500 }, "DELIVERED", ["email.delivery"]],
  ["Bounce", bounce("Permanent", "General", "smtp; 550 5.1.1 user unknown", "5.1.1"), "BOUNCED", HARD],
  ["Bounce", bounce("Permanent", "NoEmail"), "BOUNCED", HARD],
  ["Bounce", bounce("Permanent", "Suppressed"), "BOUNCED", HARD],
  ["Bounce", bounce("Permanent", "OnAccountSuppressionList"), "BOUNCED", HARD],
  ["Bounce", bounce("Permanent", "General", "smtp; 550 5.7.515 Access denied", "5.7.515"), "FAILED", []],
  ["Bounce", bounce("Permanent", "General"), "BOUNCED", HARD],
  ["Bounce", bounce("Permanent", "General", "smtp; 552 5.2.2 over quota", "5.2.2"), "BOUNCED", ["email.bounce"]],
  ["Bounce", bounce("Permanent", "General", "smtp; 554 blocked using zen.spamhaus.org"), "FAILED", []],
  ["Bounce", bounce("Permanent", "General", "", "5.3.4"), "BOUNCED", ["email.bounce"]],
  ["Bounce", bounce("Permanent", "UnsubscribedRecipient"), "BOUNCED", ["email.bounce", "contact.unsubscribed"]],
  ["Bounce", bounce("Permanent", "General", "smtp; 550 5.0.0 rejected", "5.0.0"), "BOUNCED", HARD],
  ["Bounce", bounce("Permanent", "General", DEAD, "5.4.4"), "BOUNCED", HARD],
  ["Subscription", { newTopicPreferences: { unsubscribeAll: true } }, "SENT", ["contact.unsubscribed"]],
  ["Subscription", topics(["news", "OptIn"], ["offers", "OptOut"]), "SENT", ["contact.unsubscribed"]],
  ["Subscription", topics(["news", "OptIn"]), "SENT", []],
  ["Rendering Failure", { errorMessage: "Attribute 'name' is not present" }, "FAILED", []],
  ["Bounce", bounce("Transient", "General"), "BOUNCED", ["email.bounce"]],
  ["Bounce", bounce("Transient", "MailboxFull", "smtp; 552 5.2.2 full", "5.2.2"), "BOUNCED", ["email.bounce"]],
  ["Bounce", bounce("Transient", "ContentRejected", "smtp; 550 5.1.1 no", "5.1.1"), "BOUNCED", ["email.bounce"]],
  ["Bounce", bounce("Undetermined", "Undetermined"), "BOUNCED", ["email.bounce"]],
  ["Bounce", {}, "BOUNCED", ["email.bounce"]],
  ["Complaint", { complaintFeedbackType: "abuse" }, "COMPLAINED", ["email.complaint", "contact.unsubscribed"]],
  ["Complaint", {}, "COMPLAINED", ["email.complaint", "contact.unsubscribed"]],
  ["Complaint", { complaintFeedbackType: "not-spam" }, "SENT", []],
  ["Complaint", { complaintFeedbackType: "virus" }, "SENT", []],
  ["Complaint", { complaintFeedbackType: "auth-failure" }, "SENT", []],
  ["Reject", { reason: "Bad content" }, "FAILED", []],
  ["Send", {}, "SENT", []],
  ["Open", {}, "SENT", []],
  ["DeliveryDelay", {}, "SENT", []],
];

test.each(ROWS)("%s %j: %s", async (type, details, status, events) => {
  await using started = await start();
  const { posthorn } = started;
  const id = await send(posthorn);
  const message = signed({ Message: sesMessage(type, { messageId: REMOTE_ID }, details) });
  for (const one of [message, signed({ ...message, MessageId: "again" }), message])
    expect((await post(posthorn, one)).status).toBe(204);
  expect(await statusOf(posthorn, id)).toBe(status);
  expect((await posthorn.eventNames()).slice(1)).toEqual([...events]);
});

test.each([
  ["SENT", "BOUNCED", []],
  ["DELIVERED", "DELIVERED", ["Delivery"]],
])("a Transient/General bounce without a reason may be a vacation note: a %s mail is %s", async (_, status, before) => {
  await using started = await start();
  const { posthorn } = started;
  const id = await send(posthorn);
  const unexplained = {
    bounceType: "Transient",
    bounceSubType: "General",
    bouncedRecipients: [{ emailAddress: letter.to }],
  };
  const notices = [
    ...before.map((type) => [type, {}] as const),
    ["Bounce", unexplained],
    ["Bounce", unexplained],
  ] as const;
  for (const [n, [type, details]] of notices.entries())
    await post(posthorn, signed({ MessageId: `n${n}`, Message: sesMessage(type, { messageId: REMOTE_ID }, details) }));
  expect(await statusOf(posthorn, id)).toBe(status);
  expect((await posthorn.eventNames()).filter((name) => name === "email.bounce")).toHaveLength(1);
  const full = bounce("Transient", "MailboxFull", "smtp; 552 5.2.2 full", "5.2.2");
  await post(posthorn, signed({ MessageId: "full", Message: sesMessage("Bounce", { messageId: REMOTE_ID }, full) }));
  expect(await statusOf(posthorn, id)).toBe("BOUNCED");
});

describe("a mail is known", () => {
  const complaint = (mail: object, name?: string) =>
    signed({ Message: sesMessage("Complaint", { messageId: "unknown", ...mail }, {}, name) });
  test.each([
    ["by what SES calls it", () => ({ messageId: REMOTE_ID })],
    ["by our tag", (id: string) => ({ tags: { emailId: [id], "ses:operation": ["SendEmail"] } })],
  ])("%s", async (_, mail) => {
    for (const name of ["eventType", "notificationType"]) {
      await using started = await start();
      const id = await send(started.posthorn);
      expect((await post(started.posthorn, complaint(mail(id), name))).status).toBe(204);
      expect(await statusOf(started.posthorn, id)).toBe("COMPLAINED");
    }
  });

  test("not by a Message-ID, which may have been copied", async () => {
    await using started = await start();
    const id = await send(started.posthorn);
    started.posthorn.clock.advance(5 * 60_000);
    const copied = complaint({ commonHeaders: { messageId: `<${id}@example.test>` } });
    expect((await post(started.posthorn, copied)).status).toBe(204);
    expect(await statusOf(started.posthorn, id)).toBe("SENT");
  });

  test("only after its hand-over is recorded: until then SNS is to try again", async () => {
    await using started = await start();
    const { posthorn } = started;
    const during: number[] = [];
    const byTag = signed();
    const byName = signed({ Message: sesMessage("Delivery", { messageId: REMOTE_ID }) });
    posthorn.transport.answer = async ({ id }) => {
      const tagged = signed({
        ...byTag,
        Message: sesMessage("Delivery", { messageId: REMOTE_ID, tags: { emailId: [id] } }),
      });
      for (const message of [tagged, byName]) during.push((await post(posthorn, message)).status);
      return { kind: "accepted", reply: "Taken", remoteId: REMOTE_ID };
    };
    const id = await send(posthorn);
    expect(during).toEqual([503, 503]);
    expect((await post(posthorn, byName)).status).toBe(204);
    expect(await statusOf(posthorn, id)).toBe("DELIVERED");
  });

  test("or it is none of ours, and after a while nobody waits for it", async () => {
    await using started = await start();
    const { posthorn } = started;
    const message = signed({ Message: sesMessage("Complaint", { messageId: "somebody-else's" }) });
    expect((await post(posthorn, message)).status).toBe(503);
    posthorn.clock.advance(3 * 60_000);
    expect((await post(posthorn, message)).status).toBe(204);
    expect(await posthorn.eventNames()).toEqual([]);
  });
});

describe("signatures", () => {
  test.each(["1", "2"] as const)("of version %s are good, whatever the message holds", async (version) => {
    await using started = await start();
    const id = await send(started.posthorn);
    const Message = sesMessage("Delivery", { messageId: REMOTE_ID, tags: { text: ['ü\n"\\ 🚀\t'] } });
    const message = signed({ SignatureVersion: version, Message, Subject: "Amazon SES\nnotice" });
    expect((await post(started.posthorn, message)).status).toBe(204);
    expect(await statusOf(started.posthorn, id)).toBe("DELIVERED");
  });

  test("take one look at the certificate", async () => {
    await using started = await start();
    for (let n = 0; n < 5; n++) await post(started.posthorn, signed());
    expect(started.amazon.asked).toEqual([CERTIFICATES.good]);
  });

  test("that cannot be looked at now are to be brought again", async () => {
    await using started = await start();
    started.amazon.isAway = true;
    const message = signed();
    expect((await post(started.posthorn, message)).body.error.code).toBe("NOTICE_EARLY");
    started.amazon.isAway = false;
    expect((await post(started.posthorn, message)).status).toBe(204);
  });
});

describe("where a certificate should be", () => {
  test("there is a page of some proxy: SNS is to try again, and finds it as soon as it is back", async () => {
    await using started = await start();
    const { posthorn, amazon } = started;
    const id = await send(posthorn);
    const message = signed({ Message: sesMessage("Delivery", { messageId: REMOTE_ID }) });
    amazon.isCaptive = true;
    for (let n = 0; n < 3; n++) expect((await post(posthorn, message)).status).toBe(503);
    expect(refusals(posthorn)).toEqual([expect.stringContaining("certificate")]);
    // A stranger can cause as many: no stack for each.
    expect(posthorn.logLines.filter((line) => line.includes("a request failed"))).toEqual([]);
    amazon.isCaptive = false;
    expect((await post(posthorn, message)).status).toBe(204);
    expect(await statusOf(posthorn, id)).toBe("DELIVERED");
  });
});

const refusals = ({ logLines }: Posthorn) => logLines.filter((line) => line.includes("was refused"));

test("what is refused of a topic that is listed is told once for each reason in an hour", async () => {
  await using started = await start();
  const { posthorn } = started;
  const FORGED = [
    () => signed({ Timestamp: "2026-02-27T09:00:00.000Z" }),
    () => signed({}, "sns-other"),
    () => signed({ TopicArn: `${TOPIC}-2` }),
  ];
  for (let n = 0; n < 3; n++) for (const forged of FORGED) expect((await post(posthorn, forged())).status).toBe(403);
  expect(refusals(posthorn)).toEqual([expect.stringContaining("too old"), expect.stringContaining("not signed")]);
  posthorn.clock.advance(3_600_000);
  await post(posthorn, signed({}, "sns-other"));
  expect(refusals(posthorn).slice(2)).toEqual([expect.stringMatching(/not signed.* moreSinceLastLine=2$/)]);
});

describe("a forgery changes nothing", () => {
  const told = { Message: sesMessage("Complaint", { messageId: REMOTE_ID }) };
  const genuine = (fields: Partial<SnsMessage> = {}) => signed({ ...told, ...fields });
  const at = (SigningCertURL: string) => () => genuine({ SigningCertURL });
  const path = new URL(CERTIFICATES.good).pathname;
  const FORGERIES: readonly [what: string, forge: () => unknown, status: number][] = [
    [
      "with another message",
      () => ({ ...genuine(), Message: sesMessage("Complaint", { messageId: `${REMOTE_ID} ` }) }),
      403,
    ],
    ["with another MessageId", () => ({ ...genuine(), MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324" }), 403],
    ["with another time", () => ({ ...genuine(), Timestamp: "2026-03-01T08:59:59.000Z" }), 403],
    ["with a subject added", () => ({ ...genuine(), Subject: "Notice" }), 403],
    ["with another type", () => ({ ...genuine(), Type: "UnsubscribeConfirmation" }), 403],
    ["with the other version of the signature", () => ({ ...genuine(), SignatureVersion: "1" }), 403],
    ["with an unknown version", () => ({ ...genuine(), SignatureVersion: "3" }), 422],
    ["with no signature", () => ({ ...genuine(), Signature: "" }), 422],
    ["with a signature of zeros", () => ({ ...genuine(), Signature: `${"A".repeat(342)}==` }), 403],
    ["signed by somebody else", () => signed(told, "sns-other"), 403],
    ["with somebody else's certificate", at(CERTIFICATES.other), 403],
    ["with a certificate that has expired", at(CERTIFICATES.expired), 503],
    ["with a certificate that is none", at(CERTIFICATES.none), 503],
    ["with a certificate that is not there", at(CERTIFICATES.away), 503],
    ["with a certificate over http", at(CERTIFICATES.good.replace("https", "http")), 403],
    ["with a certificate elsewhere", at(`https://sns.eu-west-1.amazonaws.com.evil.example${path}`), 403],
    ["with a certificate beside", at(`https://evil.example/sns.eu-west-1.amazonaws.com${path}`), 403],
    ["with a certificate in a bucket", at(`https://sns.s3.eu-west-1.amazonaws.com${path}`), 403],
    ["with a certificate at another service", at(`https://sqs.eu-west-1.amazonaws.com${path}`), 403],
    ["with a certificate at another port", at(`https://sns.eu-west-1.amazonaws.com:8443${path}`), 403],
    ["with a certificate behind a name", at(`https://sns.eu-west-1.amazonaws.com@evil.example${path}`), 403],
    ["with a certificate and a password", at(`https://a:b@sns.eu-west-1.amazonaws.com${path}`), 403],
    ["with a certificate behind a question", at(`${CERTIFICATES.good}?x=1`), 403],
    ["with another file for a certificate", at(`${OUR_HOST}/?Action=GetTopicAttributes`), 403],
    ["with no address of a certificate", at("not an address"), 403],
    ["of a topic that is not listed", () => genuine({ TopicArn: `${TOPIC}-2` }), 403],
    ["of the same topic of another account", () => genuine({ TopicArn: TOPIC.replace("1234", "9999") }), 403],
    ["of a day ago", () => genuine({ Timestamp: "2026-02-28T08:59:59.000Z" }), 403],
    ["of tomorrow", () => genuine({ Timestamp: "2026-03-02T09:00:00.000Z" }), 403],
    ["of no time", () => genuine({ Timestamp: "2026-99-99T99:99:99Z" }), 403],
    ["that is no message", () => ({}), 422],
    ["that is no object", () => "[]", 422],
    ["that is no JSON", () => "Type=Notification", 400],
    ["that is too large", () => ({ ...genuine(), Message: "x".repeat(700_000) }), 413],
  ];

  test.each(FORGERIES)("%s", async (_, forge, status) => {
    await using started = await start();
    const { posthorn, amazon } = started;
    const id = await send(posthorn);
    const before = await everything(posthorn);
    expect((await post(posthorn, forge())).status).toBe(status);
    expect(await everything(posthorn)).toEqual(before);
    expect(amazon.asked.filter((url) => !Object.values(CERTIFICATES).includes(url as never))).toEqual([]);
    // The genuine one gets through, so it was the forgery that was seen.
    await post(posthorn, genuine());
    expect(await statusOf(posthorn, id)).toBe("COMPLAINED");
  });

  test("a repeated message has no effect, not even much later or many at once", async () => {
    await using started = await start();
    const { posthorn } = started;
    const message = signed({ Message: sesMessage("Complaint", { messageId: REMOTE_ID }) });
    await send(posthorn);
    const replies = await Promise.all(Array.from({ length: 10 }, () => post(posthorn, message)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
    const contact = (await posthorn.call("POST /contacts", { email: letter.to, subscribed: true })).body;
    for (let hours = 0; hours < 30; hours += 5) {
      await post(posthorn, message);
      posthorn.clock.advance(5 * 3_600_000);
      await posthorn.settle();
    }
    expect((await posthorn.call(`GET /contacts/${contact.id}`)).body.subscribed).toBe(true);
    expect((await posthorn.eventNames()).filter((name) => name === "email.complaint")).toHaveLength(1);
  });

  test("and where no topic is listed there is nothing to talk to", async () => {
    await using started = await start([]);
    expect((await post(started.posthorn, signed())).body.error.code).toBe("ROUTE_NOT_FOUND");
    expect(started.amazon.asked).toEqual([]);
  });
});

describe("a subscription", () => {
  const isConfirmed = ({ asked }: Amazon) => asked.some((url) => url.includes("Action=ConfirmSubscription"));

  test("to a topic that is listed is confirmed, once", async () => {
    await using started = await start();
    const message = confirmation();
    for (let n = 0; n < 3; n++) expect((await post(started.posthorn, message)).status).toBe(204);
    expect(started.amazon.asked.slice(1)).toEqual([message.SubscribeURL as string]);
  });

  test.each([
    ["to another topic", () => confirmation({ TopicArn: `${TOPIC}-2` })],
    [
      "that is confirmed elsewhere",
      () => confirmation({ SubscribeURL: `https://evil.example/?Action=ConfirmSubscription&TopicArn=${TOPIC}` }),
    ],
    [
      "that is confirmed over http",
      () =>
        confirmation({ SubscribeURL: `${OUR_HOST.replace("s:", ":")}/?Action=ConfirmSubscription&TopicArn=${TOPIC}` }),
    ],
    [
      "that confirms another one",
      () => confirmation({ SubscribeURL: `${OUR_HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}-2&Token=1` }),
    ],
    [
      "that does something else",
      () => confirmation({ SubscribeURL: `${OUR_HOST}/?Action=DeleteTopic&TopicArn=${TOPIC}` }),
    ],
    ["without an address", () => confirmation({ SubscribeURL: undefined as never })],
    [
      "whose address was changed",
      () => ({ ...confirmation(), SubscribeURL: `${OUR_HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2` }),
    ],
    ["whose token was changed", () => ({ ...confirmation(), Token: "2" })],
  ])("%s is not", async (_, message) => {
    await using started = await start();
    expect((await post(started.posthorn, message())).status).toBe(403);
    expect(isConfirmed(started.amazon)).toBe(false);
  });

  test("that Amazon does not take now is to be brought again", async () => {
    await using started = await start();
    await post(started.posthorn, signed());
    started.amazon.isAway = true;
    const message = confirmation();
    expect((await post(started.posthorn, message)).status).toBe(503);
    started.amazon.isAway = false;
    expect((await post(started.posthorn, message)).status).toBe(204);
    expect(started.posthorn.logLines.join("\n")).not.toContain("Token=");
  });

  test("that has ended is told in the log, once", async () => {
    await using started = await start();
    const message = confirmation({ Type: "UnsubscribeConfirmation" });
    for (let n = 0; n < 3; n++) expect((await post(started.posthorn, message)).status).toBe(204);
    expect(isConfirmed(started.amazon)).toBe(false);
    expect(started.posthorn.logLines.filter((line) => line.includes("no longer sends"))).toHaveLength(1);
  });
});
