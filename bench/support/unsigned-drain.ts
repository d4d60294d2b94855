// Posthorn's way out without its signatures, which the product has no setting for: store, send loop, carrying thread,
// no HTTP.
import { LinkBases } from "../../src/base/link-bases.ts";
import { loadConfig } from "../../src/base/config.ts";
import { carriersInThread, type Carriers } from "../../src/sending/carrier/carriers.ts";
import { memoryOf } from "../../src/sending/open-ways/health/connections.ts";
import { PaceKeeper } from "../../src/sending/delivery/pace/pacing.ts";
import { SendLoop } from "../../src/sending/delivery/send-loop.ts";
import { OpenWay } from "../../src/sending/open-ways/open-way.ts";
import { WayChoice } from "../../src/sending/open-ways/way-choice.ts";
import { MAIL_QUEUED } from "../../src/mail/emails/queue/queued.ts";
import { openEvents } from "../../src/tenant/events/room.ts";
import { openGround, type Ground } from "../../src/ground/ground.ts";
import { Loops } from "../../src/base/jobs/loops.ts";
import { createLog } from "../../src/base/log.ts";
import { systemClock } from "../../src/base/clock.ts";
import { answerTasks } from "./child.ts";

export type UnsignedDrainTask =
  | { readonly kind: "start"; readonly dir: string; readonly port: number; readonly concurrency: number }
  | { readonly kind: "stop" };

type Running = { readonly ground: Ground; readonly carriers: Carriers; readonly loops: Loops };

let running: Running | null = null;

async function start(dir: string, port: number, concurrency: number): Promise<void> {
  const log = createLog({
    level: "warn",
    format: "text",
    clock: systemClock,
    write: (line) => console.error(line),
  });
  const config = loadConfig({ env: { POSTHORN_SMTP_INBOUND_PORT: "0" }, dataDir: dir });
  const ground = await openGround(config, { log });
  const carriers = withoutSignature(carriersInThread({ kind: "smtp", relay: relayAt(port, concurrency) }));
  const way = new OpenWay({
    ...ground,
    name: "default",
    transport: "smtp",
    relay: null,
    carriers,
    concurrency,
    pace: null,
    hop: null,
    sentAlong: null,
    rewrittenFields: [],
    isOneOfSeveral: false,
    isStrict: false,
    memory: memoryOf(config.delivery.inHandBytes),
  });
  const sendLoop = new SendLoop({
    ...ground,
    bases: new LinkBases(() => "https://mail.example.com"),
    returnPathDomain: null,
    ways: new WayChoice([way]),
    pacing: new PaceKeeper({ ...ground, wayOfHop: () => null }),
    withAddresses: false,
    followsCrash: false,
    retry: { scheduleSeconds: [60], chance: Math.random },
    feedbackAddressFor: async () => null,
    gatherMs: 20,
  });
  const sending = {
    name: "sending",
    step: () => sendLoop.step(),
    wokenBy: MAIL_QUEUED,
    inHand: sendLoop.inHand,
  };
  const loops = new Loops(
    [
      sending,
      ...(openEvents(ground, {
        inside: [],
        endpoints: { name: "none", consume: async () => {} },
        isCrowded: () => false,
      }).loops ?? []),
    ],
    ground,
  );
  ground.store.onSignal((signal) => loops.wake(signal));
  loops.start();
  running = { ground, carriers, loops };
}

function relayAt(port: number, concurrency: number) {
  const login = { user: null, password: null };
  const address = {
    host: "127.0.0.1",
    port,
    tls: "none" as const,
    verifyCertificate: true,
    ca: null,
    heloName: "mail.example.com",
  };
  return { ...address, ...login, timeoutMs: 60_000, concurrency, gapMs: 0 };
}

function withoutSignature(carriers: Carriers): Carriers {
  return {
    send: (handover) => carriers.send({ ...handover, dkim: null }, null),
    raw: (handover) => carriers.raw(handover),
    look: () => carriers.look(),
    finish: () => carriers.finish(),
    close: () => carriers.close(),
  };
}

async function stop(): Promise<void> {
  await running?.loops.stop();
  await running?.carriers.close();
  await running?.ground.store.close();
  running = null;
}

answerTasks<UnsignedDrainTask>((task) =>
  task.kind === "stop" ? stop() : start(task.dir, task.port, task.concurrency),
);
