// In which order imports and bulk jobs are done: a workspace's as they were asked for, and workspaces in turn.
import { describe, expect, test } from "bun:test";
import { lockDueJob, nextJobDue, type ContactJob } from "../../src/desk/bulk/jobs/queries.ts";
import { termsOf } from "../../src/desk/bulk/terms.ts";
import { acceptUpload, takeUpload } from "../../src/desk/bulk/imports/upload.ts";
import { jobStep } from "../../src/desk/bulk/work.ts";
import { createLog } from "../../src/base/log.ts";
import { ENGINE } from "../support/database.ts";
import { imported, upload } from "../support/files.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, type Question } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const onPostgres = test.skipIf(ENGINE !== "postgres");

function list(people: number, flag: boolean): string {
  const rows = Array.from({ length: people }, (_, n) => `p${String(people - n).padStart(5, "0")}@list.example,${flag}`);
  return ["email,subscribed", ...rows].join("\n");
}

/** One by one, the last of the file first: an import puts its rows in the order of their addresses. */
async function made(posthorn: Posthorn, people: number): Promise<void> {
  for (const row of list(people, false).split("\n").slice(1))
    await ask(posthorn, "POST /contacts", { body: { email: row.split(",")[0], subscribed: false } });
}

async function bulk(posthorn: Posthorn, operation: string, body: object, question: Question = {}): Promise<string> {
  const { status, body: opened } = await ask(posthorn, `POST /contacts/bulk-${operation}`, { ...question, body });
  expect(status).toBe(202);
  return opened.jobId;
}

async function recordOf(posthorn: Posthorn, job: string, question: Question = {}): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/bulk/${job}`, question)).body;
}

async function total(posthorn: Posthorn, query = ""): Promise<number> {
  return (await ask(posthorn, `GET /contacts${query}`)).body.total;
}

/** A process of its own that works at jobs. */
function worker({ store, clock }: Posthorn) {
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  return () => jobStep({ store, clock, log, catchUp: () => Promise.resolve() });
}

async function steps({ clock }: Posthorn, step: () => Promise<number>, count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    clock.advance(1);
    await step();
  }
}

const EVERYBODY = { filter: { search: "list.example" } };

describe("a workspace's jobs are done in the order in which they were asked for", () => {
  test("an import behind a deletion makes everybody anew", async () => {
    await using posthorn = await workspace();
    await imported(posthorn, list(300, true));
    const deletion = await bulk(posthorn, "delete", EVERYBODY);
    const { jobId } = (await upload(posthorn, list(300, true))).body;
    await steps(posthorn, worker(posthorn), 2);
    await posthorn.settle();
    expect((await recordOf(posthorn, deletion)).result.successCount).toBe(300);
    const { result } = (await ask(posthorn, `GET /contacts/import/${jobId}`)).body;
    expect([result.createdCount, result.updatedCount, await total(posthorn)]).toEqual([300, 0, 300]);
  });

  test("an unsubscription behind an import leaves nobody subscribed, also of those whom the import makes", async () => {
    await using posthorn = await workspace({ config: { limits: { requestsPerMinute: 0 } } });
    await made(posthorn, 90);
    await upload(posthorn, list(1_500, true));
    const job = await bulk(posthorn, "unsubscribe", EVERYBODY);
    await posthorn.settle();
    expect([await total(posthorn), await total(posthorn, "?subscribed=true")]).toEqual([1_500, 0]);
    expect((await recordOf(posthorn, job)).result).toMatchObject({ totalRequested: 1_500, successCount: 1_500 });
  });

  test("a segment is who is in it when the jobs before are over", async () => {
    await using posthorn = await workspace();
    await imported(posthorn, list(40, true));
    const condition = { groups: [{ filters: [{ field: "subscribed", value: false }] }] };
    const segmentId = (await ask(posthorn, "POST /segments", { body: { name: "Left", condition } })).body.id;
    await posthorn.settle();
    await bulk(posthorn, "unsubscribe", EVERYBODY);
    const job = await bulk(posthorn, "delete", { filter: { segmentId } });
    await posthorn.settle();
    expect((await recordOf(posthorn, job)).result).toMatchObject({ totalRequested: 40, successCount: 40 });
    expect(await total(posthorn)).toBe(0);
  });

  test("behind another bulk job, a filter means who was there when it was asked for", async () => {
    await using posthorn = await workspace();
    await imported(posthorn, list(40, true));
    await bulk(posthorn, "unsubscribe", EVERYBODY);
    const job = await bulk(posthorn, "delete", EVERYBODY);
    await ask(posthorn, "POST /contacts", { body: { email: "later@list.example" } });
    await posthorn.settle();
    expect((await recordOf(posthorn, job)).result.successCount).toBe(40);
    expect(await total(posthorn)).toBe(1);
  });

  test("an import counts from when its file was there, however long that took to come", async () => {
    await using posthorn = await startPosthorn();
    const { store } = posthorn;
    await ask(posthorn, "POST /contacts", { body: { email: "p00001@list.example" } });
    const workspace = (await store.read((reader) => reader.get<{ seq: number }>`select seq from workspaces`))?.seq ?? 0;
    async function* file() {
      yield Buffer.from(list(9_000, true));
    }
    const uploaded = await takeUpload(
      store,
      {
        workspace,
        topics: [],
        known: new Set<string>(),
        choices: () => [],
        encoding: () => null,
        asksPeople: () => false,
        fileName: () => null,
      },
      file(),
    );
    expect(uploaded.job).not.toBeNull();
    const job = await bulk(posthorn, "delete", EVERYBODY);
    const terms = termsOf(
      {
        ...{ marketing: null, consent: null, resubscribe: false, encoding: null },
        ...{ onlyEmpty: false, tag: null, segmentId: null, segment: null },
      },
      uploaded.seen,
      new Map(),
    );
    const madeBy = { kind: "COMMAND_LINE", id: null, name: null } as const;
    await store.write((tx) => acceptUpload(tx, uploaded, { terms, fileName: null, madeBy }));
    await posthorn.settle();
    expect([(await recordOf(posthorn, job)).result.successCount, await total(posthorn)]).toEqual([1, 9_000]);
  });

  test("one that fails holds up the next until it has failed for good, and no loop spins until then", async () => {
    await using posthorn = await workspace();
    const { id } = (await ask(posthorn, "POST /contacts", { body: { email: "ada@list.example" } })).body;
    const first = await bulk(posthorn, "delete", { contactIds: [id] });
    const second = await bulk(posthorn, "unsubscribe", { contactIds: [id] });
    await posthorn.store.write((tx) => tx.run`update contact_jobs set selection = '{}' where operation = 'DELETE'`);
    const step = worker(posthorn);
    for (let attempt = 0; attempt < 4; attempt++) {
      expect(await step()).toBe(0);
      expect(await step()).toBeGreaterThanOrEqual(1_000);
      expect((await recordOf(posthorn, second)).status).toBe("PENDING");
      posthorn.clock.advance(60_000);
    }
    while ((await step()) === 0) posthorn.clock.advance(1);
    expect((await recordOf(posthorn, first)).status).toBe("FAILED");
    expect((await recordOf(posthorn, second)).result.successCount).toBe(1);
  });
});

describe("workspaces", () => {
  const stranger = async (posthorn: Posthorn) => ({
    key: { bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret },
  });

  test("take turns batch by batch, so that a short job does not wait for another workspace's long one", async () => {
    await using posthorn = await workspace();
    const other = await stranger(posthorn);
    await imported(posthorn, list(1_500, true));
    await ask(posthorn, "POST /contacts", { ...other, body: { email: "ada@list.example" } });
    const long = await bulk(posthorn, "unsubscribe", { filter: {} });
    const next = await bulk(posthorn, "unsubscribe", { contactIds: ["x"] });
    const short = await bulk(posthorn, "unsubscribe", { filter: {} }, other);
    await steps(posthorn, worker(posthorn), 2);
    expect(await recordOf(posthorn, long)).toMatchObject({ status: "PROCESSING", progress: 20 });
    expect((await recordOf(posthorn, short, other)).status).toBe("COMPLETED");
    expect((await recordOf(posthorn, next)).status).toBe("PENDING");
  });

  test("take turns job by job where one has many short ones", async () => {
    await using posthorn = await workspace();
    const other = await stranger(posthorn);
    const first = await bulk(posthorn, "unsubscribe", { contactIds: ["x"] });
    const second = await bulk(posthorn, "unsubscribe", { contactIds: ["x"] });
    posthorn.clock.advance(1);
    const theirs = await bulk(posthorn, "unsubscribe", { contactIds: ["x"] }, other);
    await steps(posthorn, worker(posthorn), 2);
    expect((await recordOf(posthorn, first)).status).toBe("COMPLETED");
    expect((await recordOf(posthorn, theirs, other)).status).toBe("COMPLETED");
    expect((await recordOf(posthorn, second)).status).toBe("PENDING");
  });

  onPostgres("while one process has a job in hand, another takes none of the same workspace", async () => {
    await using posthorn = await workspace();
    const other = await stranger(posthorn);
    const { store } = posthorn;
    const first = await bulk(posthorn, "unsubscribe", { contactIds: ["x"] });
    await bulk(posthorn, "unsubscribe", { contactIds: ["y"] });
    const taken = await store.write(async (tx) => {
      const mine = await lockDueJob(tx);
      expect(mine?.id).toBe(first);
      const without = await store.write((beside) => lockDueJob(beside));
      const theirs = await bulk(posthorn, "unsubscribe", { contactIds: ["x"] }, other);
      const withOne = await store.write((beside) => lockDueJob(beside));
      return [without, withOne?.id === theirs];
    });
    expect(taken).toEqual([null, true]);
    const left = (await store.write((tx) => lockDueJob(tx))) as ContactJob | null;
    expect(left?.id).toBe(first);
    expect(await store.read(nextJobDue)).not.toBeNull();
  });
});
