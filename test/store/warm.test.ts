// Connections for transactions on PostgreSQL: the one that was used last is taken first, and what was lost is not used
// again.
import { SQL } from "bun";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Store, BatchHandler, Tx } from "../../src/store/store.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE } from "../support/database.ts";
import { freshStore, type FreshStore } from "../support/store.ts";

let fresh: FreshStore;
beforeAll(async () => void (fresh = await freshStore(new TestClock())));
afterAll(() => fresh.remove());

async function backendOf(tx: Tx): Promise<number> {
  return (await tx.get<{ pid: number }>`select pg_backend_pid() as pid`)?.pid ?? 0;
}

async function oneAfterAnother(store: Store, writes: number): Promise<Set<number>> {
  const backends = new Set<number>();
  for (let write = 0; write < writes; write++) backends.add(await store.write(backendOf));
  return backends;
}

test.skipIf(ENGINE !== "postgres")("writes one after another go through one connection", async () => {
  expect((await oneAfterAnother(fresh.store, 10)).size).toBe(1);
});

test.skipIf(ENGINE !== "postgres")("a write that has failed gives its connection back as it was", async () => {
  const [before] = await oneAfterAnother(fresh.store, 1);
  await expect(fresh.store.write((tx) => tx.run`select 1 / 0`)).rejects.toThrow();
  expect(await oneAfterAnother(fresh.store, 3)).toEqual(new Set([before as number]));
});

test.skipIf(ENGINE !== "postgres")("when the server has ended all connections, writes go on", async () => {
  await Promise.all(Array.from({ length: 4 }, () => fresh.store.write(backendOf)));
  const [before] = await oneAfterAnother(fresh.store, 1);
  await using admin = new SQL(fresh.url as string, { max: 1 });
  await admin`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  const after = await oneAfterAnother(fresh.store, 3);
  expect(after.size).toBe(1);
  expect(after).not.toContain(before as number);
});

test("more writes at once than there are connections all end", async () => {
  const writes = Array.from({ length: 20 }, (_, number) =>
    fresh.store.write(async (tx) => (await tx.get`select 1 as one`) && number),
  );
  const reads = Array.from({ length: 20 }, () => fresh.store.read((reader) => reader.get`select 1 as one`));
  expect(await Promise.all(writes)).toEqual(Array.from({ length: 20 }, (_, number) => number));
  expect(await Promise.all(reads)).toEqual(Array(20).fill({ one: 1 }));
});

test.skipIf(ENGINE !== "postgres")(
  "what is claimed and settled finds a connection while many others write",
  async () => {
    const over = Promise.withResolvers<void>();
    const others = Array.from({ length: 12 }, () => fresh.store.write(() => over.promise));
    const settled: BatchHandler<number, number> = async (tx, mails) => {
      await tx.get`select 1 as one`;
      return mails;
    };
    expect(await Promise.all([1, 2, 3].map((mail) => fresh.store.writeTogether(settled, mail)))).toEqual([1, 2, 3]);
    over.resolve();
    await Promise.all(others);
  },
);
