// Postmark's own client for Node, unchanged but for its host, against this server.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ServerClient } from "postmark";
import { threadCpuMs } from "../../src/base/clock.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await workspace();
  const template = { name: "Bill", alias: "bill", subject: "Bill {{ number }}", body: "<p>{{ number }}</p>" };
  await ask(posthorn, "POST /templates", { body: { ...template, type: "TRANSACTIONAL" } });
});
afterAll(() => posthorn[Symbol.asyncDispose]());

function clientWith(key = posthorn.keys.secret, server = posthorn.server.url) {
  const { host } = new URL(server);
  return new ServerClient(key, { requestHost: `${host}/compat/postmark`, useHttps: false });
}

const letter = { From: "Shop <shop@example.test>", To: "ada@example.com", Subject: "Hi", HtmlBody: "<p>Hello</p>" };
const bill = { From: "shop@example.test", To: "ada@example.com", TemplateAlias: "bill", TemplateModel: { number: 7 } };
const NOBODY = "0199a3b4-0000-7000-8000-000000000000";
const mailOf = async (id: string) => (await ask(posthorn, `GET /emails/${id}`)).body;

async function refusal(call: Promise<unknown>): Promise<Json> {
  return call.then(
    () => null,
    ({ name, statusCode, code }: Json) => ({ name, statusCode, code }),
  );
}

describe("an email", () => {
  test("is sent, and answered as Postmark answers", async () => {
    const answer = await clientWith().sendEmail(letter);
    expect(answer).toEqual({
      To: "ada@example.com",
      SubmittedAt: "2026-03-01T09:00:00.000Z",
      MessageID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ErrorCode: 0,
      Message: "OK",
    });
    expect(await mailOf(answer.MessageID)).toMatchObject({ to: "ada@example.com", fromName: "Shop", subject: "Hi" });
  });

  test("has nothing where a client sends an empty text", async () => {
    const nothing = { Cc: "", Bcc: "", ReplyTo: "", HtmlBody: "", Tag: "", Attachments: [] };
    const { MessageID } = await clientWith().sendEmail({ ...letter, ...nothing, TextBody: "Hello" });
    expect(await mailOf(MessageID)).toMatchObject({ replyTo: null, tags: [] });
  });

  test("to several, with Cc and Bcc, is one message", async () => {
    const To = '"Ada, Countess" <ada@example.com>, bob@example.com';
    const { MessageID } = await clientWith().sendEmail({
      ...letter,
      To,
      Cc: "cyd@example.com",
      Bcc: "dan@example.com",
    });
    const { recipients } = await mailOf(MessageID);
    expect(recipients.map((one: Json) => `${one.role} ${one.to} ${one.toName ?? ""}`.trim())).toEqual([
      "TO ada@example.com Ada, Countess",
      "TO bob@example.com",
      "CC cyd@example.com",
      "BCC dan@example.com",
    ]);
  });

  test("has its reply address, headers, files, tag and metadata", async () => {
    const { MessageID } = await clientWith().sendEmail({
      ...letter,
      ReplyTo: "help@example.test",
      Headers: [{ Name: "X-Order", Value: "7" }],
      Attachments: [{ Name: "a.txt", Content: btoa("text"), ContentType: "text/plain", ContentID: null }],
      Tag: "welcome mail",
      Metadata: { order: "7" },
    });
    const expected = { replyTo: "help@example.test", tags: ["welcome-mail"], metadata: { order: "7" } };
    expect(await mailOf(MessageID)).toMatchObject(expected);
    await posthorn.settle();
    const raw = posthorn.transport.sent.find(({ id }) => id === MessageID)?.raw.toString() ?? "";
    expect(raw).toContain("X-Order: 7");
    expect(raw).toContain(btoa("text"));
  });

  test("is made from a template and its model", async () => {
    const { MessageID } = await clientWith().sendEmailWithTemplate(bill);
    await posthorn.settle();
    expect((await mailOf(MessageID)).subject).toBe("Bill 7");
  });

  test("is shown with its content, and in the list", async () => {
    await using own = await workspace();
    const client = clientWith(own.keys.secret, own.server.url);
    const { MessageID } = await client.sendEmail({ ...letter, TextBody: "Hello" });
    const details: Json = await client.getOutboundMessageDetails(MessageID);
    expect(details).toMatchObject({ MessageID, Status: "Queued", HtmlBody: "<p>Hello</p>", TextBody: "Hello" });
    await own.settle();
    const { TotalCount, Messages }: Json = await client.getOutboundMessages({ count: 5 });
    expect([TotalCount, Messages[0].MessageID, Messages[0].Status]).toEqual([1, MessageID, "Sent"]);
  });

  test("that bounced is among the bounces", async () => {
    await using own = await workspace();
    const client = clientWith(own.keys.secret, own.server.url);
    await client.sendEmail({ ...letter, To: "bounced@simulator.test" });
    await own.settle();
    const { TotalCount, Bounces }: Json = await client.getBounces();
    expect([TotalCount, Bounces[0].Type, Bounces[0].Email]).toEqual([1, "HardBounce", "bounced@simulator.test"]);
    expect(await client.getDeliveryStatistics()).toMatchObject({
      InactiveMails: 1,
      Bounces: [{ Name: "All", Count: 1 }],
    } as never);
  });
});

describe("a batch", () => {
  test("sends each that is not refused, and answers for each", async () => {
    const answers = await clientWith().sendEmailBatch([letter, { ...letter, To: "nobody" }, letter]);
    expect(answers.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 300, 0]);
    expect(answers[1]?.Message).toStartWith("To.0: ");
  });

  test("of templates does likewise", async () => {
    const answers = await clientWith().sendEmailBatchWithTemplates([bill, { ...bill, TemplateAlias: "nothing" }]);
    expect(answers.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 1101]);
  });

  test("of none is refused", async () => {
    expect(await refusal(clientWith().sendEmailBatch([]))).toMatchObject({ statusCode: 422, code: 300 });
  });
});

describe("what is refused looks as Postmark's own refusals", () => {
  test.each([
    ["an address that is none", { To: "nobody" }, 300],
    ["a sender that is not verified", { From: "me@elsewhere.example" }, 401],
    ["no content", { HtmlBody: "" }, 300],
  ])("%s", async (_, changes, code) => {
    const refused = await refusal(clientWith().sendEmail({ ...letter, ...changes }));
    expect(refused).toMatchObject({ statusCode: 422, code });
  });

  test("each field that is wrong, under Postmark's name", async () => {
    const faulty = clientWith().sendEmail({ ...letter, To: "nobody", ReplyTo: "nobody" });
    await expect(faulty).rejects.toMatchObject({ message: expect.stringMatching(/^To\.0: .+ ReplyTo: .+/) });
  });

  test("a template that is not there", async () => {
    const refused = await refusal(clientWith().sendEmailWithTemplate({ ...bill, TemplateAlias: "nothing" }));
    expect(refused).toMatchObject({ statusCode: 422, code: 1101 });
  });

  test("an unknown token, a key that may only read, and an email of nobody or of others", async () => {
    expect(await refusal(clientWith("token").sendEmail(letter))).toMatchObject({ statusCode: 401, code: 10 });
    const reader = clientWith((await addKeys(posthorn, { permissions: "read" })).secret);
    expect(await refusal(reader.sendEmail(letter))).toMatchObject({ statusCode: 401, code: 10 });
    expect(await refusal(clientWith().getOutboundMessageDetails(NOBODY))).toMatchObject({ code: 701 });
    const { MessageID } = await clientWith().sendEmail(letter);
    const other = clientWith((await addWorkspace(posthorn, { name: "other", domain: "other.example" })).secret);
    expect(await refusal(other.getOutboundMessageDetails(MessageID))).toMatchObject({ code: 701 });
    expect(((await other.getOutboundMessages()) as Json).TotalCount).toBe(0);
  });
});

test.each([
  ["null", null],
  ["a list", []],
  ["addresses that are none", { ...letter, To: [1] }],
  ["a tag that is no text", { ...letter, Tag: { toString: 1 } }],
  ["a header without a name", { ...letter, Headers: [{ Value: "x" }] }],
  ["a file that is none", { ...letter, Attachments: [null] }],
])("a body with %s is refused", async (_, body) => {
  expect((await posted(body)).status).toBe(422);
});

test("a long line of quotes that are not closed is read at once", async () => {
  const startMs = threadCpuMs();
  const { status } = await posted({ ...letter, To: '"\\'.repeat(20_000) });
  expect(status).toBe(422);
  expect(threadCpuMs() - startMs).toBeLessThan(1_000);
});

test("an answer that is kept goes with the person whom it names", async () => {
  const once = { "idempotency-key": "gone" };
  const { MessageID } = (await (await posted({ ...letter, To: "gil@example.com" }, once)).json()) as Json;
  const { contactId } = await mailOf(MessageID);
  await ask(posthorn, `DELETE /contacts/${contactId}`);
  await posthorn.settle();
  const again = await posted({ ...letter, To: "gil@example.com" }, once);
  expect([again.status, await again.text()]).toEqual([expect.any(Number), expect.not.stringContaining("gil@")]);
  expect(again.ok).toBe(false);
});

function posted(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${posthorn.server.url}/compat/postmark/email`, {
    method: "POST",
    headers: { "x-postmark-server-token": posthorn.keys.secret, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

test.each([
  ["CSS that would stay where it is", { HtmlBody: "<style>p { color: red }</style><p>Hi</p>", InlineCss: true }],
  ["marketing email as it comes", { MessageStream: "broadcast" }],
])("%s is refused", async (_, changes) => {
  expect(await refusal(clientWith().sendEmail({ ...letter, ...changes }))).toMatchObject({
    statusCode: 422,
    code: 300,
  });
});

describe("suppressions", () => {
  test("are those that bounced or complained, and of broadcast those who left as well", async () => {
    await using own = await workspace();
    const client = clientWith(own.keys.secret, own.server.url);
    for (const name of ["bounced", "complained"]) await client.sendEmail({ ...letter, To: `${name}@simulator.test` });
    await own.settle();
    const listed = async (stream: string, filter?: object) =>
      (await client.getSuppressions(stream, filter)).Suppressions.map(
        ({ EmailAddress, SuppressionReason }) => `${EmailAddress} ${SuppressionReason}`,
      ).sort();
    const made = await client.createSuppressions("broadcast", {
      Suppressions: [{ EmailAddress: "left@example.com" }, { EmailAddress: "nobody" }],
    });
    expect(made.Suppressions.map(({ Status }) => Status)).toEqual(["Suppressed", "Failed"]);
    const returned = ["bounced@simulator.test HardBounce", "complained@simulator.test SpamComplaint"];
    expect(await listed("outbound")).toEqual(returned);
    expect(await listed("broadcast")).toEqual([...returned, "left@example.com ManualSuppression"]);
    expect(await listed("broadcast", { suppressionReason: "HardBounce" })).toEqual(returned.slice(0, 1));
    expect(await listed("broadcast", { emailAddress: "left@example.com" })).toHaveLength(1);
    expect(await listed("broadcast", { fromDate: "2026-03-02" })).toEqual([]);
    expect(await listed("broadcast", { fromDate: "2026-03-01", toDate: "2026-03-01" })).toHaveLength(3);
    const gone = async (stream: string, address: string) =>
      (await client.deleteSuppressions(stream, { Suppressions: [{ EmailAddress: address }] })).Suppressions[0]?.Status;
    const standing = async (address: string) => {
      const { body } = await ask(own, `GET /contacts/by-email/${address}`);
      return [body.subscribed, body.suppressed];
    };
    expect(await gone("outbound", "bounced@simulator.test")).toBe("Deleted");
    expect(await standing("bounced@simulator.test")).toEqual([false, null]);
    expect(await gone("outbound", "bounced@simulator.test")).toBe("Failed");
    expect(await gone("outbound", "left@example.com")).toBe("Failed");
    expect(await gone("broadcast", "left@example.com")).toBe("Deleted");
    expect(await standing("left@example.com")).toEqual([true, null]);
  });

  test("of transactional email are made and lifted by hand, also without a contact", async () => {
    const client = clientWith();
    const Suppressions = [{ EmailAddress: "by.hand@example.com" }];
    const { Suppressions: made } = await client.createSuppressions("outbound", { Suppressions });
    expect(made).toMatchObject([{ Status: "Suppressed" }]);
    expect((await client.getSuppressions("outbound")).Suppressions).toMatchObject([
      { EmailAddress: "by.hand@example.com", SuppressionReason: "ManualSuppression", Origin: "Customer" },
    ]);
    const { id } = (
      await ask(posthorn, "POST /suppressions", { body: { address: "full@example.com", reason: "soft-bounces" } })
    ).body;
    expect((await client.getSuppressions("outbound", { emailAddress: "full@example.com" })).Suppressions).toMatchObject(
      [{ SuppressionReason: "HardBounce", Origin: "Recipient" }],
    );
    await ask(posthorn, `DELETE /suppressions/${id}`);
    expect((await posted({ ...letter, To: "by.hand@example.com" })).status).toBe(422);
    const { Suppressions: lifted } = await client.deleteSuppressions("outbound", { Suppressions });
    expect(lifted).toMatchObject([{ Status: "Deleted" }]);
    expect((await posted({ ...letter, To: "by.hand@example.com" })).status).toBe(200);
  });

  test("are not changed by a key that may only read", async () => {
    const Suppressions = [{ EmailAddress: "x@example.com" }];
    expect(await refusal(clientWith().createSuppressions("broadcast", { Suppressions: [] }))).toMatchObject({
      code: 300,
    });
    const reader = clientWith((await addKeys(posthorn, { permissions: "read" })).secret);
    expect((await reader.getSuppressions("outbound")).Suppressions).toEqual([]);
    expect(await refusal(reader.createSuppressions("broadcast", { Suppressions }))).toMatchObject({ code: 10 });
    expect(await refusal(reader.deleteSuppressions("broadcast", { Suppressions }))).toMatchObject({ code: 10 });
  });
});

test("templates are listed, and shown by id and alias", async () => {
  const { TotalCount, Templates } = await clientWith().getTemplates({ count: 1 });
  expect([TotalCount, Templates]).toMatchObject([1, [{ Name: "Bill", Alias: "bill", TemplateType: "Standard" }]]);
  const shown = { Name: "Bill", Subject: "Bill {{ number }}", HtmlBody: "<p>{{ number }}</p>", TextBody: null };
  expect(await clientWith().getTemplate("bill")).toMatchObject(shown);
  expect(await clientWith().getTemplate(Templates[0]?.TemplateId as number)).toMatchObject(shown);
  expect(await refusal(clientWith().getTemplate("nothing"))).toMatchObject({ code: 1101 });
  const other = clientWith((await addWorkspace(posthorn, { name: "third", domain: "third.example" })).secret);
  expect(await refusal(other.getTemplate("bill"))).toMatchObject({ code: 1101 });
});

test("fields that change nothing are named in the answer", async () => {
  const reply = await posted({ ...letter, MessageStream: "outbound", InlineCss: true });
  expect([reply.status, reply.headers.get("x-posthorn-ignored")]).toEqual([200, "MessageStream, InlineCss"]);
});

test("calls that are not there are refused with what to use instead", async () => {
  const client = clientWith();
  for (const [use, call] of [
    ["/workspace", () => client.getServer()],
    ["/templates", () => client.createTemplate({ Name: "New", Subject: "Hi", TextBody: "Hi" })],
    ["/templates", () => client.deleteTemplate("bill")],
    ["DELETE /suppressions", () => client.activateBounce(7)],
    ["GET /messages/outbound/{id}/details", () => client.getBounce(7)],
    ["GET /statistics/mails", () => client.getOutboundOverview()],
    ["There are no streams", () => client.getMessageStream("outbound")],
    ["/webhooks", () => client.getWebhooks()],
  ] as const)
    expect([use, await call().catch(({ message }: Error) => message)]).toEqual([use, expect.stringContaining(use)]);
});

test("braces in an email are braces", async () => {
  const written = { Subject: "{{ email }}", HtmlBody: "<p>{{ email }} {% if %}</p>", TextBody: "{{{ email }}}" };
  const { MessageID } = await clientWith().sendEmail({ ...letter, ...written });
  await posthorn.settle();
  expect(await clientWith().getOutboundMessageDetails(MessageID)).toMatchObject(written);
  expect((await ask(posthorn, `GET /emails/${MessageID}/content`)).body).toMatchObject({
    subject: written.Subject,
    html: written.HtmlBody,
    text: written.TextBody,
  });
});

test("a filter that is not there is refused", async () => {
  const page = { count: 5, offset: 0 };
  const client = clientWith();
  expect((await client.getOutboundMessages({ ...page, messageStream: "outbound" })).Messages).toBeArray();
  for (const call of [
    () => client.getOutboundMessages({ ...page, recipient: "nobody@example.com" }),
    () => client.getBounces({ ...page, emailFilter: "nobody@example.com" }),
    () => client.getTemplates({ ...page, layoutTemplate: "main" }),
  ])
    expect(await refusal(call())).toMatchObject({ statusCode: 422, code: 403 });
});

describe("a suppressed recipient", () => {
  beforeAll(async () => {
    for (const address of ["gone@ext.test", "left@ext.test"])
      await ask(posthorn, "POST /suppressions", { body: { address, reason: "bounce" } });
  });
  const inactive = "Message OK, but will not deliver to these inactive addresses: gone@ext.test, left@ext.test";

  test("is left out and named, and the others get the email", async () => {
    const To = "gone@ext.test, ada@ext.test";
    const answer = await clientWith().sendEmail({ ...letter, To, Bcc: "left@ext.test" });
    expect(answer).toMatchObject({ ErrorCode: 0, Message: inactive, To });
    expect((await mailOf(answer.MessageID)).to).toBe("ada@ext.test");
    expect((await ask(posthorn, "GET /emails?search=gone@ext.test")).body.data).toEqual([]);
  });

  test("refuses an email that nobody else gets, in words that clients read", async () => {
    const failed: Json = await clientWith()
      .sendEmail({ ...letter, To: "gone@ext.test, left@ext.test" })
      .catch((error: unknown) => error);
    const { name, statusCode, code, recipients } = failed;
    expect({ name, statusCode, code, recipients }).toEqual({
      name: "InactiveRecipientsError",
      statusCode: 422,
      code: 406,
      recipients: ["gone@ext.test", "left@ext.test"],
    });
  });

  test("takes nothing from the other emails of a batch", async () => {
    const To = "gone@ext.test";
    const answers = await clientWith().sendEmailBatch([
      { ...letter, To },
      { ...letter, To: "left@ext.test, gone@ext.test, ada@ext.test" },
      letter,
    ]);
    expect(answers.map(({ ErrorCode }) => ErrorCode)).toEqual([406, 0, 0]);
    expect(answers[0]?.Message).toContain("Found inactive addresses: gone@ext.test. Inactive");
    expect(answers[1]?.Message).toEndWith("these inactive addresses: left@ext.test, gone@ext.test");
  });
});
