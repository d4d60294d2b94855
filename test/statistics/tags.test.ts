// Statistics by tag: of a bounded number of tags.
import { expect, test } from "bun:test";
import { DAY_MS } from "../../src/base/clock.ts";
import { recordVisits } from "../../src/mail/emails/feedback/visits.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

async function byTag(posthorn: Posthorn): Promise<Json> {
  for (let round = 0; round < 3; round++) await posthorn.settle();
  const { series } = (await ask(posthorn, "GET /statistics/mails?by=tag")).body;
  return Object.fromEntries(series.map(({ group, totals }: Json) => [group, totals]));
}

async function sent(posthorn: Posthorn, tags: readonly string[], more: object = {}): Promise<string> {
  return (await ask(posthorn, "POST /v1/send", { body: { ...letter, tags, ...more } })).body.data.emails[0].email;
}

test("a mail counts for each of its tags, with all that becomes of it (slow)", async () => {
  await using posthorn = await workspace();
  const id = await sent(posthorn, ["receipt", "plan:pro"]);
  await sent(posthorn, ["receipt"]);
  await sent(posthorn, []);
  const later = await sent(posthorn, ["receipt"], { sendAt: "2026-03-02T09:00:00Z" });
  await ask(posthorn, `DELETE /emails/${later}`);
  await posthorn.settle();
  await posthorn.store.write((tx) => recordVisits(tx, [{ emailId: id, link: null, isMachine: false }]));
  const counts = await byTag(posthorn);
  expect(Object.keys(counts).toSorted()).toEqual(["plan:pro", "receipt"]);
  expect(counts).toMatchObject({
    receipt: { accepted: 3, sent: 2, opened: 1, cancelled: 1 },
    "plan:pro": { accepted: 1, sent: 1, opened: 1 },
  });
  expect((await ask(posthorn, "GET /statistics/tags")).body).toEqual({
    tags: ["plan:pro", "receipt"].map((name) => ({ name, usedOn: "2026-03-01" })),
  });
});

/** As many tags as are counted, each used by so many mails. */
async function countedTags(posthorn: Posthorn, usedOn: string, usesOf: (n: number) => number): Promise<void> {
  await posthorn.store.write(async (tx) => {
    for (let n = 0; n < 1_000; n++)
      await tx.run`
        insert into counted_tags (workspace, name, used_on, uses) values (1, ${`old${n}`}, ${usedOn}, ${usesOf(n)})`;
  });
}

test("the thousand most used tags are counted: another takes the place of the least used", async () => {
  await using posthorn = await workspace();
  await countedTags(posthorn, "2026-03-01", (n) => (n === 7 ? 2 : n === 8 ? 3 : 100));
  const known = async () =>
    (await ask(posthorn, "GET /statistics/tags")).body.tags
      .map(({ name }: Json) => name)
      .filter((name: string) => ["old7", "old8", "new"].includes(name) || name.startsWith("order"));
  for (let n = 0; n < 2; n++) await sent(posthorn, ["new", `order:${n}`]);
  expect(await byTag(posthorn)).toEqual({});
  expect(await known()).toEqual(["old7", "old8"]);
  await sent(posthorn, ["new", "order:2", "old8"]);
  expect(await byTag(posthorn)).toMatchObject({ new: { sent: 1 }, old8: { sent: 1 } });
  expect(await known()).toEqual(["new", "old8"]);
  // Fewer emails have it than the least used one by now.
  await sent(posthorn, ["old7"]);
  expect(Object.keys(await byTag(posthorn)).toSorted()).toEqual(["new", "old8"]);
});

test("one that was not used for a month gives its place away", async () => {
  await using posthorn = await workspace();
  await countedTags(posthorn, "2026-02-20", () => 100);
  await sent(posthorn, ["new", "old7"]);
  expect(Object.keys(await byTag(posthorn))).toEqual(["old7"]);
  posthorn.clock.advance(25 * DAY_MS);
  await sent(posthorn, ["new", "old7"]);
  const counts = await byTag(posthorn);
  expect(counts).toMatchObject({ new: { sent: 1 }, old7: { sent: 2 } });
});
