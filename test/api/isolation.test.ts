// No workspace sees or changes what another one has, whatever id it names, at any route.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { belongings, template, withId, type Owned } from "../support/belongings.ts";
import { letter } from "../support/mails.ts";
import { documentOf, fieldsOf, operationsOf } from "../support/operations.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { routesWithKey } from "../support/routes.ts";
import { ask, everything, type Key } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

async function house(): Promise<{ posthorn: Posthorn; owned: Owned; stranger: Key }> {
  const posthorn = await workspace();
  const owned = await belongings(posthorn, "secret", letter.from);
  const stranger = { bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret };
  return { posthorn, owned, stranger };
}

/** Ids of each kind that nobody has. */
function nobodys(owned: Owned): Owned {
  return Object.fromEntries(Object.keys(owned).map((kind) => [kind, "0199a3b4-0000-7000-8000-000000000000"])) as Owned;
}

/** What a route takes, where that is not what most take. */
function bodyFor(route: string, owned: Owned): object {
  if (route === "POST /workflows/:id/simulate-past") return { days: 1 };
  if (route === "POST /workflows/:id/simulate") return { contactId: owned.contacts };
  if (route === "POST /workflows/:id/executions") return { contactId: owned.contacts };
  if (route === "POST /workflows/:id/steps") return { type: "EXIT", name: "Mine", config: {} };
  if (route === "POST /workflows/:id/transitions") return { fromStepId: owned.steps, toStepId: owned.steps };
  if (route === "PUT /workflows/:id" || route === "POST /workflows/:id/check") return { steps: [], transitions: [] };
  if (route === "PATCH /emails/:id") return { sendAt: null };
  if (route === "POST /webhooks/:id/test") return { type: "email.sent" };
  if (route === "POST /webhooks/:id/replay") return { since: "2026-03-01T00:00:00Z" };
  if (route.endsWith("/members")) return { emails: ["eve@example.com"] };
  if (route === "PUT /domains/:id/warmup") return { days: [50] };
  if (route === "POST /contacts/:id/notes") return { to: owned.notes, text: "Mine" };
  if (route === "PATCH /contacts/:id/notes/:noteId") return { done: true };
  if (route === "PATCH /topics/:id") return { name: { en: "Mine" } };
  return { name: "Mine", subscribed: false, email: "mine@example.com" };
}

/** What the stranger has itself. */
const OF_ITS_OWN: Readonly<Record<string, number>> = { "GET /keys": 1, "GET /domains": 1 };

const isRead = (route: string) => route.startsWith("GET ");
const namesRecord = (route: string) => route.includes(":");

test("every route that names a record answers a stranger 404, just as for an id that nobody has", async () => {
  const { posthorn, owned, stranger } = await house();
  await using _ = posthorn;
  const before = await everything(posthorn);
  const routes = routesWithKey(posthorn).filter(namesRecord);
  expect(routes.length).toBeGreaterThanOrEqual(7);
  for (const route of routes) {
    const question = { key: stranger, ...(isRead(route) ? {} : { body: bodyFor(route, owned) }) };
    const [theirs, unknown] = [
      await ask(posthorn, withId(route, owned), question),
      await ask(posthorn, withId(route, nobodys(owned)), question),
    ];
    expect([route, theirs.status]).toEqual([route, 404]);
    expect([route, theirs.body.error.code, Object.keys(theirs.body.error)]).toEqual([
      route,
      unknown.body.error.code,
      Object.keys(unknown.body.error),
    ]);
  }
  expect(await everything(posthorn)).toEqual(before);
});

test("the same routes answer the owner", async () => {
  const { posthorn, owned } = await house();
  await using _ = posthorn;
  for (const route of routesWithKey(posthorn).filter(namesRecord).filter(isRead)) {
    expect([route, (await ask(posthorn, withId(route, owned))).status]).toEqual([route, 200]);
  }
});

test("no list shows a stranger anything of it", async () => {
  const { posthorn, owned, stranger } = await house();
  await using _ = posthorn;
  const lists = routesWithKey(posthorn)
    .filter(isRead)
    .filter((route) => !namesRecord(route));
  expect(lists.length).toBeGreaterThanOrEqual(2);
  for (const route of lists) {
    for (const query of ["", "?search=secret", "?pageSize=100&page=1", "?status=QUEUED", "?type=MARKETING"]) {
      const { body } = await ask(posthorn, `${route}${query}`, { key: stranger });
      for (const trace of [...Object.values(owned), "Secret plan", "Secret key set", "ada@example.com"]) {
        expect([route, JSON.stringify(body).includes(trace)]).toEqual([route, false]);
      }
      if (typeof body === "object" && "total" in body)
        expect([route, body.total]).toEqual([route, OF_ITS_OWN[route] ?? 0]);
    }
  }
});

describe("an id of another workspace's record", () => {
  /** `:id` in the route is the stranger's own. */
  type Foreign = readonly [route: string, field: string, question: (owned: Owned) => object];
  const mail = { to: "eve@example.com", from: "hello@stranger.example", subscribed: true };
  const campaign = { ...template, from: "hello@stranger.example" };
  const memberOf = ({ segments }: Owned) => ({
    groups: [{ filters: [{ field: `segment.${segments}`, operator: "memberOf" }] }],
  });
  const NOBODY = "0199a3b4-0000-7000-8000-000000000009";
  const ANYBODY = { groups: [{ filters: [{ field: "email", operator: "contains", value: "@" }] }] };
  const scheduled = ({ segments }: Owned) => ({
    name: "Mine",
    triggerType: "SCHEDULE",
    triggerConfig: { cron: "0 9 * * 1", segmentId: segments },
  });
  const mailing = ({ templates }: Owned) => ({ type: "SEND_EMAIL", name: "Mine", config: { templateId: templates } });

  const FOREIGN: readonly Foreign[] = [
    ["POST /v1/send", "template", ({ templates }) => ({ ...mail, template: templates })],
    ["POST /contacts/bulk-subscribe", "segmentId", ({ segments }) => ({ filter: { segmentId: segments } })],
    ["POST /contacts/bulk-unsubscribe", "segmentId", ({ segments }) => ({ filter: { segmentId: segments } })],
    [
      "POST /contacts/bulk-topics",
      "segmentId",
      ({ segments }) => ({ filter: { segmentId: segments }, topics: { "secret-plan": "in" } }),
    ],
    ["POST /contacts/bulk-delete", "segmentId", ({ segments }) => ({ filter: { segmentId: segments } })],
    ["POST /segments", "condition", (owned) => ({ name: "Mine", condition: memberOf(owned) })],
    ["POST /campaigns", "segmentId", ({ segments }) => ({ ...campaign, audienceType: "SEGMENT", segmentId: segments })],
    [
      "POST /campaigns",
      "audienceCondition",
      (owned) => ({ ...campaign, audienceType: "FILTERED", audienceCondition: memberOf(owned) }),
    ],
    [
      "POST /campaigns/audience-preview",
      "segmentId",
      ({ segments }) => ({ audienceType: "SEGMENT", segmentId: segments }),
    ],
    [
      "POST /campaigns/audience-preview",
      "audienceCondition",
      (owned) => ({ audienceType: "FILTERED", audienceCondition: memberOf(owned) }),
    ],
    [
      "POST /campaigns/audience-people",
      "segmentId",
      ({ segments }) => ({ audienceType: "SEGMENT", segmentId: segments, part: "matched" }),
    ],
    [
      "POST /campaigns/audience-people",
      "audienceCondition",
      (owned) => ({ audienceType: "FILTERED", audienceCondition: memberOf(owned), part: "matched" }),
    ],
    ["POST /workflows", "triggerConfig", scheduled],
    ["POST /workflows", "steps", (owned) => ({ name: "Mine", eventName: "mine", steps: [mailing(owned)] })],
    ["PATCH /workflows/:id", "triggerConfig", scheduled],
    ["PUT /workflows/:id", "triggerConfig", (owned) => ({ ...scheduled(owned), steps: [], transitions: [] })],
    ["PUT /workflows/:id", "steps", (owned) => ({ steps: [mailing(owned)], transitions: [] })],
    ["POST /workflows/:id/steps", "config", mailing],
    [
      "POST /workflows/:id/steps",
      "templateId",
      ({ templates }) => ({ type: "SEND_EMAIL", name: "Mine", config: {}, templateId: templates }),
    ],
    ["PATCH /workflows/:id/steps/:stepId", "templateId", ({ templates }) => ({ templateId: templates })],
    ["POST /workflows/:id/executions", "contactId", ({ contacts }) => ({ contactId: contacts })],
    ["POST /workflows/:id/simulate", "contactId", ({ contacts }) => ({ contactId: contacts })],
    ["POST /workflows/:id/transitions", "fromStepId", ({ steps }) => ({ fromStepId: steps, toStepId: steps })],
    ["POST /workflows/:id/transitions", "toStepId", ({ steps }) => ({ fromStepId: steps, toStepId: steps })],
    ["POST /segments/preview", "condition", (owned) => ({ condition: memberOf(owned) })],
    ["POST /segments/explain", "condition", (owned) => ({ condition: memberOf(owned), email: "ada@example.com" })],
    ["POST /segments/explain", "segmentId", ({ segments }) => ({ segmentId: segments, email: "ada@example.com" })],
    ["POST /segments/explain", "contactId", ({ contacts }) => ({ condition: ANYBODY, contactId: contacts })],
    ["PATCH /segments/:id", "condition", (owned) => ({ condition: memberOf(owned) })],
    ["POST /segments/:id/members", "segmentId", ({ segments }) => ({ segmentId: segments })],
    ["DELETE /segments/:id/members", "segmentId", ({ segments }) => ({ filter: { segmentId: segments } })],
    ["POST /forms", "segmentId", ({ segments }) => ({ name: "Mine", segmentId: segments })],
    ["POST /forms/preview", "segmentId", ({ segments }) => ({ name: "Mine", segmentId: segments })],
    ["PATCH /forms/:id", "segmentId", ({ segments }) => ({ segmentId: segments })],
    ["PUT /campaigns/:id", "segmentId", ({ segments }) => ({ audienceType: "SEGMENT", segmentId: segments })],
    [
      "PUT /campaigns/:id",
      "audienceCondition",
      (owned) => ({ audienceType: "FILTERED", audienceCondition: memberOf(owned) }),
    ],
    ["POST /templates/:id/preview", "contactId", ({ contacts }) => ({ contactId: contacts })],
    ["POST /templates/:id/test", "contactId", ({ contacts }) => ({ email: "me@example.com", contactId: contacts })],
    ["POST /campaigns/:id/test", "contactId", ({ contacts }) => ({ email: "me@example.com", contactId: contacts })],
    ["POST /contacts/duplicates/dismiss", "contactIds", ({ contacts }) => ({ contactIds: [contacts, NOBODY] })],
    ["GET /contacts/merges", "contactId", ({ contacts }) => ({ contactId: contacts })],
    ["GET /contacts", "segmentId", ({ segments }) => ({ segmentId: segments })],
    ["POST /preview", "contactId", ({ contacts }) => ({ kind: "MARKETING", contactId: contacts })],
    ["POST /preview", "eventId", ({ events }) => ({ kind: "MARKETING", eventId: events })],
    ["GET /contacts/export", "segmentId", ({ segments }) => ({ segmentId: segments })],
    ["POST /emails/retry", "contactId", ({ contacts }) => ({ filter: { contactId: contacts } })],
    ["POST /emails/retry", "campaignId", ({ campaigns }) => ({ filter: { campaignId: campaigns } })],
    ["POST /emails/retry", "templateId", ({ templates }) => ({ filter: { templateId: templates } })],
    ["POST /emails/retry", "workflowId", ({ workflows }) => ({ filter: { workflowId: workflows } })],
    ["POST /emails/retry", "stepId", ({ workflows, steps }) => ({ filter: { workflowId: workflows, stepId: steps } })],
    ["GET /emails", "contactId", ({ contacts }) => ({ contactId: contacts })],
    ["GET /emails", "campaignId", ({ campaigns }) => ({ campaignId: campaigns })],
    ["GET /emails/reasons", "contactId", ({ contacts }) => ({ contactId: contacts })],
    ["GET /emails/reasons", "campaignId", ({ campaigns }) => ({ campaignId: campaigns })],
    ["GET /events", "contactId", ({ contacts }) => ({ contactId: contacts })],
    ["GET /workflows/:id/executions", "contactId", ({ contacts }) => ({ contactId: contacts })],
    ["GET /workflows/:id/unstarted", "contactId", ({ contacts }) => ({ contactId: contacts })],
    ["GET /workflows/:id/executions", "stepId", ({ steps }) => ({ stepId: steps })],
  ];

  async function asked(posthorn: Posthorn, key: Key, path: string, said: object) {
    const before = await everything(posthorn);
    const query = new URLSearchParams(said as Record<string, string>);
    const reply = await ask(
      posthorn,
      isRead(path) ? `${path}?${query}` : path,
      isRead(path) ? { key } : { key, body: said },
    );
    expect(await everything(posthorn)).toEqual(before);
    return reply;
  }

  // As nothing of it changes, all rows have the same house.
  let shared: Awaited<ReturnType<typeof house>> & { readonly own: Owned };
  beforeAll(async () => {
    const { posthorn, owned, stranger } = await house();
    shared = { posthorn, owned, stranger, own: await belongings(posthorn, stranger, "hello@stranger.example") };
  });
  afterAll(() => shared.posthorn[Symbol.asyncDispose]());

  test.each(FOREIGN)("at %s in %s is as one that nobody has, and changes nothing", async (route, _, question) => {
    const { posthorn, owned, stranger, own } = shared;
    const path = withId(route, own);
    const theirs = await asked(posthorn, stranger, path, question(owned));
    const unknown = await asked(posthorn, stranger, path, question(nobodys(owned)));
    const seen = ({ status, body }: typeof theirs) => [status, body.error?.code, body.error?.errors?.map(codeOf)];
    expect([404, 422]).toContain(theirs.status);
    expect(seen(theirs)).toEqual(seen(unknown));
  });

  /** Not looked up when they are given, or answered with what is the caller's own: with tests of their own. */
  const ELSEWHERE: readonly string[] = [
    // For owners of the installation, who see all workspaces.
    "POST /installation/way-rules/preview workspaceId",
    // Of accounts at Amazon and Microsoft.
    ...["accessKeyId", "clientId"].flatMap((field) => [
      `POST /installation/ways ${field}`,
      `PATCH /installation/ways/:name ${field}`,
    ]),
    // Of the workspace's own search, and of no other.
    "POST /contacts/duplicates/merge searchId",
    "POST /contacts/bulk-subscribe contactIds",
    "POST /contacts/bulk-unsubscribe contactIds",
    "POST /contacts/bulk-topics contactIds",
    "POST /contacts/bulk-topics excludeIds",
    "POST /contacts/bulk-delete contactIds",
    "POST /contacts/bulk-subscribe excludeIds",
    "POST /contacts/bulk-unsubscribe excludeIds",
    "POST /contacts/bulk-delete excludeIds",
    ...["bulk-subscribe", "bulk-unsubscribe", "bulk-topics", "bulk-delete"].map(
      (path) => `POST /contacts/${path} importId`,
    ),
    ...["POST", "DELETE"].flatMap((method) =>
      ["importId", "excludeIds"].map((field) => `${method} /segments/:id/members ${field}`),
    ),
    "GET /contacts importId",
    "GET /contacts/leaving-answers campaignId",
    "GET /contacts/export importId",
    "POST /contacts/export contactIds",
    ...["GET /emails", "GET /emails/reasons", "POST /emails/retry"].map((route) => `${route} keyId`),
    "GET /emails templateId",
    "GET /emails workflowId",
    "GET /emails stepId",
    "GET /emails/reasons stepId",
    "GET /emails/reasons templateId",
    "GET /emails/reasons workflowId",
    ...["emailId", "workflowId", "stepId"].map((field) => `GET /webhooks/attempts ${field}`),
  ];

  test("is tried wherever a body or a query takes one", async () => {
    const tried = FOREIGN.map(([route, field]) => `${route} ${field}`);
    const places = operationsOf(await documentOf(shared.posthorn)).flatMap((one) => {
      const route = one.name.replace(/\{(\w+)\}/g, ":$1");
      const queries = (one.operation.parameters ?? []).filter((parameter: Json) => parameter.in === "query");
      const names = [...fieldsOf(one).map(({ path }) => path.at(-1)), ...queries.map(({ name }: Json) => name)];
      return names.filter((name) => /Ids?$/.test(name) && name !== "rawId").map((name) => `${route} ${name}`);
    });
    expect(places.length).toBeGreaterThan(15);
    const forgotten = places.filter((place) => ![...tried, ...ELSEWHERE].includes(place));
    expect(forgotten).toEqual([]);
  });
});

const codeOf = ({ field, code }: Json): string => `${field} ${code}`;

test("another workspace's sender domain cannot be used", async () => {
  const { posthorn, stranger } = await house();
  await using _ = posthorn;
  const { status, body } = await ask(posthorn, "POST /v1/send", { key: stranger, body: letter });
  expect([status, body.error.code]).toEqual([403, "DOMAIN_NOT_VERIFIED"]);
});

describe("the same address in two workspaces", () => {
  const doors: readonly [route: string, body: object][] = [
    ["POST /contacts", { email: letter.to, subscribed: false, data: { plan: "stranger" } }],
    ["POST /v1/track", { email: letter.to, event: "x", subscribed: true, data: { plan: "stranger" } }],
    ["POST /v1/send", { ...letter, from: "hello@stranger.example", subscribed: true, data: { plan: "stranger" } }],
  ];

  test.each(doors)("is two contacts at %s", async (route, body) => {
    const { posthorn, owned, stranger } = await house();
    await using _ = posthorn;
    const before = (await ask(posthorn, `GET /contacts/${owned.contacts}`)).body;
    expect((await ask(posthorn, route, { key: stranger, body })).status).toBeLessThan(300);
    expect((await ask(posthorn, `GET /contacts/${owned.contacts}`)).body).toEqual(before);
  });

  test("unsubscribes from the one whose mail it was", async () => {
    const { posthorn, owned, stranger } = await house();
    await using _ = posthorn;
    await ask(posthorn, "POST /contacts", { body: { email: letter.to, subscribed: true } });
    await ask(posthorn, "POST /contacts", { key: stranger, body: { email: letter.to } });
    const news = { ...template, from: "hello@stranger.example" };
    const { id } = (await ask(posthorn, "POST /templates", { key: stranger, body: news })).body;
    await ask(posthorn, "POST /v1/send", { key: stranger, body: { to: letter.to, template: id } });
    await posthorn.settle();
    const raws = posthorn.transport.sent.map((message) => message.raw.toString().replace(/\r\n[ \t]/g, ""));
    const raw = raws.find((one) => one.includes("hello@stranger.example")) ?? "";
    const path = /List-Unsubscribe: ?<http:\/\/127\.0\.0\.1:8484(\/unsubscribe\/[\w-]+)>/.exec(raw)?.[1];
    expect((await ask(posthorn, `POST ${path}`, { key: "none" })).status).toBe(200);
    expect((await ask(posthorn, `GET /contacts/${owned.contacts}`)).body.subscribed).toBe(true);
    expect((await posthorn.eventNames()).at(-1)).toBe("contact.unsubscribed");
  });
});
