// So many at once and no more.
import { expect, test } from "bun:test";
import { ConcurrencyLimit } from "../../src/delivery/concurrency-limit.ts";

/** Pieces of work that end when they are told to. */
function pieces() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const piece = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, piece, end: (name: string) => ends.get(name)?.() };
}

test("work waits for its turn, in the order in which it came", async () => {
  const { begun, piece, end } = pieces();
  const limit = new ConcurrencyLimit(2);
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => limit.run(piece(name)));
  await Promise.resolve();
  expect(begun).toEqual(["a", "b"]);
  end("b");
  expect(await b).toBe("b");
  const late = limit.run(piece("late"));
  await Promise.resolve();
  expect(begun).toEqual(["a", "b", "c"]);
  for (const [name, done] of [
    ["a", a],
    ["c", c],
    ["d", d],
    ["late", late],
  ] as const) {
    end(name);
    expect(await done).toBe(name);
  }
});

test("work that fails gives its place back", async () => {
  const limit = new ConcurrencyLimit(1);
  const failing = limit.run(() => Promise.reject(new Error("no")));
  const next = limit.run(() => Promise.resolve("next"));
  expect(failing).rejects.toThrow("no");
  expect(await next).toBe("next");
});

test("closing lets the work in hand finish and turns away the rest", async () => {
  const { begun, piece, end } = pieces();
  const limit = new ConcurrencyLimit(1);
  const inHand = limit.run(piece("in hand"));
  const waiting = limit.run(piece("waiting"));
  let closed = false;
  const closing = limit.close().then(() => (closed = true));
  expect(await waiting).toBeNull();
  expect(await limit.run(piece("late"))).toBeNull();
  expect(closed).toBe(false);
  end("in hand");
  expect(await inHand).toBe("in hand");
  await closing;
  expect(begun).toEqual(["in hand"]);
});

test("a limit that is not in use closes at once", async () => {
  const limit = new ConcurrencyLimit(1);
  await limit.close();
  expect(await limit.run(() => Promise.resolve("late"))).toBeNull();
});
