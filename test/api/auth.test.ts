// Who may call what: keys of both kinds, scopes, revoked keys, disabled workspaces.
import { describe, expect, test } from "bun:test";
import { revokeKeys } from "../../src/tenant/access/key-set.ts";
import { disableWorkspace, enableWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { routesWithKey } from "../support/routes.ts";
import { ask, everything, scenarios, type Key } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { addKeys, addUnverifiedDomain, addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

/** For rows that change nothing. */
const shared = sharedPosthorn();

/** Asks at every route that needs a key, with bodies that would be answered otherwise. */
async function atEveryRoute(
  posthorn: Posthorn,
  question: { key: Key; headers?: Record<string, string> },
): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const route of routesWithKey(posthorn)) {
    const [method, path] = route.replace(/:\w+/g, "0199a3b4-0000-7000-8000-000000000000").split(" ");
    const body = method === "GET" || method === "DELETE" ? undefined : "{ this is not JSON";
    const reply = await ask(posthorn, `${method} ${path}`, { ...question, body });
    answers.set(route, `${reply.status} ${reply.body.error?.code}`);
  }
  expect(answers.size).toBeGreaterThan(10);
  return answers;
}

function except(answers: Map<string, string>, usual: string): Record<string, string> {
  return Object.fromEntries([...answers].filter(([, answer]) => answer !== usual));
}

describe("every route but the open ones", () => {
  test("asks for a key, before it looks at the body", async () => {
    await using posthorn = await workspace();
    expect(except(await atEveryRoute(posthorn, { key: "none" }), "401 MISSING_AUTH")).toEqual({});
  });

  test.each([
    "sk_",
    "pk_",
    "sk_unknown",
    "pk_unknown",
    "unknown",
    `sk_${"0".repeat(48)}`,
    "' or 1=1 --".replaceAll(" ", ""),
  ])("does not know the key %s", async (bearer) => {
    const posthorn = shared();
    expect(except(await atEveryRoute(posthorn, { key: { bearer } }), "401 INVALID_API_KEY")).toEqual({});
  });

  test("refuses a public key, but for /v1/track", async () => {
    await using posthorn = await workspace();
    const answers = await atEveryRoute(posthorn, { key: "public" });
    expect(except(answers, "401 INVALID_API_KEY")).toEqual({ "POST /v1/track": "400 INVALID_JSON" });
    const { body } = await ask(posthorn, "GET /emails", { key: "public" });
    expect(body.error.suggestion).toContain("sk_");
  });

  test("refuses the keys of a set that was revoked, and its sister set still works", async () => {
    await using posthorn = await workspace();
    const keys = await addKeys(posthorn);
    expect((await ask(posthorn, "GET /emails", { key: { bearer: keys.secret } })).status).toBe(200);
    await posthorn.store.write((tx) => revokeKeys(tx, keys.id));
    for (const bearer of [keys.secret, keys.public]) {
      expect(except(await atEveryRoute(posthorn, { key: { bearer } }), "401 INVALID_API_KEY")).toEqual({});
    }
    expect((await ask(posthorn, "GET /emails")).status).toBe(200);
  });

  test("is closed to a workspace that is off, reading as well, until it is on again", async () => {
    await using posthorn = await workspace();
    await posthorn.store.write((tx) => disableWorkspace(tx, "default"));
    const before = await everything(posthorn);
    expect(except(await atEveryRoute(posthorn, { key: "secret" }), "403 WORKSPACE_DISABLED")).toEqual({});
    const { status, body } = await ask(posthorn, "POST /v1/track", {
      key: "public",
      body: { email: "a@example.com", event: "x" },
    });
    expect([status, body.error.code]).toEqual([403, "WORKSPACE_DISABLED"]);
    expect(await everything(posthorn)).toEqual(before);
    await posthorn.store.write((tx) => enableWorkspace(tx, "default"));
    expect((await ask(posthorn, "GET /emails")).status).toBe(200);
  });
});

describe("the header Authorization", () => {
  const forms: readonly [header: string, code: string | undefined][] = [
    ["Bearer KEY", undefined],
    ["bearer KEY", undefined],
    ["BEARER  KEY ", undefined],
    ["KEY", "MISSING_AUTH"],
    ["Basic KEY", "MISSING_AUTH"],
    ["BearerKEY", "MISSING_AUTH"],
    ["Bearer KEY KEY", "MISSING_AUTH"],
    ["Bearer KEY, Bearer KEY", "MISSING_AUTH"],
    ["Bearer", "MISSING_AUTH"],
    ["Bearer ", "MISSING_AUTH"],
    ["Bearer KEYx", "INVALID_API_KEY"],
    ["Bearer xKEY", "INVALID_API_KEY"],
    ["Bearer pk_KEY", "INVALID_API_KEY"],
    ['Bearer "KEY"', "INVALID_API_KEY"],
  ];

  test.each(forms)("is read in the form %s: %p", async (header, code) => {
    const posthorn = shared();
    const headers = { authorization: header.replaceAll("KEY", posthorn.keys.secret) };
    const reply = await ask(posthorn, "GET /emails", { key: "none", headers });
    expect([reply.status, reply.body.error?.code]).toEqual([code === undefined ? 200 : 401, code]);
    expect(reply.headers.get("www-authenticate")).toBe(code === undefined ? null : "Bearer");
  });

  test("must carry the key letter by letter", async () => {
    await using posthorn = await workspace();
    const { secret } = posthorn.keys;
    const wrong = [
      secret.slice(0, -1),
      secret.slice(3),
      secret.toUpperCase(),
      secret.replace("sk_", "pk_"),
      `${secret}\u00a0`,
    ];
    for (const bearer of wrong) expect((await ask(posthorn, "GET /emails", { key: { bearer } })).status).toBe(401);
  });

  test("is the only place for a key", async () => {
    await using posthorn = await workspace();
    const { secret } = posthorn.keys;
    const route = `POST /contacts?apiKey=${secret}&key=${secret}`;
    const headers = { "x-api-key": secret, cookie: `key=${secret}` };
    expect(
      (await ask(posthorn, route, { key: "none", headers, body: { email: "a@example.com", apiKey: secret } })).status,
    ).toBe(401);
  });
});

test("keys are kept as hashes and stand in no log line", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "GET /emails");
  await ask(posthorn, "GET /emails", { key: { bearer: "sk_guessed" } });
  const kept = JSON.stringify(await everything(posthorn)) + posthorn.logLines.join("\n");
  for (const key of [posthorn.keys.secret, posthorn.keys.public, "sk_guessed"]) expect(kept).not.toContain(key);
});

describe("a key that is scoped to domains", () => {
  async function scoped(posthorn: Posthorn): Promise<Key> {
    await addUnverifiedDomain(posthorn, "new.example");
    return { bearer: (await addKeys(posthorn, { domains: ["Shop.Example", "new.example"] })).secret };
  }

  test("sends from these alone, and only if they are verified", async () => {
    await using posthorn = await workspace();
    const key = await scoped(posthorn);
    const outcomes: Record<string, string> = {};
    for (const from of ["hello@example.test", "hello@shop.example", "hello@new.example", "hello@sub.new.example"]) {
      const { status, body } = await ask(posthorn, "POST /v1/send", { key, body: { ...letter, from } });
      outcomes[from] = `${status} ${body.error?.code}`;
    }
    expect(outcomes).toEqual({
      "hello@example.test": "403 DOMAIN_NOT_ALLOWED",
      "hello@shop.example": "403 DOMAIN_NOT_VERIFIED",
      "hello@new.example": "403 DOMAIN_NOT_VERIFIED",
      "hello@sub.new.example": "403 DOMAIN_NOT_ALLOWED",
    });
  });

  test("is held to them with a template's sender, too", async () => {
    await using posthorn = await workspace();
    const key = await scoped(posthorn);
    const template = { name: "T", subject: "T", body: "T", type: "TRANSACTIONAL", from: "hello@example.test" };
    const { id } = (await ask(posthorn, "POST /templates", { body: template })).body;
    const { body } = await ask(posthorn, "POST /v1/send", { key, body: { to: "ada@example.com", template: id } });
    expect(body.error.code).toBe("DOMAIN_NOT_ALLOWED");
  });

  test("does everything else like any other", async () => {
    await using posthorn = await workspace();
    const key = await scoped(posthorn);
    for (const route of ["GET /emails", "GET /templates"])
      expect((await ask(posthorn, route, { key })).status).toBe(200);
    expect((await ask(posthorn, "POST /contacts", { key, body: { email: "a@example.com" } })).status).toBe(201);
  });
});

test("a domain that another workspace has verified is not verified here", async () => {
  await using posthorn = await workspace();
  await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, from: "hello@other.example" } });
  expect(body.error.code).toBe("DOMAIN_NOT_VERIFIED");
});

scenarios("without a key", [
  {
    name: "one can ask whether Posthorn is there",
    request: "GET /health",
    key: "none",
    status: 200,
    answer: { status: "ok" },
  },
  {
    name: "a route that does not exist does not exist",
    request: "GET /nothing",
    key: "none",
    status: 404,
    code: "ROUTE_NOT_FOUND",
  },
]);
