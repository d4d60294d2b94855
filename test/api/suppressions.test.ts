// Suppressions as a resource: addresses and domains that get no mail, or no marketing mail.
import { describe, expect, test } from "bun:test";
import { DAY_MS, iso } from "../../src/clock.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, scenarios } from "../support/scenario.ts";

const ada = "ada@example.com";

scenarios("POST /suppressions", [
  {
    name: "suppresses an address, in its stored form, without making a contact",
    request: "POST /suppressions",
    body: { address: " Ada@EXAMPLE.com", note: " Asked us by phone. " },
    status: 201,
    answer: {
      ...{ address: ada, domain: null, reason: "manual", scope: "all", until: null, note: "Asked us by phone." },
      ...{ contactId: null, _meta: { isNew: true } },
    },
  },
  {
    name: "suppresses a domain for marketing mail, until a moment",
    request: "POST /suppressions",
    body: { domain: "Example.NET.", scope: "marketing", until: "2026-12-01T00:00:00+01:00", reason: "import" },
    status: 201,
    answer: { address: null, domain: "example.net", scope: "marketing", until: "2026-11-30T23:00:00.000Z" },
  },
  {
    name: "never weakens what is suppressed already",
    given: [["POST /suppressions", { address: ada, reason: "bounce" }]],
    request: "POST /suppressions",
    body: { address: ada, scope: "marketing", until: "2027-01-01" },
    status: 200,
    answer: { id: "$0.id", reason: "bounce", scope: "all", until: null, _meta: { isNew: false } },
  },
  {
    name: "widens it, and a complaint stays one",
    given: [["POST /suppressions", { address: ada, reason: "complaint", scope: "marketing", until: "2027-01-01" }]],
    request: "POST /suppressions",
    body: { address: ada, reason: "bounce", note: "Gone" },
    status: 200,
    answer: { reason: "complaint", scope: "all", until: null, note: "Gone" },
  },
  {
    name: "refuses what is neither, both, no domain, over, or only for the erased",
    request: "POST /suppressions",
    body: { domain: "nowhere", until: "2020-01-01" },
    status: 422,
    fields: { domain: "invalid_domain", until: "in_the_past" },
  },
  { name: "needs one", request: "POST /suppressions", body: {}, status: 422, fields: { address: "required" } },
  {
    name: "takes one",
    request: "POST /suppressions",
    body: { address: ada, domain: "example.com" },
    status: 422,
    fields: { domain: "conflict" },
  },
  {
    name: "leaves it to erasures to say that somebody was erased",
    request: "POST /suppressions",
    body: { address: ada, reason: "erased" },
    status: 422,
    fields: { reason: "invalid" },
  },
]);

const addresses = ({ body }: Json): string[] => body.data.map((one: Json) => one.address ?? one.domain);

describe("the list", () => {
  test("goes on by a cursor, newest first, and is searched and filtered", async () => {
    await using posthorn = await startPosthorn();
    const add = (body: object) => ask(posthorn, "POST /suppressions", { body });
    for (let n = 1; n <= 5; n++) await add({ address: `p${n}@example.com`, reason: n === 3 ? "complaint" : "bounce" });
    await add({ domain: "example.com", scope: "marketing" });
    const list = (query: string) => ask(posthorn, `GET /suppressions?${query}`);
    const first = await list("limit=4");
    expect(first.body).toMatchObject({ total: 6, hasMore: true });
    expect(addresses(first)).toEqual(["example.com", "p5@example.com", "p4@example.com", "p3@example.com"]);
    const second = await list(`limit=4&cursor=${first.body.cursor}`);
    expect(second.body).toMatchObject({ cursor: null, hasMore: false });
    expect(addresses(second)).toEqual(["p2@example.com", "p1@example.com"]);
    expect(addresses(await list("search=P3@"))).toEqual(["p3@example.com"]);
    expect((await list("reason=bounce")).body.total).toBe(4);
    expect(addresses(await list("scope=marketing"))).toEqual(["example.com"]);
    expect(addresses(await list("kind=domain&search=example"))).toEqual(["example.com"]);
    expect((await list("cursor=nonsense")).status).toBe(400);
    expect((await ask(posthorn, "GET /suppressions/counts")).body).toMatchObject({
      ...{ total: 6, domains: 1, reasons: { bounce: 4, complaint: 1, manual: 1, "soft-bounces": 0, erased: 0 } },
    });
  });

  test("names the contact, and answers what suppresses an address", async () => {
    await using posthorn = await startPosthorn();
    const person = (await ask(posthorn, "POST /contacts", { body: { email: ada } })).body;
    const { id } = (await ask(posthorn, "POST /suppressions", { body: { address: ada } })).body;
    await ask(posthorn, "POST /suppressions", { body: { domain: "example.com", scope: "marketing" } });
    expect((await ask(posthorn, `GET /suppressions/${id}`)).body).toMatchObject({ contactId: person.id });
    expect(addresses(await ask(posthorn, `GET /suppressions?address=${ada}`))).toEqual(["example.com", ada]);
    expect(addresses(await ask(posthorn, "GET /suppressions?address=bob@example.com"))).toEqual(["example.com"]);
    expect(addresses(await ask(posthorn, "GET /suppressions?address=nonsense"))).toEqual([]);
  });
});

async function suppressedAs(posthorn: Posthorn, email: string) {
  const { body } = await ask(posthorn, `GET /contacts/by-email/${email}`);
  return [body.suppressed, body.subscribed];
}

describe("a contact", () => {
  test("is suppressed and freed with its address, and keeps its subscription", async () => {
    await using posthorn = await startPosthorn();
    await ask(posthorn, "POST /contacts", { body: { email: ada } });
    const { id } = (await ask(posthorn, "POST /suppressions", { body: { address: ada } })).body;
    expect(await suppressedAs(posthorn, ada)).toEqual(["manual", true]);
    expect((await ask(posthorn, "GET /contacts?status=SUPPRESSED")).body.total).toBe(1);
    expect((await ask(posthorn, "GET /contacts?status=SUBSCRIBED")).body.total).toBe(0);
    expect((await ask(posthorn, `DELETE /suppressions/${id}`)).status).toBe(204);
    expect(await suppressedAs(posthorn, ada)).toEqual([null, true]);
    expect((await ask(posthorn, `DELETE /suppressions/${id}`)).body.error.code).toBe("SUPPRESSION_NOT_FOUND");
  });

  test("finds its address suppressed when it is made, and when it moves there", async () => {
    await using posthorn = await startPosthorn();
    for (const reason of ["manual", "bounce"])
      await ask(posthorn, "POST /suppressions", { body: { address: `${reason}@example.com`, reason } });
    for (const reason of ["manual", "bounce"])
      await ask(posthorn, "POST /contacts", { body: { email: `${reason}@example.com` } });
    expect(await suppressedAs(posthorn, "manual@example.com")).toEqual(["manual", true]);
    expect(await suppressedAs(posthorn, "bounce@example.com")).toEqual(["bounce", false]);
    const { id } = (await ask(posthorn, "POST /contacts", { body: { email: ada } })).body;
    await ask(posthorn, "POST /suppressions", { body: { address: "new@example.com", reason: "import" } });
    await ask(posthorn, `PATCH /contacts/${id}`, { body: { email: "new@example.com" } });
    expect(await suppressedAs(posthorn, "new@example.com")).toEqual(["import", true]);
    await ask(posthorn, `PATCH /contacts/${id}`, { body: { email: ada } });
    expect(await suppressedAs(posthorn, ada)).toEqual([null, true]);
  });

  test("that subscribes again lifts a bounce, and not what a person decided", async () => {
    await using posthorn = await startPosthorn();
    for (const reason of ["manual", "bounce"] as const) {
      const email = `${reason}@example.com`;
      await ask(posthorn, "POST /contacts", { body: { email, subscribed: false } });
      await ask(posthorn, "POST /suppressions", { body: { address: email, reason } });
      await ask(posthorn, "POST /contacts", { body: { email, subscribed: true } });
    }
    expect(await suppressedAs(posthorn, "bounce@example.com")).toEqual([null, true]);
    expect(await suppressedAs(posthorn, "manual@example.com")).toEqual(["manual", true]);
    expect(addresses(await ask(posthorn, "GET /suppressions"))).toEqual(["manual@example.com"]);
    const { id } = (await ask(posthorn, "GET /contacts/by-email/manual@example.com")).body;
    await ask(posthorn, `PATCH /contacts/${id}`, { body: { suppressed: false } });
    expect(addresses(await ask(posthorn, "GET /suppressions"))).toEqual([]);
  });

  test("that is erased leaves a hash, which is the address again when it comes back", async () => {
    await using posthorn = await startPosthorn();
    const { id } = (await ask(posthorn, "POST /contacts", { body: { email: ada } })).body;
    const made = (await ask(posthorn, "POST /suppressions", { body: { address: ada, note: "Her boss called" } })).body;
    await ask(posthorn, `DELETE /contacts/${id}`);
    const [erased] = (await ask(posthorn, "GET /suppressions")).body.data;
    expect(erased).toMatchObject({ id: made.id, address: null, domain: null, reason: "erased", note: null });
    expect((await ask(posthorn, "GET /suppressions?search=a")).body.total).toBe(0);
    expect((await ask(posthorn, "POST /suppressions", { body: { address: ada } })).body.id).toBe(made.id);
    await ask(posthorn, "POST /contacts", { body: { email: ada } });
    expect((await suppressedAs(posthorn, ada))[0]).toBe("manual");
  });
});

test("what has run out is lifted by itself", async () => {
  await using posthorn = await startPosthorn();
  await ask(posthorn, "POST /contacts", { body: { email: ada } });
  const until = iso(posthorn.clock.nowMs() + DAY_MS);
  const { id } = (await ask(posthorn, "POST /suppressions", { body: { address: ada, until } })).body;
  await posthorn.settle();
  expect(await suppressedAs(posthorn, ada)).toEqual(["manual", true]);
  posthorn.clock.advance(DAY_MS);
  expect(addresses(await ask(posthorn, `GET /suppressions?address=${ada}`))).toEqual([]);
  await posthorn.settle();
  expect(await suppressedAs(posthorn, ada)).toEqual([null, true]);
  expect((await ask(posthorn, `GET /suppressions/${id}`)).status).toBe(404);
});
