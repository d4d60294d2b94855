// Tags and metadata of mails: taken, shown, told in events, found by, and gone with the person.
import { expect, test } from "bun:test";
import { recordVisits } from "../../src/mail/emails/feedback/visits.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf, everything } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const labels = { tags: ["receipt", "plan:pro"], metadata: { order: "A-1", shop: "Käthe & Co." } };

async function sent(posthorn: Posthorn, more: object, to: unknown = "ada@example.com"): Promise<string> {
  const { status, body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, to, ...more } });
  expect(status).toBe(200);
  return body.data.emails[0].email;
}

const found = async (posthorn: Posthorn, query: string) => {
  const { status, body } = await ask(posthorn, `GET /emails?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.data.map(({ id }: Json) => id);
};

test("they come back in the record, the list and every event of the mail; a mail without has none (slow)", async () => {
  await using posthorn = await workspace();
  const id = await sent(posthorn, { ...labels, tags: ["receipt", "plan:pro", "receipt"] });
  const plain = await sent(posthorn, {}, "bob@example.com");
  await posthorn.settle();
  await posthorn.store.write((tx) =>
    recordVisits(tx, [
      { emailId: id, link: "https://example.com/", isMachine: false },
      { emailId: plain, link: null, isMachine: false },
    ]),
  );
  expect((await ask(posthorn, `GET /emails/${id}`)).body).toMatchObject(labels);
  expect((await ask(posthorn, `GET /emails/${plain}`)).body).toMatchObject({ tags: [], metadata: {} });
  expect((await ask(posthorn, "GET /emails")).body.data.map(({ tags }: Json) => tags)).toEqual([[], labels.tags]);
  const { events } = (await ask(posthorn, "GET /events")).body;
  const told = (of: string) => events.filter(({ emailId }: Json) => emailId === of);
  expect(told(id).map(({ name, data }: Json) => [name, data.tags, data.metadata])).toEqual(
    ["email.click", "email.sent"].map((name) => [name, labels.tags, labels.metadata]),
  );
  expect(told(plain).map(({ name, data }: Json) => [name, "tags" in data])).toEqual([
    ["email.open", false],
    ["email.sent", false],
  ]);
  expect(await countOf(posthorn, "email_labels")).toBe(4);
});

test("mails are found by each of their tags and values, and only in their workspace", async () => {
  await using posthorn = await workspace();
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const first = await sent(posthorn, labels);
  const second = await sent(posthorn, { tags: ["receipt"], metadata: { order: "A-2" } }, "bob@example.com");
  await sent(posthorn, {}, "cy@example.com");
  await posthorn.settle();
  await ask(posthorn, `POST /emails/${second}/resend`);
  const [{ id: copy }] = (await ask(posthorn, "GET /emails")).body.data;
  for (const [query, ids] of [
    ["tag=receipt", [copy, second, first]],
    ["tag=plan:pro", [first]],
    ["tag=receipt,plan:pro", [first]],
    ["tag=receipt&tag=plan:pro", [first]],
    ["metadata[order]=A-2", [copy, second]],
    [`metadata%5Bshop%5D=${encodeURIComponent("Käthe & Co.")}&metadata[order]=A-1`, [first]],
    ["tag=receipt&metadata[order]=A-1", [first]],
    ["tag=receipt&status=SENT", [second, first]],
    ["tag=receipt&search=bob@example.com", [copy, second]],
    ["tag=order:A-1", []],
    ["metadata[order]=A-3", []],
  ] as const)
    expect([query, await found(posthorn, query)]).toEqual([query, [...ids]]);
  expect((await ask(posthorn, "GET /emails?tag=receipt", { key: { bearer: other.secret } })).body.data).toEqual([]);
  const page = (await ask(posthorn, "GET /emails?tag=receipt&limit=2")).body;
  expect(page).toMatchObject({ hasMore: true });
  expect(await found(posthorn, `tag=receipt&limit=2&cursor=${page.cursor}`)).toEqual([first]);
  const { body: reasons } = await ask(posthorn, "GET /emails/reasons?tag=receipt");
  expect(reasons).toEqual({ reasons: [], isLowerBound: false });
  for (const query of ["tag=a b", "metadata=A-1", "metadata[order]=1&metadata[order]=2"])
    expect([query, (await ask(posthorn, `GET /emails?${query}`)).status]).toEqual([query, 400]);
});

test("the failed mails of a tag are sent again", async () => {
  await using posthorn = await workspace();
  posthorn.transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 No" });
  await sent(posthorn, labels);
  await sent(posthorn, {}, "bob@example.com");
  await posthorn.settle();
  const filter = { tag: ["receipt"], metadata: { order: "A-1" } };
  const { body } = await ask(posthorn, "POST /emails/retry", { body: { filter } });
  await posthorn.settle();
  expect((await ask(posthorn, `GET /emails/retry/jobs/${body.jobId}`)).body.result).toMatchObject({ successCount: 1 });
});

test("what is no tag, or too much, is refused at its place", async () => {
  await using posthorn = await workspace();
  const refused = async (fields: object) => {
    const { status, body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, ...fields } });
    return [status, body.error?.errors?.map(({ field }: Json) => field)];
  };
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ""]));
  const large = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}`, "x".repeat(500)]));
  for (const [fields, field] of [
    [{ tags: ["a b"] }, "tags.0"],
    [{ tags: ["a:b:c"] }, "tags.0"],
    [{ tags: Array.from({ length: 11 }, (_, n) => `t${n}`) }, "tags"],
    [{ metadata: { "a b": "1" } }, "metadata.a b"],
    [{ metadata: { order: 7 } }, "metadata.order"],
    [{ metadata: { order: "x".repeat(501) } }, "metadata.order"],
    [{ metadata: { order: "\0" } }, "metadata.order"],
    [{ metadata: many }, "metadata"],
    [{ metadata: large }, "metadata"],
  ] as const)
    expect([fields, ...(await refused(fields))]).toEqual([fields, 422, [field]]);
  const { error } = (await ask(posthorn, "POST /v1/send", { body: { ...letter, tags: ["x".repeat(65)] } })).body;
  expect(error.errors[0].message).toStartWith("Expected a tag: `name` or `name:value`, each of 1 to 64 ");
});

test("they go with the person", async () => {
  await using posthorn = await workspace();
  const id = await sent(posthorn, { tags: ["of:ada"], metadata: { customer: "ada-lovelace" } });
  await posthorn.settle();
  const { contactId } = (await ask(posthorn, `GET /emails/${id}`)).body;
  expect((await ask(posthorn, `DELETE /contacts/${contactId}`)).status).toBe(204);
  await posthorn.settle();
  expect(await countOf(posthorn, "email_labels")).toBe(0);
  expect(JSON.stringify(await everything(posthorn))).not.toContain("ada-lovelace");
});

test("events of mails are found by them too", async () => {
  await using posthorn = await workspace();
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const first = await sent(posthorn, labels);
  await posthorn.settle();
  const second = await sent(posthorn, { tags: ["receipt"] }, "bob@example.com");
  await sent(posthorn, {}, "cy@example.com");
  await posthorn.settle();
  const of = async (query: string, bearer = posthorn.keys.secret) => {
    const { status, body } = await ask(posthorn, `GET /events?${query}`, { key: { bearer } });
    expect([query, status]).toEqual([query, 200]);
    return body.events.map(({ emailId }: Json) => emailId);
  };
  expect(await of("tag=receipt")).toEqual([second, first]);
  expect(await of("tag=receipt&metadata[order]=A-1&eventName=email.sent")).toEqual([first]);
  expect(await of("tag=receipt&eventName=email.open")).toEqual([]);
  expect(await of("tag=receipt", other.secret)).toEqual([]);
  const { contactId } = (await ask(posthorn, `GET /emails/${second}`)).body;
  expect(await of(`tag=receipt&contactId=${contactId}`)).toEqual([second]);
});
