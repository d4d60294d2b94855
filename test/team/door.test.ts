// People call the same routes as keys: what each role may, which requests are forged, and what a program notices of it:
// nothing.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { ROLES, type Permission, type Role } from "../../src/base/roles.ts";
import { disableWorkspace, enableWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { documentOf, exampleOf, operationsOf } from "../support/operations.ts";
import { OWN_PAGE, somebody, type Somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const NAMES = Object.keys(ROLES) as Role[];
const NOBODYS = "0199a3b4-0000-7000-8000-000000000000";

let posthorn: Posthorn;
const people = new Map<Role, Somebody>();
beforeAll(async () => {
  posthorn = await workspace();
  for (const role of NAMES) people.set(role, await somebody(posthorn, role));
});
afterAll(() => posthorn[Symbol.asyncDispose]());

const of = (role: Role) => people.get(role) as Somebody;

test.each(NAMES)(
  "at every route %s is let in as the table of roles says, and refused before the body is read",
  async (role) => {
    const permissions: ReadonlySet<Permission> = ROLES[role];
    const operations = operationsOf(await documentOf(posthorn)).filter(({ operation }) => operation["x-permission"]);
    expect(operations.length).toBeGreaterThan(80);
    const wrong: unknown[] = [];
    for (const { name, path, method, operation } of operations) {
      const may = permissions.has(operation["x-permission"]);
      const route = `${method} ${path.replace(/\{n\}/, "0").replace(/\{\w+\}/g, NOBODYS)}`;
      // Who may gets as far as the body, which is none.
      const isEmpty = method === "GET" || method === "DELETE";
      const { status, body } = await of(role).ask(route, isEmpty ? {} : { body: "{ this is not JSON" });
      const code = body.error?.code;
      const isRefused = status === 403 && code === "FORBIDDEN";
      if (isRefused === may || status === 401) wrong.push([name, status, code]);
    }
    expect(wrong).toEqual([]);
  },
);

test("a person gets what a key gets, and one without the permission sees no secret", async () => {
  for (const route of ["GET /workspace", "GET /domains", "GET /contacts", "GET /emails", "GET /workspace/health"]) {
    expect((await of("OWNER").ask(route)).body).toEqual((await ask(posthorn, route)).body);
  }
  const seen = async (role: Role) => (await of(role).ask("GET /workspace")).body.webhookSecret;
  expect([await seen("DEVELOPER"), await seen("MARKETER")]).toEqual([expect.stringMatching(/^whsec_/), null]);
});

test("a person sends, and changes contacts, as an unscoped secret key does", async () => {
  const mail = { to: "bob@example.com", from: "shop@example.test", subject: "Hi", body: "<p>Hi</p>" };
  expect((await of("SUPPORT").ask("POST /v1/send", { body: mail })).status).toBe(200);
  const event = { email: "bob@example.com", event: "called", subscribed: true };
  expect((await of("SUPPORT").ask("POST /v1/track", { body: event })).status).toBe(200);
  const again = { "idempotency-key": "once" };
  const made = () => of("EDITOR").ask("POST /segments", { body: { name: "Pro", type: "STATIC" }, headers: again });
  expect((await made()).body).toEqual((await made()).body);
});

test("whoever writes campaigns but may not send them changes none that is about to be sent", async () => {
  await using own = await workspace();
  const [editor, marketer] = [await somebody(own, "EDITOR"), await somebody(own, "MARKETER")];
  const draft = { name: "News", audienceType: "ALL", from: "news@example.test", subject: "News", body: "<p>News</p>" };
  const { id } = (await editor.ask("POST /campaigns", { body: draft })).body.data;
  const change = async (who: Somebody, subject: string) => {
    const { status, body } = await who.ask(`PUT /campaigns/${id}`, { body: { subject } });
    return [status, body.error?.code ?? body.data.subject];
  };
  expect(await change(editor, "More news")).toEqual([200, "More news"]);
  await marketer.ask("POST /contacts", { body: { email: "bob@example.com", subscribed: true } });
  const scheduledFor = new Date(own.clock.nowMs() + MINUTE_MS).toISOString();
  const sent = await marketer.ask(`POST /campaigns/${id}/send`, { body: { scheduledFor } });
  expect([sent.status, sent.body.data?.status]).toEqual([200, "SCHEDULED"]);
  expect(await change(editor, "Spam")).toEqual([403, "FORBIDDEN"]);
  expect(await change(marketer, "Good news")).toEqual([200, "Good news"]);
});

test("whoever may not send campaigns changes no segment that one is about to be sent to", async () => {
  await using own = await workspace();
  const [editor, marketer] = [await somebody(own, "EDITOR"), await somebody(own, "MARKETER")];
  await marketer.ask("POST /contacts", { body: { email: "bob@example.com", subscribed: true } });
  const make = async (body: Json) => (await editor.ask("POST /segments", { body })).body.id as string;
  const list = await make({ name: "List", type: "STATIC" });
  const inList = { groups: [{ filters: [{ field: `segment.${list}`, operator: "memberOf" }] }] };
  const everybody = { groups: [{ filters: [{ field: "subscribed", value: true }] }] };
  const [named, other] = [
    await make({ name: "Named", condition: inList }),
    await make({ name: "Other", type: "STATIC" }),
  ];
  const emails = { body: { emails: ["bob@example.com"] } };
  const codes = async (who: Somebody) => {
    const replies = [
      await who.ask(`POST /segments/${list}/members`, emails),
      await who.ask(`DELETE /segments/${list}/members`, emails),
      await who.ask(`PATCH /segments/${named}`, { body: { condition: everybody } }),
      await who.ask(`PATCH /segments/${named}`, { body: { condition: inList } }),
      await who.ask(`PATCH /segments/${named}`, { body: { description: "Who is on the list" } }),
      await who.ask(`POST /segments/${other}/members`, emails),
    ];
    return replies.map(({ status }) => status);
  };
  expect(await codes(editor)).toEqual([200, 200, 200, 200, 200, 200]);
  await editor.ask(`POST /segments/${list}/members`, emails);
  const draft = { name: "News", audienceType: "SEGMENT", segmentId: named, from: "news@example.test" };
  const campaign = await editor.ask("POST /campaigns", { body: { ...draft, subject: "News", body: "<p>News</p>" } });
  const scheduledFor = new Date(own.clock.nowMs() + MINUTE_MS).toISOString();
  const sent = await marketer.ask(`POST /campaigns/${campaign.body.data.id}/send`, { body: { scheduledFor } });
  expect([sent.status, sent.body.data?.status]).toEqual([200, "SCHEDULED"]);
  expect(await codes(editor)).toEqual([403, 403, 403, 200, 200, 200]);
  expect(await codes(marketer)).toEqual([200, 200, 200, 200, 200, 200]);
});

test("whoever may not send mail sends test copies to members alone", async () => {
  const draft = { name: "News", audienceType: "ALL", from: "news@example.test", subject: "News", body: "<p>News</p>" };
  const { id } = (await of("EDITOR").ask("POST /campaigns", { body: draft })).body.data;
  const copy = async (role: Role, email: string) => {
    const { status, body } = await of(role).ask(`POST /campaigns/${id}/test`, { body: { email } });
    return [status, body.error?.code];
  };
  expect(await copy("EDITOR", "eve@example.com")).toEqual([403, "FORBIDDEN"]);
  for (const email of ["editor@example.com", "Support@example.com", "owner@example.com"])
    expect(await copy("EDITOR", email)).toEqual([200, undefined]);
  expect(await copy("MARKETER", "eve@example.com")).toEqual([200, undefined]);
});

test("a marketer draws and runs workflows, and sets the brand and the postal address, but no other setting", async () => {
  const [marketer, editor] = [of("MARKETER"), of("EDITOR")];
  const flow = { name: "Welcome", eventName: "signup", steps: [{ type: "EXIT", name: "End", config: {} }] };
  const made = await marketer.ask("POST /workflows", { body: flow });
  expect([made.status, (await editor.ask("POST /workflows", { body: flow })).status]).toEqual([201, 403]);
  const { id } = made.body.data ?? made.body;
  expect((await marketer.ask(`PATCH /workflows/${id}`, { body: { enabled: true } })).status).toBe(200);
  const contact = (await marketer.ask("POST /contacts", { body: { email: "run@example.com" } })).body;
  const start = { body: { contactId: contact.id } };
  expect((await marketer.ask(`POST /workflows/${id}/executions`, start)).body).toMatchObject({ workflowId: id });
  const address = { postalAddress: "Example GmbH, 53111 Bonn" };
  expect((await marketer.ask("PATCH /workspace", { body: address })).body).toMatchObject(address);
  for (const body of [{ ...address, tracking: "DISABLED" }, { name: "Mine" }])
    expect((await marketer.ask("PATCH /workspace", { body })).status).toBe(403);
  expect((await editor.ask("PATCH /workspace", { body: address })).status).toBe(403);
  expect((await marketer.ask("PUT /workspace/brand", { body: { font: "Georgia" } })).status).toBe(200);
});

describe("a forged request", () => {
  const FORGED: readonly (readonly [what: string, headers: Record<string, string>])[] = [
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another port of this host", { "sec-fetch-site": "same-site" }],
    ["a picture in a mail that is being written", { "sec-fetch-site": "same-origin", "sec-fetch-dest": "image" }],
    ["the address bar", { "sec-fetch-site": "none" }],
    ["another site that names our origin", { "sec-fetch-site": "cross-site", origin: "http://127.0.0.1:8484" }],
  ];

  test.each(FORGED)("of %s is refused, whatever it asks", async (_, headers) => {
    const refused = async (route: string, body?: object) => {
      const { status, body: answer } = await of("OWNER").ask(route, { headers, ...(body ? { body } : {}) });
      return [status, answer.error.code];
    };
    expect(await refused("GET /emails")).toEqual([403, "CROSS_SITE"]);
    expect(await refused("POST /keys", { name: "Eve's" })).toEqual([403, "CROSS_SITE"]);
    expect(await refused("POST /v1/track", { email: "eve@example.com", event: "x" })).toEqual([403, "CROSS_SITE"]);
    expect(await refused("DELETE /session")).toEqual([403, "CROSS_SITE"]);
    expect(await refused("POST /session", { email: "a@example.com", password: "a" })).toEqual([403, "CROSS_SITE"]);
    expect(await refused("POST /links/look", { token: "a" })).toEqual([403, "CROSS_SITE"]);
  });

  test("that does not say where it comes from is refused, unless its origin is ours", async () => {
    const { cookie, workspace } = of("OWNER");
    const asked = async (headers: Record<string, string>, route = "GET /emails") =>
      (await ask(posthorn, route, { key: "none", headers: { cookie, "x-workspace": workspace, ...headers } })).status;
    expect(await asked({})).toBe(403);
    expect(await asked({ origin: "http://127.0.0.1:1" })).toBe(403);
    expect(await asked({ origin: "null" })).toBe(403);
    expect(await asked({ origin: "http://127.0.0.1:8484" })).toBe(200);
  });

  test("over plain HTTP, where browsers say nothing when a page reads, is refused when it changes something", async () => {
    await using plain = await startPosthorn({ config: { http: { baseUrl: "http://mail.example.com" } } });
    const { cookie, workspace } = await somebody(plain, "OWNER");
    const asked = async (route: string, headers: Record<string, string> = {}) =>
      (await ask(plain, route, { key: "none", headers: { cookie, "x-workspace": workspace, ...headers } })).status;
    const own = { origin: "http://mail.example.com" };
    expect([await asked("GET /emails"), await asked("GET /emails", own)]).toEqual([200, 200]);
    expect([await asked("DELETE /me/sessions"), await asked("DELETE /me/sessions", own)]).toEqual([403, 204]);
    const foreign = { origin: "http://other.example.com" };
    expect([await asked("GET /emails", foreign), await asked("DELETE /me/sessions", foreign)]).toEqual([403, 403]);
  });
});

test("the workspace is named, by a header or in a link, and one that the person is not in does not exist", async () => {
  await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const mine = (await of("OWNER").ask("GET /me")).body.workspaces;
  expect(mine.map(({ name, role }: Json) => [name, role])).toEqual([
    ["default", "OWNER"],
    ["other", "OWNER"],
  ]);
  const [, other] = mine;
  const asked = async (who: Role, path: string, workspace: string | null) => {
    const headers = { ...OWN_PAGE, cookie: of(who).cookie, ...(workspace ? { "x-workspace": workspace } : {}) };
    const { status, body } = await ask(posthorn, `GET ${path}`, { key: "none", headers });
    return [status, body.error?.code];
  };
  expect(await asked("OWNER", "/workspace", other.id)).toEqual([200, undefined]);
  expect(await asked("ADMIN", "/workspace", other.id)).toEqual([404, "WORKSPACE_NOT_FOUND"]);
  expect(await asked("ADMIN", "/workspace", NOBODYS)).toEqual([404, "WORKSPACE_NOT_FOUND"]);
  expect(await asked("OWNER", "/workspace", NOBODYS)).toEqual([404, "WORKSPACE_NOT_FOUND"]);
  expect(await asked("ADMIN", "/workspace", null)).toEqual([400, "INVALID_PARAMETERS"]);
  expect(await asked("ADMIN", `/emails?workspace=${of("ADMIN").workspace}&pageSize=1`, null)).toEqual([200, undefined]);
  expect(await asked("ADMIN", `/emails?workspace=${other.id}`, null)).toEqual([404, "WORKSPACE_NOT_FOUND"]);
});

test("a proof is younger than ten minutes where the document asks for one", async () => {
  const operations = operationsOf(await documentOf(posthorn)).filter(({ operation }) => operation["x-proof"]);
  await using late = await workspace();
  const owner = await somebody(late, "OWNER");
  const asked = async () => {
    const answers: [string, string][] = [];
    for (const one of operations) {
      const route = one.name.replace(/\{\w+\}/g, NOBODYS);
      const { body } = await owner.ask(route, exampleOf(one) ? { body: exampleOf(one) } : {});
      answers.push([one.name, body.error?.code]);
    }
    return answers.filter(([, code]) => code === "PROOF_NEEDED").map(([name]) => name);
  };
  late.clock.advance(10 * MINUTE_MS);
  expect(await asked()).toEqual(operations.map(({ name }) => name));
  const fresh = await somebody(late, "OWNER", "fresh@example.com");
  expect((await fresh.ask("POST /keys", { body: { name: "Shop" } })).status).toBe(201);
});

test("a disabled workspace is closed to people, but they see that it is", async () => {
  await posthorn.store.write((tx) => disableWorkspace(tx, "default"));
  const { status, body } = await of("ADMIN").ask("GET /emails");
  expect([status, body.error.code]).toEqual([403, "WORKSPACE_DISABLED"]);
  expect((await of("ADMIN").ask("GET /me")).body.workspaces).toMatchObject([{ name: "default", disabled: true }]);
  await posthorn.store.write((tx) => enableWorkspace(tx, "default"));
});

test("people have a limit of their own: they use up nothing of the programs', nor programs of theirs", async () => {
  await using strict = await workspace({ config: { limits: { requestsPerMinute: 3 } } });
  const owner = await somebody(strict, "OWNER");
  for (let n = 0; n < 6; n++) expect((await owner.ask("GET /emails")).status).toBe(200);
  const { headers } = await ask(strict, "GET /emails");
  expect([headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]).toEqual(["3", "2"]);
  expect((await owner.ask("GET /emails")).headers.get("ratelimit-limit")).toBe("1200");
});

test("no key, however powerful, calls what is for people", async () => {
  for (const route of ["GET /me", "GET /me/sessions", "POST /me/passkeys/options", "DELETE /session"]) {
    const { status, body } = await ask(posthorn, route);
    expect([route, status, body.error.code]).toEqual([route, 403, "FORBIDDEN"]);
  }
});

test("where the pages are switched off nobody signs in, and no cookie counts", async () => {
  await using closed = await startPosthorn({ config: { http: { face: false } } });
  const { cookie, workspace } = await somebody(closed, "OWNER");
  const asked = async (method: string, path: string) => {
    const headers = { ...OWN_PAGE, cookie, "x-workspace": workspace };
    const response = await fetch(closed.server.url + path, { method, headers });
    return [response.status, ((await response.json()) as Json).error.code];
  };
  expect(await asked("GET", "/emails")).toEqual([401, "MISSING_AUTH"]);
  expect(await asked("GET", "/me")).toEqual([404, "ROUTE_NOT_FOUND"]);
  for (const path of ["/session", "/session/passkey", "/links/look", "/links/accept", "/invitations"])
    expect([path, ...(await asked("POST", path))]).toEqual([path, 404, "ROUTE_NOT_FOUND"]);
  expect((await ask(closed, "GET /audit")).status).toBe(200);
});

test("a page that names its user is refused once somebody else is signed in in its browser", async () => {
  await using posthorn = await workspace();
  const [ada, eva] = [await somebody(posthorn, "ADMIN"), await somebody(posthorn, "MARKETER")];
  const { id } = (await ada.ask("GET /me")).body;
  const refused = await eva.ask("PATCH /me", { headers: { "x-user": id }, body: { name: "Ada King" } });
  expect([refused.status, refused.body.error.code, refused.body.error.reason]).toEqual([
    ...[401, "SESSION_ENDED", "other_user"],
  ]);
  expect((await eva.ask("GET /me")).body.name).toBe("MARKETER");
  expect((await ada.ask("PATCH /me", { headers: { "x-user": id }, body: { name: "Ada King" } })).status).toBe(200);
});

test("nor the default of a topic, nor a form's segment, by which one would go to others", async () => {
  await using own = await workspace();
  const [editor, marketer] = [await somebody(own, "EDITOR"), await somebody(own, "MARKETER")];
  await marketer.ask("POST /contacts", { body: { email: "bob@example.com", subscribed: true, topics: {} } });
  const topic = (await editor.ask("POST /topics", { body: { key: "news", name: { en: "News" }, default: "out" } })).body
    .id;
  await marketer.ask("POST /contacts", { body: { email: "in@example.com", subscribed: true, topics: { news: "in" } } });
  const list = (await editor.ask("POST /segments", { body: { name: "List", type: "STATIC" } })).body.id;
  const other = (await editor.ask("POST /segments", { body: { name: "Other", type: "STATIC" } })).body.id;
  await editor.ask(`POST /segments/${list}/members`, { body: { emails: ["bob@example.com"] } });
  const draft = { from: "news@example.test", subject: "News", body: "<p>News</p>" };
  const scheduledFor = new Date(own.clock.nowMs() + MINUTE_MS).toISOString();
  for (const meant of [
    { audienceType: "ALL", topic: "news" },
    { audienceType: "SEGMENT", segmentId: list },
  ]) {
    const created = await editor.ask("POST /campaigns", { body: { name: "News", ...draft, ...meant } });
    expect(created.body.error).toBeUndefined();
    const { data } = created.body;
    expect((await marketer.ask(`POST /campaigns/${data.id}/send`, { body: { scheduledFor } })).status).toBe(200);
  }
  const form = (await editor.ask("POST /forms", { body: { name: "F", key: "form", segmentId: other } })).body.id;
  const codes = async (who: Somebody) => {
    const replies = [
      await who.ask(`PATCH /topics/${topic}`, { body: { default: "in" } }),
      await who.ask(`PATCH /topics/${topic}`, { body: { name: { en: "The news" } } }),
      await who.ask(`PATCH /forms/${form}`, { body: { segmentId: list } }),
      await who.ask(`PATCH /forms/${form}`, { body: { segmentId: other } }),
      await who.ask("POST /forms", { body: { name: "G", key: `form-${who === editor ? 1 : 2}`, segmentId: list } }),
    ];
    return replies.map(({ status }) => status);
  };
  expect(await codes(editor)).toEqual([403, 200, 403, 200, 403]);
  expect(await codes(marketer)).toEqual([200, 200, 200, 200, 201]);
});
