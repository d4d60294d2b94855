// Work that nobody waits for: each piece once, word of room, an end that can be waited for.
import { expect, test } from "bun:test";
import { ClaimedWork } from "../../src/base/jobs/in-hand.ts";

test("what is in hand is not taken a second time, and may be taken again afterwards", async () => {
  const inHand = new ClaimedWork();
  const taken: string[] = [];
  const piece = Promise.withResolvers<void>();
  const take = (name: string) => inHand.take(7, () => (taken.push(name), piece.promise));
  take("first");
  take("second");
  expect([taken, inHand.keys]).toEqual([["first"], [7]]);
  piece.resolve();
  expect([await inHand.idle(), inHand.size, await inHand.idle()]).toEqual([true, 0, false]);
  take("third");
  expect(taken).toEqual(["first", "third"]);
});

test.each([
  [0, 3],
  [1, 1],
])("room is announced, together where it comes within %d ms", async (gatheringMs, times) => {
  const inHand = new ClaimedWork(gatheringMs);
  const [told, all] = [Promise.withResolvers<void>(), [0, 1, 2]];
  let count = 0;
  inHand.onRoom = () => void (++count === times && told.resolve());
  for (const key of all) inHand.take(key, async () => {});
  await told.promise;
  expect([count, inHand.size]).toEqual([times, 0]);
});
