// Requests that share a transaction: what they ask is asked together, in one order, and each has an outcome of its own.
import { afterEach, expect, test } from "bun:test";
import { AppError } from "../../src/base/errors.ts";
import { loader } from "../../src/store/loads.ts";
import { attempt, sharing } from "../../src/store/shared-tx.ts";
import type { LoadStage, Store, Tx } from "../../src/store/store.ts";
import { TestClock } from "../support/clock.ts";
import { freshStore, type FreshStore } from "../support/store.ts";

const open: FreshStore[] = [];

async function openStore(): Promise<Store> {
  const fresh = await freshStore(new TestClock());
  open.push(fresh);
  return fresh.store;
}

afterEach(async () => {
  for (const fresh of open.splice(0)) await fresh.remove();
});

/** A load that writes down what it is asked. */
function asking(asked: string[], stage: LoadStage) {
  return loader<string, string>({
    stage,
    name: (key) => key,
    ask: async (tx, keys) => {
      asked.push(`${stage} ${keys.join()}`);
      await tx.get`select 1`;
      return keys.map((key) => key.toUpperCase());
    },
  });
}

test("what many ask at the same time is asked once, in one order, and each has its answer", async () => {
  const store = await openStore();
  const asked: string[] = [];
  const find = asking(asked, "find");
  const answers = await store.write((tx) => Promise.all(["c", "a", "b", "a"].map((key) => find(tx, key))));
  expect([answers, asked]).toEqual([["C", "A", "B", "A"], ["find a,b,c"]]);
});

test("a stage begins when nobody is left who needs an earlier one", async () => {
  const store = await openStore();
  const asked: string[] = [];
  const [find, lock, note] = [asking(asked, "find"), asking(asked, "lock"), asking(asked, "note")];
  const quick = async (tx: Tx) => {
    tx.deferred(note(tx, "quick"));
    return lock(tx, await find(tx, "quick"));
  };
  const slow = async (tx: Tx) => {
    for (let count = 0; count < 5; count++) await tx.get`select 1`;
    return lock(tx, await find(tx, "slow"));
  };
  await store.write((tx) => Promise.all([lock(tx, "FIRST"), slow(tx), quick(tx)]));
  expect(asked).toEqual(["find quick,slow", "lock FIRST,QUICK,SLOW", "note quick"]);
});

test("what nobody waits for is asked before the end, and fails the write", async () => {
  const store = await openStore();
  const put = loader<string, void>({
    stage: "note",
    ask: async (tx, names) => {
      await Promise.all(names.map((name) => tx.run`insert into pacers (name, next_at_ms) values (${name}, 1)`));
      return [];
    },
  });
  await store.write(async (tx) => tx.deferred(put(tx, "one")));
  const twice = store.write(async (tx) => ["two", "one"].forEach((name) => tx.deferred(put(tx, name))));
  await expect(twice).rejects.toMatchObject({ kind: "unique" });
  expect(await pacers(store)).toEqual(["one"]);
});

test("those of one name go one after the other, and each is told what the one before it has answered", async () => {
  const store = await openStore();
  const seen: unknown[] = [];
  await store.write(async (tx) => {
    const turn = (what: string) =>
      tx.inTurn<string>("a", async (before) => {
        seen.push([what, before]);
        await tx.get`select 1`;
        if (what === "two") throw new AppError("CONFLICT", what);
        seen.push(what);
        return what;
      });
    await Promise.allSettled(["one", "two", "three", "four"].map(turn));
  });
  expect(seen).toEqual([
    ["one", undefined],
    "one",
    ["two", "one"],
    ["three", null],
    "three",
    ["four", "three"],
    "four",
  ]);
});

/** Makes a pacer of each name; refuses "early" before, "late" after it has. */
function making(sizes: number[]) {
  const one = async (tx: Tx, name: string) => {
    if (name === "early") throw new AppError("CONFLICT", name);
    await tx.run`insert into pacers (name, next_at_ms) values (${name}, 1)`;
    if (name.startsWith("late")) throw new AppError("CONFLICT", name);
    return name;
  };
  const together = sharing(one);
  return (tx: Tx, names: readonly string[]) => {
    sizes.push(names.length);
    return together(tx, names);
  };
}

async function pacers(store: Store): Promise<string[]> {
  const rows = await store.read(
    (reader) => reader.all<{ name: string }>`select name from pacers where next_at_ms = 1 order by name`,
  );
  return rows.map(({ name }) => name);
}

test("one that is refused late is undone and runs by itself; the others run together again, and each is kept once", async () => {
  const store = await openStore();
  const sizes: number[] = [];
  const make = making(sizes);
  const names = ["a", "early", "b", "late", "c", "d"];
  const outcomes = await Promise.allSettled(names.map((name) => store.writeTogether(make, name)));
  expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual([true, false, true, false, true, true]);
  expect(outcomes.flatMap((one) => (one.status === "rejected" ? one.reason.message : []))).toEqual(["early", "late"]);
  expect(await pacers(store)).toEqual(["a", "b", "c", "d"]);
  expect(Math.max(...sizes.slice(1))).toBeGreaterThan(1);
});

test("however many are refused late, each request is carried out three times at most", async () => {
  const store = await openStore();
  const sizes: number[] = [];
  const make = making(sizes);
  const names = Array.from({ length: 40 }, (_, index) => `${index % 2 === 0 ? "late" : "kept"}${index}`);
  const outcomes = await Promise.allSettled(names.map((name) => store.writeTogether(make, name)));
  expect(outcomes.map(({ status }) => status === "rejected")).toEqual(names.map((name) => name.startsWith("late")));
  expect(await pacers(store)).toEqual(names.filter((name) => name.startsWith("kept")).sort());
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3 * names.length);
});

test("what a refused request was doing beside its refusal writes nothing any more", async () => {
  const store = await openStore();
  const look = (tx: Tx) => tx.get`select 1`;
  const together = sharing(async (tx, name: string) => {
    for (let turn = 0; turn < 9; turn++) await look(tx);
    if (name === "other") return name;
    const refused = () => Promise.reject(new AppError("CONFLICT", name));
    const write = async () => {
      for (let turn = 0; turn < 4; turn++) await look(tx);
      await tx.run`insert into pacers (name, next_at_ms) values (${name}, 1)`;
    };
    await Promise.all([write(), refused()]);
    return name;
  });
  const outcomes = await Promise.allSettled(["refused", "other"].map((name) => store.writeTogether(together, name)));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(await pacers(store)).toEqual([]);
});

test("a refusal is an answer as long as nothing has changed, and is thrown from then on", async () => {
  const store = await openStore();
  const refused = () => Promise.reject(new AppError("CONFLICT", "no"));
  const kept = await store.write(async (tx) => {
    await tx.run`insert into pacers (name, next_at_ms) values ('kept', 1)`;
    return attempt(tx, refused);
  });
  expect(kept).toBeInstanceOf(AppError);
  const undone = store.write((tx) =>
    attempt(tx, async (own) => {
      await own.run`insert into pacers (name, next_at_ms) values ('undone', 1)`;
      return refused();
    }),
  );
  await expect(undone).rejects.toMatchObject({ message: "no" });
  expect(await pacers(store)).toEqual(["kept"]);
});
