// Posthorn's way out without its signatures, which the product has no setting for: store, send loop, carrying thread, no HTTP.
import { background, type Background } from "../src/background.ts";
import { steadyMs, systemClock } from "../src/clock.ts";
import { loadConfig } from "../src/config.ts";
import { carriersInThread, type Carriers } from "../src/delivery/carriers.ts";
import { SendLoop } from "../src/delivery/send-loop.ts";
import { systemResolver } from "../src/dns.ts";
import { Renderer } from "../src/emails/rendering/renderer.ts";
import { Dispatcher } from "../src/events/dispatch.ts";
import { Inbound } from "../src/inbound/inbound.ts";
import { createLog } from "../src/log.ts";
import { openStoreToServe } from "../src/store/open.ts";
import type { Store } from "../src/store/store.ts";
import { answerTasks } from "./child.ts";
import { WebhookLoop } from "../src/workflows/webhook/loop.ts";
import { openSecrets } from "../src/workspaces/installation.ts";

export type UnsignedDrainTask =
  | { readonly kind: "start"; readonly dir: string; readonly port: number; readonly concurrency: number }
  | { readonly kind: "stop" };

type Running = { readonly store: Store; readonly carriers: Carriers; readonly loops: Background };

let running: Running | null = null;

async function start(dir: string, port: number, concurrency: number): Promise<void> {
  const clock = systemClock;
  const log = createLog({ level: "warn", format: "text", clock, write: (line) => console.error(line) });
  const config = loadConfig({ env: { POSTHORN_SMTP_INBOUND_PORT: "0" }, dataDir: dir });
  const { store } = await openStoreToServe(config, { clock, log });
  const carriers = withoutSignature(carriersInThread({ kind: "smtp", relay: relayAt(port, concurrency) }));
  const mail = {
    secrets: await openSecrets(store, config, log),
    baseUrl: "https://mail.example.com",
    returnPathDomain: null,
    rewrittenFields: [],
  };
  const retry = { scheduleSeconds: [60], chance: Math.random };
  const sendLoop = new SendLoop({
    ...mail,
    store,
    clock,
    log,
    carriers,
    concurrency,
    inHandBytes: config.delivery.inHandBytes,
    followsCrash: false,
    retry,
    pace: null,
    steadyNowMs: steadyMs(clock),
    byStoreClock: false,
    leaseMs: 600_000,
  });
  const none = () => Promise.reject(new Error("There are no bulk jobs here."));
  const above = { segmentCondition: none, erase: none, catchUp: none };
  const dispatcher = new Dispatcher({ store, clock, log, consumers: [] });
  const lookUp = async () => [];
  const webhookLoop = new WebhookLoop({
    renderer: new Renderer(clock),
    store,
    clock,
    log,
    secrets: mail.secrets,
    allow: [],
    timeoutMs: 1_000,
    leaseMs: 1_000,
    lookUp,
    interfaces: () => ({}),
  });
  const healthLimits = { bounceRateWarning: 0, complaintRateWarning: 0, bounceRateStop: 0, complaintRateStop: 0 };
  const settings = { returnPathDomain: null, envelopeDomain: null, mailHost: null, takesMail: false, spfInclude: null };
  const resolver = systemResolver([]);
  const domains = {
    store,
    clock,
    log,
    secrets: mail.secrets,
    resolver,
    settings,
    graceMs: 0,
    identities: null,
    looks: new Map(),
  };
  const ports = { step: async () => 60_000 };
  const inbound = Inbound.open(config, { store, clock, log, resolver, returnPath: mail, leaseMs: 1_000 });
  const held = { dispatcher, domains, above, healthLimits, executionDays: 0, ports, inbound };
  const loops = background({ store, clock, log, sendLoop, webhookLoop, ...held });
  loops.start();
  running = { store, carriers, loops };
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
    finish: () => carriers.finish(),
    close: () => carriers.close(),
  };
}

async function stop(): Promise<void> {
  await running?.loops.stop();
  await running?.carriers.close();
  await running?.store.close();
  running = null;
}

answerTasks<UnsignedDrainTask>((task) =>
  task.kind === "stop" ? stop() : start(task.dir, task.port, task.concurrency),
);
