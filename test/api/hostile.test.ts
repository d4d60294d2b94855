// Input that means harm: in keys, in numbers, in SQL, in size, and at random.
import { describe, expect, test } from "bun:test";
import { contentOf, letter, mailSent } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { allRoutes } from "../support/routes.ts";
import { ask, countOf, everything } from "../support/scenario.ts";
import { seeded, type Random } from "../support/seeded.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { workspace } from "../support/workspace.ts";

/** For rows that change nothing. */
const shared = sharedPosthorn();

describe("keys that reach an object's prototype", () => {
  const bodies: readonly [where: string, route: string, body: string][] = [
    [
      "the body",
      "POST /v1/send",
      JSON.stringify(letter).replace("{", '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},'),
    ],
    [
      "a recipient",
      "POST /v1/send",
      JSON.stringify({ ...letter, to: 0 }).replace("0", '{"email":"ada@example.com","__proto__":{"polluted":1}}'),
    ],
    [
      "the headers",
      "POST /v1/send",
      JSON.stringify({ ...letter, headers: 0 }).replace("0", '{"__proto__":"polluted","constructor":"polluted"}'),
    ],
    [
      "the data",
      "POST /v1/send",
      JSON.stringify({ ...letter, data: 0 }).replace(
        "0",
        '{"__proto__":{"polluted":1},"a":{"constructor":{"prototype":{"polluted":1}}}}',
      ),
    ],
    [
      "an event",
      "POST /v1/track",
      '{"email":"ada@example.com","event":"__proto__","data":{"__proto__":{"polluted":1}},"__proto__":{"polluted":1}}',
    ],
    [
      "a contact",
      "POST /contacts",
      '{"email":"ada@example.com","data":{"prototype":{"polluted":1}},"__proto__":{"polluted":1}}',
    ],
    [
      "a template",
      "POST /templates",
      '{"name":"__proto__","subject":"T","body":"{{ __proto__.polluted }}","type":"MARKETING","__proto__":{"polluted":1}}',
    ],
  ];

  test.each(bodies)("in %s pollute nothing", async (_, route, body) => {
    await using posthorn = await workspace();
    expect((await ask(posthorn, route, { body })).status).toBeLessThan(300);
    await posthorn.settle();
    expect(({} as Json).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect((await ask(posthorn, "GET /emails")).body).not.toHaveProperty("polluted");
  });

  test("do not make a field that is missing", async () => {
    await using posthorn = await workspace();
    const { body } = await ask(posthorn, "POST /contacts", { body: '{"__proto__":{"email":"ada@example.com"}}' });
    expect(body.error.errors).toEqual([{ field: "email", message: "This field is required.", code: "required" }]);
  });
});

test("SQL in every string is kept as the text it is", async () => {
  await using posthorn = await workspace();
  const sql = `'); drop table emails; delete from contacts where ('1'='1" or 1=1 --`;
  const template = {
    name: sql,
    subject: sql,
    body: sql,
    description: sql,
    text: sql,
    fromName: sql,
    type: "TRANSACTIONAL",
  };
  const stored = (await ask(posthorn, "POST /templates", { body: template })).body;
  expect(stored).toMatchObject(template);
  const body = {
    ...letter,
    subject: sql,
    name: sql,
    data: { [sql]: sql },
    persistent: true,
    headers: { "X-A": sql },
    to: { email: letter.to, name: sql },
  };
  const { contact, email } = (await ask(posthorn, "POST /v1/send", { body })).body.data.emails[0];
  expect((await ask(posthorn, `GET /contacts/${contact.id}`)).body.data).toEqual({ [sql]: sql, name: sql });
  expect((await ask(posthorn, `GET /emails/${email}`)).body).toMatchObject({
    subject: sql,
    fromName: sql,
    toName: sql,
  });
  await ask(posthorn, "POST /v1/track", { body: { email: letter.to, event: sql, data: { sql } } });
  expect((await posthorn.eventNames())[0]).toBe(sql);
  for (const table of ["emails", "contacts", "templates"]) expect(await countOf(posthorn, table)).toBe(1);
});

describe("very much of it", () => {
  const many = 200_000;
  const bodies: readonly [what: string, body: () => object][] = [
    ["recipients that are none", () => ({ to: Array(many).fill({}) })],
    ["recipients that are some", () => ({ to: Array(many).fill(letter.to) })],
    ["attachments", () => ({ attachments: Array(many).fill({}) })],
    [
      "headers that are no text",
      () => ({ headers: Object.fromEntries(Array.from({ length: many }, (_, index) => [`x${index}`, 5])) }),
    ],
    [
      "headers",
      () => ({ headers: Object.fromEntries(Array.from({ length: many }, (_, index) => [`x ${index}`, "x"])) }),
    ],
    ["data", () => ({ data: Object.fromEntries(Array.from({ length: many }, (_, index) => [`x${index}`, 5])) })],
    ["lists in data", () => ({ data: { x: Array(many).fill([1]) } })],
    ["NUL", () => ({ data: { x: Array(many).fill("\0") } })],
  ];

  test.each(bodies)("two hundred thousand %s are refused in few words", async (_, body) => {
    const posthorn = shared();
    const before = await everything(posthorn);
    const reply = await ask(posthorn, "POST /v1/send", { body: { ...letter, ...body() } });
    expect(reply.status).toBe(422);
    expect(reply.body.error.errors.length).toBeLessThanOrEqual(100);
    expect(await everything(posthorn)).toEqual(before);
  });

  test("a mail of a megabyte of HTML is taken as it is", async () => {
    await using posthorn = await workspace();
    const body = "<p>x</p>".repeat(131_072);
    expect((await ask(posthorn, "POST /v1/send", { body: { ...letter, body, text: "" } })).status).toBe(200);
    const html = contentOf(await mailSent(posthorn)).html;
    expect(html === body).toBe(true);
  });
});

describe("at random", () => {
  const VALUES = [
    null,
    true,
    0,
    -1,
    1e308,
    "",
    " ",
    "ada@example.com",
    "x".repeat(2_000),
    "\u202e",
    "😀",
    [],
    {},
    [[]],
    { email: "ada@example.com" },
    "2026-03-02T00:00:00Z",
    "{{ x }}",
    "{% if %}",
    "MARKETING",
    "a\r\nb",
  ];
  const FIELDS = [
    "to",
    "from",
    "subject",
    "body",
    "text",
    "template",
    "name",
    "subscribed",
    "data",
    "headers",
    "reply",
    "attachments",
    "sendAt",
    "email",
    "event",
    "type",
    "fromName",
    "replyTo",
    "description",
    "filename",
    "content",
    "contentId",
    "disposition",
    "value",
    "persistent",
    "__proto__",
    "length",
    "toString",
    "id",
  ];
  const VALID = { ...letter, email: "ada@example.com", event: "x", type: "TRANSACTIONAL" };

  function randomValue(random: Random, depth: number): unknown {
    const kind = depth > 3 ? 9 : random.below(10);
    if (kind === 0) return Array.from({ length: random.below(4) }, () => randomValue(random, depth + 1));
    if (kind < 3)
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [random.pick(FIELDS), randomValue(random, depth + 1)]),
      );
    return random.pick(VALUES);
  }

  async function atRandom(posthorn: Posthorn, random: Random, routes: readonly string[]): Promise<number> {
    const changed = Object.fromEntries(
      Array.from({ length: 1 + random.below(3) }, () => [random.pick(FIELDS), randomValue(random, 0)]),
    );
    const route = random
      .pick(routes)
      .replace(/:\w+/, random.pick(["x", "%27", "0199a3b4-0000-7000-8000-000000000000"]));
    const query =
      random.below(2) === 0
        ? ""
        : `?${random.pick(FIELDS)}=${random.pick(["1", "x", "%25", ""])}&page=${random.pick(["1", "-1", ""])}`;
    const body = /^(GET|OPTIONS) /.test(route) ? {} : { body: { ...VALID, ...changed } };
    return (await ask(posthorn, route + query, { ...body, key: random.pick(["secret", "secret", "public"]) })).status;
  }

  test.each([1, 2, 3, 4])("no request is answered 500, and what is refused has its form (seed %p)", async (seed) => {
    await using posthorn = await workspace({ config: { limits: { requestsPerMinute: 0 } } });
    const random = seeded(seed);
    const routes = allRoutes(posthorn);
    const seen = new Set<number>();
    for (let count = 0; count < 300; count++) seen.add(await atRandom(posthorn, random, routes));
    await posthorn.settle();
    for (const status of [200, 400, 401, 404, 422]) expect([...seen]).toContain(status);
    expect((await ask(posthorn, "GET /emails?status=FAILED")).body.data).toEqual([]);
  });
});
