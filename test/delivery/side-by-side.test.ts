// Two threads that carry mails: how they share the connections, and which of them gets a mail.
import { afterEach, describe, expect, jest, test } from "bun:test";
import { DEFAULTS } from "../../src/config.ts";
import type { Carried } from "../../src/delivery/carrier/carrier.ts";
import type { Carriers } from "../../src/delivery/carrier/carriers.ts";
import type { Handover } from "../../src/delivery/carrier/handover.ts";
import { sideBySide } from "../../src/delivery/carrier/side-by-side.ts";
import { handoversByThread, transportOptions } from "../../src/delivery/sending-options.ts";
import type { Outcome } from "../../src/delivery/transport/transport.ts";

afterEach(() => void jest.useRealTimers());

const SENT: Outcome = { kind: "accepted", reply: "250 Ok" };
const NO_CONNECTION: Outcome = { kind: "unreachable", reply: "421 Too many connections" };
const HANDOVER = { subject: "Hi" } as Handover;

/** Keeps the mails that it gets in hand until the test answers, or answers the next ones at once. */
class Thread implements Carriers {
  readonly #waiting: PromiseWithResolvers<Carried>[] = [];
  readonly asked: string[] = [];
  next: Outcome | null = null;
  sends = 0;

  get inHand(): number {
    return this.#waiting.length;
  }

  send(): Promise<Carried> {
    const mail = Promise.withResolvers<Carried>();
    this.sends++;
    this.#waiting.push(mail);
    if (this.next) this.answer(this.next);
    return mail.promise;
  }

  answer(outcome: Outcome): void {
    this.#waiting.shift()?.resolve({ outcome, subject: "Hi" });
  }

  stop(): void {
    for (const mail of this.#waiting.splice(0)) mail.reject(new Error("The carrying thread stopped"));
  }

  raw = async () => (this.asked.push("raw"), Buffer.from("raw"));
  finish = async () => void this.asked.push("finish");
  close = async () => void this.asked.push("close");
}

function twoThreads() {
  const [first, second] = [new Thread(), new Thread()];
  const carriers = sideBySide([3, 2], (connections) => (connections === 3 ? first : second));
  const send = () => carriers.send(HANDOVER, null);
  const sendMany = (count: number) => Array.from({ length: count }, send);
  return { carriers, first, second, send, sendMany, inHand: () => [first.inHand, second.inHand] };
}

describe("the connections", () => {
  test.each([
    ["four cores: two threads share them", 4, { concurrency: 10 }, [5, 5]],
    ["an odd number: the first has one more", 16, { concurrency: 5 }, [3, 2]],
    ["to SES as well", 4, { transport: "ses", concurrency: 3 }, [2, 1]],
    ["three cores: one thread has all", 3, { concurrency: 10 }, [10]],
    ["with a rate, which one thread keeps", 16, { concurrency: 10, ratePerSecond: 100 }, [10]],
    ["a single one", 16, { concurrency: 1 }, [1]],
  ] as const)("%s", (_, cores, changes, shares) => {
    const delivery = { ...DEFAULTS.delivery, ratePerSecond: 0, ...changes };
    expect(handoversByThread({ delivery }, cores)).toEqual(shares);
  });

  test.each(["smtp", "ses"] as const)("of a thread are its share (%s)", (transport) => {
    const options = transportOptions({ ...DEFAULTS, delivery: { ...DEFAULTS.delivery, transport } }, 3);
    expect("ses" in options ? options.ses : "relay" in options && options.relay).toMatchObject({ concurrency: 3 });
  });
});

describe("a mail", () => {
  test("goes to the first thread while that has a free connection", async () => {
    const { first, send, sendMany, inHand } = twoThreads();
    const [sent] = sendMany(3);
    expect(inHand()).toEqual([3, 0]);
    first.answer(SENT);
    expect(await sent).toMatchObject({ outcome: SENT });
    void send();
    expect(inHand()).toEqual([3, 0]);
  });

  test("goes to the thread that has fewer in hand for its connections, once the first has no free one", async () => {
    const { second, send, sendMany, inHand } = twoThreads();
    const onSecond = sendMany(5).slice(3);
    expect(inHand()).toEqual([3, 2]);
    sendMany(10);
    expect(inHand()).toEqual([9, 6]);
    for (const _ of onSecond) second.answer(SENT);
    await Promise.all(onSecond);
    void send();
    expect(inHand()).toEqual([9, 5]);
  });

  test("leaves by the other thread if the relay allows this one no connection, as do the next for ten seconds", async () => {
    jest.useFakeTimers();
    const { first, second, sendMany, inHand } = twoThreads();
    const mails = sendMany(4);
    second.answer(NO_CONNECTION);
    first.answer(SENT);
    await mails[0];
    expect(inHand()).toEqual([3, 0]);
    jest.advanceTimersByTime(9_999);
    sendMany(2);
    expect(inHand()).toEqual([5, 0]);
    jest.advanceTimersByTime(1);
    sendMany(1);
    expect(inHand()).toEqual([5, 1]);
    for (let left = 0; left < 5; left++) first.answer(SENT);
    expect(await mails[3]).toMatchObject({ outcome: SENT });
  });

  test("is tried by each busy thread once when the relay is gone", async () => {
    const { first, second, sendMany, inHand } = twoThreads();
    const mails = sendMany(4);
    second.next = NO_CONNECTION;
    for (const _ of mails) [first, second].forEach((thread) => thread.answer(NO_CONNECTION));
    for (const { outcome } of await Promise.all(mails)) expect(outcome).toEqual(NO_CONNECTION);
    expect(inHand()).toEqual([0, 0]);
    expect(first.sends + second.sends).toBeLessThanOrEqual(2 * mails.length);
  });

  test("starts no second thread to see whether the relay is back", async () => {
    const { first, send, inHand } = twoThreads();
    for (let probe = 0; probe < 3; probe++) {
      const sent = send();
      expect(inHand()).toEqual([1, 0]);
      first.answer(NO_CONNECTION);
      expect(await sent).toMatchObject({ outcome: NO_CONNECTION });
    }
  });

  test("goes to both threads again as soon as the relay is back", async () => {
    const { first, send, sendMany, inHand } = twoThreads();
    const probe = send();
    first.answer(NO_CONNECTION);
    await probe;
    const next = send();
    first.answer(SENT);
    await next;
    sendMany(5);
    expect(inHand()).toEqual([3, 2]);
    sendMany(5);
    expect(inHand()).toEqual([6, 4]);
  });

  test("on a thread that stops is not given to the other, but the next ones are", async () => {
    const { first, send, sendMany, inHand } = twoThreads();
    const lost = sendMany(4).slice(0, 3);
    first.stop();
    for (const one of await Promise.allSettled(lost)) expect(one.status).toBe("rejected");
    void send();
    expect(inHand()).toEqual([0, 2]);
  });
});

test("the end reaches both threads, a mail that is only composed one of them", async () => {
  const { carriers, first, second } = twoThreads();
  expect((await carriers.raw(HANDOVER)).toString()).toBe("raw");
  await carriers.finish();
  await carriers.close();
  expect([first.asked, second.asked]).toEqual([
    ["raw", "finish", "close"],
    ["finish", "close"],
  ]);
});
