// The one place where things are built, in the order in which they stand on each other, and stopped in reverse.
import { lookup } from "node:dns/promises";
import { mkdirSync, readFileSync } from "node:fs";
import { createApp } from "./app.ts";
import { background, CONSUMERS } from "./background.ts";
import { steadyMs, systemClock, type Clock } from "./clock.ts";
import { ownAddress, type Config } from "./config.ts";
import { abandonAllStaging } from "./contacts/jobs/queries.ts";
import { SignUpLimits } from "./contacts/sign-up-limits.ts";
import { carriersHere, carriersInThread, type Carriers } from "./delivery/carriers.ts";
import { identitiesFor } from "./delivery/identities.ts";
import { SendLoop } from "./delivery/send-loop.ts";
import type { Transport } from "./delivery/transport.ts";
import type { TransportOptions } from "./delivery/transports.ts";
import { CachingResolver } from "./dns/cache.ts";
import { systemResolver, type Resolver } from "./dns.ts";
import { eraseContact } from "./emails/erasure.ts";
import { endLeases } from "./emails/queries.ts";
import { Dispatcher } from "./events/dispatch.ts";
import { fetchTextWithin, type FetchText } from "./inbound/fetch-text.ts";
import { Inbound } from "./inbound/inbound.ts";
import { endMessageLeases } from "./inbound/message-queries.ts";
import { SesNotices } from "./inbound/ses-notices.ts";
import { ClientAddresses } from "./http/client-address.ts";
import { RequestLimit } from "./http/request-limit.ts";
import { createLog, type Log } from "./log.ts";
import { loadSecrets } from "./secrets.ts";
import { contactsOf } from "./segments/members.ts";
import { openStoreToServe } from "./store/open.ts";
import type { Store } from "./store/store.ts";
import { WebhookLoop } from "./workflows/webhook-loop.ts";
import { endCallLeases } from "./workflows/webhook-queries.ts";
import type { LookUp } from "./workflows/webhook-target.ts";
import { Submission } from "./smtp/submission.ts";
import { surroundingsOf } from "./workspaces/dns-records.ts";
import { giveWebhookSecrets } from "./workspaces/webhook-secret.ts";

/** What tests swap; everything else is the real thing. */
export type Overrides = {
  readonly clock?: Clock;
  readonly transport?: Transport;
  readonly resolver?: Resolver;
  /** The addresses of hosts that webhooks go to. */
  readonly lookUp?: LookUp;
  /** How certificates of Amazon SNS are fetched and subscriptions to it confirmed. */
  readonly fetchText?: FetchText;
  readonly log?: Log;
  /** How long a process may keep a mail in hand without renewing its claim. */
  readonly leaseMs?: number;
  /** Loops run only when `settle()` is called. */
  readonly background?: "manual";
};

export type Server = AsyncDisposable & {
  readonly url: string;
  readonly store: Store;
  /** Where mail is taken by SMTP, in words. */
  readonly smtpPorts: readonly string[];
  /** Runs every loop until nothing is due. */
  settle(): Promise<void>;
};

/** Longest time for what is in hand to be finished at the end: after 10 s containers are killed. */
const PARTING_MS = 9_000;
/** A process that does not renew its leases for so long is gone. */
const LEASE_MS = 90_000;
const REWRITTEN_BY_SES = ["message-id", "date"];
/** No page of Bun's own with our source on it; no second process on the same port; bodies are measured by http/body.ts. */
const LISTENING = { development: false, reusePort: false, maxRequestBodySize: Number.MAX_SAFE_INTEGER };
/** A caller waits for it: one silent name server leaves time for the next. */
const LOOKUP = { timeoutMs: 1_500, longestMs: 3_000 };
const SNS_ANSWER = { timeoutMs: 5_000, bytes: 64 * 1024 };
/** How far ahead of its moment a mail is claimed. */
const HORIZON_MS = 250;

/** Starts Posthorn. @throws if the data directory is in use, or the store cannot be opened or is newer than this Posthorn */
export async function startServer(config: Config, overrides: Overrides = {}): Promise<Server> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLog({ ...config.log, clock, write: (line) => console.log(line) });
  const manual = overrides.background === "manual";
  mkdirSync(config.data.dir, { recursive: true, mode: 0o700 });
  const store = await openStoreToServe(config, { clock, log, failSlowWrites: manual });
  const secrets = loadSecrets(config.secrets.key, config.data.dir);
  const carriers = overrides.transport ? carriersHere(overrides.transport) : carriersInThread(transportOptions(config));
  const mail = {
    secrets,
    baseUrl: config.http.baseUrl,
    returnPathDomain: config.delivery.returnPathDomain,
    rewrittenFields: config.delivery.transport === "ses" ? REWRITTEN_BY_SES : [],
  };
  const sendLoop = new SendLoop({
    ...mail,
    store,
    clock,
    log,
    carriers,
    concurrency: config.delivery.concurrency,
    pace: paceOf(config, manual ? 0 : HORIZON_MS),
    steadyNowMs: steadyMs(clock),
    byStoreClock: !manual,
    leaseMs: overrides.leaseMs ?? LEASE_MS,
    retry: { scheduleSeconds: config.delivery.retryScheduleSeconds, chance: Math.random },
  });
  const webhookLoop = new WebhookLoop({
    store,
    clock,
    log,
    secrets,
    allow: config.webhooks.allow,
    timeoutMs: config.webhooks.timeoutSeconds * 1000,
    leaseMs: overrides.leaseMs ?? LEASE_MS,
    lookUp: overrides.lookUp ?? machineLookUp,
  });
  if (store.exclusive)
    await store.write((tx) =>
      Promise.all([endLeases(tx), endCallLeases(tx), endMessageLeases(tx), abandonAllStaging(tx)]),
    );
  await store.write((tx) => giveWebhookSecrets(tx, secrets));
  const dispatcher = new Dispatcher({ store, clock, log, consumers: CONSUMERS });
  const catchUp = (workspace: number) => dispatcher.catchUp(workspace);
  const above = { segmentCondition: contactsOf(clock), erase: eraseContact, catchUp };
  const names = overrides.resolver ?? systemResolver(config.dns.servers, LOOKUP);
  const domains = {
    store,
    log,
    secrets,
    resolver: names,
    around: surroundingsOf(config),
    graceMs: config.delivery.domainGraceSeconds * 1000,
    identities: identitiesFor(config),
  };
  const { bodyBytes, importBytes, requestsPerMinute } = config.limits;
  const gate = { store, clock, bodyBytes, requestLimit: new RequestLimit(requestsPerMinute) };
  const resolver = new CachingResolver(names, clock);
  const fetchText = overrides.fetchText ?? fetchTextWithin(SNS_ANSWER);
  const sesNotices = new SesNotices({ store, clock, log, topics: config.ses.topics, fetchText });
  const leaseMs = overrides.leaseMs ?? LEASE_MS;
  const inbound = await Inbound.open(config, { store, clock, log, resolver, returnPath: mail, leaseMs });
  const clients = new ClientAddresses(config.http.trustedProxies);
  const signUps = new SignUpLimits({ clock, clients, perMinute: config.limits.signUpsPerMinute });
  const app = createApp({
    sesNotices,
    healthLimits: config.limits,
    gate,
    log,
    carriers,
    readers: inbound.readers,
    mail,
    resolver,
    domains,
    signUps,
    catchUp,
    importBytes,
    above,
  });
  const submission = await Submission.open(config, gate, log);
  const loops = background({
    healthLimits: config.limits,
    executionDays: config.limits.executionDays,
    store,
    clock,
    log,
    sendLoop,
    webhookLoop,
    dispatcher,
    domains,
    above,
    submission,
    inbound,
  });
  const listener = app.listen({ ...LISTENING, hostname: config.http.host, port: config.http.port }).server;
  if (!manual) loops.start();
  return {
    url: ownAddress({ host: config.http.host, port: listener?.port ?? config.http.port }),
    store,
    smtpPorts: [...submission.ports, ...inbound.reception.ports],
    settle: () => loops.settle(),
    [Symbol.asyncDispose]: async () => {
      const looped = loops.stop().then(() => domains.identities?.close());
      await stopWork([listener?.stop(), inbound.reception.stop(), submission.stop(), looped], carriers, log);
      inbound.close();
      await listener?.stop(true);
      await store.close();
    },
  };
}

/** As every program on the machine finds hosts, so that names of containers and of /etc/hosts are known. */
async function machineLookUp(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** `ending`: what ends when its work in hand is done. A caller who sends a request for ever must not hold up the end. */
async function stopWork(ending: readonly (Promise<void> | undefined)[], carriers: Carriers, log: Log): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  // Keeps the process alive as well: what the carrying thread has in hand does not.
  const deadline = setTimeout(resolve, PARTING_MS, "late");
  const done = await Promise.race([Promise.all(ending).then(() => carriers.close()), late]);
  clearTimeout(deadline);
  if (done === "late") log.warn("some work was still in hand; mails go on at the next start");
}

function paceOf({ delivery }: Config, horizonMs: number) {
  return delivery.ratePerSecond === 0
    ? null
    : { intervalMs: 1000 / delivery.ratePerSecond, burst: delivery.burst, horizonMs };
}

function transportOptions({ delivery, relay, ses, http }: Config): TransportOptions {
  const { concurrency, ratePerSecond, burst } = delivery;
  // So many gaps in a second that even with half a gap of jitter no more than rate and burst together get through.
  const gapMs = ratePerSecond === 0 ? 0 : 1000 / (ratePerSecond + burst - 0.5);
  const common = { concurrency, gapMs, timeoutMs: relay.timeoutSeconds * 1000 };
  if (delivery.transport === "ses") return { kind: "ses", ses: { ...ses, ...common, region: ses.region ?? "" } };
  if (delivery.transport === "capture") return { kind: "capture" };
  const ca = relay.caFile === null ? null : readFileSync(relay.caFile, "utf8");
  const heloName = new URL(http.baseUrl).hostname;
  return { kind: "smtp", relay: { ...relay, ...common, host: relay.host ?? "", ca, heloName } };
}
