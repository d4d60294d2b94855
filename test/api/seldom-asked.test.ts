// Calls and filters that no other test of the second engine asks (test/second-engine.ts): each is answered, by every
// engine.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { linesOfHeld } from "../../src/whole/cli/queue/hold.ts";
import { hopIn } from "../../src/sending/open-ways/hop-queries.ts";
import { checkedOfTemplate, countContentsOf, waitingOf } from "../../src/mail/emails/list/queries.ts";
import { countOldReceived } from "../../src/mail/inbound/pruning-queries.ts";
import { holdAll, releaseAll } from "../../src/store/hold.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { Amazon, post, signed, TOPIC } from "../support/sns.ts";
import { workspace } from "../support/workspace.ts";

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

test("a mail server that mails are handed to has one number", async () => {
  const number = await hopIn(posthorn.store, "relay.example");
  expect([typeof number, await hopIn(posthorn.store, "relay.example")]).toEqual(["number", number]);
});

test("templates are listed", async () => {
  const { body } = await posthorn.call("GET /templates");
  expect(body.data.map(({ id }: Json) => id)).toEqual([ids.template]);
});

test("of a campaign that was not sent no mail waits", async () => {
  expect(await posthorn.store.read((reader) => waitingOf(reader, 1, 10))).toEqual([]);
});

test("where no mail came in, none is old", async () => {
  const [workspace, now] = [1, new Date(posthorn.clock.nowMs()).toISOString()];
  expect(await posthorn.store.read((reader) => countOldReceived(reader, workspace, now))).toBe(0);
});

test("the mails of a template are found by it", async () => {
  const { body } = await posthorn.call("POST /v1/send", { to: "ada@one.test", template: ids.template });
  const mail = await posthorn.store.read(
    (reader) => reader.get`select seq from emails where id = ${body.data.emails[0].email}`,
  );
  const [one, span] = [
    { workspace: 1, template: ids.template },
    { from: 0, before: Number.MAX_SAFE_INTEGER },
  ];
  expect(await posthorn.store.read((reader) => countContentsOf(reader, one, 10))).toBe(1);
  const found = await posthorn.store.read((reader) => checkedOfTemplate(reader, one, { span, checks: [] }, 10));
  expect(found.map((seq) => ({ seq }))).toEqual([mail as { seq: number }]);
});

test("what waits while sending is held is counted, and leaves when it is released (slow)", async () => {
  await using held = await workspace();
  await held.store.write(holdAll);
  await held.call("POST /v1/send", letter);
  await held.settle();
  expect([held.transport.sent.length, (await linesOfHeld(held.store))[2]]).toEqual([
    0,
    expect.stringContaining("1 outside campaigns in default"),
  ]);
  expect(await held.store.write(releaseAll)).toBe(true);
  held.clock.advance(60_000);
  await held.settle();
  expect([held.transport.sent.length, await linesOfHeld(held.store)]).toEqual([1, []]);
});
