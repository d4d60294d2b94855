// /domains: sender domains as records, their DNS records, and looking those up.
import { describe, expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import { nameServer, SERVER_FAILURE, type NameAnswer } from "../support/name-server.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, everything, scenarios, type Scenario } from "../support/scenario.ts";
import { findDomain, takeAsVerified } from "../../src/tenant/domains/domain.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";

const request = "POST /domains";
const shop = { domain: "shop.example" };
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const NOW = "2026-03-01T09:00:00.000Z";

function dkimOf(domain: Json): Json {
  return domain.records.find(({ purpose }: { purpose: string }) => purpose === "DKIM");
}

/** A server that asks a name server of our own, and a domain in it that is not verified. */
async function withShop(answer: (dkim: Json) => NameAnswer) {
  const names = await nameServer();
  const posthorn = await startPosthorn({ config: { dns: { servers: [names.address] } } });
  const domain = (await ask(posthorn, request, { body: shop })).body;
  const dkim = dkimOf(domain);
  names.answers.set(dkim.name, answer(dkim));
  const close = async () => {
    await posthorn[Symbol.asyncDispose]();
    await names[Symbol.asyncDispose]();
  };
  return { posthorn, domain, dkim, [Symbol.asyncDispose]: close };
}

function strings(value: string): readonly string[] {
  return [value.slice(0, 255), value.slice(255)];
}

async function sentFrom(posthorn: Posthorn, domain: string): Promise<number> {
  return (await ask(posthorn, "POST /v1/send", { body: { ...letter, from: `hello@${domain}` } })).status;
}

test("a domain is added with the records that it needs, listed and shown; until it is verified nothing is sent from it (slow)", async () => {
  await using posthorn = await startPosthorn({ config: { delivery: { returnPathDomain: "b.example.com" } } });
  const { status, body } = await ask(posthorn, request, { body: { domain: " Shop.Example. " } });
  const unknown = {
    state: "UNKNOWN",
    problem: null,
    problemCode: null,
    problemValues: {},
    found: [],
    suggestion: null,
    since: null,
  };
  const unseen = { without: expect.stringContaining("Without it, "), removableAt: null, ...unknown };
  const txt = (purpose: string, name: string, value: unknown, required = false) => {
    return { purpose, type: "TXT", name, value, required, ...unseen };
  };
  expect([status, body]).toEqual([
    201,
    {
      id: ID,
      domain: "shop.example",
      verified: false,
      verifiedAt: null,
      forced: false,
      selector: "posthorn2603",
      nextSelector: null,
      failingSince: null,
      graceEndsAt: null,
      checkedAt: null,
      nextCheckAt: "2026-03-01T10:00:00.000Z",
      service: null,
      ways: [],
      information: [expect.objectContaining({ topic: "BIMI" }), expect.objectContaining({ topic: "MTA_STS" })],
      records: [
        txt(
          "DKIM",
          "posthorn2603._domainkey.shop.example",
          expect.stringMatching(/^v=DKIM1; k=rsa; p=[\w+/=]{390,}$/),
          true,
        ),
        txt("SPF", "shop.example", expect.any(String)),
        txt("DMARC", "_dmarc.shop.example", "v=DMARC1; p=none"),
        txt("SPF", "b.example.com", expect.any(String)),
        {
          purpose: "RETURN_PATH",
          type: "MX",
          name: "b.example.com",
          value: expect.any(String),
          required: false,
          ...unseen,
        },
      ],
      projectId: ID,
      createdAt: NOW,
    },
  ]);
  expect((await ask(posthorn, `GET /domains/${body.id}`)).body).toEqual(body);
  const list = (await ask(posthorn, "GET /domains")).body;
  expect(list).toMatchObject({ data: [{ domain: "example.test", verified: true, verifiedAt: NOW }, body], total: 2 });
  expect((await ask(posthorn, "GET /domains?page=2&pageSize=1")).body.data).toEqual([body]);
  expect(await sentFrom(posthorn, "shop.example")).toBe(403);
  expect(JSON.stringify(list)).not.toContain("PRIVATE");
});

test("adding it again under the same Idempotency-Key answers the same domain, without one it is a conflict (slow)", async () => {
  await using posthorn = await startPosthorn();
  const question = { body: shop, headers: { "idempotency-key": "k" } };
  const [first, second] = [await ask(posthorn, request, question), await ask(posthorn, request, question)];
  expect([second.status, second.body]).toEqual([201, first.body]);
  const third = await ask(posthorn, request, { body: shop });
  expect([third.status, third.body.error.code]).toEqual([409, "CONFLICT"]);
});

test("requests are answered while keys are made (slow)", async () => {
  await using posthorn = await startPosthorn();
  const order: string[] = [];
  const adding = Array.from({ length: 3 }, async (_, index) => {
    await ask(posthorn, request, { body: { domain: `shop${index}.example` } });
    order.push("added");
  });
  await ask(posthorn, "GET /health", { key: "none" });
  order.push("answered");
  await Promise.all(adding);
  expect(order).toEqual(["answered", "added", "added", "added"]);
});

describe("looking the DKIM record up", () => {
  test("verifies the domain, and mail may be sent from it at once (slow)", async () => {
    await using house = await withShop((dkim) => [strings(dkim.value)]);
    const { posthorn, domain, dkim } = house;
    posthorn.clock.advance(60_000);
    const at = "2026-03-01T09:01:00.000Z";
    const { status, body } = await ask(posthorn, `POST /domains/${domain.id}/verify`);
    expect([status, body]).toMatchObject([200, { id: domain.id, verified: true, verifiedAt: at, checkedAt: at }]);
    expect(dkimOf(body)).toEqual({ ...dkim, state: "OK", problem: null, found: [dkim.value], since: at });
    expect((await ask(posthorn, `GET /domains/${domain.id}`)).body).toEqual(body);
    expect(await sentFrom(posthorn, "shop.example")).toBe(200);
    posthorn.clock.advance(60_000);
    expect((await ask(posthorn, `POST /domains/${domain.id}/verify`)).body.verifiedAt).toBe(at);
  });

  const not: readonly [what: string, answer: NameAnswer, state: string, problem: RegExp][] = [
    ["there is nothing", [], "MISSING", /^There is no such record at posthorn2603\._domainkey\.shop\.example\.$/],
    ["there is another key", [["v=DKIM1; p=AAAA"]], "WRONG", /found "v=DKIM1; p=AAAA", expected p=[\w+/=]{390,}\.$/],
    ["the name server fails", SERVER_FAILURE, "UNKNOWN", /SERVFAIL/],
  ];
  test.each(not)("says so if %s (slow)", async (_, answer, state, problem) => {
    await using house = await withShop(() => answer);
    const { posthorn, domain } = house;
    const { status, body } = await ask(posthorn, `POST /domains/${domain.id}/verify`);
    expect([status, body.verified]).toEqual([200, false]);
    expect(dkimOf(body)).toMatchObject({ state, problem: expect.stringMatching(problem) });
    // What the resolver says is in its own words.
    expect(dkimOf(body).problemCode === null).toBe(state === "UNKNOWN");
    expect(await sentFrom(posthorn, "shop.example")).toBe(403);
  });

  test("is a conflict once another workspace has verified the domain", async () => {
    await using house = await withShop((dkim) => [strings(dkim.value)]);
    const { posthorn, domain } = house;
    const other = { bearer: (await addWorkspace(posthorn, { name: "other", domain: "shop.example" })).secret };
    const { status, body } = await ask(posthorn, `POST /domains/${domain.id}/verify`);
    expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
    const after = (await ask(posthorn, `GET /domains/${domain.id}`)).body;
    expect([after.verified, dkimOf(after).problem]).toEqual([false, "The domain is verified in another workspace."]);
    const [theirs] = (await ask(posthorn, "GET /domains", { key: other })).body.data;
    expect((await ask(posthorn, `DELETE /domains/${theirs.id}`, { key: other })).status).toBe(204);
    expect((await ask(posthorn, `POST /domains/${domain.id}/verify`)).body.verified).toBe(true);
  });
});

describe("a domain that is removed", () => {
  test("sends nothing more, what waits in the queue included, and can be added anew with another key (slow)", async () => {
    await using posthorn = await startPosthorn();
    const [domain] = (await ask(posthorn, "GET /domains")).body.data;
    const sent = (await ask(posthorn, "POST /v1/send", { body: letter })).body.data.emails[0].email;
    await posthorn.settle();
    const waiting = (await ask(posthorn, "POST /v1/send", { body: letter })).body.data.emails[0].email;
    expect((await ask(posthorn, `DELETE /domains/${domain.id}`)).status).toBe(204);
    await posthorn.settle();
    const mail = (await ask(posthorn, `GET /emails/${waiting}`)).body;
    expect([mail.status, mail.error]).toEqual([
      "FAILED",
      "The sender's domain is no longer verified in this workspace.",
    ]);
    expect((await ask(posthorn, `GET /emails/${sent}/raw`)).status).toBe(200);
    for (const route of [
      `GET /domains/${domain.id}`,
      `DELETE /domains/${domain.id}`,
      `POST /domains/${domain.id}/verify`,
      `POST /domains/${domain.id}/rotate`,
    ])
      expect([route, (await ask(posthorn, route)).status]).toEqual([route, 404]);
    expect((await ask(posthorn, "GET /domains")).body.total).toBe(0);
    expect(JSON.stringify((await everything(posthorn)).domain_keys)).toContain('"private_key":""');
    expect(await sentFrom(posthorn, "example.test")).toBe(403);
    const again = await ask(posthorn, request, { body: { domain: "example.test" } });
    expect([again.status, again.body.verified]).toEqual([201, false]);
    expect(dkimOf(again.body).value).not.toBe(dkimOf(domain).value);
    expect(dkimOf(again.body).name).toBe("posthorn2603-2._domainkey.example.test");
  });
});

test("a key that is scoped to domains manages none", async () => {
  await using posthorn = await startPosthorn();
  const key = { bearer: (await addKeys(posthorn, { domains: ["example.test"] })).secret };
  const { id } = (await ask(posthorn, "GET /domains")).body.data[0];
  const one = [
    `GET /domains/${id}`,
    `POST /domains/${id}/verify`,
    `POST /domains/${id}/rotate`,
    `DELETE /domains/${id}`,
  ];
  const routes = ["GET /domains", request, ...one];
  for (const route of routes) {
    const { status, body } = await ask(posthorn, route, route === request ? { key, body: shop } : { key });
    expect([route, status, body.error.code]).toEqual([route, 403, "FORBIDDEN"]);
  }
});

test("a domain with letters beyond ASCII is the same however it is written, and so is the scope of a key (slow)", async () => {
  await using posthorn = await startPosthorn();
  const ascii = "xn--mller-kva.example";
  const { status, body } = await ask(posthorn, request, { body: { domain: " Müller.example." } });
  expect([status, body.domain, dkimOf(body).name]).toEqual([201, ascii, `posthorn2603._domainkey.${ascii}`]);
  expect((await ask(posthorn, request, { body: { domain: ascii } })).status).toBe(409);
  await posthorn.store.write(async (tx) => takeAsVerified(tx, await findDomain(tx, "MÜLLER.example", null)));
  const keys = (await ask(posthorn, "POST /keys", { body: { domains: ["müller.example"] } })).body;
  expect(keys.domains).toEqual([ascii]);
  for (const domain of ["müller.example", ascii]) {
    const sent = { ...letter, from: `hello@${domain}` };
    expect((await ask(posthorn, "POST /v1/send", { key: { bearer: keys.secret }, body: sent })).status).toBe(200);
  }
});

const SCENARIOS: readonly Scenario[] = [
  "",
  "no domain",
  "127.0.0.1",
  "nodot",
  "hello@shop.example",
  "ｓhop.example",
  "shop\u00ad.example",
  "xn--a.example",
].map((domain) => ({
  name: `refuses ${JSON.stringify(domain)}`,
  request,
  body: { domain },
  status: 422,
  fields: { domain: domain === "" ? "too_small" : "invalid_domain" },
}));
scenarios("adding a domain", SCENARIOS);

test("a domain that another workspace has verified cannot be added", async () => {
  await using posthorn = await startPosthorn();
  await addWorkspace(posthorn, { name: "other", domain: "taken.example" });
  const { status, body } = await ask(posthorn, request, { body: { domain: "taken.example" } });
  expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
});
