// What tests find on the server that they share: nothing of each other.
import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../src/base/clock.ts";
import { letter } from "./support/mails.ts";
import { ask, countOf } from "./support/scenario.ts";
import { workspace } from "./support/workspace.ts";

const urls = new Set<string>();

describe("a test that has a workspace", () => {
  test.each([1, 2])("finds it empty, at the first moment, as number 1 (%d)", async () => {
    await using shop = await workspace();
    urls.add(shop.server.url);
    const seen = [await countOf(shop, "emails"), await countOf(shop, "events"), await countOf(shop, "contacts")];
    expect([...seen, shop.transport.sent.length, shop.logLines.length]).toEqual([0, 0, 0, 0, 0]);
    expect(new Date(shop.clock.nowMs()).toISOString()).toBe("2026-03-01T09:00:00.000Z");
    const row = await shop.store.read((reader) => reader.get<{ seq: number }>`select seq from workspaces`);
    expect(row?.seq).toBe(1);
    shop.transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 No" });
    expect((await ask(shop, "POST /v1/send", { body: letter })).status).toBe(200);
    await shop.settle();
    shop.clock.advance(3 * DAY_MS);
    await shop.settle();
    expect(shop.transport.sent).toHaveLength(1);
  });

  test("shares its server with the tests before", () => {
    expect(urls.size).toBe(1);
  });

  test("gets another server for a second workspace at once, and for another configuration (slow)", async () => {
    await using shop = await workspace();
    await using other = await workspace();
    await using paced = await workspace({ config: { delivery: { ratePerSecond: 2 } } });
    expect(new Set([shop, other, paced].map(({ server }) => server.url)).size).toBe(3);
  });

  test("takes the server with it where it has left something in its memory or its schema (slow)", async () => {
    const url = async (change: (shop: Awaited<ReturnType<typeof workspace>>) => unknown) => {
      await using shop = await workspace();
      await change(shop);
      return shop.server.url;
    };
    const first = await url(() => undefined);
    const second = await url((shop) => Object.assign(shop.store, { read: shop.store.read.bind(shop.store) }));
    const third = await url((shop) => shop.clock.jump(DAY_MS));
    const fourth = await url((shop) => shop.store.write((tx) => tx.run`create table left_behind (one bigint)`));
    const fifth = await url(() => undefined);
    expect([first === second, second === third, third === fourth, fourth === fifth]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
