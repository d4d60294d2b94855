// A whole warm-up, day by day: each day has as many emails as its plan says, to the unit, whatever happens on it.
import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../src/base/clock.ts";
import { DEFAULTS } from "../src/base/config.ts";
import type { HandoverOutcome } from "../src/sending/carrier/transport/transport.ts";
import { send } from "./support/campaigns.ts";
import { TestClock } from "./support/clock.ts";
import { freshDirectory } from "./support/database.ts";
import { firstOwner } from "./support/people.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "./support/posthorn.ts";
import { RecordingTransport } from "./support/transport.ts";

const TAKEN: HandoverOutcome = { kind: "accepted", reply: "250 Ok" };
const FULL: HandoverOutcome = { kind: "later", reply: "452 4.2.2 The mailbox is over quota", transient: true };
const GONE: HandoverOutcome = { kind: "bounced", reply: "550 5.1.1 No such user" };
const STEP_MS = 30 * MINUTE_MS;
/** Twenty-five days; the clocks of Europe change on one of them. */
const DAYS = Array.from({ length: 25 }, (_, at) => 3 + 2 * Math.floor(at / 2));
const FIRST_DAY = "2026-03-15T22:50:00.000Z";

/** What a provider took: of whom, and when. */
type Takings = { readonly recipient: string; readonly atMs: number }[];

class Scene {
  readonly clock = new TestClock(FIRST_DAY);
  readonly taken: Takings = [];
  /** By the number of the day: when it began. */
  readonly began = new Map<number, number>();
  readonly transport = new RecordingTransport();
  answerTo: (recipient: string) => HandoverOutcome = () => TAKEN;
  posthorn!: Posthorn;
  #domain = "";

  constructor(readonly options: StartOptions = {}) {
    this.transport.answer = (message) => this.hear(message.envelope.recipient);
  }

  hear(recipient: string): HandoverOutcome {
    const outcome = this.answerTo(recipient);
    if (outcome.kind === "accepted") this.taken.push({ recipient, atMs: this.clock.nowMs() });
    return outcome;
  }

  async start(): Promise<void> {
    const config = { delivery: { transport: "smtp" as const }, relay: { host: "smtp.example.com" } };
    const { clock, transport } = this;
    this.posthorn = await startPosthorn({
      clock,
      transport,
      ...this.options,
      config: { ...config, ...this.options.config },
    });
    this.#domain = (await this.posthorn.call("GET /domains")).body.data[0].id;
  }

  async restart(meanwhile: () => void = () => {}): Promise<void> {
    await this.end();
    meanwhile();
    await this.start();
  }

  async end(): Promise<void> {
    await this.posthorn[Symbol.asyncDispose]();
  }

  async hours(count: number): Promise<void> {
    for (let passed = 0; passed < count * HOUR_MS; passed += STEP_MS) {
      this.clock.advance(STEP_MS);
      await this.look();
    }
  }

  away(isAway: boolean): void {
    this.transport.fault = isAway ? "connect ECONNREFUSED" : null;
    this.transport.answer = (message) =>
      isAway ? { kind: "unreachable", reply: "connect ECONNREFUSED" } : this.hear(message.envelope.recipient);
  }

  async people(count: number, domain: string): Promise<void> {
    for (let at = 0; at < count; at++)
      await this.posthorn.call("POST /contacts", { email: `p${at}@${domain}`, subscribed: true });
  }

  warmup(act: string, body?: object): Promise<Json> {
    const [method, path = ""] = act.split(" ");
    return this.posthorn.call(`${method} /domains/${this.#domain}/warmup${path}`, body).then((reply) => reply.body);
  }

  async campaign(): Promise<void> {
    await send(this.posthorn, { from: "shop@example.test" });
    await this.look();
  }

  /** Time goes by until so many days of the plan have ended. */
  async until(day: number, onStep: (hours: number) => Promise<void> = async () => {}): Promise<void> {
    for (let at = 1; (await this.look()) !== "DONE" && !this.began.has(day + 1) && at < 4_000; at++) {
      this.clock.advance(STEP_MS);
      await onStep((at * STEP_MS) / HOUR_MS);
    }
  }

  /** Notes the day that has begun. */
  async look(): Promise<string> {
    await this.posthorn.settle();
    const { state, day, dayEndsAt } = await this.warmup("GET");
    if (dayEndsAt !== null && !this.began.has(day)) this.began.set(day, Date.parse(dayEndsAt) - DAY_MS);
    return state;
  }

  /** What people at a domain got on each day. */
  onDays(domain: string, days: number): number[] {
    const theirs = this.taken.filter(({ recipient }) => recipient.endsWith(`@${domain}`));
    return Array.from({ length: days }, (_, at) => {
      const [fromMs, toMs] = [this.began.get(at + 1) ?? NaN, this.began.get(at + 2) ?? Infinity];
      return theirs.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).length;
    });
  }
}

const sum = (days: readonly number[]) => days.reduce((all, one) => all + one, 0);

test("twenty-five days have what the plan says, across restarts, full mailboxes and people who are gone", async () => {
  const directory = freshDirectory();
  const scene = new Scene({ dataDir: directory.path });
  await scene.start();
  const outlook = DAYS.map((allowed) => Math.ceil(allowed / 2));
  await scene.warmup("PUT", { days: DAYS, providers: { outlook } });
  const tries = new Map<string, number>();
  scene.answerTo = (recipient) => {
    const tried = (tries.get(recipient) ?? 0) + 1;
    tries.set(recipient, tried);
    if (/^p\d*50@/.test(recipient)) return GONE;
    return /^p\d*3@/.test(recipient) && tried === 1 ? FULL : TAKEN;
  };
  await scene.people(sum(DAYS) + 20, "gmail.com");
  await scene.people(sum(outlook) + 20, "outlook.com");
  await scene.campaign();
  for (let day = 1; day <= 24; day++) {
    await scene.until(day);
    if (day % 4 === 0) await scene.restart();
  }
  await scene.hours(23.5);
  expect(scene.onDays("gmail.com", 25)).toEqual(DAYS);
  expect(scene.onDays("outlook.com", 25)).toEqual(outlook);
  await scene.end();
  directory.remove();
}, 300_000);

test("a day that was interrupted has as many emails as its plan says", async () => {
  const directory = freshDirectory();
  const scene = new Scene({ dataDir: directory.path });
  await scene.start();
  await scene.warmup("PUT", { days: [20, 20, 40, 40] });
  await scene.people(130, "gmail.com");
  await scene.campaign();
  // A pause, the server away, the provider away, and a clock that is set back and forth.
  await scene.until(1, async (hours) => {
    if (hours === 5) await scene.warmup("POST /pause");
    if (hours === 13) await scene.warmup("POST /resume");
  });
  await scene.hours(4);
  await scene.restart(() => scene.clock.advance(8 * HOUR_MS));
  await scene.until(2);
  await scene.until(3, async (hours) => {
    if (hours === 4) scene.answerTo = () => FULL;
    if (hours === 6) scene.answerTo = () => TAKEN;
  });
  await scene.hours(23.5);
  expect(scene.onDays("gmail.com", 4)).toEqual([20, 20, 40, 40]);
  await scene.end();
  directory.remove();
}, 300_000);

test("by two ways, each day has as many emails as the plan of the domain and that of each way say", async () => {
  const second = new RecordingTransport();
  const own = { name: "new", kind: "smtp", ratePerSecond: 0, burst: 1, concurrency: 10, price: null } as const;
  const way = { ...own, ses: DEFAULTS.ses, relay: { ...DEFAULTS.relay, host: "smtp.new.example" } };
  const scene = new Scene({ wayTransports: { new: second }, config: { ways: [way] } });
  second.answer = (message) => scene.hear(message.envelope.recipient);
  await scene.start();
  const owner = await firstOwner(scene.posthorn);
  await owner.ask("PUT /installation/ways/new/warmup", { body: { days: [12, 12, 12, 12, 12] } });
  await scene.warmup("PUT", { days: [16, 16, 16, 16] });
  await scene.people(80, "gmail.com");
  await scene.campaign();
  // On the second day, the first way is away for some hours.
  await scene.until(1);
  await scene.until(2, async (hours) => {
    if (hours === 4 || hours === 9) scene.away(hours === 4);
  });
  await scene.hours(23.5);
  expect(scene.onDays("gmail.com", 3)).toEqual([16, 16, 16]);
  expect(second.sent.length).toBeGreaterThan(0);
  await scene.end();
}, 300_000);
