// Campaigns as records: written, looked at, listed, changed, copied, deleted.
import { expect, test } from "bun:test";
import { news, addReaders, look, recipients, send, write } from "../support/campaigns.ts";
import { ask, countOf, scenarios } from "../support/scenario.ts";
import { addUnverifiedDomain } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const NOBODY = "0199a3b4-0000-7000-8000-000000000000";
const NONE = {
  ...{ totalRecipients: 0, sentCount: 0, refusedCount: 0, deliveredCount: 0, openedCount: 0, clickedCount: 0 },
  bouncedCount: 0,
};

scenarios("POST /campaigns", [
  {
    name: "makes a draft",
    request: "POST /campaigns",
    body: { ...news, from: "News@Example.test", fromName: "The news", replyTo: "re@example.test", description: "x" },
    status: 201,
    answer: {
      success: true,
      data: {
        ...{ ...news, status: "DRAFT", paused: false, blocked: null, fromName: "The news", replyTo: "re@example.test" },
        ...{ description: "x", audienceCondition: null, segmentId: null, scheduledFor: null, sentAt: null, ...NONE },
      },
    },
  },
  {
    name: "names every field that is missing",
    request: "POST /campaigns",
    body: { description: "x" },
    status: 422,
    fields: { name: "required", subject: "required", body: "required", from: "required", audienceType: "required" },
  },
  {
    name: "says where a template does not parse",
    request: "POST /campaigns",
    body: { ...news, subject: "{{ x", body: "<p>\n{% if %}", from: "nobody" },
    status: 422,
    fields: { subject: "template_syntax", body: "template_syntax", from: "invalid_email" },
  },
  {
    name: "needs the segment of a SEGMENT audience",
    request: "POST /campaigns",
    body: { ...news, audienceType: "SEGMENT" },
    status: 422,
    fields: { segmentId: "required" },
  },
  {
    name: "needs the condition of a FILTERED audience",
    request: "POST /campaigns",
    body: { ...news, audienceType: "FILTERED" },
    status: 422,
    fields: { audienceCondition: "required" },
  },
  {
    name: "does not know other audiences",
    request: "POST /campaigns",
    body: { ...news, audienceType: "SOME" },
    status: 422,
    fields: { audienceType: "invalid" },
  },
]);

scenarios("one campaign", [
  {
    name: "is shown in its envelope",
    given: [["POST /campaigns", news]],
    request: "GET /campaigns/$0.data.id",
    status: 200,
    answer: { success: true, data: { id: "$0.data.id", ...NONE } },
  },
  { name: "that nobody has is 404", request: `GET /campaigns/${NOBODY}`, status: 404, code: "CAMPAIGN_NOT_FOUND" },
  {
    name: "is changed in the fields that are named",
    given: [["POST /campaigns", { ...news, description: "old", fromName: "Old" }]],
    request: "PUT /campaigns/$0.data.id",
    body: { subject: "New", description: null },
    status: 200,
    answer: { success: true, data: { subject: "New", description: null, fromName: "Old", name: news.name } },
  },
  {
    name: "is not changed into one that lacks its segment",
    given: [["POST /campaigns", news]],
    request: "PUT /campaigns/$0.data.id",
    body: { audienceType: "SEGMENT" },
    status: 422,
    fields: { segmentId: "required" },
  },
  {
    name: "goes to nobody while its segment is still to be chosen",
    given: [
      ["POST /contacts", { email: "ada@example.com" }],
      ["POST /campaigns", news],
    ],
    request: "PUT /campaigns/$1.data.id",
    body: { audienceType: "SEGMENT", segmentId: null },
    status: 200,
    answer: { success: true, data: { audienceType: "SEGMENT", segmentId: null, totalRecipients: 0 } },
  },
  {
    name: "is not sent while its condition is still to be chosen",
    given: [
      ["POST /contacts", { email: "ada@example.com" }],
      ["POST /campaigns", news],
      ["PUT /campaigns/$1.data.id", { audienceType: "FILTERED", audienceCondition: null }],
    ],
    request: "POST /campaigns/$1.data.id/send",
    status: 400,
    code: "NO_RECIPIENTS",
  },
  {
    name: "that is scheduled keeps an audience",
    given: [
      ["POST /contacts", { email: "ada@example.com" }],
      ["POST /campaigns", news],
      ["POST /campaigns/$1.data.id/send", { delaySeconds: 60 }],
    ],
    request: "PUT /campaigns/$1.data.id",
    body: { audienceType: "SEGMENT", segmentId: null },
    status: 422,
    fields: { segmentId: "required" },
  },
  {
    name: "is copied into a draft",
    given: [["POST /campaigns", { ...news, description: "x" }]],
    request: "POST /campaigns/$0.data.id/duplicate",
    status: 201,
    answer: { success: true, data: { ...news, name: "Spring news (Copy)", description: "x", status: "DRAFT" } },
  },
  {
    name: "that is a draft is deleted",
    given: [["POST /campaigns", news]],
    request: "DELETE /campaigns/$0.data.id",
    status: 204,
  },
  {
    name: "that is scheduled is not deleted",
    given: [
      ["POST /contacts", { email: "ada@example.com" }],
      ["POST /campaigns", news],
      ["POST /campaigns/$1.data.id/send", { scheduledFor: "2026-03-02T09:00:00Z" }],
    ],
    request: "DELETE /campaigns/$1.data.id",
    status: 400,
    code: "CAMPAIGN_STATE",
  },
]);

test("a copy's name fits, however long the first one's is", async () => {
  await using posthorn = await workspace();
  const id = await write(posthorn, { name: "n".repeat(100) });
  const { body } = await ask(posthorn, `POST /campaigns/${id}/duplicate`);
  expect(body.data.name).toBe(`${"n".repeat(93)} (Copy)`);
});

test("the list is in pages, newest first, by status if wanted", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 1);
  const ids = [await write(posthorn), await send(posthorn), await write(posthorn)];
  const first = (await ask(posthorn, "GET /campaigns?pageSize=2")).body;
  expect([first.total, first.totalPages, first.data.map(({ id }: { id: string }) => id)]).toEqual([
    3,
    2,
    [ids[2], ids[1]],
  ]);
  await posthorn.settle();
  const sent = (await ask(posthorn, "GET /campaigns?status=SENT")).body;
  expect([sent.total, sent.data[0].id, sent.data[0].sentCount]).toEqual([1, ids[1], 1]);
  expect((await ask(posthorn, "GET /campaigns?status=GONE")).status).toBe(400);
});

test("a deleted campaign is gone at once and leaves nothing but its mails", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 3);
  const id = await send(posthorn);
  await posthorn.settle();
  const second = await send(posthorn);
  await ask(posthorn, `POST /campaigns/${second}/cancel`);
  expect((await ask(posthorn, `DELETE /campaigns/${second}`)).status).toBe(204);
  for (const route of ["GET", "PUT", "DELETE"])
    expect((await ask(posthorn, `${route} /campaigns/${second}`, route === "GET" ? {} : { body: {} })).status).toBe(
      404,
    );
  await posthorn.settle();
  expect(await countOf(posthorn, "campaigns")).toBe(1);
  expect(await countOf(posthorn, "recipients")).toBe(3);
  expect(await countOf(posthorn, "contents")).toBe(1);
  expect(await recipients(posthorn, id)).toHaveLength(3);
  expect(posthorn.transport.sent).toHaveLength(3);
});

test("a scheduled campaign is not changed into one that may not be sent", async () => {
  await using posthorn = await workspace();
  await addUnverifiedDomain(posthorn, "other.test");
  await addReaders(posthorn, 1);
  const id = await write(posthorn);
  await ask(posthorn, `POST /campaigns/${id}/send`, { body: { scheduledFor: "2026-03-02T09:00:00Z" } });
  const refused = await ask(posthorn, `PUT /campaigns/${id}`, { body: { from: "x@other.test" } });
  expect([refused.status, refused.body.error.code]).toEqual([403, "DOMAIN_NOT_VERIFIED"]);
  expect((await look(posthorn, id)).from).toBe(news.from);
});

test("a page that would take very much memory is refused; fewer campaigns at a time are shown (slow)", async () => {
  await using posthorn = await workspace();
  const large = { ...news, body: "x".repeat(500_000), text: "x".repeat(500_000) };
  for (let n = 0; n < 33; n++) await ask(posthorn, "POST /campaigns", { body: large });
  const refusal = await ask(posthorn, "GET /campaigns?pageSize=100");
  expect([refusal.status, refusal.body.error.errors[0].field]).toEqual([400, "pageSize"]);
  const { body } = await ask(posthorn, "GET /campaigns?pageSize=32");
  expect([body.data.length, body.total]).toEqual([32, 33]);
});
