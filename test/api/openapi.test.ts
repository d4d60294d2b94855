// The description of the interface is whole, valid, and true.
import { expect, test } from "bun:test";
import { documentOf, exampleOf, fieldsOf, kindsOf, operationsOf } from "../support/operations.ts";
import { TestClock } from "../support/clock.ts";
import { letter, mailSent } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { allRoutes } from "../support/routes.ts";
import { DAY_MS, HOUR_MS } from "../../src/base/clock.ts";
import { PERMISSIONS } from "../../src/base/roles.ts";
import { expectDocumented } from "../support/documented.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

test("the document of a later server is the same to the byte, whatever was asked before (slow)", async () => {
  const documentText = async ({ server }: Posthorn) => (await fetch(`${server.url}/openapi.json`)).text();
  await using posthorn = await startPosthorn();
  const before = await documentText(posthorn);
  for (const one of operationsOf(JSON.parse(before)))
    await ask(posthorn, one.name, one.operation.requestBody ? { body: exampleOf(one) ?? {} } : {});
  const clock = new TestClock();
  clock.advance(40 * DAY_MS + 3 * HOUR_MS);
  await using later = await startPosthorn({ clock });
  expect(await documentText(later)).toBe(before);
  // Earlier tests in this process have asked as well.
  expect(before).not.toContain('"additionalProperties":true');
});

test("every route is declared (slow)", async () => {
  await using posthorn = await workspace();
  const declared = operationsOf(await documentOf(posthorn)).map(({ name }) => name);
  const routes = allRoutes(posthorn)
    .filter((route) => !/^OPTIONS/.test(route))
    .map((route) => route.replace(/:(\w+)/g, "{$1}"));
  expect(routes.filter((route) => !declared.includes(route))).toEqual([]);
});

test("every operation has a name of its own and every body that is JSON an example", async () => {
  await using posthorn = await workspace();
  const operations = operationsOf(await documentOf(posthorn));
  const names = operations.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(["sendEmail", "trackEvent", "listContacts", "retryWebhook"]));
  const bodies = operations.filter(({ operation }) => operation.requestBody?.content["application/json"]);
  expect(bodies.length).toBeGreaterThan(3);
  for (const { name, operation } of bodies) {
    expect([name, operation.requestBody.content["application/json"].example]).toEqual([name, expect.any(Object)]);
  }
});

test("groups, parameters and the webhook are described, and schemas have names of their own", async () => {
  await using posthorn = await workspace();
  const document = await documentOf(posthorn);
  const groups = document.tags.map(({ name, description }: Json) => [name, description.length > 10]);
  const used = operationsOf(document).flatMap(({ operation }) => operation.tags);
  expect(groups.toSorted()).toEqual([...new Set([...used, "Webhooks"])].toSorted().map((name) => [name, true]));
  const undescribed = operationsOf(document).flatMap(({ name, operation }) =>
    (operation.parameters ?? [])
      .filter((one: Json) => one.in === "query" && !one.description)
      .map((one: Json) => `${name} ${one.name}`),
  );
  expect(undescribed).toEqual([]);
  const { post } = document.webhooks.workflowWebhook;
  expect(post.parameters.map(({ name }: Json) => name)).toEqual([
    "webhook-id",
    "webhook-timestamp",
    "webhook-signature",
  ]);
  expect(post.requestBody.content["application/json"].schema.$ref).toEndWith("/WebhookPayload");
  const names = Object.keys(document.components.schemas);
  expect(names).toEqual(expect.arrayContaining(["SendEmailRequest", "ContactPage", "Condition", "DelayConfig"]));
  expect(names.filter((name) => /^(Error|Event)$|undefined/.test(name))).toEqual([]);
});

test("every operation that takes a key names what a person needs, for programs and for readers", async () => {
  await using posthorn = await workspace();
  const operations = operationsOf(await documentOf(posthorn)).map(({ operation }) => operation);
  const withKey = operations.filter(({ security }) => security.some((kind: object) => "secretKey" in kind));
  expect(withKey.filter((one) => !Object.hasOwn(PERMISSIONS, one["x-permission"]))).toEqual([]);
  const unsaid = withKey.filter((one) => !one.description.includes(`the permission \`${one["x-permission"]}\``));
  expect(unsaid).toEqual([]);
  const proven = operations.filter((one) => one["x-proof"]).map(({ operationId }) => operationId);
  expect(proven).toEqual(expect.arrayContaining(["createKey", "revokeKey", "exportContacts", "deleteContact"]));
});

test("keys are asked for where the document says so, and public ones refused elsewhere (slow)", async () => {
  await using posthorn = await workspace();
  for (const one of operationsOf(await documentOf(posthorn))) {
    const { name, operation } = one;
    const kinds = operation.security.map((kind: object) => Object.keys(kind)[0]);
    const body = exampleOf(one);
    const question = body === undefined ? {} : { body };
    const [none, open] = [
      await ask(posthorn, name, { ...question, key: "none" }),
      await ask(posthorn, name, { ...question, key: "public" }),
    ];
    expect([name, none.body.error?.code === "MISSING_AUTH"]).toEqual([name, kinds.length > 0]);
    expect([name, open.body.error?.code === "INVALID_API_KEY"]).toEqual([
      name,
      kinds.length > 0 && !kinds.includes("publicKey"),
    ]);
  }
});

test("the example of every body fits, and an Idempotency-Key is read where the document says so (slow)", async () => {
  await using posthorn = await workspace();
  for (const one of operationsOf(await documentOf(posthorn))) {
    const { name, method, operation } = one;
    if (operation.security.length === 0 || method === "GET") continue;
    const body = exampleOf(one);
    const question = { ...(body === undefined ? {} : { body }), headers: { "idempotency-key": "x".repeat(256) } };
    const { error } = (await ask(posthorn, name, question)).body;
    const takesKey = JSON.stringify(operation.parameters ?? []).includes("IdempotencyKey");
    expect([name, error?.errors?.[0]?.field === "Idempotency-Key"]).toEqual([name, takesKey]);
    expect([name, error?.code]).not.toEqual([name, "VALIDATION_ERROR"]);
  }
});

test("the example of a campaign's sending names no time: it is the same tomorrow, and nothing leaves at once for those who try it", async () => {
  await using posthorn = await workspace();
  const operations = operationsOf(await documentOf(posthorn));
  const sending = operations.find(({ name }) => name === "POST /campaigns/{id}/send");
  const { example } = sending?.operation.requestBody.content["application/json"];
  expect(Object.keys(example)).toEqual(["delaySeconds"]);
  expect(example.delaySeconds).toBeGreaterThanOrEqual(600);
});

test("what a parameter means that is not given is as documented (slow)", async () => {
  await using posthorn = await workspace();
  for (let number = 0; number <= 100; number++) {
    const event = { email: `reader${number % 25}@example.com`, event: "seen" };
    await ask(posthorn, "POST /v1/track", { body: event });
  }
  const withKey = operationsOf(await documentOf(posthorn)).filter(({ operation }) =>
    operation.security.some((kind: object) => "secretKey" in kind),
  );
  const defaults = withKey.flatMap(({ name, operation }) =>
    (operation.parameters ?? [])
      .filter(({ schema }: Json) => schema?.default !== undefined)
      .map((parameter: Json) => ({ name, parameter: parameter.name, value: parameter.schema.default })),
  );
  const named = [
    "GET /contacts limit=20",
    "GET /contacts sort=createdAt",
    "GET /events limit=100",
    "GET /emails page=1",
  ];
  const texts = defaults.map(({ name, parameter, value }) => `${name} ${parameter}=${value}`);
  expect(texts).toEqual(expect.arrayContaining([...named, "GET /templates pageSize=20"]));
  for (const { name, parameter, value } of defaults.filter((one) => !one.name.includes("{"))) {
    const [without, given] = [await ask(posthorn, name), await ask(posthorn, `${name}?${parameter}=${value}`)];
    expect([name, parameter, given.body]).toEqual([name, parameter, without.body]);
  }
});

test("what a body need not have may be null in it", async () => {
  await using posthorn = await workspace();
  const fields = operationsOf(await documentOf(posthorn)).flatMap((one) =>
    fieldsOf(one).map((field) => ({ name: `${one.name} ${field.path.join(".")}`, field })),
  );
  expect(fields.length).toBeGreaterThan(90);
  const strict = fields.filter(({ field }) => !field.isRequired && !(kindsOf(field) ?? ["null"]).includes("null"));
  expect(strict.map(({ name }) => name)).toEqual([]);
});

test("an answer that is not as documented is noticed", async () => {
  await using posthorn = await workspace();
  const made = await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } });
  const wrong: readonly [path: string, changes: object][] = [
    ["/contacts", { body: { ...made.body, more: 1 } }],
    ["/contacts", { body: { ...made.body, subscribed: "true" } }],
    ["/contacts", { body: { ...made.body, id: undefined } }],
    ["/contacts", { status: 202 }],
    ["/contacts", { headers: new Headers({ "content-type": "text/html" }) }],
    ["/nowhere", {}],
  ];
  for (const [path, changes] of wrong) {
    await expect(expectDocumented(posthorn.server.url, "POST", path, { ...made, ...changes })).rejects.toThrow();
  }
  await expectDocumented(posthorn.server.url, "POST", "/contacts", made);
});

test("a server that may choose its port names the one that it listens on, there and in mails (slow)", async () => {
  await using posthorn = await workspace({ config: { http: { baseUrl: "http://127.0.0.1:0" } } });
  const { url } = posthorn.server;
  expect((await posthorn.call("GET /openapi.json")).body.servers).toEqual([{ url }]);
  await ask(posthorn, "POST /v1/send", { body: { ...letter, body: "<p>{{ manageUrl }}</p>" } });
  await posthorn.settle();
  expect((await mailSent(posthorn)).html).toContain(`<p>${url}/manage/`);
});
