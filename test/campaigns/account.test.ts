// What is estimated where counting would take long: whom an unsent campaign would go to, and when a large one was
// opened.
import { expect, test } from "bun:test";
import { seriesOf } from "../../src/programs/campaigns/account/series.ts";
import { foresee } from "../../src/programs/campaigns/foreseen.ts";
import { campaignById, type Campaign } from "../../src/programs/campaigns/queries.ts";
import { statisticsOf } from "../../src/programs/campaigns/statistics.ts";
import type { Reader } from "../../src/store/store.ts";
import { addReaders, send, statistics } from "../support/campaigns.ts";
import { TestClock } from "../support/clock.ts";
import { workspace } from "../support/workspace.ts";

const ALL = { audienceType: "ALL", segmentId: null, audienceCondition: null } as const;

/** Each look at it takes longer than anybody waits. */
class SlowClock extends TestClock {
  #ms = 0;
  override monotonicMs(): number {
    return (this.#ms += 1_000);
  }
}

test("an audience that takes long to count is estimated from those who were looked at", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 6);
  const { store, clock } = posthorn;
  const counted = await foresee({ store, clock }, 1, [ALL]);
  expect(counted(ALL)).toEqual({ totalRecipients: 6, totalIsEstimate: false });
  await posthorn.call("POST /contacts", { email: "reader1@example.com", subscribed: false });
  const slow = { store, clock: new SlowClock() };
  expect((await foresee(slow, 1, [ALL], 2))(ALL)).toEqual({ totalRecipients: 3, totalIsEstimate: true });
  expect((await foresee(slow, 1, [ALL], 100))(ALL)).toEqual({ totalRecipients: 5, totalIsEstimate: false });
});

test("the course of a campaign to many is estimated from a part of them (slow)", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 9);
  const id = await send(posthorn);
  await posthorn.settle();
  const campaign = (await posthorn.store.read((reader) => campaignById(reader, 1, id))) as Campaign;
  const course = (most: number) =>
    posthorn.store.read((reader) => seriesOf(reader, campaign, { step: null, timeZone: "UTC" }, most));
  expect(await course(9)).toMatchObject({ isEstimate: false, points: [{ sent: 9 }] });
  expect(await course(3)).toMatchObject({ isEstimate: true, points: [{ sent: 9 }] });
});

test("a mail that leaves while a campaign is counted is counted once, and nobody is called skipped for it", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 3);
  posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  const id = await send(posthorn);
  await posthorn.settle();
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  posthorn.clock.advance(10 * 60_000);
  const campaign = (await posthorn.store.read((reader) => campaignById(reader, 1, id))) as Campaign;
  // All mails leave after the first number of mails is read.
  let hasLeft = false;
  const afterRead = async (asked: readonly unknown[]) => {
    if (hasLeft || !Bun.inspect(asked).includes("from emails where")) return;
    hasLeft = true;
    await posthorn.settle();
  };
  const leaving = (reader: Reader) =>
    new Proxy(reader, {
      get: (target, name) => {
        const own = Reflect.get(target, name) as unknown;
        if (name !== "all" && name !== "get") return own;
        return async (...asked: unknown[]) => {
          const answer: unknown = await (own as (...given: unknown[]) => unknown).apply(target, asked);
          await afterRead(asked);
          return answer;
        };
      },
    });
  const counted = await posthorn.store.read((reader) => statisticsOf(leaving(reader), campaign));
  expect(hasLeft).toBe(true);
  expect(counted).toMatchObject({ totalRecipients: 3, queuedCount: 3, skippedCount: 0 });
  expect(await statistics(posthorn, id)).toMatchObject({ sentCount: 3, queuedCount: 0 });
});
