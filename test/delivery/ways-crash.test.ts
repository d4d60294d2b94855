// After a crash with several ways out: a way that hangs keeps no other from sending, and what a way may have had in
// hand goes by that way again.
import { expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import type { WaySettings } from "../../src/base/config/ways.ts";
import { AfterCrash } from "../../src/sending/delivery/after-crash.ts";
import { carriersHere } from "../../src/sending/carrier/carriers.ts";
import type { CarrierResult } from "../../src/sending/carrier/carrier.ts";
import { memoryOf } from "../../src/sending/open-ways/health/connections.ts";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { OpenWay } from "../../src/sending/open-ways/open-way.ts";
import { createLog } from "../../src/base/log.ts";
import { freshDirectory } from "../support/database.ts";
import { TestClock } from "../support/clock.ts";
import { startPosthorn, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { RecordingTransport } from "../support/transport.ts";

const BACKUP: WaySettings = {
  ...{ name: "backup", kind: "smtp", ratePerSecond: 0, burst: 1, concurrency: 10, price: null },
  relay: { ...DEFAULTS.relay, host: "smtp.backup.example" },
  ses: DEFAULTS.ses,
};
const AWAY: HandoverOutcome = { kind: "unreachable", reply: "connect ECONNREFUSED 192.0.2.9:587" };
const ACCEPTED: HandoverOutcome = { kind: "accepted", reply: "250 2.0.0 Ok" };

async function started(options: StartOptions = {}) {
  const [first, second] = [new RecordingTransport(), new RecordingTransport()];
  const posthorn = await startPosthorn({
    ...options,
    transport: first,
    wayTransports: { backup: second },
    config: {
      http: { baseUrl: "https://mail.example.com" },
      delivery: { transport: "smtp" },
      relay: { host: "smtp.example.com" },
      ways: [BACKUP],
    },
  });
  return { posthorn, first, second };
}

async function sendMany(posthorn: Posthorn, count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await posthorn.call("POST /v1/send", {
      ...{ to: `a${n}@example.com`, from: "shop@example.test", subject: "Hi", body: "<p>Hi" },
    });
}

/** As a process leaves them that was killed while it handed them to the way of this name. */
async function leaveInHand(posthorn: Posthorn, way: string): Promise<void> {
  const leaseUntil = new Date(posthorn.clock.nowMs() + MINUTE_MS).toISOString();
  await posthorn.store.write(
    (tx) => tx.run`
      update emails set status = 'SENDING', attempts = 1, due_at = ${leaseUntil},
        hop = (select seq from hops where name = ${way})`,
  );
}

/** Where the store says that the mails in hand are. */
const placesIn = (posthorn: Posthorn) =>
  posthorn.store.read(
    (reader) => reader.all<{ name: string | null }>`
      select h.name from emails e left join hops h on h.seq = e.hop where e.status = 'SENDING'`,
  );

test("while a way has a mail in hand the store says so, whether it was claimed for that way or not (slow)", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  const seen: (string | null)[] = [];
  const look = async () => void seen.push(...(await placesIn(posthorn)).map(({ name }) => name));
  first.answer = async () => {
    await look();
    return AWAY;
  };
  first.fault = AWAY.reply;
  second.answer = async () => {
    await look();
    return ACCEPTED;
  };
  await sendMany(posthorn, 1);
  await posthorn.settle();
  await sendMany(posthorn, 1);
  await posthorn.settle();
  expect(seen).toEqual(["smtp.example.com", "backup: smtp.backup.example", "backup: smtp.backup.example"]);
});

test("what no way has taken waits for none of them", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  for (const way of [first, second]) {
    way.answer = () => AWAY;
    way.fault = AWAY.reply;
  }
  await sendMany(posthorn, 3);
  await posthorn.settle();
  const rows = await posthorn.store.read((reader) => reader.all`select hop from emails`);
  expect(rows).toEqual([{ hop: null }, { hop: null }, { hop: null }]);
});

const restarted = async (directory: string, clock: TestClock, way: string) => {
  const before = await started({ dataDir: directory, clock });
  for (const one of [before.first, before.second]) {
    one.answer = () => AWAY;
    one.fault = AWAY.reply;
  }
  await sendMany(before.posthorn, 3);
  await leaveInHand(before.posthorn, way);
  await before.posthorn[Symbol.asyncDispose]();
  clock.advance(2 * MINUTE_MS);
  return started({ dataDir: directory, clock });
};

test("a repeat after a crash goes by the way that had the mail, though another one comes first (slow)", async () => {
  const { posthorn, first, second } = await restarted(
    freshDirectory().path,
    new TestClock(),
    "backup: smtp.backup.example",
  );
  await using _ = posthorn;
  await posthorn.settle();
  expect([first.sent.length, second.sent.length]).toEqual([0, 3]);
});

test("if that way cannot be used, another one takes them (slow)", async () => {
  const directory = freshDirectory().path;
  const { posthorn, first, second } = await restarted(directory, new TestClock(), "backup: smtp.backup.example");
  await using _ = posthorn;
  second.answer = () => AWAY;
  second.fault = AWAY.reply;
  await posthorn.settle();
  posthorn.clock.advance(MINUTE_MS);
  await posthorn.settle();
  expect(first.sent).toHaveLength(3);
});

test("after a crash mails go one by one by each way, and a way that hangs keeps no other from sending", async () => {
  const clock = new TestClock();
  const log = createLog({ level: "error", format: "text", clock, write: () => undefined });
  const wayNamed = (name: string) =>
    new OpenWay({
      ...{ name, log, clock, transport: "smtp", relay: null, concurrency: 2, pace: null, hop: 1, sentAlong: null },
      ...{ rewrittenFields: [], isOneOfSeveral: true, isStrict: false, memory: memoryOf(1_000_000) },
      carriers: carriersHere(new RecordingTransport()),
    });
  const [first, second] = [wayNamed("default"), wayNamed("backup")];
  const afterCrash = new AfterCrash(true);
  const most = () => [first, second].map((way) => afterCrash.mostOf(way, [first, second], clock.monotonicMs()));
  expect(most()).toEqual([1, 1]);
  const hangs = Promise.withResolvers<CarrierResult>();
  const hung = afterCrash.during(first, async () => void (await first.use("example.com", () => hangs.promise)));
  expect(most()).toEqual([0, 1]);
  clock.advance(16_000);
  expect(most()).toEqual([Infinity, Infinity]);
  hangs.resolve({ outcome: ACCEPTED, subject: "" });
  await hung;
});
