// Looking at stored messages: once each, whatever ends in between; a message that cannot be looked at harms no other.
import { expect, test } from "bun:test";
import { Intake } from "../../src/mail/inbound/intake.ts";
import { beginEach, finishMessage, SLICE_BYTES, storeArrival } from "../../src/mail/inbound/arrival.ts";
import { bytesOf, firstSlice, settleEach, settleReport, type ReadingResult } from "../../src/mail/inbound/message.ts";
import { dmarcXml, mailWith, packed, reportAddress, readReport } from "../support/reports.ts";
import { messageQueue } from "../../src/mail/inbound/queries.ts";
import { takeInTurn } from "../../src/store/turns.ts";
import { ReadingThread } from "../../src/mail/inbound/reading-thread.ts";
import { conditionOf } from "../../src/operator/operation/needs/condition.ts";
import { operatorNeeds } from "../../src/operator/operation/needs/needs.ts";
import { NOT_CHECKED, UNREADABLE } from "../../src/mail/inbound/reading/reading.ts";
import { createLog } from "../../src/base/log.ts";
import { freshDirectory } from "../support/database.ts";
import { letter } from "../support/mails.ts";
import { freePort } from "../support/free-port.ts";
import { bring, ELSEWHERE, LETTER, received, startHouse, wire } from "../support/outside.ts";
import { TestClock } from "../support/clock.ts";
import { TableResolver } from "../support/resolver.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { somebody } from "../support/people.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { recordSettings } from "../../src/tenant/domains/dns-records.ts";

const SETTINGS = () => recordSettings(DEFAULTS, []);

test("what was stored before a restart is looked at after it", async () => {
  const directory = freshDirectory();
  const dataDir = directory.path;
  const clock = new TestClock();
  {
    const house = await startHouse({ dataDir, clock });
    await using _ = house.posthorn;
    await bring(house, LETTER);
  }
  await using posthorn = await startPosthorn({ dataDir, clock, resolver: new TableResolver(ELSEWHERE) });
  expect(await received(posthorn)).toMatchObject([{ subject: "Hello", dmarcVerdict: "PASS" }]);
  await posthorn.settle();
  expect(await received(posthorn)).toHaveLength(1);
});

test("a claim that another process has taken over settles nothing, nor does a second settlement", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  const { store } = house.posthorn;
  await bring(house, LETTER);
  const claim = async () => {
    const [message] = (await store.write((tx) => takeInTurn(tx, messageQueue(tx.now), 5))) as [
      ReadingResult["message"],
    ];
    return { message, reading: { contents: UNREADABLE, verdicts: NOT_CHECKED }, tookMs: 1 };
  };
  const [late, current] = [await claim(), await claim()];
  await store.write((tx) => settleEach(tx, [late]));
  expect(await house.posthorn.eventNames()).toEqual([]);
  await store.write((tx) => settleEach(tx, [late, current]));
  await store.write((tx) => settleEach(tx, [current]));
  expect(await house.posthorn.eventNames()).toEqual(["email.received"]);
});

test("a message over which the reading thread stops is tried once more, alone, and then kept unread", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  const { store, clock, secrets } = house.posthorn;
  await bring(house, LETTER);
  const resolver = { find: () => new Promise<never>(() => {}), txt: () => new Promise<never>(() => {}) };
  const scanners = { rspamdUrl: null, clamdSocket: null, timeoutMs: 100 };
  const thread = () =>
    new ReadingThread({ resolver, scanners, host: "mail.example.test", maxReadMs: 300, maxBusyMs: 300 });
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const returnPath = { secrets, returnPathDomain: null };
  const intake = new Intake({
    store,
    clock,
    log,
    returnPath,
    thread: thread(),
    quarantine: thread(),
    reports: thread(),
    settings: SETTINGS,
    carriers: () => [],
    mailOfPixel: () => null,
    leaseMs: 90_000,
  });
  const hasRead = async () => (await intake.step(), intake.inHand.idle());
  expect([await hasRead(), await hasRead()]).toEqual([true, false]);
  expect(await house.posthorn.eventNames()).toEqual([]);
  clock.advance(60_000);
  expect([await hasRead(), await hasRead()]).toEqual([true, false]);
  expect(await received(house.posthorn)).toMatchObject([{ spfVerdict: "PROCESSING_FAILED", subject: "" }]);
});

test("a notice over which reading fails is read again for days, shown, and then given up and reported once", async () => {
  const house = await startHouse({ config: { delivery: { returnPathDomain: "bounces.test" } } });
  await using _ = house.posthorn;
  const { store, clock, secrets, transport } = house.posthorn;
  await house.posthorn.call("POST /v1/send", letter);
  await house.posthorn.settle();
  await bring(house, LETTER, { from: "", to: [transport.sent[0]?.envelope.returnPath ?? ""] });
  let reads = 0;
  const broken = { notice: async () => (reads++, Promise.reject(new Error("The thread stopped"))) } as never;
  const lines: string[] = [];
  const log = createLog({ level: "warn", format: "text", clock, write: (line) => lines.push(line) });
  const returnPath = { secrets, returnPathDomain: "bounces.test" };
  const intake = new Intake({
    store,
    clock,
    log,
    returnPath,
    thread: broken,
    quarantine: broken,
    reports: broken,
    settings: SETTINGS,
    carriers: () => [],
    mailOfPixel: () => null,
    leaseMs: 90_000,
  });
  const pass = async (hours: number) => {
    for (let hour = 0; hour < hours; hour++) {
      await intake.step();
      await intake.inHand.idle();
      clock.advance(3_600_000);
    }
  };
  await pass(24);
  expect(reads).toBe(6);
  const owner = await somebody(house.posthorn, "OWNER");
  const condition = await store.read((reader) => conditionOf(reader, DEFAULTS, clock.nowMs()));
  const needs = operatorNeeds(condition, { relay: null, stream: null, waysAway: [] }, clock.nowMs());
  expect(needs.map(({ text }) => text)).toContainEqual(
    expect.stringContaining("Messages from outside could not be read: 1 since"),
  );
  expect((await owner.ask("GET /overview")).body.attention).toContainEqual(
    expect.objectContaining({ kind: "INBOUND_UNREAD", count: 1 }),
  );
  await pass(24 * 10);
  expect([reads, lines.filter((line) => line.includes("given up")).length]).toEqual([10, 1]);
  expect(await store.read((reader) => reader.all`select seq from messages`)).toEqual([]);
});

test("a message that has ended ten processes is kept, reported, and not read again", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  await bring(house, LETTER);
  await house.posthorn.store.write((tx) => tx.run`update messages set attempts = 10`);
  expect(await received(house.posthorn)).toMatchObject([
    {
      ...{
        from: "ada@elsewhere.test",
        fromHeader: "",
        subject: "",
        body: "",
        hasContent: false,
        to: "help@example.test",
      },
      ...{ spamVerdict: "PROCESSING_FAILED", spfVerdict: "PROCESSING_FAILED", dkimVerdict: "PROCESSING_FAILED" },
    },
  ]);
});

test("a message that never came in whole is thrown away", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  const { store, clock } = house.posthorn;
  await bring(house, LETTER);
  await store.write((tx) => tx.run`update messages set whole = 0, due_at = '2026-03-01T09:30:00.000Z'`);
  expect(await received(house.posthorn)).toEqual([]);
  clock.advance(31 * 60_000);
  expect(await received(house.posthorn)).toEqual([]);
  expect(await store.read((reader) => reader.all`select seq from messages`)).toEqual([]);
});

test("a message whose last piece comes while it is being thrown away stays", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  const { store, clock, secrets } = house.posthorn;
  const session = { clientAddress: "127.0.0.1", helo: "mx.elsewhere.test", sender: "ada@elsewhere.test" };
  const [workspace] = await store.read((reader) => reader.all<{ seq: number }>`select seq from workspaces`);
  const to = [{ workspace: workspace!.seq, recipients: ["help@example.test"] }];
  const first = Buffer.alloc(SLICE_BYTES, wire(LETTER + `${"x".repeat(70)}\n`.repeat(SLICE_BYTES / 72)));
  const [seqs = []] = await store.write((tx) => beginEach(tx, [{ session, addressees: to, bytes: first }]));
  clock.advance(31 * 60_000);
  const write = store.write.bind(store);
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const returnPath = { secrets, returnPathDomain: null };
  const none = {} as never;
  const intake = new Intake({
    store,
    clock,
    log,
    returnPath,
    thread: none,
    quarantine: none,
    reports: none,
    settings: SETTINGS,
    carriers: () => [],
    mailOfPixel: () => null,
    leaseMs: 90_000,
  });
  let writes = 0;
  const late: typeof write = async (work) => {
    if (++writes === 2) await write((tx) => finishMessage(tx, seqs, 1, wire("the end\n")));
    return write(work);
  };
  Object.assign(store, { write: late });
  await intake.step();
  await intake.inHand.idle();
  Object.assign(store, { write });
  expect(writes).toBe(2);
  expect(await received(house.posthorn)).toMatchObject([{ subject: "Hello" }]);
});

test("while a large message is read from the store, others come in between", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  const { store } = house.posthorn;
  const session = { clientAddress: "127.0.0.1", helo: "mx.elsewhere.test", sender: "ada@elsewhere.test" };
  const [workspace] = await store.read((reader) => reader.all<{ seq: number }>`select seq from workspaces`);
  const to = [{ workspace: workspace!.seq, recipients: ["help@example.test"] }];
  const whole = Buffer.alloc(8 * SLICE_BYTES + 5, wire(LETTER + `${"x".repeat(70)}\n`.repeat(100)));
  const slices = (async function* () {
    for (let at = 0; at < whole.length; at += SLICE_BYTES) yield whole.subarray(at, at + SLICE_BYTES);
  })();
  await storeArrival(store, { session, addressees: async () => to, slices });
  const [message] = (await store.read((reader) => reader.all<{ seq: number }>`select seq from messages`)) as [
    { seq: number },
  ];
  const first = (await store.read((reader) => firstSlice(reader, message.seq))) as Uint8Array;
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const read = await bytesOf(store, message.seq, first);
  isOver = true;
  expect(whole.equals(read)).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(7);
});

test("many messages at once give one event each", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  const numbers = Array.from({ length: 100 }, (_, n) => n);
  const brought = numbers.map((n) =>
    bring(house, LETTER.replace("Hello", `Hello ${n}`).replace("ada@", `ada${n % 7}@`)),
  );
  expect(new Set(await Promise.all(brought))).toEqual(new Set(["250 2.6.0 Stored"]));
  const subjects = (await received(house.posthorn)).map(({ subject }) => Number(subject.slice(6)));
  expect(subjects.sort((one, other) => one - other)).toEqual(numbers);
  expect((await house.posthorn.call("GET /contacts")).body.data).toHaveLength(7);
});

test("a store that is away is told as a passing fault", async () => {
  const port = await freePort();
  const posthorn = await startPosthorn({ config: { smtp: { inboundPort: port } } });
  await using _ = posthorn;
  const { write, writeTogether } = posthorn.store;
  const away = () => Promise.reject(new Error("The disk is full."));
  Object.assign(posthorn.store, { write: away, writeTogether: away });
  expect(await bring({ port }, LETTER)).toStartWith("451 4.3.0");
  Object.assign(posthorn.store, { write, writeTogether });
  expect(await bring({ port }, LETTER)).toBe("250 2.6.0 Stored");
});

test("however many messages of one workspace are being read, another's is read beside them", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  const { store, clock, secrets } = house.posthorn;
  await addWorkspace(house.posthorn, { name: "other", domain: "other.test" });
  for (let n = 0; n < 40; n++) await bring(house, LETTER);
  clock.advance(1_000);
  await bring(house, LETTER, { to: ["help@other.test"] });
  const read: string[] = [];
  const wait = Promise.withResolvers<never>();
  const thread = {
    read: (_: Uint8Array, { recipients }: { recipients: readonly string[] }) => (
      read.push(...recipients),
      wait.promise
    ),
  } as never;
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const returnPath = { secrets, returnPathDomain: null };
  const intake = new Intake({
    store,
    clock,
    log,
    returnPath,
    thread,
    quarantine: thread,
    reports: thread,
    settings: SETTINGS,
    carriers: () => [],
    mailOfPixel: () => null,
    leaseMs: 90_000,
  });
  while ((await intake.step()) === 0);
  wait.reject(new Error("The test is over."));
  await intake.inHand.idle();
  expect(read.filter((to) => to === "help@other.test")).toHaveLength(1);
  expect(read.length).toBeLessThan(32);
});

test("a report over which the thread stops is tried once more, then kept as it came; two attempts count it once", async () => {
  const house = await startHouse({ config: { delivery: { returnPathDomain: "bounces.test" } } });
  await using _ = house.posthorn;
  const { store, clock, secrets } = house.posthorn;
  const to = [await reportAddress(house.posthorn, "example.test")];
  await bring(house, mailWith(packed(dmarcXml())), { to });
  const broken = { report: async () => Promise.reject(new Error("The thread stopped")) } as never;
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const returnPath = { secrets, returnPathDomain: "bounces.test" };
  const common = {
    store,
    clock,
    log,
    returnPath,
    settings: SETTINGS,
    carriers: () => [],
    mailOfPixel: () => null,
    leaseMs: 90_000,
  };
  const intake = new Intake({ ...common, thread: broken, quarantine: broken, reports: broken });
  for (let hours = 0; hours < 3; hours++) {
    await intake.step();
    await intake.inHand.idle();
    clock.advance(3_600_000);
  }
  const faults = () => store.read((reader) => reader.all`select state, fault from reports order by seq`);
  expect(await faults()).toEqual([{ state: "UNREADABLE", fault: "time" }] as never);
  await bring(house, mailWith(packed(dmarcXml())), { to });
  const claim = async () => {
    const [message] = (await store.write((tx) => takeInTurn(tx, messageQueue(tx.now), 5))) as [
      ReadingResult["message"],
    ];
    const mail = { read: readReport([packed(dmarcXml())], ""), sender: null, isForged: false, hosts: {} };
    return { message, mail, bytes: 1 };
  };
  const [late, current] = [await claim(), await claim()];
  for (const one of [late, current, current]) await store.write((tx) => settleReport(tx, one, SETTINGS()));
  expect(await faults()).toEqual([
    { state: "UNREADABLE", fault: "time" },
    { state: "COUNTED", fault: null },
  ] as never);
  expect(await store.read((reader) => reader.all`select repeats from reports where state = 'COUNTED'`)).toEqual([
    { repeats: 0 },
  ]);
});
