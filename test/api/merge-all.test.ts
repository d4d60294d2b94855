// /contacts/duplicates/merge: all contacts with the same mailbox become one each, after a preview.
import { expect, test } from "bun:test";
import { jobStep } from "../../src/desk/bulk/work.ts";
import { createLog } from "../../src/base/log.ts";
import { imported } from "../support/files.ts";
import { firstOwner, somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, type Question } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const person = async (posthorn: Posthorn, email: string, more: object = {}): Promise<string> =>
  (await ask(posthorn, "POST /contacts", { body: { email, ...more } })).body.id;
const search = async (posthorn: Posthorn): Promise<void> => {
  expect((await ask(posthorn, "POST /contacts/duplicates")).status).toBe(202);
  await posthorn.settle();
};
const preview = async (posthorn: Posthorn): Promise<Json> =>
  (await ask(posthorn, "GET /contacts/duplicates/merge")).body;
const mergeAll = (posthorn: Posthorn, searchId: string, question: Question = {}) =>
  ask(posthorn, "POST /contacts/duplicates/merge", { ...question, body: { searchId } });
const job = async (posthorn: Posthorn, jobId: string): Promise<Json> =>
  (await ask(posthorn, `GET /contacts/bulk/${jobId}`)).body;
const look = async (posthorn: Posthorn, id: string): Promise<Json> => (await ask(posthorn, `GET /contacts/${id}`)).body;

async function mergedAll(posthorn: Posthorn): Promise<Json> {
  const { status, body } = await mergeAll(posthorn, (await preview(posthorn)).searchId);
  expect([status, body.error]).toEqual([202, undefined]);
  await posthorn.settle();
  return job(posthorn, body.jobId);
}

test("the preview says how many, what stays, what is added and what is lost; the merge does that", async () => {
  await using posthorn = await workspace();
  const ada = await person(posthorn, "ada@gmail.com", { data: { plan: "free", name: "Ada" } });
  const twin = await person(posthorn, "a.da+shop@googlemail.com", {
    ...{ subscribed: false, data: { plan: "pro", name: "Ada", city: "Bonn", empty: "" } },
  });
  await person(posthorn, "ad.a@gmail.com", { data: { name: "A. L." } });
  const ben = await person(posthorn, "ben@outlook.com");
  await person(posthorn, "ben+news@outlook.com");
  for (const email of ["c.fox@company.example", "fox@company.example"])
    await person(posthorn, email, { data: { name: "Cy Fox" } });
  await search(posthorn);
  const seen = await preview(posthorn);
  expect(seen).toMatchObject({
    ...{ groups: 2, contacts: 3, unsubscribing: 1, refused: { pending: 0, dismissed: 0 } },
    samples: [
      {
        into: { id: ada, subscribed: true },
        from: [{ id: twin }, { email: "ad.a@gmail.com" }],
        subscribed: false,
        added: { city: "Bonn" },
        lost: [
          { contactId: twin, key: "plan", value: "pro" },
          { key: "name", value: "A. L." },
        ],
      },
      { into: { id: ben }, subscribed: true, added: {}, lost: [] },
    ],
  });
  const { jobId } = (await mergeAll(posthorn, seen.searchId)).body;
  expect((await ask(posthorn, "GET /contacts/duplicates")).body).toMatchObject({ mergeJobId: jobId });
  await posthorn.settle();
  expect(await job(posthorn, jobId)).toMatchObject({
    ...{ status: "COMPLETED", progress: 100 },
    result: { operation: "merge", totalRequested: 2, successCount: 2, failureCount: 0, errors: [] },
  });
  expect(await look(posthorn, ada)).toMatchObject({
    ...{ subscribed: false, data: { plan: "free", name: "Ada", city: "Bonn" } },
  });
  expect((await look(posthorn, twin)).error.values).toEqual({ mergedInto: ada });
  expect((await ask(posthorn, "GET /contacts")).body.total).toBe(4);
  // Only the group by name is left, and each merge is undone by itself.
  expect((await ask(posthorn, "GET /contacts/duplicates")).body).toMatchObject({ total: 1, mergeJobId: jobId });
  const merges = (await ask(posthorn, "GET /contacts/merges")).body.data;
  expect(merges.map(({ into, by }: Json) => [into.id, by.kind])).toEqual([
    [ben, "KEY"],
    [ada, "KEY"],
  ]);
  await ask(posthorn, `POST /contacts/merges/${merges[1].id}/undo`);
  expect((await look(posthorn, ada)).subscribed).toBe(true);
  expect((await look(posthorn, twin)).subscribed).toBe(false);
  const { data } = (await ask(posthorn, `GET /contacts/${ben}/consent`)).body;
  expect(data.map(({ text }: Json) => text)).toContainEqual(
    expect.stringContaining("Merged with ben+news@outlook.com"),
  );
});

test("who has not confirmed and who is said to be another stays, with the reason; the others are merged", async () => {
  await using posthorn = await workspace();
  const waiting = await person(posthorn, "ada@gmail.com", { doubleOptIn: true });
  await person(posthorn, "a.da@gmail.com");
  const [ben, twin] = [await person(posthorn, "ben@gmail.com"), await person(posthorn, "b.en@gmail.com")];
  await person(posthorn, "be.n@gmail.com");
  await person(posthorn, "cy@gmail.com");
  await person(posthorn, "c.y@gmail.com");
  await ask(posthorn, "POST /contacts/duplicates/dismiss", { body: { contactIds: [twin, ben] } });
  await search(posthorn);
  expect(await preview(posthorn)).toMatchObject({ groups: 1, refused: { pending: 1, dismissed: 1 } });
  expect((await mergedAll(posthorn)).result).toMatchObject({
    ...{ totalRequested: 3, successCount: 1, failureCount: 2 },
    errors: [
      { contactId: waiting, error: "One of them has not confirmed the subscription yet." },
      { contactId: ben, error: "Somebody has said that some of them are not the same person." },
    ],
  });
  expect((await ask(posthorn, "GET /contacts/duplicates")).body.total).toBe(2);
});

test("who has another address by now, was merged or erased since is not merged with those of the search", async () => {
  await using posthorn = await workspace();
  const moved = await person(posthorn, "ada@gmail.com");
  await person(posthorn, "a.da@gmail.com");
  const ben = await person(posthorn, "ben@gmail.com");
  const gone = await person(posthorn, "b.en@gmail.com");
  const left = await person(posthorn, "be.n@gmail.com");
  await search(posthorn);
  await ask(posthorn, `PATCH /contacts/${moved}`, { body: { email: "ada@other.example" } });
  await ask(posthorn, `DELETE /contacts/${gone}`);
  await posthorn.settle();
  expect(await preview(posthorn)).toMatchObject({ groups: 1, contacts: 1, samples: [{ from: [{ id: left }] }] });
  expect((await mergedAll(posthorn)).result).toMatchObject({ successCount: 1, failureCount: 0 });
  expect((await look(posthorn, moved)).email).toBe("ada@other.example");
  expect((await look(posthorn, left)).error.values).toEqual({ mergedInto: ben });
});

test("a merge that is refused leaves the others alone: the data of both would be too large", async () => {
  await using posthorn = await workspace();
  const ada = await person(posthorn, "ada@gmail.com", { data: { one: "x".repeat(40_000) } });
  await person(posthorn, "a.da@gmail.com", { data: { other: "x".repeat(40_000) } });
  await person(posthorn, "ben@gmail.com");
  await person(posthorn, "b.en@gmail.com");
  await search(posthorn);
  expect((await mergedAll(posthorn)).result).toMatchObject({
    ...{ successCount: 1, failureCount: 1 },
    errors: [{ contactId: ada, error: expect.stringContaining("64 KB") }],
  });
  expect((await ask(posthorn, "GET /contacts")).body.total).toBe(3);
});

const TWINS = ["email", ..."abcdef".split("").flatMap((one) => [`${one}x@gmail.com`, `${one}.x@gmail.com`])].join("\n");

test("it is refused without a search, after another one, and beside another one; no search runs meanwhile", async () => {
  await using posthorn = await workspace();
  const reasonOf = async (asked: Promise<Json>) => {
    const { status, body } = await asked;
    return [status, body.error?.reason];
  };
  await imported(posthorn, TWINS);
  const none = [409, "duplicates_not_found"];
  expect(await reasonOf(ask(posthorn, "GET /contacts/duplicates/merge"))).toEqual(none);
  await ask(posthorn, "POST /contacts/duplicates");
  expect(await reasonOf(ask(posthorn, "GET /contacts/duplicates/merge"))).toEqual(none);
  await posthorn.settle();
  const { searchId } = await preview(posthorn);
  await search(posthorn);
  expect(await reasonOf(mergeAll(posthorn, searchId))).toEqual([409, "duplicates_changed"]);
  const now = (await preview(posthorn)).searchId;
  const headers = { "idempotency-key": "once" };
  const { jobId } = (await mergeAll(posthorn, now, { headers })).body;
  expect((await mergeAll(posthorn, now, { headers })).body.jobId).toBe(jobId);
  expect(await reasonOf(mergeAll(posthorn, now))).toEqual([409, "merging_duplicates"]);
  expect(await reasonOf(ask(posthorn, "POST /contacts/duplicates"))).toEqual([409, "merging_duplicates"]);
  expect((await ask(posthorn, "GET /contacts/duplicates")).body.status).toBe("COMPLETED");
  await posthorn.settle();
  expect((await ask(posthorn, "GET /contacts")).body.total).toBe(6);
  // What a new search finds was merged by nobody.
  await search(posthorn);
  expect((await ask(posthorn, "GET /contacts/duplicates")).body).toMatchObject({ total: 0, mergeJobId: null });
});

test("a process that dies in between leaves whole groups, and another one goes on", async () => {
  const first = await startPosthorn();
  const { dataDir, clock, store } = first;
  await imported(first, TWINS);
  await search(first);
  const { jobId } = (await mergeAll(first, (await preview(first)).searchId)).body;
  const catchUp = () => Promise.resolve();
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  for (let group = 0; group < 2; group++) await jobStep({ store, clock, log, catchUp });
  expect(await job(first, jobId)).toMatchObject({ status: "PROCESSING", progress: 33, result: { successCount: 2 } });
  expect((await ask(first, "GET /contacts")).body.total).toBe(10);
  await first.server[Symbol.asyncDispose]();
  await using second = await startPosthorn({ dataDir, clock });
  await second.settle();
  expect(await job(second, jobId)).toMatchObject({ status: "COMPLETED", result: { successCount: 6, failureCount: 0 } });
  expect((await ask(second, "GET /contacts")).body.total).toBe(6);
});

test("many groups are looked at in windows", async () => {
  await using posthorn = await workspace();
  const rows = Array.from({ length: 700 }, (_, n) => [`u${n}@gmail.com`, `u.${n}@gmail.com`]).flat();
  await imported(posthorn, ["email", ...rows].join("\n"));
  await search(posthorn);
  expect(await preview(posthorn)).toMatchObject({ groups: 700, contacts: 700 });
});

test("it needs the permission of a merge, and another workspace's search is none", async () => {
  await using posthorn = await workspace();
  await imported(posthorn, TWINS);
  await search(posthorn);
  const { searchId } = await preview(posthorn);
  const stranger = await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" });
  expect((await mergeAll(posthorn, searchId, { key: { bearer: stranger.secret } })).status).toBe(409);
  await firstOwner(posthorn);
  const support = await somebody(posthorn, "SUPPORT");
  expect((await support.ask("GET /contacts/duplicates/merge")).status).toBe(200);
  expect((await support.ask("POST /contacts/duplicates/merge", { body: { searchId } })).status).toBe(403);
});
