// Moving many contacts into a STATIC segment or out of it: those of a filter, or of another segment, by a job.
import { describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { imported } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, scenarios } from "../support/scenario.ts";
import { somebody } from "../support/people.ts";
import { workspace } from "../support/workspace.ts";

const NOBODYS = "0".repeat(20);

async function make(posthorn: Posthorn, body: object): Promise<string> {
  return (await ask(posthorn, "POST /segments", { body })).body.id;
}

async function moved(posthorn: Posthorn, method: "POST" | "DELETE", id: string, body: object): Promise<Json> {
  const opened = await ask(posthorn, `${method} /segments/${id}/members`, { body });
  expect(opened.status).toBe(202);
  await posthorn.settle();
  return (await ask(posthorn, `GET /contacts/bulk/${opened.body.jobId}`)).body;
}

async function membersOf(posthorn: Posthorn, id: string): Promise<readonly string[]> {
  const { data, total } = (await ask(posthorn, `GET /segments/${id}/contacts?pageSize=100`)).body;
  expect((await ask(posthorn, `GET /segments/${id}`)).body.memberCount).toBe(total);
  return data.map(({ email }: { email: string }) => email).toSorted();
}

const FRIENDS = { name: "Friends", type: "STATIC" };

async function some(posthorn: Posthorn): Promise<void> {
  await imported(
    posthorn,
    "email,plan\nada@one.example,pro\nbob@one.example,free\ncy@two.example,pro\ndee@two.example,free\n",
  );
}

describe("a filter", () => {
  test("adds who matches, and tells of each who enters (slow)", async () => {
    await using posthorn = await workspace();
    await some(posthorn);
    const friends = await make(posthorn, FRIENDS);
    await ask(posthorn, `POST /segments/${friends}/members`, { body: { emails: ["ada@one.example"] } });
    const before = (await posthorn.eventNames()).length;
    const { status, result } = await moved(posthorn, "POST", friends, { filter: { search: "one.example" } });
    expect([status, result]).toEqual([
      "COMPLETED",
      { operation: "join", totalRequested: 2, successCount: 2, failureCount: 0, errors: [] },
    ]);
    expect(await membersOf(posthorn, friends)).toEqual(["ada@one.example", "bob@one.example"]);
    expect((await posthorn.eventNames()).slice(before)).toEqual(["segment.friends.entry"]);
  });

  test("removes who matches, but not who is excluded", async () => {
    await using posthorn = await workspace();
    await some(posthorn);
    const friends = await make(posthorn, FRIENDS);
    await moved(posthorn, "POST", friends, { filter: {} });
    const [dee] = (await ask(posthorn, "GET /contacts?search=dee")).body.data;
    const { result } = await moved(posthorn, "DELETE", friends, { filter: {}, excludeIds: [dee.id] });
    expect(result).toMatchObject({ operation: "leave", successCount: 3 });
    expect(await membersOf(posthorn, friends)).toEqual(["dee@two.example"]);
    expect((await posthorn.eventNames()).filter((name) => name === "segment.friends.exit")).toHaveLength(3);
  });

  test("adds many in pieces, each once (slow)", async () => {
    await using posthorn = await workspace();
    await imported(posthorn, ["email", ...Array.from({ length: 700 }, (_, n) => `c${n}@example.com`)].join("\n"));
    const friends = await make(posthorn, FRIENDS);
    expect((await moved(posthorn, "POST", friends, { filter: {} })).result.successCount).toBe(700);
    expect((await ask(posthorn, `GET /segments/${friends}`)).body.memberCount).toBe(700);
    expect((await posthorn.eventNames()).filter((name) => name === "segment.friends.entry")).toHaveLength(700);
  });
});

describe("another segment", () => {
  test("gives those who are in it, whatever its type", async () => {
    await using posthorn = await workspace();
    await some(posthorn);
    const condition = { groups: [{ filters: [{ field: "data.plan", value: "pro" }] }] };
    const [pro, friends] = [await make(posthorn, { name: "Pro", condition }), await make(posthorn, FRIENDS)];
    const team = await make(posthorn, { name: "Team", type: "STATIC" });
    await moved(posthorn, "POST", friends, { segmentId: pro });
    await moved(posthorn, "POST", team, { segmentId: friends });
    expect(await membersOf(posthorn, team)).toEqual(["ada@one.example", "cy@two.example"]);
    await moved(posthorn, "DELETE", team, { segmentId: team });
    expect(await membersOf(posthorn, team)).toEqual([]);
  });
});

test("a job whose segment is deleted before its turn fails and says so", async () => {
  await using posthorn = await workspace();
  await some(posthorn);
  const friends = await make(posthorn, FRIENDS);
  const { jobId } = (await ask(posthorn, `POST /segments/${friends}/members`, { body: { filter: {} } })).body;
  await ask(posthorn, `DELETE /segments/${friends}`);
  await posthorn.settle();
  const job = (await ask(posthorn, `GET /contacts/bulk/${jobId}`)).body;
  expect([job.status, job.failedReason]).toEqual(["FAILED", expect.stringContaining("segment")]);
});

test("of a segment to which a campaign is about to be sent, it needs the right to send", async () => {
  await using posthorn = await workspace();
  await some(posthorn);
  const friends = await make(posthorn, FRIENDS);
  await moved(posthorn, "POST", friends, { filter: {} });
  const draft = { name: "News", audienceType: "SEGMENT", segmentId: friends, from: "news@example.test" };
  const campaign = await ask(posthorn, "POST /campaigns", { body: { ...draft, subject: "News", body: "<p>News</p>" } });
  const scheduledFor = new Date(posthorn.clock.nowMs() + MINUTE_MS).toISOString();
  const sent = await ask(posthorn, `POST /campaigns/${campaign.body.data.id}/send`, { body: { scheduledFor } });
  expect(sent.body.data.status).toBe("SCHEDULED");
  const editor = await somebody(posthorn, "EDITOR");
  for (const method of ["POST", "DELETE"])
    for (const body of [{ filter: {} }, { segmentId: friends }])
      expect((await editor.ask(`${method} /segments/${friends}/members`, { body })).status).toBe(403);
});

scenarios("who is meant", [
  ...(["POST", "DELETE"] as const).flatMap((method) => [
    {
      name: `${method} must say it`,
      given: [["POST /segments", FRIENDS]] as const,
      request: `${method} /segments/$0.id/members`,
      body: {},
      status: 422,
      fields: { emails: "required" },
    },
    {
      name: `${method} says it in one way`,
      given: [["POST /segments", FRIENDS]] as const,
      request: `${method} /segments/$0.id/members`,
      body: { emails: ["ada@example.com"], filter: {} },
      status: 422,
      fields: { filter: "conflict" },
    },
    {
      name: `${method} excludes nobody of a list`,
      given: [["POST /segments", FRIENDS]] as const,
      request: `${method} /segments/$0.id/members`,
      body: { emails: ["ada@example.com"], excludeIds: [NOBODYS] },
      status: 422,
      fields: { excludeIds: "conflict" },
    },
    {
      name: `${method} knows no segment of that id`,
      given: [["POST /segments", FRIENDS]] as const,
      request: `${method} /segments/$0.id/members`,
      body: { segmentId: NOBODYS },
      status: 404,
      code: "SEGMENT_NOT_FOUND" as const,
    },
    {
      name: `${method} is refused for a DYNAMIC one`,
      given: [
        [
          "POST /segments",
          { name: "Pro", condition: { groups: [{ filters: [{ field: "data.plan", value: "pro" }] }] } },
        ],
      ] as const,
      request: `${method} /segments/$0.id/members`,
      body: { filter: {} },
      status: 400,
      code: "SEGMENT_NOT_STATIC" as const,
    },
  ]),
]);
