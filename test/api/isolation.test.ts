// No workspace sees or changes what another one has, whatever id it names, at any route (interface-gaps.md §1 "404").
import { describe, expect, test } from "bun:test";
import { upload } from "../support/files.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { routesWithKey } from "../support/routes.ts";
import { ask, everything, type Key } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";

const template = {
  name: "Secret plan",
  subject: "Secret",
  body: "<p>Secret</p>",
  type: "MARKETING",
  from: "hello@example.test",
};

const flow = {
  name: "Secret flow",
  eventName: "secret",
  enabled: true,
  steps: [{ type: "DELAY", name: "Wait", config: { amount: 1, unit: "days" } }],
};

/** One record of each kind that routes name by id; a new kind of record needs its line here. */
type Owned = Readonly<Record<Kind, string>>;
type Kind =
  | "contacts"
  | "templates"
  | "emails"
  | "segments"
  | "keys"
  | "domains"
  | "campaigns"
  | "import"
  | "bulk"
  | "workflows"
  | "steps"
  | "transitions"
  | "executions";

async function house(): Promise<{ posthorn: Posthorn; owned: Owned; stranger: Key }> {
  const posthorn = await startPosthorn();
  const { emails } = (await ask(posthorn, "POST /v1/send", { body: { ...letter, data: { plan: "secret" } } })).body
    .data;
  const workflow = (await ask(posthorn, "POST /workflows", { body: flow })).body;
  const owned = {
    contacts: emails[0].contact.id,
    templates: (await ask(posthorn, "POST /templates", { body: template })).body.id,
    emails: emails[0].email,
    segments: (await ask(posthorn, "POST /segments", { body: { name: "Secret friends", type: "STATIC" } })).body.id,
    keys: (await ask(posthorn, "POST /keys", { body: { name: "Secret key set" } })).body.id,
    domains: (await ask(posthorn, "GET /domains")).body.data[0].id,
    import: (await upload(posthorn, "email\nsecret@example.com\n")).body.jobId,
    bulk: (await ask(posthorn, "POST /contacts/bulk-subscribe", { body: { filter: { search: "secret" } } })).body.jobId,
    workflows: workflow.id,
    steps: workflow.steps[1].id,
    transitions: workflow.transitions[0].id,
    campaigns: (await ask(posthorn, "POST /campaigns", { body: { ...template, audienceType: "ALL" } })).body.data.id,
    executions: (
      await ask(posthorn, `POST /workflows/${workflow.id}/executions`, { body: { contactId: emails[0].contact.id } })
    ).body.id,
  };
  const stranger = { bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret };
  return { posthorn, owned, stranger };
}

/** `GET /emails/:id/raw` with the id that is owned. */
function withId(route: string, owned: Owned): string {
  return route.replace(/\/(\w+)\/:\w+/g, (_, kind: keyof Owned) => {
    if (owned[kind] === undefined) throw new Error(`${route}: there is no record of kind ${kind} in this test`);
    return `/${kind}/${owned[kind]}`;
  });
}

/** What a route takes, where that is not what most take. */
function bodyFor(route: string, owned: Owned): object {
  if (route === "POST /workflows/:id/simulate-past") return { days: 1 };
  if (route === "POST /workflows/:id/simulate") return { contactId: owned.contacts };
  if (route === "POST /workflows/:id/executions") return { contactId: owned.contacts };
  if (route === "POST /workflows/:id/steps") return { type: "EXIT", name: "Mine", config: {} };
  if (route === "POST /workflows/:id/transitions") return { fromStepId: owned.steps, toStepId: owned.steps };
  if (route.endsWith("/members")) return { emails: ["eve@example.com"] };
  return { name: "Mine", subscribed: false, email: "mine@example.com" };
}

/** What the stranger has itself. */
const OF_ITS_OWN: Readonly<Record<string, number>> = { "GET /keys": 1, "GET /domains": 1 };

const isRead = (route: string) => route.startsWith("GET ");
const namesRecord = (route: string) => route.includes(":");

test("every route that names a record answers a stranger 404, just as for an id that nobody has", async () => {
  const { posthorn, owned, stranger } = await house();
  await using _ = posthorn;
  const nobodys = Object.fromEntries(
    Object.keys(owned).map((kind) => [kind, "0199a3b4-0000-7000-8000-000000000000"]),
  ) as Owned;
  const before = await everything(posthorn);
  const routes = routesWithKey(posthorn).filter(namesRecord);
  expect(routes.length).toBeGreaterThanOrEqual(7);
  for (const route of routes) {
    const question = { key: stranger, ...(isRead(route) ? {} : { body: bodyFor(route, owned) }) };
    const [theirs, unknown] = [
      await ask(posthorn, withId(route, owned), question),
      await ask(posthorn, withId(route, nobodys), question),
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

describe("an id inside a body", () => {
  test("of another workspace's template is 404, and nothing is sent", async () => {
    const { posthorn, owned, stranger } = await house();
    await using _ = posthorn;
    const before = await everything(posthorn);
    const body = { to: "eve@example.com", from: "hello@stranger.example", template: owned.templates, subscribed: true };
    const reply = await ask(posthorn, "POST /v1/send", { key: stranger, body });
    expect([reply.status, reply.body.error.code]).toEqual([404, "TEMPLATE_NOT_FOUND"]);
    expect(await everything(posthorn)).toEqual(before);
  });
});

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
    const raw = posthorn.transport.sent.map((message) => message.raw.toString().replace(/\r\n[ \t]/g, "")).join();
    const path = /List-Unsubscribe: ?<http:\/\/127\.0\.0\.1:8484(\/unsubscribe\/[\w-]+)>/.exec(raw)?.[1];
    expect((await ask(posthorn, `POST ${path}`, { key: "none" })).status).toBe(200);
    expect((await ask(posthorn, `GET /contacts/${owned.contacts}`)).body.subscribed).toBe(true);
    expect((await posthorn.eventNames()).at(-1)).toBe("contact.unsubscribed");
  });
});
