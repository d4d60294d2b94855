// /templates: made, shown, listed, changed and removed.
import { describe, expect, test } from "bun:test";
import { iso } from "../../src/base/clock.ts";
import { mailSent } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, scenarios, type Scenario } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { addKeys } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const plain = { name: "Receipt", subject: "Your receipt", body: "<p>Paid</p>", type: "TRANSACTIONAL" };
const full = {
  ...plain,
  description: "After each payment",
  preheader: "What you paid",
  text: "Paid",
  from: "shop@example.test",
  fromName: "Shop",
  replyTo: "help@example.test",
  type: "MARKETING",
};
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const record = {
  ...{ id: ID, projectId: ID, createdAt: "2026-03-01T09:00:00.000Z", updatedAt: "2026-03-01T09:00:00.000Z" },
  ...{ alias: null, publishManually: false, publishedAt: null, hasUnpublishedChanges: false },
};
const empty = { description: null, preheader: null, text: null, from: null, fromName: null, replyTo: null };

scenarios("POST /templates", [
  {
    name: "makes a template of four fields",
    request: "POST /templates",
    body: plain,
    status: 201,
    answer: { ...plain, ...empty, ...record },
  },
  {
    name: "makes a template of all fields",
    request: "POST /templates",
    body: full,
    status: 201,
    answer: { ...full, ...record },
  },
  {
    name: "keeps addresses in their stored form",
    request: "POST /templates",
    body: { ...full, from: "Shop@Example.TEST", replyTo: " HELP@example.test " },
    status: 201,
    answer: { from: "shop@example.test", replyTo: "help@example.test" },
  },
  {
    name: "takes null for what is optional, and ignores what it does not know",
    request: "POST /templates",
    body: { ...plain, ...empty, id: "mine", projectId: "mine", colour: "red" },
    status: 201,
    answer: { ...plain, ...empty, ...record },
  },
  {
    name: "takes text beyond ASCII and anything that is not a line break in a name",
    request: "POST /templates",
    body: { ...plain, name: "Счёт 🧾 'x' \"y\" --", subject: "Ü {{ name }}", body: "<p>日本語</p>" },
    status: 201,
    answer: { name: "Счёт 🧾 'x' \"y\" --", subject: "Ü {{ name }}", body: "<p>日本語</p>" },
  },
]);

test("a template's record has these fields and no others", async () => {
  await using posthorn = await workspace();
  const { body } = await ask(posthorn, "POST /templates", { body: full });
  const updatedBy = { kind: "KEY", id: ID, name: null };
  expect(body).toEqual({
    ...full,
    ...record,
    design: null,
    topic: null,
    tags: [],
    metadata: {},
    updatedBy,
    version: 1,
  });
  expect((await ask(posthorn, `GET /templates/${body.id}`)).body).toEqual(body);
});

function refused(name: string, changes: object, fields: Scenario["fields"] = {}): Scenario {
  return {
    name,
    request: "POST /templates",
    body: { ...plain, ...changes },
    status: 422,
    code: "VALIDATION_ERROR",
    fields,
  };
}

scenarios("POST /templates is refused", [
  {
    ...refused(
      "without its four fields",
      {},
      { name: "required", subject: "required", body: "required", type: "required" },
    ),
    body: {},
  },
  refused(
    "with empty ones",
    { name: "", subject: "", body: "" },
    { name: "too_small", subject: "too_small", body: "too_small" },
  ),
  refused("with an unknown type", { type: "NEWS" }, { type: "invalid" }),
  refused("with null for what is required", { name: null, type: null }, { name: "invalid_type", type: "invalid" }),
  refused("with a name of blanks", { name: " \t " }, { name: "invalid" }),
  refused("with a name of 101 characters", { name: "x".repeat(101) }, { name: "too_big" }),
  refused("with a description of 501", { description: "x".repeat(501) }, { description: "too_big" }),
  refused("with a subject of 999", { subject: "x".repeat(999) }, { subject: "too_big" }),
  refused("with a subject on two lines", { subject: "a\r\nb" }, { subject: "invalid" }),
  refused("with a sender's name on two lines", { fromName: "a\nb" }, { fromName: "invalid" }),
  refused(
    "with a body and a text of more than 500,000 characters",
    { body: "x".repeat(500_001), text: "x".repeat(500_001) },
    { body: "too_big", text: "too_big" },
  ),
  refused(
    "with more than 20,000 characters of code",
    { body: "{{a}}".repeat(2_001), text: "{{ a | upcase }}".repeat(5_000) },
    { body: "template_syntax", text: "template_syntax" },
  ),
  refused(
    "with addresses that are none",
    { from: "shop", replyTo: "help@" },
    { from: "invalid_email", replyTo: "invalid_email" },
  ),
  refused("with two addresses", { from: "a@example.test, b@example.test" }, { from: "invalid_email" }),
  refused(
    "with syntax errors, in every field that has one",
    { subject: "{{ a", body: "{% if x %}", text: "{{ x | nosuch }}" },
    { subject: "template_syntax", body: "template_syntax", text: "template_syntax" },
  ),
]);

test("a syntax error is told with its line and column, once", async () => {
  await using posthorn = await workspace();
  const { body } = await ask(posthorn, "POST /templates", { body: { ...plain, body: "<p>\n  {% nosuch %}\n</p>" } });
  expect(body.error.errors).toEqual([
    { field: "body", message: 'unknown tag "nosuch" (line 2, column 3)', code: "template_syntax", line: 2, column: 3 },
  ]);
});

scenarios("GET and DELETE /templates/{id}", [
  {
    name: "show a template",
    given: [["POST /templates", full]],
    request: "GET /templates/$0.id",
    status: 200,
    answer: full,
  },
  {
    name: "do not know another id",
    request: "GET /templates/0199a3b4-0000-7000-8000-000000000000",
    status: 404,
    code: "TEMPLATE_NOT_FOUND",
  },
  { name: "do not know what is no id", request: "GET /templates/1", status: 404, code: "TEMPLATE_NOT_FOUND" },
  {
    name: "remove a template",
    given: [["POST /templates", full]],
    request: "DELETE /templates/$0.id",
    status: 204,
    answer: "" as never,
  },
  {
    name: "remove it once",
    given: [["POST /templates", full], ["DELETE /templates/$0.id"]],
    request: "DELETE /templates/$0.id",
    status: 404,
    code: "TEMPLATE_NOT_FOUND",
  },
]);

describe("PATCH /templates/{id}", () => {
  const shared = sharedPosthorn();
  const changes: readonly [change: object, after: object][] = [
    [{ name: "Invoice" }, { ...full, name: "Invoice" }],
    [
      { subject: "{{ a }}", body: "<b>x</b>", type: "TRANSACTIONAL" },
      { ...full, subject: "{{ a }}", body: "<b>x</b>", type: "TRANSACTIONAL" },
    ],
    [empty, { ...full, ...empty }],
    [{ from: "other@example.test" }, { ...full, from: "other@example.test" }],
    [{}, full],
    [{ name: null, subject: null, body: null, type: null }, full],
  ];

  test.each(changes)("%j changes just that", async (change, after) => {
    const posthorn = shared();
    const made = (await ask(posthorn, "POST /templates", { body: full })).body;
    posthorn.clock.advance(1000);
    const { status, body } = await ask(posthorn, `PATCH /templates/${made.id}`, { body: change });
    expect([status, body]).toEqual([
      200,
      { ...made, ...after, updatedAt: iso(posthorn.clock.nowMs()), version: body.version },
    ]);
    expect((await ask(posthorn, `GET /templates/${made.id}`)).body).toEqual(body);
  });

  scenarios("is refused", [
    {
      name: "for fields that cannot be",
      given: [["POST /templates", full]],
      request: "PATCH /templates/$0.id",
      body: { name: "", type: "NEWS", from: "x", body: 7 },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { name: "too_small", type: "invalid", body: "invalid_type" },
    },
    {
      name: "for a syntax error",
      given: [["POST /templates", full]],
      request: "PATCH /templates/$0.id",
      body: { name: "New", body: "{% endif %}" },
      status: 422,
      fields: { body: "template_syntax" },
    },
    {
      name: "for an unknown id",
      request: "PATCH /templates/x",
      body: { name: "x" },
      status: 404,
      code: "TEMPLATE_NOT_FOUND",
    },
  ]);
});

describe("GET /templates", () => {
  async function withTemplates(count: number): Promise<Posthorn> {
    const posthorn = await workspace();
    for (let index = 0; index < count; index++) {
      const type = index % 2 === 0 ? "TRANSACTIONAL" : "MARKETING";
      await ask(posthorn, "POST /templates", {
        body: { ...plain, name: `T${index}`, description: `No. ${index}`, type },
      });
    }
    return posthorn;
  }
  const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

  test("shows the newest first, twenty a page", async () => {
    await using posthorn = await withTemplates(25);
    const first = (await ask(posthorn, "GET /templates")).body;
    expect(first).toMatchObject({ total: 25, page: 1, pageSize: 20, totalPages: 2 });
    expect(names(first)).toEqual(Array.from({ length: 20 }, (_, index) => `T${24 - index}`));
    const second = (await ask(posthorn, "GET /templates?page=2")).body;
    expect(names(second)).toEqual(["T4", "T3", "T2", "T1", "T0"]);
    expect((await ask(posthorn, "GET /templates?page=3")).body).toMatchObject({ data: [], total: 25, page: 3 });
  });

  test("is walked through by cursor as well, to the end", async () => {
    await using posthorn = await withTemplates(7);
    const seen: string[] = [];
    for (let query = "limit=3"; ;) {
      const { body } = await ask(posthorn, `GET /templates?${query}`);
      seen.push(...names(body));
      if (body.cursor === null) break;
      // With or without the limit: a cursor goes on where its page ended.
      query = `cursor=${encodeURIComponent(body.cursor)}${seen.length < 6 ? "" : "&limit=3"}`;
    }
    expect(seen).toEqual(["T6", "T5", "T4", "T3", "T2", "T1", "T0"]);
  });

  test("takes limit as another name for pageSize, filters by type and searches", async () => {
    await using posthorn = await withTemplates(6);
    const found = async (query: string) => names((await ask(posthorn, `GET /templates?${query}`)).body);
    expect(await found("limit=2")).toEqual(["T5", "T4"]);
    expect(await found("pageSize=2&page=2")).toEqual(["T3", "T2"]);
    expect(await found("type=MARKETING")).toEqual(["T5", "T3", "T1"]);
    expect(await found("search=t4")).toEqual(["T4"]);
    expect(await found("search=no.%203")).toEqual(["T3"]);
    expect(await found("search=%25")).toEqual([]);
    expect(await found("search=' or 1=1 --")).toEqual([]);
    expect(await found("limit=1")).toEqual(["T5"]);
  });

  test("finds texts in any script, however they are written", async () => {
    await using posthorn = await workspace();
    const texts = { name: "Счёт", subject: "ΟΔΟΣ Straße", description: "Über ÉTÉ" };
    const { id } = (await ask(posthorn, "POST /templates", { body: { ...plain, ...texts } })).body;
    const found = async (search: string) =>
      (await ask(posthorn, `GET /templates?search=${encodeURIComponent(search)}`)).body.total;
    for (const search of ["СЧЁТ", "счёт", "οδος", "ΟΔΟ", "STRASSE", "straße", "über été", "ÜBER"]) {
      expect([search, await found(search)]).toEqual([search, 1]);
    }
    for (const search of ["счет", "ΟΔΟΣΑ", "uber", "%"]) expect([search, await found(search)]).toEqual([search, 0]);
    await ask(posthorn, `PATCH /templates/${id}`, { body: { name: "Квитанция" } });
    expect([await found("СЧЁТ"), await found("КВИТАНЦИЯ")]).toEqual([0, 1]);
  });

  test("is empty at first", async () => {
    await using posthorn = await workspace();
    expect((await ask(posthorn, "GET /templates")).body).toEqual({
      data: [],
      total: 0,
      page: 1,
      pageSize: 20,
      totalPages: 0,
      cursor: null,
    });
  });

  const token = (text: string) => Buffer.from(text).toString("base64url");
  const bad: readonly [query: string, fields: Record<string, string>][] = [
    ["page=0", { page: "too_small" }],
    ["page=-1", { page: "too_small" }],
    ["page=1.5", { page: "invalid_type" }],
    ["page=two", { page: "invalid_type" }],
    ["page=", { page: "invalid_type" }],
    ["page=99999999999999999999", { page: "too_big" }],
    ["pageSize=0", { pageSize: "too_small" }],
    ["pageSize=101", { pageSize: "too_big" }],
    ["limit=0", { limit: "too_small" }],
    ["limit=101", { limit: "too_big" }],
    ["type=NEWS", { type: "invalid" }],
    ["cursor=x", { cursor: "invalid" }],
    ["cursor=cGFnZTow", { cursor: "invalid" }],
    [`cursor=${token("page:2")}`, { cursor: "invalid" }],
    [`cursor=${token("page:2:101")}`, { cursor: "invalid" }],
    [`limit=5&cursor=${token("page:2:3")}`, { limit: "invalid" }],
    [`pageSize=5&cursor=${token("page:2:3")}`, { pageSize: "invalid" }],
    [`page=2&cursor=${token("page:2:3")}`, { page: "invalid" }],
    [`search=${"x".repeat(201)}`, { search: "too_big" }],
    ["page=0&pageSize=0", { page: "too_small", pageSize: "too_small" }],
  ];
  scenarios(
    "is refused",
    bad.map(
      ([query, fields]) =>
        ({
          name: `for ${query.slice(0, 30)}`,
          request: `GET /templates?${query}`,
          status: 400,
          code: "INVALID_PARAMETERS",
          fields,
        }) as const,
    ),
  );
});

scenarios("POST /templates/{id}/duplicate", [
  {
    name: "makes a copy with another name and an id of its own",
    given: [["POST /templates", full]],
    request: "POST /templates/$0.id/duplicate",
    status: 201,
    answer: { ...full, ...record, name: "Receipt (Copy)" },
  },
  {
    name: "keeps the name as short as any",
    given: [["POST /templates", { ...plain, name: `${"x".repeat(92)}🧾${"y".repeat(6)}` }]],
    request: "POST /templates/$0.id/duplicate",
    status: 201,
    answer: { name: `${"x".repeat(92)} (Copy)` },
  },
  {
    name: "does not know a template that is not there",
    request: "POST /templates/0199a3b4-0000-7000-8000-000000000000/duplicate",
    status: 404,
    code: "TEMPLATE_NOT_FOUND",
  },
]);

test("a page that would take very much memory is refused; fewer templates at a time are shown (slow)", async () => {
  await using posthorn = await workspace();
  const large = { ...plain, body: "x".repeat(500_000), text: "x".repeat(500_000) };
  for (let n = 0; n < 33; n++) await ask(posthorn, "POST /templates", { body: large });
  const refusal = await ask(posthorn, "GET /templates?pageSize=100");
  expect([refusal.status, refusal.body.error.errors[0].field]).toEqual([400, "pageSize"]);
  const { body } = await ask(posthorn, "GET /templates?pageSize=32");
  expect([body.data.length, body.total]).toEqual([32, 33]);
});

test("a copy goes its own way", async () => {
  await using posthorn = await workspace();
  const { id } = (await ask(posthorn, "POST /templates", { body: full })).body;
  const copy = (await ask(posthorn, `POST /templates/${id}/duplicate`)).body;
  expect(copy.id).not.toBe(id);
  await ask(posthorn, `PATCH /templates/${copy.id}`, { body: { subject: "Other" } });
  await ask(posthorn, `DELETE /templates/${id}`);
  expect((await ask(posthorn, `GET /templates/${copy.id}`)).body.subject).toBe("Other");
});

test("a key that is scoped to domains makes and changes only templates without a sender or with one of its domains", async () => {
  await using posthorn = await workspace();
  const key = { bearer: (await addKeys(posthorn, { domains: ["other.example"] })).secret };
  const codeOf = async (route: string, body?: object) => {
    const reply = await ask(posthorn, route, { key, ...(body ? { body } : {}) });
    return reply.status < 300 ? reply.status : reply.body.error.code;
  };
  const ofOthers = (await ask(posthorn, "POST /templates", { body: { ...plain, from: "ceo@example.test" } })).body.id;
  for (const [route, body] of [
    ["POST /templates", { ...plain, from: "ceo@example.test" }],
    [`PATCH /templates/${ofOthers}`, { from: "me@other.example" }],
    [`PATCH /templates/${ofOthers}`, { body: "<p>Pay here</p>" }],
    [`POST /templates/${ofOthers}/duplicate`, undefined],
    [`DELETE /templates/${ofOthers}`, undefined],
  ] as const)
    expect([route, await codeOf(route, body)]).toEqual([route, "DOMAIN_NOT_ALLOWED"]);
  expect(await codeOf(`GET /templates/${ofOthers}`)).toBe(200);
  for (const sender of [{}, { from: "me@other.example" }]) {
    const made = await ask(posthorn, "POST /templates", { key, body: { ...plain, ...sender } });
    expect(made.status).toBe(201);
    const path = `/templates/${made.body.id}`;
    expect(await codeOf(`PATCH ${path}`, { from: "ceo@example.test" })).toBe("DOMAIN_NOT_ALLOWED");
    expect(await codeOf(`PATCH ${path}`, { from: "you@other.example" })).toBe(200);
    expect(await codeOf(`POST ${path}/duplicate`)).toBe(201);
    expect(await codeOf(`DELETE ${path}`)).toBe(204);
  }
});

test("the sender of a template may have its name beside the address, and its replies too", async () => {
  await using posthorn = await workspace();
  const senders = { from: '"The Shop" <Shop@Example.test>', replyTo: "Help Desk <help@example.test>" };
  const made = (
    await ask(posthorn, "POST /templates", { body: { ...full, type: "TRANSACTIONAL", fromName: null, ...senders } })
  ).body;
  const kept = { from: "shop@example.test", fromName: "The Shop", replyTo: "Help Desk <help@example.test>" };
  expect(made).toMatchObject(kept);
  const named = { from: "Till <shop@example.test>", fromName: '"Checkout"' };
  const changed = await ask(posthorn, `PATCH /templates/${made.id}`, { body: named });
  expect(changed.body).toMatchObject({ ...kept, fromName: "Checkout" });
  await ask(posthorn, "POST /v1/send", { body: { to: "ada@example.com", template: made.id } });
  const mail = await mailSent(posthorn);
  expect(mail.from?.value).toEqual([{ address: "shop@example.test", name: "Checkout" }]);
  expect(mail.replyTo?.value).toEqual([{ address: "help@example.test", name: "Help Desk" }]);
});

test.each<[string, Readonly<Record<string, unknown>>, string | null]>([
  ["a blank fromName leaves it", { from: "Till <shop@example.test>", fromName: "" }, "Till"],
  ["one in quotes of its own loses them", { from: '"\\"Till\\"" <shop@example.test>' }, "Till"],
  ["a blank fromName clears the one before", { fromName: "" }, ""],
  ["an address without a name keeps the one before", { from: "shop@example.test" }, "Shop"],
])("the name in a template's sender: %s", async (_, sender, fromName) => {
  await using posthorn = await workspace();
  const { id } = (await ask(posthorn, "POST /templates", { body: { ...full, fromName: "Shop" } })).body;
  const changed = await ask(posthorn, `PATCH /templates/${id}`, { body: sender });
  expect(changed.body).toMatchObject({ fromName });
});

describe("a text with placeholders of another service", () => {
  const shared = sharedPosthorn();

  test.each([
    ["POST /templates", { ...plain, body: "<p>{{{unsubscribe}}}</p>", subject: "*|FNAME|*" }],
    [
      "POST /campaigns",
      {
        ...plain,
        type: undefined,
        from: "news@example.test",
        audienceType: "ALL",
        body: "<p>{{{unsubscribe}}}</p>",
        subject: "*|FNAME|*",
      },
    ],
  ])("is saved by %s, and the answer says what was probably meant", async (call, body) => {
    const { status, body: answer } = await ask(shared(), call, { body });
    const about = answer.warnings.filter(({ code }: Json) => code === "placeholder");
    expect([status, about]).toEqual([
      201,
      [
        { field: "subject", code: "placeholder", message: expect.stringContaining("{{ firstName }}") },
        { field: "body", code: "placeholder", message: expect.stringContaining("did you mean unsubscribeUrl?") },
      ],
    ]);
  });

  test("is changed in the same way, and a link that leads nowhere is named", async () => {
    const { id } = (await ask(shared(), "POST /templates", { body: plain })).body;
    const change = { html: '<a href="">Unsubscribe</a>' };
    const { body } = await ask(shared(), `PATCH /templates/${id}`, { body: change });
    expect(body.warnings).toMatchObject([{ field: "html", message: expect.stringContaining("leads nowhere") }]);
  });

  test("that cannot be read is refused with what was probably meant", async () => {
    const { body } = await ask(shared(), "POST /templates", { body: { ...plain, body: "<p>{% unsubscribe %}</p>" } });
    expect(body.error.errors[0].message).toEndWith("Did you mean {{ unsubscribeUrl }}?");
  });

  test("is named by its preview", async () => {
    const body = { kind: "MARKETING", subject: "{{ unsubscribe }}", body: "<p>{{ unsubscribe }} *|ARCHIVE|*</p>" };
    expect((await ask(shared(), "POST /preview", { body })).body.placeholders).toEqual([
      { written: "{{ unsubscribe }}", meant: "{{ unsubscribeUrl }}" },
      { written: "*|ARCHIVE|*", meant: null },
    ]);
  });
});
