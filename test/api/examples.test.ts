// Every example of a body in /openapi.json is accepted by the server that shows it. Examples of answers are held to the
// answers of all tests by support/documented.ts, and to their schemas by openapi-lint.test.ts.
import { expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { belongings, withId, type Owned } from "../support/belongings.ts";
import { send } from "../support/campaigns.ts";
import { FORM, formWith } from "../support/files.ts";
import { letter } from "../support/mails.ts";
import { documentOf, operationsOf } from "../support/operations.ts";
import { firstOwner, OWN_PAGE, patiently, somebody, type Somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn, type Reply } from "../support/posthorn.ts";
import { pathOf } from "../support/providers.ts";
import { ask, type Question } from "../support/scenario.ts";
import { Amazon, signed } from "../support/sns.ts";

type Shop = { readonly posthorn: Posthorn; readonly owner: Somebody; readonly owned: Owned };
type Body = {
  readonly name: string;
  readonly path: string;
  readonly operation: Json;
  readonly type: string;
  readonly example: Json;
};

/** One of each kind of record, with Ada, its owner, who has just signed in. */
async function shop(): Promise<Shop> {
  const posthorn = await startPosthorn({
    config: {
      limits: { requestsPerMinute: 0 },
      // Passkeys need a name.
      http: { baseUrl: "http://localhost:8484" },
      relay: { provider: "generic" },
      ses: { topics: ["arn:aws:sns:eu-west-1:123456789012:posthorn"] },
    },
    fetchText: new Amazon().fetchText,
  });
  const owner = await firstOwner(posthorn);
  return { posthorn, owner, owned: await belongings(posthorn, "secret", letter.from) };
}

function bodiesOf(document: Json): Body[] {
  return operationsOf(document).flatMap(({ name, path, operation }) =>
    Object.entries<Json>(operation.requestBody?.content ?? {}).map(([type, { example }]) => ({
      ...{ name, path, operation, type },
      example,
    })),
  );
}

/** What differs from the example: ids and secrets, which are the reader's own, and where it is asked. */
type Changes = { readonly path?: string; readonly body?: Json; readonly status?: number };

/** What has to be there before the example is asked, if that is more than one record of each kind. */
const BEFORE: Readonly<Record<string, (shop: Shop, example: Json) => Promise<Changes>>> = {
  "POST /contacts/export": async ({ owned }) => ({ body: { contactIds: [owned.contacts] } }),
  "POST /contacts/{id}/notes": async ({ owner }) => ({
    body: { to: (await owner.ask("GET /me")).body.id, text: "Hi" },
  }),
  // By the machine's clock, this server refuses to be moved.
  "POST /test/clock": async () => ({ status: 409 }),
  // Nobody signs in here with a provider.
  "POST /session/provider-options": async () => ({ status: 401 }),
  "POST /session/provider": async () => ({ status: 401 }),
  "POST /me/provider-options": async () => ({ status: 401 }),
  "POST /me/identities": async () => ({ status: 401 }),
  // Nobody answers at the product's address.
  "POST /contacts/import-from": async () => ({ status: 409 }),
  // A text stands for bytes.
  "POST /workspaces/import": async () => ({ status: 422 }),
  "POST /manage/{token}": async ({ posthorn, owned }) => {
    const { manageUrl } = linksFor(posthorn.secrets, "", { contactId: owned.contacts, emailId: owned.emails });
    return { path: manageUrl };
  },
  "POST /f/{key}": async ({ posthorn }) => {
    await ask(posthorn, "POST /forms", { body: { name: "News", key: "news" } });
    return { path: "/f/news", status: 303 };
  },
  "POST /segments/{id}/members": async (shop) => ({ path: `/segments/${await listIn(shop)}/members` }),
  "DELETE /segments/{id}/members": async (shop) => ({ path: `/segments/${await listIn(shop)}/members` }),
  "POST /segments/explain": async ({ posthorn }, { email }) => {
    await ask(posthorn, "POST /contacts", { body: { email } });
    return {};
  },
  "POST /emails/retry": async ({ posthorn }) => {
    posthorn.transport.answer = () =>
      ({ kind: "refused", reply: "554 5.6.0 Not this content", permanent: true }) as never;
    await ask(posthorn, "POST /v1/send", { body: letter });
    await posthorn.settle();
    return {};
  },
  "POST /campaigns/{id}/send": async ({ posthorn }) => {
    // Examples of bulk changes have been at work on the others.
    await ask(posthorn, "POST /contacts", { body: { email: "reader@readers.example" } });
    return {};
  },
  "POST /campaigns/{id}/again": async ({ posthorn }) => {
    const campaign = await send(posthorn);
    await posthorn.settle();
    return { path: `/campaigns/${campaign}/again` };
  },
  "POST /webhooks/{id}/replay": async ({ posthorn, owned }) => {
    await ask(posthorn, `PATCH /webhooks/${owned.webhooks}`, { body: { enabled: true } });
    return {};
  },
  "PATCH /workflows/{id}/steps/{stepId}": async (shop) => {
    const { id, steps } = await workflowIn(shop);
    return { path: `/workflows/${id}/steps/${steps[1].id}` };
  },
  "POST /workflows/{id}/transitions": async (shop, example) => {
    const { id, steps } = await workflowIn(shop);
    return {
      path: `/workflows/${id}/transitions`,
      body: { ...example, fromStepId: steps[1].id, toStepId: steps[3].id },
    };
  },
  "POST /workflows/{id}/executions": async (shop, example) => ({
    path: `/workflows/${(await workflowIn(shop)).id}/executions`,
    body: { ...example, contactId: shop.owned.contacts },
  }),
  "POST /workflows/{id}/simulate": async ({ owned }, example) => ({ body: { ...example, contactId: owned.contacts } }),
  // What a device has made for somebody else.
  "POST /session/passkey": async () => ({ status: 401 }),
  "POST /me/passkeys": async () => ({ status: 422 }),
  // Nothing is being set up.
  "POST /me/totp/confirm": async () => ({ status: 409 }),
  "POST /links/look": withToken,
  "POST /links/passkey-options": withToken,
  "POST /links/accept": withToken,
  "PATCH /members/{id}": async ({ posthorn, owner }) => {
    await somebody(posthorn, "EDITOR");
    return { path: `/members/${await idIn(owner, "GET /members", "editor@example.com")}` };
  },
  "PATCH /users/{id}": async ({ owner }) => ({
    path: `/users/${await idIn(owner, "GET /users", "editor@example.com")}`,
  }),
  "POST /contacts/duplicates/merge": async ({ posthorn }) => {
    await ask(posthorn, "POST /contacts/duplicates");
    await posthorn.settle();
    return { body: { searchId: (await ask(posthorn, "GET /contacts/duplicates/merge")).body.searchId } };
  },
  "POST /contacts/duplicates/dismiss": async ({ posthorn, owned }) => {
    const twin = (await ask(posthorn, "POST /contacts", { body: { email: `${crypto.randomUUID()}@example.com` } }))
      .body;
    return { body: { contactIds: [owned.contacts, twin.id] } };
  },
  "POST /contacts/merge": async ({ posthorn, owned }, example) => {
    const twin = (await ask(posthorn, "POST /contacts", { body: { email: `${crypto.randomUUID()}@example.com` } }))
      .body;
    return { body: { ...example, into: owned.contacts, from: [twin.id] } };
  },
  "POST /webhooks/ses": async (_, example) => ({ body: JSON.stringify(signed(JSON.parse(example))) }),
  "POST /providers/{provider}/{token}": async ({ posthorn }) => ({ path: pathOf(posthorn, "generic") }),
  "POST /installation/ways": async (_, example) => ({ body: { ...example, kind: "capture" } }),
  "POST /installation/ways/{name}/sign-in/check": async () => ({ path: "/installation/ways/default/sign-in/check" }),
  "PUT /installation/ways/{name}/warmup": async () => ({ path: "/installation/ways/default/warmup" }),
  "POST /installation/ways/{name}/warmup/skip": async () => ({ path: "/installation/ways/default/warmup/skip" }),
  "PATCH /installation/ways/{name}": async ({ owner }) => {
    await owner.ask("POST /installation/ways", { body: { name: "changed", kind: "capture" } });
    return { path: "/installation/ways/changed" };
  },
  "PATCH /workspaces/{id}": async ({ owner }) => {
    const { id } = (await owner.ask("POST /workspaces", { body: { name: "A third shop" } })).body;
    return { path: `/workspaces/${id}` };
  },
};

async function listIn({ posthorn }: Shop): Promise<string> {
  const list = { name: `List ${crypto.randomUUID()}`, type: "STATIC" };
  return (await ask(posthorn, "POST /segments", { body: list })).body.id;
}

/** A condition whose no leads to a delay and then to the end. */
async function workflowIn({ posthorn }: Shop): Promise<Json> {
  const steps = [
    { ref: "pro", type: "CONDITION", name: "Pro?", config: { field: "data.plan", operator: "equals", value: "pro" } },
    { ref: "wait", type: "DELAY", name: "Wait", config: { amount: 1, unit: "days" } },
    { ref: "end", type: "EXIT", name: "End", config: {} },
  ];
  const transitions = [
    { fromStepId: "trigger", toStepId: "pro" },
    { fromStepId: "pro", toStepId: "wait", condition: { branch: "no" } },
    { fromStepId: "wait", toStepId: "end" },
  ];
  const flow = { name: `Flow ${crypto.randomUUID()}`, eventName: "signup", enabled: true, steps, transitions };
  return (await ask(posthorn, "POST /workflows", { body: flow })).body;
}

/** A link that invites somebody. */
async function withToken({ owner }: Shop, example: Json): Promise<Changes> {
  const invitation = { email: `${crypto.randomUUID()}@example.com`, role: "EDITOR" };
  const { link } = (await owner.ask("POST /invitations", { body: invitation })).body;
  return { body: { ...example, token: link.split("#")[1] } };
}

async function idIn(owner: Somebody, route: string, email: string): Promise<string> {
  const { body } = await owner.ask(route);
  return Object.values<Json>(body)
    .flat()
    .find((one) => one.email === email).id;
}

async function asked({ posthorn, owner, owned }: Shop, one: Body, { path, body }: Changes): Promise<Reply> {
  const place = path ?? withId(`X ${one.path.replace(/\{(\w+)\}/g, ":$1")}`, owned).slice(2);
  const form = sentAs(one.type, body ?? one.example);
  const route = `${one.name.split(" ")[0]} ${place}`;
  const kinds = one.operation.security.flatMap((kind: object) => Object.keys(kind));
  if (kinds.includes("secretKey")) return ask(posthorn, route, form);
  if (kinds.includes("session")) return owner.ask(route, form);
  return ask(posthorn, route, { ...form, key: "none", headers: { ...OWN_PAGE, ...form.headers } });
}

/** As the client of a program sends it. */
function sentAs(type: string, body: Json): Pick<Question, "body" | "headers"> {
  if (type === "application/json") return { body };
  if (type !== "multipart/form-data") {
    const text = typeof body === "string" ? body : new URLSearchParams(body).toString();
    return { body: text, headers: { "content-type": type } };
  }
  const { file, ...fields } = body;
  return { body: formWith(file, "file", fields), headers: FORM };
}

test("every body has an example, and the server accepts it", async () => {
  const all = await shop();
  await using posthorn = all.posthorn;
  const bodies = bodiesOf(await documentOf(posthorn));
  expect(bodies.length).toBeGreaterThan(75);
  const names = bodies.map(({ name }) => name);
  expect(Object.keys(BEFORE).filter((name) => !names.includes(name))).toEqual([]);
  for (const one of bodies) {
    expect([one.name, one.example]).toEqual([one.name, expect.anything()]);
    const changes = (await BEFORE[one.name]?.(all, one.example)) ?? {};
    const { status, body } = await patiently(posthorn, asked(all, one, changes));
    const successes = Object.keys(one.operation.responses).filter((code) => code.startsWith("2"));
    const isExpected = changes.status === undefined ? successes.includes(String(status)) : status === changes.status;
    expect([one.name, status, isExpected ? "as shown" : body]).toEqual([one.name, status, "as shown"]);
  }
});
