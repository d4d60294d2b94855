// Forms as records: what they may be, the versions of their consent, their HTML and their statistics.
import { describe, expect, test } from "bun:test";
import { somebody } from "../support/people.ts";
import { ask, scenarios } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { makeForm, visit } from "./sending.ts";
import { workspace } from "../support/workspace.ts";

const fields = [
  { name: "firstName", type: "text", label: { en: "First name", de: "Vorname" }, required: true, maxLength: 40 },
  { name: "size", type: "choice", options: [{ value: "S", label: { en: "Small", de: "Klein" } }, { value: "L" }] },
  { name: "age", type: "number", min: 0, max: 130 },
  { name: "birthday", type: "date" },
  { name: "vip", type: "checkbox" },
  { name: "source", type: "hidden", value: "web" },
];
const consent = { wording: { en: "Send me news.", de: "Schickt mir Neues." } };

test("a form has what was asked for, and what goes without saying (slow)", async () => {
  await using posthorn = await workspace();
  const { status, body } = await ask(posthorn, "POST /forms", { body: { name: "Über uns & Co." } });
  expect(status).toBe(201);
  expect(body).toMatchObject({ enabled: true, doubleOptIn: true, fields: [], consent: null, sites: [], tags: [] });
  expect(body.key).toMatch(/^uber-uns-co-[a-z0-9]{6}$/);
  expect(body.url).toBe(`http://127.0.0.1:8484/f/${body.key}`);
  const full = await makeForm(posthorn, { fields, consent, sites: ["Example.com", "https://example.com/x"] });
  expect(full).toMatchObject({ key: "news", sites: ["https://example.com"], consent: { checkbox: true, version: 1 } });
  expect(full.fields[1].options).toEqual([
    { value: "S", label: { en: "Small", de: "Klein" } },
    { value: "L", label: {} },
  ]);
  expect((await ask(posthorn, `GET /forms/${full.id}`)).body).toEqual(full);
  const { data } = (await ask(posthorn, "GET /forms")).body;
  expect(data.map(({ key, counts }: { key: string; counts: object }) => [key, counts])).toEqual([
    ["news", { seen: 0, sent: 0, confirmed: 0 }],
    [body.key, { seen: 0, sent: 0, confirmed: 0 }],
  ]);
});

test("new words of a consent are a new version, and the former ones stay, also without their form", async () => {
  await using posthorn = await workspace();
  const { id } = await makeForm(posthorn, { consent });
  const change = async (body: object) => (await ask(posthorn, `PATCH /forms/${id}`, { body })).body.consent;
  expect(await change({ name: "Other", consent: { ...consent, checkbox: false } })).toMatchObject({ version: 1 });
  expect(await change({ consent: { wording: { en: "Send me more." } } })).toMatchObject({ version: 2 });
  expect(await change({ consent: null })).toBeNull();
  expect(await change({ consent })).toMatchObject({ version: 3, checkbox: true });
  expect((await ask(posthorn, `DELETE /forms/${id}`)).status).toBe(204);
  expect((await ask(posthorn, `GET /forms/${id}`)).body.error.code).toBe("FORM_NOT_FOUND");
  const { wordings } = (await ask(posthorn, `GET /forms/${id}/wordings`)).body;
  expect(wordings.map(({ version, wording }: { version: number; wording: object }) => [version, wording])).toEqual([
    [3, consent.wording],
    [2, { en: "Send me more." }],
    [1, consent.wording],
  ]);
});

test("a key is used once in the whole installation, and may change", async () => {
  await using posthorn = await workspace();
  const { id } = await makeForm(posthorn);
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  for (const key of ["secret", { bearer: other.secret }] as const) {
    const { status, body } = await ask(posthorn, "POST /forms", { key, body: { name: "News", key: "news" } });
    expect([status, body.error.reason]).toEqual([409, "form_key_taken"]);
  }
  const second = await makeForm(posthorn, { key: "second" });
  expect((await ask(posthorn, `PATCH /forms/${second.id}`, { body: { key: "news" } })).status).toBe(409);
  expect((await ask(posthorn, `PATCH /forms/${id}`, { body: { key: "first" } })).body.key).toBe("first");
  expect((await visit(posthorn, "GET /f/news")).status).toBe(404);
  expect((await visit(posthorn, "GET /f/first")).status).toBe(200);
});

test("people join a STATIC segment, which is not deleted as long as they do", async () => {
  await using posthorn = await workspace();
  const made = async (body: object) => (await ask(posthorn, "POST /segments", { body })).body.id;
  const readers = await made({ name: "Readers", type: "STATIC" });
  const { id, segmentId } = await makeForm(posthorn, { segmentId: readers });
  expect(segmentId).toBe(readers);
  const { status, body } = await ask(posthorn, `DELETE /segments/${readers}`);
  expect([status, body.error.reason]).toEqual([409, "still_in_use"]);
  expect((await ask(posthorn, `GET /segments/${readers}/uses`)).body.forms).toEqual([{ id, name: "News" }]);
  const all = await made({ name: "All", condition: { groups: [{ filters: [{ field: "a", operator: "exists" }] }] } });
  for (const [segment, code] of [
    [all, "SEGMENT_NOT_STATIC"],
    [id, "SEGMENT_NOT_FOUND"],
  ])
    expect((await ask(posthorn, `PATCH /forms/${id}`, { body: { segmentId: segment } })).body.error.code).toBe(code);
  await ask(posthorn, `PATCH /forms/${id}`, { body: { segmentId: null } });
  expect((await ask(posthorn, `DELETE /segments/${readers}`)).status).toBe(204);
});

const refused: readonly [what: string, body: object, fields: Readonly<Record<string, string>>][] = [
  ["a name that data cannot have", { fields: [{ name: "a.b", type: "text" }] }, { "fields.0.name": "invalid" }],
  ["a name of the contact's own", { fields: [{ name: "email", type: "text" }] }, { "fields.0.name": "invalid" }],
  ["a name of the form's own", { fields: [{ name: "_token", type: "text" }] }, { "fields.0.name": "invalid" }],
  ["tags as a field", { fields: [{ name: "tags", type: "text" }] }, { "fields.0.name": "invalid" }],
  ["a choice without options", { fields: [{ name: "size", type: "choice" }] }, { "fields.0.options": "invalid" }],
  [
    "an option that comes twice",
    { fields: [{ name: "size", type: "choice", options: [{ value: "S" }, { value: "S" }] }] },
    { "fields.0.options": "invalid" },
  ],
  [
    "a name that comes twice",
    { fields: [fields[0], { name: "firstName", type: "date" }] },
    { "fields.1.name": "taken" },
  ],
  [
    "bounds in the wrong order",
    { fields: [{ name: "n", type: "number", min: 2, max: 1 }] },
    { "fields.0.min": "invalid" },
  ],
  ["a consent that says nothing", { consent: { wording: { en: " " } } }, { "consent.wording": "empty" }],
  ["an address that is none", { redirectUrl: "javascript:alert(1)" }, { redirectUrl: "invalid_url" }],
  ["an address with a password", { confirmedUrl: "https://a:b@example.com/" }, { confirmedUrl: "invalid_url" }],
  ["a site that is none", { sites: ["a b"] }, { "sites.0": "invalid_url" }],
  ["an event of the system", { event: "email.sent" }, { event: "reserved_event" }],
  ["a tag that says nothing", { tags: [" "] }, { "tags.0": "invalid" }],
];
scenarios(
  "refused is",
  refused.map(([name, body, faults]) => ({
    name,
    request: "POST /forms",
    body: { name: "News", ...body },
    status: 422,
    fields: faults,
  })),
);

describe("its HTML", () => {
  const shared = sharedPosthorn();

  test("is a form that works by itself, in the language that is asked for", async () => {
    const { id } = await makeForm(shared(), { fields, consent, sites: ["https://example.com"] });
    const { body, headers } = await ask(shared(), `GET /forms/${id}/html?language=de`);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(body).toContain(
      '<form method="post" action="http://127.0.0.1:8484/f/news" data-posthorn lang="de" dir="ltr">',
    );
    for (const part of [
      'name="firstName" required',
      "Vorname",
      '<option value="S">Klein</option>',
      'min="0" max="130"',
    ])
      expect(body).toContain(part);
    expect(body).toContain('<input type="hidden" name="source" value="web">');
    expect(body).toContain('<script src="http://127.0.0.1:8484/f/form.js" defer></script>');
    expect(body).not.toContain("_token");
  });

  test("can be seen before the form is saved", async () => {
    const body = { name: "Draft", title: { en: "<b>News</b>" }, fields, consent, language: "en" };
    const { html } = (await ask(shared(), "POST /forms/preview", { body })).body;
    expect(html).toContain("<h1>&lt;b&gt;News&lt;/b&gt;</h1>");
    expect(html).toContain("Send me news.");
  });
});

test("its statistics have every day that is asked for, up to 400", async () => {
  await using posthorn = await workspace();
  const { id } = await makeForm(posthorn);
  const { days } = (await ask(posthorn, `GET /forms/${id}/statistics?since=2026-02-27`)).body;
  expect(days.map(({ day }: { day: string }) => day)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  for (const query of ["since=2026-03-02", "since=2024-01-01", "since=2026-02-30"])
    expect((await ask(posthorn, `GET /forms/${id}/statistics?${query}`)).status).toBe(400);
});

test("who writes campaigns writes forms; who answers people reads them", async () => {
  await using posthorn = await workspace();
  const [editor, support] = [
    await somebody(posthorn, "EDITOR"),
    await somebody(posthorn, "SUPPORT", "sam@example.com"),
  ];
  const { status, body } = await editor.ask("POST /forms", { body: { name: "News" } });
  expect([status, body.updatedBy.kind]).toEqual([201, "PERSON"]);
  expect((await support.ask("GET /forms")).body.total).toBe(1);
  expect((await support.ask(`DELETE /forms/${body.id}`)).status).toBe(403);
  const stale = { enabled: false, ifUpdatedAt: "2026-01-01T00:00:00Z" };
  expect((await editor.ask(`PATCH /forms/${body.id}`, { body: stale })).body.error.reason).toBe("saved_since");
});

test("an option can be chosen as it is kept, and a key is made from a name in any letters", async () => {
  await using posthorn = await workspace();
  const withOption = (value: string) => ({
    name: "Über uns: Grüße",
    fields: [{ name: "size", type: "choice", options: [{ value }] }],
  });
  const { body } = await ask(posthorn, "POST /forms", { body: withOption(" S ") });
  expect(body.fields[0].options).toEqual([{ value: "S", label: {} }]);
  expect(body.key).toMatch(/^uber-uns-grusse-[a-z0-9]{6}$/);
  for (const value of ["  ", "a\nb"]) {
    const refused = await ask(posthorn, "POST /forms", { body: withOption(value) });
    expect([refused.status, refused.body.error.errors[0].field]).toEqual([422, "fields.0.options"]);
  }
});
