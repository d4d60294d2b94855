// POST /contacts/bulk-subscribe and its like.
import { describe, expect, test } from "bun:test";
import { jobStep } from "../../src/desk/bulk/work.ts";
import { createLog } from "../../src/base/log.ts";
import { exportedFrom, imported } from "../support/files.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf, scenarios, type Scenario } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

async function flags(posthorn: Posthorn): Promise<Record<string, number>> {
  const rows = await posthorn.store.read(
    (reader) =>
      reader.all<{ email: string; subscribed: number }>`select email, subscribed from contacts order by email`,
  );
  return Object.fromEntries(rows.map(({ email, subscribed }) => [email, subscribed]));
}

async function bulk(posthorn: Posthorn, operation: string, body: object): Promise<Json> {
  const { status, body: opened } = await ask(posthorn, `POST /contacts/bulk-${operation}`, { body });
  expect(status).toBe(202);
  await posthorn.settle();
  return (await ask(posthorn, `GET /contacts/bulk/${opened.jobId}`)).body;
}

async function contact(posthorn: Posthorn, email: string, subscribed = true): Promise<string> {
  return (await ask(posthorn, "POST /contacts", { body: { email, subscribed } })).body.id;
}

describe("a list of contacts", () => {
  test("is unsubscribed, each once and with its event; who is not there is named (slow)", async () => {
    await using posthorn = await workspace();
    const ada = await contact(posthorn, "ada@example.com");
    const bob = await contact(posthorn, "bob@example.com", false);
    const record = await bulk(posthorn, "unsubscribe", { contactIds: [ada, "nobody", bob, ada] });
    expect(record).toEqual({
      id: expect.any(String),
      status: "COMPLETED",
      progress: 100,
      failedReason: null,
      createdAt: "2026-03-01T09:00:00.000Z",
      result: {
        operation: "unsubscribe",
        totalRequested: 3,
        successCount: 2,
        failureCount: 1,
        errors: [{ contactId: "nobody", error: "There is no such contact." }],
      },
    });
    expect(await posthorn.events()).toEqual([{ name: "contact.unsubscribed", contact: "ada@example.com", data: {} }]);
  });

  test("never touches another workspace's contact", async () => {
    await using posthorn = await workspace();
    const stranger = {
      bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret,
    };
    const ada = await contact(posthorn, "ada@example.com");
    const { body } = await ask(posthorn, "POST /contacts/bulk-unsubscribe", {
      key: stranger,
      body: { contactIds: [ada] },
    });
    await ask(posthorn, "POST /contacts/bulk-unsubscribe", { key: stranger, body: { filter: {} } });
    await posthorn.settle();
    expect(await flags(posthorn)).toEqual({ "ada@example.com": 1 });
    expect((await ask(posthorn, `GET /contacts/bulk/${body.jobId}`)).status).toBe(404);
    const { result } = (await ask(posthorn, `GET /contacts/bulk/${body.jobId}`, { key: stranger })).body;
    expect(result).toMatchObject({ successCount: 0, failureCount: 1 });
  });
});

describe("deleting", () => {
  test("a list erases each of those people, whatever there is about them (slow)", async () => {
    await using posthorn = await workspace();
    const [ada, bob] = [await contact(posthorn, "ada@example.com"), await contact(posthorn, "bob@example.com")];
    await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "ada@example.com" } });
    await ask(posthorn, "POST /v1/track", { body: { email: "ada@example.com", event: "signup" } });
    const { result } = await bulk(posthorn, "delete", { contactIds: [ada, "nobody"] });
    expect(result).toMatchObject({ operation: "delete", totalRequested: 2, successCount: 1, failureCount: 1 });
    expect((await ask(posthorn, `GET /contacts/${ada}`)).status).toBe(404);
    expect((await ask(posthorn, `GET /contacts/${bob}`)).status).toBe(200);
    expect([await countOf(posthorn, "emails"), await countOf(posthorn, "events")]).toEqual([0, 0]);
  });

  test("a filter erases all who match, and nobody else (slow)", async () => {
    await using posthorn = await workspace();
    for (let n = 0; n < 40; n++) await contact(posthorn, `u${n}@${n % 2 === 0 ? "old" : "new"}.example`);
    const { result } = await bulk(posthorn, "delete", { filter: { search: "old.example" } });
    expect(result).toMatchObject({ successCount: 20, failureCount: 0 });
    const left = Object.keys(await flags(posthorn));
    expect([left.length, left.filter((email) => email.includes("old"))]).toEqual([20, []]);
    expect((await ask(posthorn, "GET /contacts")).body.total).toBe(20);
  });
});

describe("a filter", () => {
  test("means who matches, and changes their flag with one event each (slow)", async () => {
    await using posthorn = await workspace();
    const rows = Array.from(
      { length: 700 },
      (_, row) => `c${row}@${row % 7 === 0 ? "rare.com" : "example.com"},${row % 2 === 0}`,
    );
    await imported(posthorn, ["email,subscribed", ...rows].join("\n"));
    const record = await bulk(posthorn, "subscribe", { filter: { search: "@RARE", subscribed: false } });
    expect(record).toMatchObject({ status: "COMPLETED", result: { totalRequested: 50, successCount: 50 } });
    expect(await posthorn.eventNames()).toEqual(Array(50).fill("contact.subscribed"));
    const after = await flags(posthorn);
    expect([after["c7@rare.com"], after["c1@example.com"]]).toEqual([1, 0]);
  });

  test("does not mean contacts that are made after it was asked for", async () => {
    await using posthorn = await workspace();
    await contact(posthorn, "ada@example.com");
    const { body } = await ask(posthorn, "POST /contacts/bulk-unsubscribe", { body: { filter: { subscribed: true } } });
    await contact(posthorn, "bob@example.com");
    await posthorn.settle();
    expect(await flags(posthorn)).toEqual({ "ada@example.com": 0, "bob@example.com": 1 });
    expect((await ask(posthorn, `GET /contacts/bulk/${body.jobId}`)).body.result.totalRequested).toBe(1);
  });

  test("may name a segment (slow)", async () => {
    await using posthorn = await workspace();
    await imported(posthorn, "email,plan\nada@example.com,pro\nbob@example.com,free\n");
    const condition = { groups: [{ filters: [{ field: "data.plan", value: "pro" }] }] };
    const segment = (await ask(posthorn, "POST /segments", { body: { name: "Pro", condition } })).body.id;
    await posthorn.settle();
    const record = await bulk(posthorn, "unsubscribe", { filter: { segmentId: segment, subscribed: true } });
    expect(record.result).toMatchObject({ totalRequested: 1, successCount: 1 });
    expect(await flags(posthorn)).toEqual({ "ada@example.com": 0, "bob@example.com": 1 });
    const file = await exportedFrom(posthorn, `?segmentId=${segment}`);
    expect(file.split("\r\n").slice(1)).toEqual(["ada@example.com,false,pro", ""]);
  });

  test("that matches nobody is done at once", async () => {
    await using posthorn = await workspace();
    const record = await bulk(posthorn, "subscribe", { filter: { search: "x" } });
    expect(record).toMatchObject({
      status: "COMPLETED",
      progress: 100,
      result: { totalRequested: 0, successCount: 0 },
    });
  });
});

describe("who is excluded", () => {
  test("is not deleted, though the filter matches (slow)", async () => {
    await using posthorn = await workspace();
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) ids.push(await contact(posthorn, `u${String(n).padStart(2, "0")}@example.com`));
    await contact(posthorn, "other@example.org");
    const excludeIds = [...ids.slice(3, 23), ids[3], "nobody"];
    const { result } = await bulk(posthorn, "delete", { filter: { search: "example.com" }, excludeIds });
    expect(result).toMatchObject({ totalRequested: 20, successCount: 20, failureCount: 0 });
    const left = Object.keys(await flags(posthorn));
    expect(left).toEqual([
      "other@example.org",
      ...Array.from({ length: 20 }, (_, n) => `u${String(n + 3).padStart(2, "0")}@example.com`),
    ]);
  });

  test("is left out of a list, even if nobody is left", async () => {
    await using posthorn = await workspace();
    const ada = await contact(posthorn, "ada@example.com");
    const { status, result } = await bulk(posthorn, "unsubscribe", { contactIds: [ada], excludeIds: [ada] });
    expect([status, result.totalRequested, result.successCount]).toEqual(["COMPLETED", 0, 0]);
    expect(await flags(posthorn)).toEqual({ "ada@example.com": 1 });
  });
});

describe("who has not confirmed a sign-up", () => {
  const UNCONFIRMED = "This person has not confirmed the subscription, and nobody else can.";
  const pending = async (posthorn: Posthorn, email: string) => {
    const id = await contact(posthorn, email, false);
    await posthorn.store.write((tx) => tx.run`update contacts set status = 'PENDING' where email = ${email}`);
    return id;
  };

  test.each(["by a list", "by a filter"])("is not subscribed %s, and is named with the reason", async (how) => {
    await using posthorn = await workspace();
    const bob = await pending(posthorn, "bob@example.com");
    const contactIds = [bob, await contact(posthorn, "ada@example.com", false), "nobody"];
    const isList = how === "by a list";
    const { result } = await bulk(posthorn, "subscribe", isList ? { contactIds } : { filter: { search: "example" } });
    expect(result).toMatchObject({ successCount: 1, failureCount: isList ? 2 : 1 });
    expect(result.errors[0]).toEqual({ contactId: bob, error: UNCONFIRMED });
    expect(await flags(posthorn)).toEqual({ "ada@example.com": 1, "bob@example.com": 0 });
  });

  test("is unsubscribed and deleted as anybody", async () => {
    await using posthorn = await workspace();
    const bob = await pending(posthorn, "bob@example.com");
    for (const operation of ["unsubscribe", "delete"])
      expect((await bulk(posthorn, operation, { contactIds: [bob] })).result.successCount).toBe(1);
    expect(await flags(posthorn)).toEqual({});
  });
});

describe("a job that fails says why", () => {
  test("when its segment has been deleted", async () => {
    await using posthorn = await workspace();
    const condition = { groups: [{ filters: [{ field: "data.plan", value: "pro" }] }] };
    const { id } = (await ask(posthorn, "POST /segments", { body: { name: "Pro", condition } })).body;
    const { jobId } = (await ask(posthorn, "POST /contacts/bulk-unsubscribe", { body: { filter: { segmentId: id } } }))
      .body;
    await ask(posthorn, `DELETE /segments/${id}`);
    await posthorn.settle();
    expect((await ask(posthorn, `GET /contacts/bulk/${jobId}`)).body).toMatchObject({
      status: "FAILED",
      failedReason: `There is no segment ${id}.`,
    });
  });

  test("without what is inside the server", async () => {
    await using posthorn = await workspace();
    const contactIds = [await contact(posthorn, "ada@example.com")];
    const { jobId } = (await ask(posthorn, "POST /contacts/bulk-delete", { body: { contactIds } })).body;
    const { store, clock } = posthorn;
    const log = createLog({ level: "error", format: "text", clock, write: () => {} });
    await store.write((tx) => tx.run`update contact_jobs set selection = '{}'`);
    for (let attempt = 0; attempt < 5; attempt++) {
      await jobStep({ store, clock, log, catchUp: () => Promise.resolve() });
      clock.advance(60_000);
    }
    expect((await ask(posthorn, `GET /contacts/bulk/${jobId}`)).body).toMatchObject({
      status: "FAILED",
      failedReason: "The job failed because of a fault in this server; its log has the details. Finished batches stay.",
    });
  });
});

test("a filter with an unknown key is refused and names the known ones: it would mean everybody", async () => {
  await using posthorn = await workspace();
  await contact(posthorn, "ada@example.com");
  const body = { filter: { serach: "zz" } };
  const reply = await ask(posthorn, "POST /contacts/bulk-delete", { body });
  expect([reply.status, reply.body.error.errors]).toEqual([
    422,
    [
      {
        field: "filter.serach",
        code: "unknown",
        message:
          "Unknown field; the known ones are search, subscribed, status, segmentId, since, importId, imported, topic, choice.",
      },
    ],
  ]);
  await posthorn.settle();
  expect(await flags(posthorn)).toEqual({ "ada@example.com": 1 });
});

const refused = (name: string, body: unknown, fields: Record<string, string>): Scenario => ({
  name,
  request: "POST /contacts/bulk-subscribe",
  body,
  status: 422,
  fields,
});

scenarios("a selection is refused", [
  refused("when it is empty", {}, { contactIds: "required" }),
  refused("when it is both", { contactIds: ["x"], filter: {} }, { filter: "conflict" }),
  refused("with no contacts", { contactIds: [] }, { contactIds: "too_small" }),
  refused("with more than 1000 contacts", { contactIds: Array(1001).fill("x") }, { contactIds: "too_big" }),
  refused(
    "with more than 10,000 excluded",
    { filter: {}, excludeIds: Array(10_001).fill("x") },
    { excludeIds: "too_big" },
  ),
  refused("with an unknown key", { filter: { search: "x", emial: "y" } }, { "filter.emial": "unknown" }),
  refused("with a filter that is none", { filter: { subscribed: "yes" } }, { "filter.subscribed": "invalid_type" }),
  {
    name: "with a segment that is not there",
    request: "POST /contacts/bulk-unsubscribe",
    body: { filter: { segmentId: "x" } },
    status: 404,
    code: "SEGMENT_NOT_FOUND",
  },
  {
    name: "with a segment whose id is left empty",
    request: "POST /contacts/bulk-delete",
    body: { filter: { segmentId: "" } },
    status: 404,
    code: "SEGMENT_NOT_FOUND",
  },
]);
