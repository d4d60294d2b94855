// Templates by another name, in a version that is named, and published by hand.
import { describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { rewriteVersion } from "../../src/content/templates/versions/queries.ts";
import { somebody } from "../support/people.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask, scenarios, type Scenario } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const receipt = {
  name: "Receipt",
  alias: "receipt",
  subject: "One",
  body: "<p>Paid</p>",
  type: "TRANSACTIONAL",
  from: "shop@example.test",
};
const to = "ada@example.com";

/** A template, each further subject as a version of its own. */
async function withVersions(posthorn: Posthorn, ...subjects: readonly string[]) {
  const { id } = (await ask(posthorn, "POST /templates", { body: receipt })).body;
  for (const subject of subjects) {
    posthorn.clock.advance(6 * MINUTE_MS);
    await ask(posthorn, "PATCH /templates/receipt", { body: { subject } });
  }
  return id as string;
}

/** What leaves when it is sent by this name, or why nothing does. */
async function subjectSent(posthorn: Posthorn, template: string): Promise<string> {
  const { status, body } = await ask(posthorn, "POST /v1/send", { body: { to, template } });
  if (status !== 200) return body.error.message;
  const mail = (await ask(posthorn, `GET /emails/${body.data.emails[0].email}`)).body;
  return mail.subject;
}

describe("an alias", () => {
  test("is taken wherever the id is (slow)", async () => {
    await using posthorn = await workspace();
    const id = await withVersions(posthorn);
    expect((await ask(posthorn, "GET /templates/receipt")).body).toMatchObject({ id, alias: "receipt" });
    expect(await subjectSent(posthorn, "receipt")).toBe("One");
    expect((await ask(posthorn, "GET /emails?templateId=receipt&limit=5")).body.data).toMatchObject([
      { templateId: id },
    ]);
    for (const route of ["GET /templates/receipt/uses", "GET /templates/receipt/versions"])
      expect((await ask(posthorn, route)).status).toBe(200);
    expect((await ask(posthorn, "POST /templates/receipt/preview", { body: {} })).body.subject).toBe("One");
    const step = { type: "SEND_EMAIL", name: "Mail", config: { templateId: "receipt" } };
    const flow = await ask(posthorn, "POST /workflows", {
      body: { name: "Flow", eventName: "paid", enabled: true, steps: [step] },
    });
    expect(flow.body.steps.at(-1).config).toEqual({ templateId: id });
  });

  test("is one template's alone in its workspace, and goes with it to no copy", async () => {
    await using posthorn = await workspace();
    const id = await withVersions(posthorn);
    const again = await ask(posthorn, "POST /templates", { body: receipt });
    expect([again.status, again.body.error.reason, again.body.error.values]).toEqual([
      409,
      "alias_taken",
      { alias: "receipt" },
    ]);
    expect((await ask(posthorn, "POST /templates/receipt/duplicate")).body.alias).toBeNull();
    const other = { bearer: (await addWorkspace(posthorn, { name: "other", domain: "other.example" })).secret };
    expect((await ask(posthorn, "GET /templates/receipt", { key: other })).status).toBe(404);
    const theirs = await ask(posthorn, "POST /templates", { key: other, body: { ...receipt, from: null } });
    expect(theirs.status).toBe(201);
    await ask(posthorn, "PATCH /templates/receipt", { body: { alias: "" } });
    expect((await ask(posthorn, "GET /templates/receipt")).status).toBe(404);
    expect((await ask(posthorn, `GET /templates/${id}`)).body.alias).toBeNull();
  });
});

describe("a version that is named", () => {
  test("is what is sent, by alias or id, whatever the template says now", async () => {
    await using posthorn = await workspace();
    const id = await withVersions(posthorn, "Two", "Three");
    expect(await subjectSent(posthorn, "receipt@2")).toBe("Two");
    expect(await subjectSent(posthorn, `${id}@1`)).toBe("One");
    expect(await subjectSent(posthorn, "receipt")).toBe("Three");
    expect(await subjectSent(posthorn, "receipt@4")).toBe("The template receipt has no version 4.");
    expect(await subjectSent(posthorn, "nothing@1")).toBe("There is no template nothing.");
    const { versions } = (await ask(posthorn, `GET /templates/${id}/versions`)).body;
    expect(versions.map(({ number }: { readonly number: number }) => number)).toEqual([3, 2, 1]);
  });

  test("is made by each change of a key at once, and answered by it", async () => {
    await using posthorn = await workspace();
    const made = await ask(posthorn, "POST /templates", { body: receipt });
    const numbers = [made.body.version];
    for (const subject of ["Two", "Three", "Three"])
      numbers.push((await ask(posthorn, "PATCH /templates/receipt", { body: { subject } })).body.version);
    expect(numbers).toEqual([1, 2, 3, 3]);
    expect((await ask(posthorn, "PATCH /templates/receipt", { body: { name: "Other" } })).body.version).toBe(3);
    expect((await ask(posthorn, "POST /templates/receipt/publish")).body.version).toBe(3);
    expect((await ask(posthorn, "POST /templates/receipt/duplicate")).body.version).toBe(1);
    expect(await subjectSent(posthorn, "receipt@1")).toBe("One");
    expect(await subjectSent(posthorn, "receipt@2")).toBe("Two");
    expect(await subjectSent(posthorn, "receipt@3")).toBe("Three");
  });

  test("of a person who is typing is pinned when it is named first", async () => {
    await using posthorn = await workspace();
    await withVersions(posthorn);
    const ada = await somebody(posthorn, "OWNER");
    const save = async (subject: string) =>
      (await ada.ask("PATCH /templates/receipt", { body: { subject } })).body.version;
    expect([await save("Tw"), await save("Two")]).toEqual([2, 2]);
    expect(await subjectSent(posthorn, "receipt@2")).toBe("Two");
    expect([await save("Two!"), await save("Two!!")]).toEqual([3, 3]);
    expect(await subjectSent(posthorn, "receipt@2")).toBe("Two");
  });

  test("stays as it is from then on, though the same key goes on writing, and is not deleted", async () => {
    await using posthorn = await workspace();
    await withVersions(posthorn, "Two");
    expect(await subjectSent(posthorn, "receipt@2")).toBe("Two");
    await ask(posthorn, "PATCH /templates/receipt", { body: { subject: "Half a wo" } });
    for (let at = 0; at < 55; at++) {
      posthorn.clock.advance(6 * MINUTE_MS);
      await ask(posthorn, "PATCH /templates/receipt", { body: { subject: `Later ${at}` } });
    }
    expect(await subjectSent(posthorn, "receipt@2")).toBe("Two");
    expect(await subjectSent(posthorn, "receipt@1")).toBe("The template receipt has no version 1.");
  });

  test("is not written over by a change that began before it was named", async () => {
    await using posthorn = await workspace();
    await withVersions(posthorn);
    expect(await subjectSent(posthorn, "receipt@1")).toBe("One");
    const { seq } = (await posthorn.store.read((reader) => reader.get`select seq from versions`)) as { seq: number };
    const rewrite = posthorn.store.write((tx) => rewriteVersion(tx, seq, tx.now, new Uint8Array(1)));
    expect(await rewrite).toBe(0);
    expect(await subjectSent(posthorn, "receipt@1")).toBe("One");
  });

  test("is what a step of a workflow sends", async () => {
    await using posthorn = await workspace();
    const id = await withVersions(posthorn, "Two");
    const mail = (name: string, templateId: string) => ({ type: "SEND_EMAIL", name, config: { templateId } });
    const steps = [mail("First", "receipt@1"), mail("Second", "receipt")];
    const flow = await ask(posthorn, "POST /workflows", {
      body: { name: "Flow", eventName: "paid", enabled: true, steps },
    });
    expect(flow.body.steps[1].config).toEqual({ templateId: `${id}@1` });
    await ask(posthorn, "POST /v1/track", { body: { email: to, event: "paid" } });
    await posthorn.settle();
    const { data } = (await ask(posthorn, "GET /emails")).body;
    expect(data.map(({ subject }: { readonly subject: string }) => subject)).toEqual(["Two", "One"]);
  });
});

describe("a template that is published by hand", () => {
  test("is sent as it was published, until it is published again", async () => {
    await using posthorn = await workspace();
    const made = (await ask(posthorn, "POST /templates", { body: { ...receipt, publishManually: true } })).body;
    expect(made).toMatchObject({
      publishManually: true,
      publishedAt: "2026-03-01T09:00:00.000Z",
      hasUnpublishedChanges: false,
    });
    posthorn.clock.advance(MINUTE_MS);
    const changed = await ask(posthorn, "PATCH /templates/receipt", { body: { subject: "Two", from: null } });
    expect(changed.body).toMatchObject({ subject: "Two", hasUnpublishedChanges: true });
    expect(await subjectSent(posthorn, "receipt")).toBe("One");
    expect((await ask(posthorn, "POST /templates/receipt/preview", { body: {} })).body.subject).toBe("Two");
    await ask(posthorn, "PATCH /templates/receipt", { body: { from: receipt.from } });
    const published = await ask(posthorn, "POST /templates/receipt/publish");
    expect(published.body).toMatchObject({
      publishedAt: "2026-03-01T09:01:00.000Z",
      hasUnpublishedChanges: false,
    });
    expect(await subjectSent(posthorn, "receipt")).toBe("Two");
    // The version that is sent is not written over, and no older one is left in its place.
    await ask(posthorn, "PATCH /templates/receipt", { body: { subject: "Three" } });
    expect(await subjectSent(posthorn, "receipt")).toBe("Two");
    await ask(posthorn, "PATCH /templates/receipt", { body: { publishManually: false } });
    expect(await subjectSent(posthorn, "receipt")).toBe("Three");
  });

  test("is sent by workflows as it was published, too", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /templates", { body: { ...receipt, publishManually: true } });
    const steps = [{ type: "SEND_EMAIL", name: "Mail", config: { templateId: "receipt" } }];
    await ask(posthorn, "POST /workflows", { body: { name: "Flow", eventName: "paid", enabled: true, steps } });
    await ask(posthorn, "PATCH /templates/receipt", { body: { subject: "Two" } });
    await ask(posthorn, "POST /v1/track", { body: { email: to, event: "paid" } });
    await posthorn.settle();
    expect((await ask(posthorn, "GET /emails")).body.data[0].subject).toBe("One");
  });

  test("has nothing to publish where its name alone has changed", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /templates", { body: { ...receipt, publishManually: true } });
    const named = await ask(posthorn, "PATCH /templates/receipt", { body: { name: "Bill" } });
    expect(named.body.hasUnpublishedChanges).toBe(false);
  });
});

const refused = (alias: string): Scenario => ({
  name: alias,
  request: "POST /templates",
  body: { ...receipt, alias },
  status: 422,
  code: "VALIDATION_ERROR",
  fields: { alias: "invalid" },
});
const LIKE_AN_ID = "0199a3b4-0000-7000-8000-000000000000";
scenarios("an alias is refused", ["Receipt", "receipt@3", "-receipt", "a b", "ü", LIKE_AN_ID].map(refused));
