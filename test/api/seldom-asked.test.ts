// Calls and filters that no other test of the second engine asks (test/second-engine.ts): each is answered, by every engine.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { Amazon, post, signed, TOPIC } from "../support/sns.ts";

let posthorn: Posthorn;
let ids: { readonly contact: string; readonly campaign: string; readonly workflow: string; readonly template: string };

/** The record that was made; campaigns come in an envelope. */
async function made(route: string, input: object): Promise<Json> {
  const { body } = await posthorn.call(route, input);
  return body.id ? body : body.data;
}

beforeAll(async () => {
  const { fetchText } = new Amazon();
  posthorn = await startPosthorn({ config: { ses: { topics: [TOPIC] } }, fetchText });
  const text = { subject: "News", body: "<p>News</p>", from: "hello@example.test" };
  const contact = await made("POST /contacts", { email: "ada@one.test" });
  await made("POST /contacts", { email: "ada@two.test" });
  for (const to of ["ada@one.test", "ada@two.test"]) await made("POST /v1/send", { ...letter, to });
  const template = await made("POST /templates", { name: "Letter", ...text, type: "TRANSACTIONAL" });
  const campaign = await made("POST /campaigns", { name: "Draft", ...text, audienceType: "ALL" });
  const workflow = await made("POST /workflows", { name: "Welcome", eventName: "signup" });
  ids = { contact: contact.id, template: template.id, campaign: campaign.id, workflow: workflow.id };
});
afterAll(() => posthorn[Symbol.asyncDispose]());

test.each<[string, (own: typeof ids) => [route: string, body?: object]]>([
  ["whether the server runs", () => ["GET /health"]],
  ["the reference", () => ["GET /docs"]],
  ["whether an address is worth a mail", () => ["POST /v1/verify", { email: "ada@one.test" }]],
  ["a preview", ({ template }) => [`POST /templates/${template}/preview`, {}]],
  ["what the past would have started", ({ workflow }) => [`POST /workflows/${workflow}/simulate-past`, { days: 1 }]],
])("%s is answered", async (_, asked) => {
  expect((await posthorn.call(...asked(ids))).status).toBe(200);
});

test("a notice of SES is taken", async () => {
  expect((await post(posthorn, signed())).status).toBe(204);
});

test.each<[string, (own: typeof ids) => string, number]>([
  [
    "of a contact, a campaign and a workflow",
    (own) => `contactId=${own.contact}&campaignId=${own.campaign}&workflowId=${own.workflow}`,
    0,
  ],
  ["of a campaign that failed", ({ campaign }) => `campaignId=${campaign}&status=FAILED`, 0],
  ["to addresses that begin alike", () => "search=ada@", 2],
])("mails %s are found", async (_, query, found) => {
  const { status, body } = await posthorn.call(`GET /emails?limit=10&${query(ids)}`);
  expect([status, body.data?.length, body.error?.message]).toEqual([200, found, undefined]);
});
