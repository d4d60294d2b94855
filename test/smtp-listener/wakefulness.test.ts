// Who is waited for awake, and for how long.
import { expect, test } from "bun:test";
import { Wakefulness } from "../../src/smtp-listener/wakefulness.ts";

/** An event loop whose turns take 0.03 ms each, and in which nothing else happens. */
function loopAndTime() {
  let nowMs = 1_000;
  let waiting: (() => void) | null = null;
  const time = {
    nowMs: () => nowMs,
    inNextTurn: (callback: () => void) => {
      expect(waiting).toBeNull();
      waiting = callback;
    },
  };
  const turns = () => {
    let count = 0;
    for (; waiting !== null && count < 1_000; count++) {
      const callback = waiting;
      waiting = null;
      nowMs += 0.03;
      callback();
    }
    return count;
  };
  return { time, turns, pass: (ms: number) => void (nowMs += ms) };
}

test("a client that answers at once is waited for awake, for a tenth of a millisecond", () => {
  const { time, turns, pass } = loopAndTime();
  const conversation = new Wakefulness(time).newConversation();
  conversation.replied();
  pass(0.05);
  conversation.heard();
  conversation.replied();

  expect(turns()).toBe(4);
  expect(turns()).toBe(0);
});

test("nobody is waited for awake who has not said anything yet, or takes longer", () => {
  const { time, turns, pass } = loopAndTime();
  const conversation = new Wakefulness(time).newConversation();
  conversation.replied();
  expect(turns()).toBe(0);

  pass(0.3);
  conversation.heard();
  conversation.replied();
  expect(turns()).toBe(0);
});

test("a client that was prompt and is no longer lets the loop sleep again", () => {
  const { time, turns, pass } = loopAndTime();
  const conversation = new Wakefulness(time).newConversation();
  for (const waitMs of [0.05, 5]) {
    conversation.replied();
    turns();
    pass(waitMs);
    conversation.heard();
  }
  conversation.replied();

  expect(turns()).toBe(0);
});

test("many prompt clients keep one loop awake, not one each", () => {
  const { time, turns, pass } = loopAndTime();
  const wakefulness = new Wakefulness(time);
  const conversations = Array.from({ length: 50 }, () => wakefulness.newConversation());
  for (const conversation of conversations) conversation.replied();
  pass(0.05);
  for (const conversation of conversations) conversation.heard();
  for (const conversation of conversations) conversation.replied();

  expect(turns()).toBe(4);
});
