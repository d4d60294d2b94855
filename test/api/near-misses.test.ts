// What strangers send that is nearly right does something, or is told: other spellings, unknown fields and parameters,
// wrong paths.
import { expect, test } from "bun:test";
import { letter, mailSent } from "../support/mails.ts";
import { refusedFields, scenarios } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { workspace } from "../support/workspace.ts";

/** For rows that change nothing. */
const shared = sharedPosthorn();

const warnings = (...told: readonly (readonly [field: string, message: RegExp])[]) =>
  told.map(([field, message]) => ({ field, message: expect.stringMatching(message) as string }));

const template = { name: "Receipt", subject: "Order", body: "<p>Thanks</p>", type: "TRANSACTIONAL", from: letter.from };
const campaign = { name: "News", subject: "News", body: "<p>News</p>", from: letter.from, audienceType: "ALL" };

test.each(["reply", "replyTo", "reply_to"])("%s of a send is where answers go", async (name) => {
  await using posthorn = await workspace();
  const reply = await posthorn.call("POST /v1/send", { ...letter, [name]: "help@example.test" });
  expect([reply.status, reply.body.warnings]).toEqual([200, undefined]);
  expect((await mailSent(posthorn)).replyTo?.text).toBe("help@example.test");
});

test.each(["sendAt", "scheduledFor", "scheduledAt", "scheduled_at", "send_at"])("%s puts a mail off", async (name) => {
  await using posthorn = await workspace();
  const at = new Date(posthorn.clock.nowMs() + 3_600_000).toISOString();
  const { body } = await posthorn.call("POST /v1/send", { ...letter, [name]: at });
  const mail = await posthorn.call(`GET /emails/${body.data.emails[0].email}`);
  expect([body.warnings, mail.body.scheduledFor]).toEqual([undefined, at]);
});

test("html is the body of a send, of a template and of a campaign", async () => {
  await using posthorn = await workspace();
  const [{ body: ___, ...mail }, { body: _, ...rest }, { body: __, ...other }] = [letter, template, campaign];
  const html = "<p>Written as html</p>";
  expect((await posthorn.call("POST /v1/send", { ...mail, html })).status).toBe(200);
  expect((await mailSent(posthorn)).html).toContain("Written as html");
  const made = await posthorn.call("POST /templates", { ...rest, html, reply_to: "help@example.test" });
  expect([made.body.body, made.body.replyTo]).toEqual([html, "help@example.test"]);
  const changed = await posthorn.call(`PATCH /templates/${made.body.id}`, { html: "<p>Again</p>", reply: null });
  expect([changed.body.body, changed.body.replyTo]).toEqual(["<p>Again</p>", null]);
  const news = await posthorn.call("POST /campaigns", { ...other, html, reply: "help@example.test" });
  expect([news.body.data.body, news.body.data.replyTo]).toEqual([html, "help@example.test"]);
});

test("a campaign is scheduled by sendAt", async () => {
  await using posthorn = await workspace();
  await posthorn.call("POST /contacts", { email: "ada@example.com" });
  const { body } = await posthorn.call("POST /campaigns", campaign);
  const at = new Date(posthorn.clock.nowMs() + 86_400_000).toISOString();
  const sent = await posthorn.call(`POST /campaigns/${body.data.id}/send`, { send_at: at });
  expect([sent.body.data.status, sent.body.data.scheduledFor]).toEqual(["SCHEDULED", at]);
});

const conflicting = { status: 422, code: "VALIDATION_ERROR" } as const;
scenarios("two spellings", [
  {
    name: "that differ are refused, and both are named",
    request: "POST /v1/send",
    body: { ...letter, reply: "a@example.test", replyTo: "b@example.test" },
    ...conflicting,
    fields: { reply: "conflicting", replyTo: "conflicting" },
  },
  {
    name: "that are none of ours and differ are refused as well",
    request: "POST /v1/send",
    body: { ...letter, scheduledFor: "2030-01-01T00:00:00Z", send_at: "2030-01-02T00:00:00Z" },
    ...conflicting,
    fields: { scheduledFor: "conflicting", send_at: "conflicting" },
  },
  {
    name: "that say the same pass",
    request: "POST /v1/send",
    body: { ...letter, html: letter.body },
    status: 200,
  },
  {
    name: "of which one is null or empty pass",
    request: "POST /v1/send",
    body: { ...letter, reply: null, replyTo: "a@example.test", reply_to: "" },
    status: 200,
  },
]);

test("an empty list counts as an empty object, as PHP writes it, wherever keys are free", async () => {
  await using posthorn = await workspace();
  const empty = { data: [], headers: [] };
  expect((await posthorn.call("POST /v1/send", { ...letter, ...empty })).status).toBe(200);
  const event = { email: "ada@example.com", event: "visit", data: [] };
  expect((await posthorn.call("POST /v1/track", event)).status).toBe(200);
  const { status, body } = await posthorn.call("POST /contacts", { email: "ada@example.com", data: [] });
  expect([status, body.data]).toEqual([200, {}]);
  const hook = { type: "WEBHOOK", name: "Call", config: { url: "https://example.com", headers: [] } };
  expect((await posthorn.call("POST /workflows", { name: "W", eventName: "e", steps: [hook] })).status).toBe(201);
  const full = await posthorn.call("POST /v1/send", { ...letter, data: ["x"], headers: ["x"] });
  expect(refusedFields(full)).toEqual({ data: "invalid_type", headers: "invalid_type" });
});

test("a fault is told of the field as it was written", async () => {
  await using posthorn = await workspace();
  const { body: _, ...rest } = letter;
  const reply = await posthorn.call("POST /v1/send", { ...rest, html: 5, reply_to: "nobody" });
  expect(refusedFields(reply)).toEqual({ html: "invalid_type" });
  const meaning = await posthorn.call("POST /v1/send", { ...letter, reply_to: "nobody", send_at: "soon" });
  expect(refusedFields(meaning)).toEqual({ reply_to: "invalid_email", send_at: "invalid_date" });
});

test("a missing field is told with what was sent in its place", async () => {
  await using posthorn = await workspace();
  const { to, body: _, ...rest } = letter;
  const schema = await posthorn.call("POST /v1/send", { ...rest, to_email: to, body: "<p>Hi</p>" });
  expect(schema.body.error.errors).toEqual([
    { field: "to", code: "required", message: expect.stringContaining("to_email") },
  ]);
  const rule = await posthorn.call("POST /v1/send", { ...rest, to, HtmlBody: "<p>Hi</p>" });
  expect(rule.body.error.errors).toEqual([
    { field: "body", code: "required", message: expect.stringContaining("HtmlBody") },
  ]);
});

test("a text alone makes a mail that looks as the text does", async () => {
  await using posthorn = await workspace();
  const { body: _, ...rest } = letter;
  const text =
    'Hello {{ name ?? "you" }} <you@example.com>,\n\n  see https://example.com/a?b=1&c={{ code }}.\nTom & Jerry (https://example.com/x)';
  const data = { name: "<Ada>", code: "7" };
  await using silent = await workspace({ tracking: false });
  expect((await silent.call("POST /v1/send", { ...rest, text, data })).status).toBe(200);
  const mail = await mailSent(silent);
  expect(mail.html).toContain(
    "Hello &lt;Ada&gt; &lt;you@example.com&gt;,<br><br>  see " +
      '<a href="https://example.com/a?b=1&amp;c=7">https://example.com/a?b=1&amp;c=7</a>.<br>' +
      'Tom &amp; Jerry (<a href="https://example.com/x">https://example.com/x</a>)',
  );
  expect(mail.text?.trim()).toBe(
    "Hello <Ada> <you@example.com>,\n\n  see https://example.com/a?b=1&c=7.\nTom & Jerry (https://example.com/x)",
  );
  const empty = await posthorn.call("POST /v1/send", { ...rest, text: "" });
  expect(refusedFields(empty)).toEqual({ body: "required" });
});

test("unknown fields are named beside the data, each with what was probably meant", async () => {
  await using posthorn = await workspace();
  const unknown = {
    textBody: "Hi",
    TemplateId: "x",
    from_name: "Shop",
    sender: "x@example.test",
    recipients: ["bob@example.com"],
    subjct: "x",
    priority: 1,
    data: { anything: { goes: 1 }, html_body: "x" },
    headers: { "X-Anything": "goes" },
  };
  const { status, body } = await posthorn.call("POST /v1/send", { ...letter, ...unknown });
  expect([status, Object.keys(body)]).toEqual([200, ["success", "data", "warnings"]]);
  expect(body.warnings).toEqual(
    warnings(
      ["textBody", /^Did you mean text\?/],
      ["TemplateId", /^Did you mean template\?/],
      ["from_name", /^Did you mean name\?/],
      ["sender", /^Did you mean from\?/],
      ["recipients", /^Did you mean to\?/],
      ["subjct", /^Did you mean subject\?/],
      ["priority", /unknown and was ignored/],
    ),
  );
});

test("unknown fields are named in recipients, attachments, conditions and the configuration of steps", async () => {
  await using posthorn = await workspace();
  const to = [{ email: "ada@example.com", names: "Ada" }];
  const attachments = [{ filename: "a.txt", content: "aGk=", content_type: "text/plain", path: "/x" }];
  const sent = await posthorn.call("POST /v1/send", { ...letter, to, attachments });
  expect(sent.body.warnings).toEqual(
    warnings(
      ["to.0.names", /^Did you mean name\?/],
      ["attachments.0.content_type", /^Did you mean contentType\?/],
      ["attachments.0.path", /unknown/],
    ),
  );
  const filter = { field: "data.plan", operator: "equals", value: "pro", vlaue: "x" };
  const segment = await posthorn.call("POST /segments", {
    name: "Pro",
    condition: { groups: [{ filters: [filter], conditions: { groups: [{ filters: [{ ...filter, vlaue: 1 }] }] } }] },
  });
  expect([segment.status, segment.body.warnings]).toEqual([
    201,
    warnings(
      ["condition.groups.0.filters.0.vlaue", /^Did you mean value\?/],
      ["condition.groups.0.conditions.groups.0.filters.0.vlaue", /^Did you mean value\?/],
    ),
  ]);
  const steps = [
    { type: "DELAY", name: "Wait", config: { amount: 1, unit: "days", untl: 1 } },
    { type: "WEBHOOK", name: "Call", config: { url: "https://example.com", body: { any: { thing: 1 } }, verb: "PUT" } },
  ];
  const workflow = await posthorn.call("POST /workflows", { name: "W", eventName: "e", steps });
  expect([workflow.status, workflow.body.warnings]).toEqual([
    201,
    warnings(["steps.0.config.untl", /unknown/], ["steps.1.config.verb", /unknown/]),
  ]);
});

test("a record has its warnings at the top, and none of its own changes", async () => {
  await using posthorn = await workspace();
  const made = await posthorn.call("POST /contacts", { email: "ada@example.com", firstName: "Ada" });
  expect([made.status, made.body.email, made.body.warnings]).toEqual([
    201,
    "ada@example.com",
    warnings(["firstName", /put it into data/]),
  ]);
  const changed = await posthorn.call(`PATCH /contacts/${made.body.id}`, { subscribe: false });
  expect([changed.status, changed.body.subscribed, changed.body.warnings]).toEqual([
    200,
    true,
    warnings(["subscribe", /^Did you mean subscribed\?/]),
  ]);
  expect((await posthorn.call(`GET /contacts/${made.body.id}`)).body.warnings).toBeUndefined();
  const removed = await posthorn.call(`DELETE /contacts/${made.body.id}`, { force: true });
  expect([removed.status, removed.body]).toEqual([204, ""]);
});

test("a call that takes no body says that it ignored one", async () => {
  await using posthorn = await workspace();
  const { body } = await posthorn.call("POST /templates", template);
  const copy = await posthorn.call(`POST /templates/${body.id}/duplicate`, { name: "Mine" });
  expect([copy.status, copy.body.warnings]).toEqual([201, warnings(["name", /ignored/])]);
});

test("a repetition under an Idempotency-Key has the same warnings", async () => {
  await using posthorn = await workspace();
  const send = () => posthorn.call("POST /v1/send", { ...letter, htmlBody: "x" }, { "idempotency-key": "k" });
  const [first, second] = [await send(), await send()];
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(second.body).toEqual(first.body);
  expect(second.body.warnings).toEqual(warnings(["htmlBody", /^Did you mean body\?/]));
});

test("a body of a thousand unknown fields is told of some", async () => {
  await using posthorn = await workspace();
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`${"x".repeat(60)}${index}`, 1]));
  const { status, body } = await posthorn.call("POST /contacts", { email: "ada@example.com", ...many });
  expect([status, body.warnings.length]).toEqual([201, 50]);
});

test.each([
  ["GET /contacts?email=ada@example.com", "email", "search"],
  ["GET /contacts?serach=ada", "serach", "search"],
  ["GET /emails?to=ada@example.com", "to", "search"],
  ["GET /keys?per_page=5", "per_page", "pageSize"],
  ["GET /templates?state=x", "state", null],
  ["GET /workspace?x=1", "x", null],
  ["POST /v1/send?dry=1", "dry", null],
  ["DELETE /contacts/1?force=true", "force", null],
])("%s is refused, with what was meant", async (route, field, meant) => {
  const posthorn = shared();
  const { status, body } = await posthorn.call(route, route.startsWith("POST") ? letter : undefined);
  expect([status, body.error.code]).toEqual([400, "INVALID_PARAMETERS"]);
  expect(body.error.errors).toEqual([{ field, code: "unknown", message: expect.stringContaining("unknown") }]);
  if (meant) expect(body.error.suggestion).toStartWith(`Did you mean ${meant}?`);
});

test("links for recipients take whatever mail clients add to them", async () => {
  await using posthorn = await workspace();
  for (const path of ["/o/x", "/c/x", "/unsubscribe/x", "/manage/x", "/subscribe/x", "/health"]) {
    const added = await fetch(`${posthorn.server.url}${path}?utm_source=a&fbclid=b`, { redirect: "manual" });
    const plain = await fetch(posthorn.server.url + path, { redirect: "manual" });
    expect([path, added.status]).toEqual([path, plain.status]);
    expect(added.status).not.toBe(400);
  }
});

test.each([
  ["POST /v1/sent", "POST /v1/send"],
  ["POST /send", "POST /v1/send"],
  ["POST /api/v1/send", "POST /v1/send"],
  ["POST /email", "POST /v1/send"],
  ["GET /v1/contacts", "GET /contacts"],
  ["GET /contact/123", "GET /contacts/{id}"],
  ["GET /segment", "GET /segments"],
  ["POST /v1/events", "POST /v1/track"],
  ["POST /v1/send/bulk", "POST /v1/send"],
  ["POST /v1/identify", "POST /contacts"],
  ["GET /lists", "GET /segments"],
])("%s is 404 and names %s", async (route, near) => {
  const posthorn = shared();
  const { status, body } = await posthorn.call(route);
  expect([status, body.error.code, body.error.suggestion]).toEqual([
    404,
    "ROUTE_NOT_FOUND",
    expect.stringContaining(`Did you mean ${near}?`),
  ]);
});

test("what is near to nothing is 404 without a guess", async () => {
  await using posthorn = await workspace();
  const { status, body } = await posthorn.call("GET /wp-admin/setup-config.php");
  expect([status, body.error.suggestion]).toEqual([404, "Check the method and the path."]);
  expect((await posthorn.call(`GET /${"x".repeat(5_000)}`)).status).toBe(404);
});

test.each([
  ["GET /v1/send", "POST"],
  ["PUT /contacts", "GET, POST"],
  ["DELETE /workspace", "GET, PATCH"],
  ["POST /health", "GET"],
  ["POST /emails", "GET"],
])("%s is 405, and Allow says %s", async (route, allow) => {
  const posthorn = shared();
  const { status, headers, body } = await posthorn.call(route);
  expect([status, headers.get("allow"), body.error.code]).toEqual([405, allow, "METHOD_NOT_ALLOWED"]);
  expect([body.success, body.error.statusCode, typeof body.error.suggestion]).toEqual([false, 405, "string"]);
});

test("HEAD is answered where GET is", async () => {
  await using posthorn = await workspace();
  const { status } = await fetch(`${posthorn.server.url}/health`, { method: "HEAD" });
  expect(status).toBe(200);
});
