// What every engine of the store promises, held against the one under test.
import { afterEach, expect, test } from "bun:test";
import { HOUR_MS, systemClock } from "../../src/base/clock.ts";
import { AppError } from "../../src/base/errors.ts";
import { insertion } from "../../src/store/row-statement.ts";
import { joined, sqlList, sql } from "../../src/store/sql.ts";
import { ConstraintError, type Store, type BatchHandler, type Tx } from "../../src/store/store.ts";
import { TestClock } from "../support/clock.ts";
import { freshStore, type FreshStore } from "../support/store.ts";

const clock = new TestClock();
const open: FreshStore[] = [];

async function openStore(): Promise<Store> {
  const fresh = await freshStore(clock);
  open.push(fresh);
  await fresh.store.write(async (tx) => {
    await tx.run`create table slips (seq integer primary key, text text not null unique)`;
    await tx.run`create table replies (note integer not null references slips (seq))`;
  });
  return fresh.store;
}

afterEach(async () => {
  for (const fresh of open.splice(0)) await fresh.remove();
});

async function note(tx: Tx, text: string): Promise<number> {
  return tx.run`insert into slips (seq, text) values ((select count(*) + 1 from slips), ${text})`;
}

async function notes(store: Store): Promise<string[]> {
  return store.read(async (reader) => {
    const rows = await reader.all<{ text: string }>`select text from slips order by seq`;
    return rows.map((row) => row.text);
  });
}

test("what a write has done can be read once it has answered", async () => {
  const store = await openStore();
  await store.write((tx) => note(tx, "one"));
  expect(await notes(store)).toEqual(["one"]);
});

test("a write that throws leaves nothing, and those beside it stay", async () => {
  const store = await openStore();
  const failing = store.write(async (tx) => {
    await note(tx, "half");
    throw new Error("no");
  });
  const outcomes = await Promise.allSettled([failing, store.write((tx) => note(tx, "kept"))]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "fulfilled"]);
  expect(await notes(store)).toEqual(["kept"]);
});

test("a statement that nobody waits for is part of the write, and fails it", async () => {
  const store = await openStore();
  await store.write(async (tx) => tx.deferred(note(tx, "kept")));
  const failing = store.write(async (tx) => {
    await note(tx, "half");
    tx.deferred(note(tx, "kept"));
  });
  const goingOn = store.write(async (tx) => {
    tx.deferred(note(tx, "kept"));
    await note(tx, "more");
  });
  const outcomes = await Promise.allSettled([failing, goingOn]);
  const reasons = outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : null));
  expect(reasons).toEqual([expect.any(ConstraintError), expect.any(ConstraintError)]);
  expect(await notes(store)).toEqual(["kept"]);
});

test("a refused write leaves nothing of what it asks for afterwards", async () => {
  const store = await openStore();
  let late = Promise.resolve("never asked");
  const refused = store.write(async (tx) => {
    const first = note(tx, "first");
    const others = first.then(() => note(tx, "second")).then(() => note(tx, "third"));
    late = others.then(
      () => "done",
      () => "refused",
    );
    await first;
    throw new Error("no");
  });
  expect(await Promise.allSettled([refused])).toMatchObject([{ status: "rejected" }]);
  expect(await late).toBe("refused");
  expect(await notes(store)).toEqual([]);
});

test("after its machine was asleep a store goes by the right time", async () => {
  let asleepMs = 0;
  const machine = { ...systemClock, monotonicMs: () => performance.now() - asleepMs };
  const fresh = await freshStore(machine);
  open.push(fresh);
  asleepMs = HOUR_MS;
  const offMs = await fresh.store.write(async (tx) => {
    await tx.get`select 1`;
    return tx.nowMs - Date.now();
  });
  expect(Math.abs(offMs)).toBeLessThan(HOUR_MS / 2);
});

test("a callback after commit runs once for a change that stays, never for one that does not", async () => {
  const store = await openStore();
  const ran: string[] = [];
  const kept = store.write(async (tx) => {
    tx.afterCommit(() => ran.push("kept"));
    await note(tx, "kept");
  });
  const lost = store.write(async (tx) => {
    tx.afterCommit(() => ran.push("lost"));
    throw new Error("no");
  });
  await Promise.allSettled([kept, lost]);
  expect(ran).toEqual(["kept"]);
});

test("a callback after commit that throws keeps nobody from an answer", async () => {
  const store = await openStore();
  const ran: string[] = [];
  const throwing = store.write(async (tx) => {
    tx.afterCommit(() => {
      throw new Error("no");
    });
    tx.afterCommit(() => ran.push("after it"));
    return tx.run`insert into slips (seq, text) values (1, 'one')`;
  });
  const beside = store.write((tx) => tx.run`insert into slips (seq, text) values (2, 'beside')`);
  expect(await Promise.all([throwing, beside])).toEqual([1, 1]);
  expect([ran, await notes(store)]).toEqual([["after it"], ["one", "beside"]]);
});

test("a transaction that is over takes no more statements", async () => {
  const store = await openStore();
  const leaked = await store.write(async (tx) => [tx]);
  await expect(note(leaked[0] as Tx, "late")).rejects.toThrow(/transaction (is over|or savepoint ended)/);
});

test("all rows of one change share one instant", async () => {
  const store = await openStore();
  const instants = await store.write(async (tx) => {
    const before = tx.now;
    clock.advance(1000);
    return [before, tx.now];
  });
  expect(instants[0]).toBe(instants[1] as string);
});

test("the rules of the schema refuse in the words of the store", async () => {
  const store = await openStore();
  await store.write((tx) => note(tx, "one"));
  const twice = store.write((tx) => note(tx, "one"));
  await expect(twice).rejects.toMatchObject({ name: "ConstraintError", kind: "unique" });
  const orphan = store.write((tx) => tx.run`insert into replies (note) values (99)`);
  await expect(orphan).rejects.toBeInstanceOf(ConstraintError);
  await expect(orphan).rejects.toMatchObject({ kind: "foreignKey" });
});

test("fragments carry their values with them, however deep they stand", async () => {
  const store = await openStore();
  for (const text of ["a", "b", "c"]) await store.write((tx) => note(tx, text));
  const wanted = joined([sql`text = ${"a"}`, sql`text in (${sqlList(["c", "x"])})`], " or ");
  const rows = await store.read(
    (reader) => reader.all<{ text: string }>`select text from slips where (${wanted}) and seq > ${0}`,
  );
  expect(rows.map((row) => row.text)).toEqual(["a", "c"]);
});

test("a row is found among twenty thousand numbers, or texts", async () => {
  const store = await openStore();
  await store.write((tx) => note(tx, "it's one"));
  const others = Array.from({ length: 20_000 }, (_, index) => index + 10);
  const names = others.map((number) => `other ${number}`);
  const found = await store.read(async (reader) => {
    const { isAmong, isOneOf } = reader.dialect;
    const byNumber = await reader.all`select text from slips where ${isAmong(sql`seq`, [...others, 1])}`;
    const byText = await reader.all`select text from slips where ${isOneOf(sql`text`, [...names, "it's one"])}`;
    return [...byNumber, ...byText];
  });
  expect(found).toEqual([{ text: "it's one" }, { text: "it's one" }]);
});

test("a value is never read as SQL", async () => {
  const store = await openStore();
  const evil = "'); drop table slips; --";
  await store.write((tx) => note(tx, evil));
  expect(await notes(store)).toEqual([evil]);
});

test("times, numbers, JSON and bytes come back as they went in", async () => {
  const store = await openStore();
  const row = await store.write(async (tx) => {
    const json = tx.dialect.json('{"b":[1,null,"é"],"a":2}');
    await tx.run`insert into pacers (name, next_at_ms) values (${"x"}, ${1_795_174_417_000.5})`;
    return tx.get<Record<string, unknown>>`
      select next_at_ms as number, ${"2026-03-01T09:00:00.000Z"} || '' as time, "json"(${json}) as json,
        (select count(*) from pacers where name = 'x') as count from pacers where name = ${"x"}`;
  });
  expect(row).toEqual({
    number: 1_795_174_417_000.5,
    time: "2026-03-01T09:00:00.000Z",
    json: '{"b":[1,null,"é"],"a":2}',
    count: 1,
  });
});

test("a hundred writes at once are all kept, each whole", async () => {
  const store = await openStore();
  const write = (name: string) =>
    store.write(async (tx) => {
      await tx.run`insert into pacers (name, next_at_ms) values (${name}, 1)`;
      await tx.run`update pacers set next_at_ms = next_at_ms + 1 where name = ${name}`;
    });
  await Promise.all(Array.from({ length: 100 }, (_, index) => write(`pacer ${index}`)));
  const row = await store.read(
    (reader) => reader.get`select count(*) as n, sum(next_at_ms) as sum from pacers where name <> 'outgoing'`,
  );
  expect(row).toEqual({ n: 100, sum: 200 });
});

test("writes that change the same row one after the other lose nothing", async () => {
  const store = await openStore();
  await store.write((tx) => tx.run`insert into pacers (name, next_at_ms) values ('one', 0)`);
  const increase = () =>
    store.write(async (tx) => {
      const row = await tx.get<{
        value: number;
      }>`select next_at_ms as value from pacers where name = 'one'${tx.dialect.forUpdate}`;
      await tx.run`update pacers set next_at_ms = ${(row?.value ?? 0) + 1} where name = 'one'`;
    });
  await Promise.all(Array.from({ length: 40 }, increase));
  const row = await store.read((reader) => reader.get`select next_at_ms as value from pacers where name = 'one'`);
  expect(row).toEqual({ value: 40 });
});

const NOTES = insertion("slips", { seq: "bigint", text: "text" }, "returning seq, text");

test("rows that are inserted together come back in their order, whatever is in them", async () => {
  const store = await openStore();
  const texts = ["it's", 'a "quoted" one', "\u{1f600}", "half \ud83d of one", "back\\slash\n"];
  const rows = texts.map((text, index) => [index + 1, text]);
  const made = await store.write((tx) => tx.runEach<{ seq: number; text: string }>(NOTES, rows));
  expect(made.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  expect(made.map(({ text }) => text)).toEqual(texts.map((text) => text.toWellFormed()));
  expect(await store.write((tx) => tx.runEach(NOTES, []))).toEqual([]);
});

type Noted = { readonly seq: number; readonly text: string };

/**
 * Notes each text; refuses those that begin with "no", and cannot do anything with "bad". Tells how many came together.
 */
function noting(sizes: number[]): BatchHandler<Noted, number> {
  return async (tx, requests) => {
    sizes.push(requests.length);
    const answers: (number | AppError)[] = [];
    for (const { seq, text } of requests) {
      if (text.startsWith("no")) answers.push(new AppError("CONFLICT", text));
      else answers.push((await tx.runEach(NOTES, [[seq, text]])).length);
      if (text === "bad") throw new Error("broken");
    }
    return answers;
  };
}

function carriedOut(store: Store, texts: readonly string[], sizes: number[] = []) {
  const together = noting(sizes);
  return Promise.allSettled(texts.map((text, seq) => store.writeTogether(together, { seq, text })));
}

test("what waits for the same is carried out together, each with its own answer or refusal", async () => {
  const store = await openStore();
  const sizes: number[] = [];
  const texts = Array.from({ length: 100 }, (_, index) => (index % 10 === 0 ? `no ${index}` : `yes ${index}`));
  const outcomes = await carriedOut(store, texts, sizes);
  const said = outcomes.map((one) => (one.status === "fulfilled" ? one.value : (one.reason as AppError).message));
  expect(said).toEqual(texts.map((text) => (text.startsWith("no") ? text : 1)));
  expect(Math.max(...sizes)).toBeGreaterThan(30);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
  expect(await notes(store)).toEqual(texts.filter((text) => text.startsWith("yes")));
});

test("one that breaks takes none of the others along", async () => {
  const store = await openStore();
  const outcomes = await carriedOut(store, ["one", "bad", "two", "no three"]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
  expect((outcomes[1] as PromiseRejectedResult).reason.message).toBe("broken");
  expect(await notes(store)).toEqual(["one", "two"]);
});

test("one of many that breaks is found in a few tries, in which the others stay together", async () => {
  const store = await openStore();
  const sizes: number[] = [];
  const texts = Array.from({ length: 64 }, (_, index) => (index === 40 ? "bad" : `yes ${index}`));
  const outcomes = await carriedOut(store, texts, sizes);
  expect(outcomes.flatMap(({ status }, index) => (status === "rejected" ? [index] : []))).toEqual([40]);
  expect((await notes(store)).toSorted()).toEqual(texts.filter((text) => text !== "bad").toSorted());
  expect(sizes.length).toBeLessThan(20);
});

test("a write that comes after the end is refused, and nothing else fails", async () => {
  const store = await openStore();
  await store.write((tx) => note(tx, "in time"));
  await store.close();
  const late = [store.write((tx) => note(tx, "late")), store.write((tx) => note(tx, "later"))];
  expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
