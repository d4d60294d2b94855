// So many at once and no more.
import { expect, test } from "bun:test";
import { Gate } from "../../src/delivery/gate.ts";

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
  const gate = new Gate(2);
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => gate.pass(piece(name)));
  await Promise.resolve();
  expect(begun).toEqual(["a", "b"]);
  end("b");
  expect(await b).toBe("b");
  const late = gate.pass(piece("late"));
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
  const gate = new Gate(1);
  const failing = gate.pass(() => Promise.reject(new Error("no")));
  const next = gate.pass(() => Promise.resolve("next"));
  expect(failing).rejects.toThrow("no");
  expect(await next).toBe("next");
});

test("closing lets the work in hand finish and turns away the rest", async () => {
  const { begun, piece, end } = pieces();
  const gate = new Gate(1);
  const inHand = gate.pass(piece("in hand"));
  const waiting = gate.pass(piece("waiting"));
  let closed = false;
  const closing = gate.close().then(() => (closed = true));
  expect(await waiting).toBeNull();
  expect(await gate.pass(piece("late"))).toBeNull();
  expect(closed).toBe(false);
  end("in hand");
  expect(await inHand).toBe("in hand");
  await closing;
  expect(begun).toEqual(["in hand"]);
});

test("a gate that nobody passed closes at once", async () => {
  const gate = new Gate(1);
  await gate.close();
  expect(await gate.pass(() => Promise.resolve("late"))).toBeNull();
});
