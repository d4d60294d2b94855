// Imports: their list, and what a file may do besides: fill only what is empty, tag people, put them in a segment.
import { describe, expect, test } from "bun:test";
import { checked, FORM, formWith, imported, upload } from "../support/files.ts";
import { firstOwner } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

async function dataAt(posthorn: Posthorn, name: string): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/by-email/${name}@a.example`)).body.data;
}

async function undone(posthorn: Posthorn, importId: string): Promise<void> {
  expect((await ask(posthorn, `POST /contacts/import/${importId}/undo`)).status).toBe(202);
  await posthorn.settle();
}

const FILE = "email,plan\nada@a.example,pro\nbob@a.example,free\n";

describe("the list of imports", () => {
  test("has who began each, its file, its counts and what undoes it, newest first (slow)", async () => {
    await using posthorn = await workspace();
    const owner = await firstOwner(posthorn);
    const first = await imported(posthorn, FILE);
    posthorn.clock.advance(1_000);
    await owner.ask("POST /contacts/import", { headers: FORM, body: formWith("email\nada@a.example\nnobody\n") });
    await posthorn.settle();
    await undone(posthorn, first.id);
    const { body } = await ask(posthorn, "GET /contacts/import");
    expect(body).toMatchObject({ total: 2, page: 1, totalPages: 1 });
    expect(body.data).toMatchObject([
      {
        ...{ status: "COMPLETED", fileName: "contacts.csv", undo: null },
        by: { kind: "PERSON", name: expect.stringMatching(/./) },
        result: { totalRows: 2, createdCount: 0, updatedCount: 1, failureCount: 1 },
      },
      { id: first.id, by: { kind: "KEY" }, undo: { status: "COMPLETED" }, result: { createdCount: 2 } },
    ]);
    expect(body.data[0].result).not.toHaveProperty("errors");
    const { result: _, ...listed } = body.data[1];
    expect((await ask(posthorn, `GET /contacts/import/${first.id}`)).body).toMatchObject(listed);
  });

  test("is of one workspace, without uploads that were never accepted", async () => {
    await using posthorn = await workspace();
    const other = await addWorkspace(posthorn, { name: "Other", domain: "other.example" });
    await imported(posthorn, FILE);
    await upload(posthorn, "name\nAda\n");
    expect((await ask(posthorn, "GET /contacts/import", { key: { bearer: other.secret } })).body.data).toEqual([]);
    expect((await ask(posthorn, "GET /contacts/import")).body.total).toBe(1);
  });
});

describe("a file that fills only what is empty", () => {
  const file = "email,plan,city\nada@a.example,pro,Rome\nnew@a.example,pro,Rome\n";
  const fields = { onlyEmpty: "true" };

  test("changes nothing that is there, as the check says, and can be undone", async () => {
    await using posthorn = await workspace();
    const body = { email: "ada@a.example", data: { plan: "free", city: "" } };
    await ask(posthorn, "POST /contacts", { body });
    expect(await checked(posthorn, file, { fields })).toMatchObject({ created: 1, updated: 1 });
    const { id } = await imported(posthorn, file, { fields });
    expect(await dataAt(posthorn, "ada")).toEqual({ plan: "free", city: "Rome" });
    expect(await dataAt(posthorn, "new")).toEqual({ plan: "pro", city: "Rome" });
    expect(await checked(posthorn, file, { fields })).toMatchObject({ updated: 0, unchanged: 2 });
    await undone(posthorn, id);
    expect(await dataAt(posthorn, "ada")).toEqual(body.data);
  });

  test("says no to nobody who said yes, and the other way round", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: "ada@a.example", subscribed: false } });
    await imported(posthorn, "email,subscribed\nada@a.example,true\n", { fields });
    expect((await ask(posthorn, "GET /contacts/by-email/ada@a.example")).body.subscribed).toBe(false);
  });
});

test("a tag joins the list that people have, once, and can be undone", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: "ada@a.example", data: { tags: ["vip"] } } });
  await ask(posthorn, "POST /contacts", { body: { email: "bob@a.example", data: { tags: "old" } } });
  const file = "email\nada@a.example\nada@a.example\nbob@a.example\nnew@a.example\n";
  const { id } = await imported(posthorn, file, { fields: { tag: "fair 2026", onlyEmpty: "true" } });
  const tags = async (name: string) => (await dataAt(posthorn, name)).tags;
  expect(await Promise.all(["ada", "bob", "new"].map(tags))).toEqual([
    ["vip", "fair 2026"],
    ["old", "fair 2026"],
    ["fair 2026"],
  ]);
  const condition = { groups: [{ filters: [{ field: "tags", operator: "contains", value: "fair 2026" }] }] };
  const preview = await ask(posthorn, "POST /segments/preview", { body: { condition } });
  expect(preview.body).toMatchObject({ contacts: 3 });
  await undone(posthorn, id);
  expect(await tags("ada")).toEqual(["vip"]);
  expect(await tags("bob")).toBe("old");
});

describe("a file that puts people in a segment", () => {
  async function segment(posthorn: Posthorn, more: Json = { type: "STATIC" }): Promise<string> {
    return (await ask(posthorn, "POST /segments", { body: { name: "Fair", ...more } })).body.id;
  }
  async function membersOf(posthorn: Posthorn, id: string): Promise<string[]> {
    const { data } = (await ask(posthorn, `GET /segments/${id}/contacts`)).body;
    return data.map(({ email }: Json) => email).sort();
  }

  test("adds those whom it added and found, with events, and takes out only them when it is undone", async () => {
    await using posthorn = await workspace();
    const segmentId = await segment(posthorn);
    for (const email of ["ada@a.example", "bob@a.example", "cyd@a.example"])
      await ask(posthorn, "POST /contacts", { body: { email, data: { plan: "free" } } });
    await ask(posthorn, `POST /segments/${segmentId}/members`, {
      body: { emails: ["ada@a.example", "cyd@a.example"] },
    });
    posthorn.clock.advance(1_000);
    const file = `${FILE}new@a.example,pro\n`;
    const { id, result } = await imported(posthorn, file, { fields: { segmentId } });
    expect(result).toMatchObject({ createdCount: 1, updatedCount: 2 });
    expect(await membersOf(posthorn, segmentId)).toEqual([
      "ada@a.example",
      "bob@a.example",
      "cyd@a.example",
      "new@a.example",
    ]);
    const { events } = (await ask(posthorn, "GET /events?eventName=segment.fair.entry")).body;
    expect(events).toHaveLength(4);
    await undone(posthorn, id);
    expect(await membersOf(posthorn, segmentId)).toEqual(["ada@a.example", "cyd@a.example"]);
    expect((await ask(posthorn, `GET /segments/${segmentId}`)).body.memberCount).toBe(2);
  });

  test("goes on if the segment is deleted before its turn", async () => {
    await using posthorn = await workspace();
    const segmentId = await segment(posthorn);
    const { body } = await upload(posthorn, FILE, { fields: { segmentId } });
    await ask(posthorn, `DELETE /segments/${segmentId}`);
    await posthorn.settle();
    expect((await ask(posthorn, `GET /contacts/import/${body.jobId}`)).body).toMatchObject({
      ...{ status: "COMPLETED", result: { createdCount: 2 } },
    });
  });

  test("is refused for a segment of a condition, of another workspace, and of nobody", async () => {
    await using posthorn = await workspace();
    const other = await addWorkspace(posthorn, { name: "Other", domain: "other.example" });
    const filters = [{ field: "plan", operator: "exists" }];
    const dynamic = await segment(posthorn, { type: "DYNAMIC", condition: { groups: [{ filters }] } });
    const foreign = (
      await ask(posthorn, "POST /segments", { key: { bearer: other.secret }, body: { name: "Fair", type: "STATIC" } })
    ).body.id;
    for (const [segmentId, code] of [
      [dynamic, "SEGMENT_NOT_STATIC"],
      [foreign, "SEGMENT_NOT_FOUND"],
      ["fair", "SEGMENT_NOT_FOUND"],
    ] as const)
      for (const path of ["/contacts/import", "/contacts/import/check"]) {
        const question = { headers: FORM, body: formWith(FILE, "file", { segmentId }) };
        const { body } = await ask(posthorn, `POST ${path}`, question);
        expect([path, body.error.code]).toEqual([path, code]);
      }
    expect((await ask(posthorn, "GET /contacts")).body.total).toBe(0);
  });
});
