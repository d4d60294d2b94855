// Requests and work that meet in the same records: nothing is lost, nothing is half done, nobody is answered 500.
import { describe, expect, test } from "bun:test";
import { imported, upload } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const news = { name: "News", subject: "News", body: "<p>News</p>", from: "hello@example.test", audienceType: "ALL" };
const template = { name: "T", subject: "T", body: "T", type: "MARKETING" };

type Kind = {
  readonly create: readonly [route: string, body: object];
  readonly change: "PATCH" | "PUT";
  readonly path: string;
  /** Each is sent as a request of its own. */
  readonly changes: readonly object[];
  /** What the record holds when all of them have been taken. */
  readonly after: object;
};

const KINDS: Readonly<Record<string, Kind>> = {
  contact: {
    create: ["POST /contacts", { email: "ada@example.com" }],
    change: "PATCH",
    path: "/contacts",
    changes: [{ data: { a: 1 } }, { data: { b: 2 } }, { data: { c: 3 } }, { subscribed: false }, { email: "b@x.de" }],
    after: { email: "b@x.de", subscribed: false, data: { a: 1, b: 2, c: 3 } },
  },
  template: {
    create: ["POST /templates", template],
    change: "PATCH",
    path: "/templates",
    changes: [{ name: "A" }, { subject: "B" }, { body: "C" }, { description: "D" }, { fromName: "E" }],
    after: { name: "A", subject: "B", body: "C", description: "D", fromName: "E" },
  },
  segment: {
    create: ["POST /segments", { name: "S", type: "STATIC" }],
    change: "PATCH",
    path: "/segments",
    changes: [{ name: "A" }, { description: "B" }, { trackMembership: true }],
    after: { name: "A", description: "B", trackMembership: true },
  },
  campaign: {
    create: ["POST /campaigns", news],
    change: "PUT",
    path: "/campaigns",
    changes: [{ name: "A" }, { subject: "B" }, { body: "C" }, { description: "D" }, { replyTo: "e@x.de" }],
    after: { name: "A", subject: "B", body: "C", description: "D", replyTo: "e@x.de" },
  },
  workflow: {
    create: ["POST /workflows", { name: "W", eventName: "signup" }],
    change: "PATCH",
    path: "/workflows",
    changes: [{ name: "A" }, { description: "B" }, { allowReentry: true }, { eventName: "paid" }],
    after: { name: "A", description: "B", allowReentry: true, triggerConfig: { eventName: "paid" } },
  },
};

const recordOf = ({ body }: { body: Json }) => (body.data?.id ? body.data : body);

describe.each(Object.entries(KINDS))("a %s", (_, { create: [route, body], change, path, changes, after }) => {
  test("that is changed by several at once holds what each of them has said", async () => {
    await using posthorn = await workspace();
    for (let round = 0; round < 5; round++) {
      const { id } = recordOf(await ask(posthorn, route, { body }));
      const replies = await Promise.all(changes.map((one) => ask(posthorn, `${change} ${path}/${id}`, { body: one })));
      expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200));
      expect(recordOf(await ask(posthorn, `GET ${path}/${id}`))).toMatchObject(after);
      expect((await ask(posthorn, `DELETE ${path}/${id}`)).status).toBe(204);
    }
  });

  test("that is deleted while it is changed is gone, and a late request learns it", async () => {
    await using posthorn = await workspace();
    for (let round = 0; round < 5; round++) {
      const { id } = recordOf(await ask(posthorn, route, { body }));
      const [first, gone, second] = await Promise.all([
        ask(posthorn, `${change} ${path}/${id}`, { body: changes[0] }),
        ask(posthorn, `DELETE ${path}/${id}`),
        ask(posthorn, `${change} ${path}/${id}`, { body: changes[1] }),
      ]);
      expect(gone.status).toBe(204);
      for (const { status } of [first, second]) expect([200, 404]).toContain(status);
      expect((await ask(posthorn, `GET ${path}/${id}`)).status).toBe(404);
    }
  });
});

const PEOPLE = 600;
const file = (domain: string) =>
  ["email", ...Array.from({ length: PEOPLE }, (_, index) => `u${index}@${domain}`), ""].join("\n");

async function contactIds(posthorn: Posthorn, limit: number): Promise<string[]> {
  return (await ask(posthorn, `GET /contacts?limit=${limit}`)).body.data.map(({ id }: Json) => id);
}

test("contacts that are erased while a campaign freezes its audience get at most one mail, and the account is whole", async () => {
  await using posthorn = await workspace({ config: { limits: { requestsPerMinute: 0 } } });
  await imported(posthorn, file("example.com"));
  const erased = await contactIds(posthorn, 50);
  const { id } = (await ask(posthorn, "POST /campaigns", { body: news })).body.data;
  await ask(posthorn, `POST /campaigns/${id}/send`);
  await Promise.all([posthorn.settle(), ...erased.map((one) => ask(posthorn, `DELETE /contacts/${one}`))]);
  await posthorn.settle();
  const { recipients } = posthorn.transport;
  expect(new Set(recipients).size).toBe(recipients.length);
  const stats = (await ask(posthorn, `GET /campaigns/${id}/stats`)).body.data;
  expect(stats.sentCount).toBe(recipients.length);
  expect(stats.sentCount + stats.skippedCount + stats.failedCount).toBe(stats.totalRecipients);
  expect([stats.pendingCount, stats.queuedCount, stats.cancelledCount]).toEqual([0, 0, 0]);
  expect(stats.sentCount).toBeGreaterThanOrEqual(PEOPLE - erased.length);
  expect((await ask(posthorn, `GET /campaigns/${id}`)).body.data.status).toBe("SENT");
});

test("an import asked for while everybody is deleted: who was there before is gone, and all of the file are there", async () => {
  await using posthorn = await workspace();
  await imported(posthorn, file("old.example"));
  const deletion = (await ask(posthorn, "POST /contacts/bulk-delete", { body: { filter: { search: "old" } } })).body;
  const { jobId } = (await upload(posthorn, file("new.example") + "u0@old.example\n")).body;
  await posthorn.settle();
  const [deleted, done] = [
    (await ask(posthorn, `GET /contacts/bulk/${deletion.jobId}`)).body,
    (await ask(posthorn, `GET /contacts/import/${jobId}`)).body,
  ];
  expect([deleted.status, done.status]).toEqual(["COMPLETED", "COMPLETED"]);
  expect(deleted.result.successCount).toBe(PEOPLE);
  expect(done.result).toMatchObject({ createdCount: PEOPLE + 1, updatedCount: 0 });
  expect((await ask(posthorn, "GET /contacts")).body.total).toBe(PEOPLE + 1);
  expect(await countOf(posthorn, "contacts")).toBe(PEOPLE + 1);
});
