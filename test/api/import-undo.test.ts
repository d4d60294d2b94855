// Undoing an import: POST /contacts/import/{jobId}/undo; and whom it added and found.
import { returned } from "../support/suppressed.ts";
import { expect, test } from "bun:test";
import { DAY_MS } from "../../src/base/clock.ts";
import { exportedFrom, imported, upload } from "../support/files.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const emailsOf = ({ data }: Json) => (data as Json[]).map(({ email }) => email).sort();

async function contactAt(posthorn: Posthorn, email: string): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/by-email/${email}`)).body;
}

/** Undoes it to the end; the job's record. */
async function undone(posthorn: Posthorn, importId: string): Promise<Json> {
  const { status, body } = await ask(posthorn, `POST /contacts/import/${importId}/undo`);
  expect([status, body]).toEqual([202, { jobId: body.jobId }]);
  await posthorn.settle();
  return (await ask(posthorn, `GET /contacts/bulk/${body.jobId}`)).body;
}

async function add(posthorn: Posthorn, email: string, more: Json = {}): Promise<void> {
  await ask(posthorn, "POST /contacts", { body: { email, ...more } });
  posthorn.clock.advance(1_000);
}

test("removes whom it added, and whom it changed is as before", async () => {
  await using posthorn = await workspace();
  await add(posthorn, "ada@example.com", { data: { plan: "free", city: "London" } });
  await add(posthorn, "bob@example.com", { subscribed: false });
  await add(posthorn, "cyd@example.com", { data: { plan: "pro" } });
  const before = await exportedFrom(posthorn);
  const { id } = await imported(
    posthorn,
    "email,plan,score,subscribed\nada@example.com,pro,7,false\nbob@example.com,,1,true\ncyd@example.com,pro,,\ndan@example.com,,,\n",
    { query: "?resubscribe=true" },
  );
  expect(await countOf(posthorn, "contacts")).toBe(4);
  const job = await undone(posthorn, id);
  expect(job).toMatchObject({
    status: "COMPLETED",
    result: { operation: "undo", totalRequested: 3, successCount: 3, failureCount: 0, errors: [] },
  });
  expect(await exportedFrom(posthorn)).toBe(before);
  expect(await posthorn.eventNames()).toEqual([
    "contact.unsubscribed",
    "contact.subscribed",
    "contact.subscribed",
    "contact.unsubscribed",
  ]);
});

test("undone twice it has nothing left to undo", async () => {
  await using posthorn = await workspace();
  const { id } = await imported(posthorn, "email,plan\nada@example.com,pro\n");
  expect((await undone(posthorn, id)).result.successCount).toBe(1);
  expect((await undone(posthorn, id)).result).toMatchObject({ totalRequested: 0, successCount: 0, failureCount: 0 });
});

test("an address that comes again, also in a later batch, goes back to what it was before the first", async () => {
  await using posthorn = await workspace();
  await add(posthorn, "ada@example.com", { data: { plan: "free" } });
  // A batch has 400 rows, in the order of their addresses: the second row of ada is in another one than the first.
  const others = Array.from({ length: 399 }, (_, number) => `aa${number}@example.com,`).join("\n");
  const { id, result: counts } = await imported(
    posthorn,
    `email,plan\nada@example.com,team\nada@example.com,pro\ndan@example.com,pro\n${others}\nada@example.com,max\ndan@example.com,max\n`,
  );
  expect(counts).toMatchObject({ totalRows: 404, createdCount: 400, updatedCount: 4, repeatedCount: 3 });
  expect((await contactAt(posthorn, "ada@example.com")).data).toEqual({ plan: "max" });
  const { result } = await undone(posthorn, id);
  expect([result.successCount, result.failureCount]).toEqual([401, 0]);
  expect((await contactAt(posthorn, "ada@example.com")).data).toEqual({ plan: "free" });
  expect(await countOf(posthorn, "contacts")).toBe(1);
});

test("an address that it suppressed is as it was before", async () => {
  await using posthorn = await workspace();
  await add(posthorn, "ada@example.com");
  await add(posthorn, "bob@example.com", { subscribed: false });
  const before = await exportedFrom(posthorn);
  const { id } = await imported(posthorn, "email,CLEAN_TIME\nada@example.com,2026-01-01\nbob@example.com,2026-01-01\n");
  expect(await contactAt(posthorn, "bob@example.com")).toMatchObject({ subscribed: false, suppressed: "bounce" });
  expect((await undone(posthorn, id)).result).toMatchObject({ successCount: 2, failureCount: 0 });
  expect(await exportedFrom(posthorn)).toBe(before);
  expect(await contactAt(posthorn, "ada@example.com")).toMatchObject({ subscribed: true, suppressed: null });
  expect(await contactAt(posthorn, "bob@example.com")).toMatchObject({ subscribed: false, suppressed: null });
});

test("a suppression that it lifted is there again", async () => {
  await using posthorn = await workspace();
  await add(posthorn, "ada@example.com");
  await returned(posthorn, "bounce", "ada@example.com");
  const file = "email,subscribed\nada@example.com,true\n";
  const { id } = await imported(posthorn, file, { query: "?resubscribe=true" });
  expect(await contactAt(posthorn, "ada@example.com")).toMatchObject({ subscribed: true, suppressed: null });
  await undone(posthorn, id);
  expect(await contactAt(posthorn, "ada@example.com")).toMatchObject({ subscribed: false, suppressed: "bounce" });
});

test("whoever was changed, mailed or tracked since stays, with the reason", async () => {
  await using posthorn = await workspace();
  await add(posthorn, "known@example.com", { data: { plan: "free" } });
  const people = ["changed", "mailed", "tracked", "untouched"].map((name) => `${name}@example.com,pro\n`);
  const { id } = await imported(posthorn, `email,plan\nknown@example.com,pro\n${people.join("")}`);
  posthorn.clock.advance(1_000);
  for (const name of ["known", "changed"]) await add(posthorn, `${name}@example.com`, { data: { city: "Paris" } });
  await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "mailed@example.com" } });
  await ask(posthorn, "POST /v1/track", { body: { email: "tracked@example.com", event: "order.placed" } });
  const { result } = await undone(posthorn, id);
  expect(result).toMatchObject({ totalRequested: 5, successCount: 1, failureCount: 4 });
  const reasons = new Map<string, string>(result.errors.map((one: Json) => [one.contactId, one.error]));
  const reasonOf = async (name: string) => reasons.get((await contactAt(posthorn, `${name}@example.com`)).id);
  expect(await reasonOf("known")).toBe("This person was changed after the import.");
  expect(await reasonOf("changed")).toBe("This person was changed after the import.");
  expect(await reasonOf("mailed")).toBe("This person has had email, an event or a workflow since the import.");
  expect(await reasonOf("tracked")).toBe("This person has had email, an event or a workflow since the import.");
  expect((await contactAt(posthorn, "known@example.com")).data).toEqual({ plan: "pro", city: "Paris" });
  expect((await contactAt(posthorn, "untouched@example.com")).error.code).toBe("CONTACT_NOT_FOUND");
});

test("not before it has finished, and not after seven days", async () => {
  await using posthorn = await workspace();
  const { jobId } = (await upload(posthorn, "email\nada@example.com\n")).body;
  const early = await ask(posthorn, `POST /contacts/import/${jobId}/undo`);
  expect([early.status, early.body.error.reason]).toEqual([409, "import_under_way"]);
  await posthorn.settle();
  posthorn.clock.advance(7 * DAY_MS);
  await posthorn.settle();
  const late = await ask(posthorn, `POST /contacts/import/${jobId}/undo`);
  expect([late.status, late.body.error.reason]).toEqual([409, "import_too_old"]);
  expect(await countOf(posthorn, "import_changes")).toBe(0);
  expect(await countOf(posthorn, "contacts")).toBe(1);
});

test("another workspace's import is not found, nor a job that is none", async () => {
  await using posthorn = await workspace();
  const { id } = await imported(posthorn, "email\nada@example.com\n");
  const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  const question = { key: { bearer: secret } };
  expect((await ask(posthorn, `POST /contacts/import/${id}/undo`, question)).body.error.code).toBe("JOB_NOT_FOUND");
  await ask(posthorn, "POST /contacts", { ...question, body: { email: "eve@example.com" } });
  expect((await ask(posthorn, `GET /contacts?importId=${id}`, question)).body.data).toEqual([]);
  expect((await ask(posthorn, `GET /contacts/export?importId=${id}`, question)).body).not.toContain("@");
  const { jobId } = (
    await ask(posthorn, "POST /contacts/bulk-delete", { ...question, body: { filter: { importId: id } } })
  ).body;
  await posthorn.settle();
  expect((await ask(posthorn, `GET /contacts/bulk/${jobId}`, question)).body.result.totalRequested).toBe(0);
  expect(await countOf(posthorn, "contacts")).toBe(2);
});

test("what no import did was done to nobody", async () => {
  await using posthorn = await workspace();
  await add(posthorn, "ada@example.com");
  const body = { filter: { imported: "ADDED" } };
  expect((await ask(posthorn, "POST /contacts/bulk-delete", { body })).status).toBe(422);
  expect((await ask(posthorn, "GET /contacts?imported=ADDED")).body).toMatchObject({ data: [], total: 0 });
  expect(await exportedFrom(posthorn, "?imported=ADDED")).not.toContain("@");
  expect(await countOf(posthorn, "contacts")).toBe(1);
});

test("whom it added and whom it found are listed, exported and changed together", async () => {
  await using posthorn = await workspace();
  await add(posthorn, "ada@example.com");
  await add(posthorn, "eve@example.com");
  const { id } = await imported(posthorn, "email\nada@example.com\nbob@example.com\ncyd@example.com\n");
  const listed = async (query: string) => (await ask(posthorn, `GET /contacts?importId=${id}${query}`)).body;
  expect(emailsOf(await listed(""))).toEqual(["ada@example.com", "bob@example.com", "cyd@example.com"]);
  expect(await listed("&imported=FOUND")).toMatchObject({ total: 1, data: [{ email: "ada@example.com" }] });
  expect(emailsOf(await listed("&imported=ADDED&search=cyd"))).toEqual(["cyd@example.com"]);
  const first = await listed("&imported=ADDED&limit=1");
  expect(first.total).toBe(2);
  const second = await listed(`&imported=ADDED&limit=1&cursor=${first.cursor}`);
  expect([...emailsOf(first), ...emailsOf(second)]).toEqual(["cyd@example.com", "bob@example.com"]);
  expect(await exportedFrom(posthorn, `?importId=${id}&imported=FOUND`)).toContain("ada@example.com");
  const filter = { importId: id, imported: "ADDED" };
  await ask(posthorn, "POST /contacts/bulk-unsubscribe", { body: { filter } });
  await posthorn.settle();
  expect(emailsOf((await ask(posthorn, "GET /contacts?subscribed=false")).body)).toEqual([
    "bob@example.com",
    "cyd@example.com",
  ]);
});

test("whom it added are listed with those of a segment alone, if one is named", async () => {
  await using posthorn = await workspace();
  const { id } = await imported(posthorn, "email,plan\nada@example.com,pro\nbob@example.com,free\n");
  const friends = (await ask(posthorn, "POST /segments", { body: { name: "Friends", type: "STATIC" } })).body;
  await add(posthorn, "eve@example.com");
  await ask(posthorn, `POST /segments/${friends.id}/members`, {
    body: { emails: ["bob@example.com", "eve@example.com"] },
  });
  const { body } = await ask(posthorn, `GET /contacts?importId=${id}&segmentId=${friends.id}`);
  expect([emailsOf(body), body.total]).toEqual([["bob@example.com"], 1]);
});

test("who is erased is not among its people any more", async () => {
  await using posthorn = await workspace();
  const { id } = await imported(posthorn, "email,plan\nada@example.com,pro\nbob@example.com,pro\n");
  await ask(posthorn, `DELETE /contacts/${(await contactAt(posthorn, "ada@example.com")).id}`);
  expect(await countOf(posthorn, "import_changes")).toBe(1);
  expect((await undone(posthorn, id)).result).toMatchObject({ totalRequested: 1, successCount: 1 });
});
