// The parts of a server, built in the order in which they need each other: what routes and loops work with.
import { mkdirSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { version } from "../package.json";
import { HOUR_MS, iso, steadyMs, systemClock, type Clock } from "./clock.ts";
import { cautionsOf, type Config } from "./config.ts";
import { abandonAllStaging } from "./contacts/jobs/queries.ts";
import { SignUpLimits } from "./contacts/sign-up-limits.ts";
import { carriersHere, carriersInThread } from "./delivery/carriers.ts";
import { identitiesFor } from "./delivery/identities.ts";
import { SendLoop } from "./delivery/send-loop.ts";
import { handoverOptions, paceOf, transportOptions } from "./delivery/sending-options.ts";
import type { Transport } from "./delivery/transport.ts";
import { CachingResolver } from "./dns/cache.ts";
import { boundedResolver } from "./dns/bounded.ts";
import { systemResolver, type Resolver } from "./dns.ts";
import { Renderer } from "./emails/rendering/renderer.ts";
import { eraseContact } from "./emails/erasure.ts";
import { endLeases } from "./emails/queries.ts";
import { Dispatcher, type Consumer } from "./events/dispatch.ts";
import { memoryForBodies } from "./http/body.ts";
import { ClientAddresses } from "./http/client-address.ts";
import { RequestLimit } from "./http/request-limit.ts";
import { fetchTextWithin, type FetchText } from "./inbound/fetch-text.ts";
import { Inbound } from "./inbound/inbound.ts";
import { endMessageLeases } from "./inbound/message-queries.ts";
import { inboundPort } from "./inbound/port.ts";
import { SesNotices } from "./inbound/ses/notices.ts";
import { createLog, type Log } from "./log.ts";
import { faultOfDirectory } from "./private-files.ts";
import { segmentMembership } from "./segments/membership.ts";
import { contactsOf } from "./segments/members.ts";
import { Ports } from "./smtp-listener/ports.ts";
import { submissionPorts } from "./smtp/submission.ts";
import { openStoreToServe, privateDirectories } from "./store/open.ts";
import { inWords } from "./store/schema.ts";
import type { Store } from "./store/store.ts";
import { workflowConsumer } from "./workflows/consumer.ts";
import { WebhookLoop } from "./workflows/webhook/loop.ts";
import { endCallLeases } from "./workflows/webhook/queries.ts";
import { machineLookUp, type LookUp } from "./workflows/webhook/target.ts";
import { Callers } from "./workspaces/callers.ts";
import { PublicRequests } from "./workspaces/public-requests.ts";
import { recordSettings } from "./workspaces/domains/dns-records.ts";
import { openSecrets } from "./workspaces/installation.ts";
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

/** A process that has not renewed its leases for so long is gone. */
const LEASE_MS = 90_000;
/** A caller waits for the answer: one silent name server leaves time for the next. */
const LOOKUP_LIMITS = { timeoutMs: 1_500, longestMs: 3_000 };
/** At once, for checks of sender domains; each has a socket open. */
const MAX_DOMAIN_LOOKUPS = 100;
const SNS_LIMITS = { timeoutMs: 5_000, bytes: 64 * 1024 };
/** How far ahead of the moment at which it may leave a mail is claimed. */
const HORIZON_MS = 250;
/** Who acts on events and changes, in this order. */
const CONSUMERS: readonly Consumer[] = [segmentMembership, workflowConsumer];

export type Parts = Awaited<ReturnType<typeof openParts>>;

/**
 * @throws if the data directory is in use, the store cannot be opened, is newer than this Posthorn or belongs to another key, or an
 * SMTP port cannot be listened on
 */
export async function openParts(config: Config, overrides: Overrides) {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLog({ ...config.log, clock, write: (line) => console.log(line) });
  const manual = overrides.background === "manual";
  mkdirSync(config.data.dir, { recursive: true, mode: 0o700 });
  for (const warning of warningsOf(config)) log.warn(warning);
  const opened = await openStoreToServe(config, { clock, log, failSlowWrites: manual, byDatabaseClock: !manual });
  const { store, engine, schema } = opened;
  const migrated = schema.before > 0 && schema.before < schema.now ? { migrated: inWords(schema) } : {};
  log.info("Posthorn starts", { version, engine, schema: schema.now, ...migrated });
  try {
    return await assemble(config, overrides, { clock: store.clock, log, store });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What an operator should change, though Posthorn runs without: about settings, and about the modes of directories. */
export function warningsOf(config: Config): readonly string[] {
  return [...cautionsOf(config), ...privateDirectories(config).flatMap((path) => faultOfDirectory(path) ?? [])];
}

type Basis = { readonly clock: Clock; readonly log: Log; readonly store: Store };

async function assemble(config: Config, overrides: Overrides, { clock, log, store }: Basis) {
  const manual = overrides.background === "manual";
  const secrets = await openSecrets(store, config, log);
  await store.write((tx) => giveWebhookSecrets(tx, secrets));
  const leftOver = store.exclusive ? await takeOver(store) : 0;

  const { bodyBytes, importBytes, requestsPerMinute, signUpsPerMinute, executionDays } = config.limits;
  const leaseMs = overrides.leaseMs ?? LEASE_MS;
  const clients = new ClientAddresses(config.http.trustedProxies, log);
  const access = {
    store,
    clock,
    bodyBytes,
    bodyMemory: memoryForBodies(bodyBytes),
    callers: new Callers(store),
    requestLimit: new RequestLimit(requestsPerMinute),
    publicRequests: new PublicRequests({ clock, clients, signUpsPerMinute, requestsPerMinute }),
  };
  const dispatcher = new Dispatcher({ store, clock, log, consumers: CONSUMERS });
  const catchUp = (workspace: number) => dispatcher.catchUp(workspace);
  const names = overrides.resolver ?? systemResolver(config.dns.servers, LOOKUP_LIMITS);
  const resolver = new CachingResolver(names, clock);

  const mail = handoverOptions(config, secrets);
  const carriers = overrides.transport ? carriersHere(overrides.transport) : carriersInThread(transportOptions(config));
  const sendLoop = new SendLoop({
    ...mail,
    store,
    clock,
    log,
    carriers,
    concurrency: config.delivery.concurrency,
    inHandBytes: config.delivery.inHandBytes,
    followsCrash: leftOver > 0,
    pace: paceOf(config, manual ? 0 : HORIZON_MS),
    steadyNowMs: steadyMs(clock),
    byStoreClock: !manual,
    leaseMs,
    retry: { scheduleSeconds: config.delivery.retryScheduleSeconds, chance: Math.random },
  });
  const renderer = new Renderer(clock);
  const webhookLoop = new WebhookLoop({
    renderer,
    store,
    clock,
    log,
    secrets,
    allow: config.webhooks.allow,
    timeoutMs: config.webhooks.timeoutSeconds * 1000,
    leaseMs,
    lookUp: overrides.lookUp ?? machineLookUp,
    interfaces: networkInterfaces,
  });
  const domains = {
    store,
    clock,
    log,
    secrets,
    resolver: boundedResolver(names, MAX_DOMAIN_LOOKUPS),
    settings: recordSettings(config),
    graceMs: config.delivery.domainGraceSeconds * 1000,
    identities: identitiesFor(config),
    looks: new Map(),
  };
  const fetchText = overrides.fetchText ?? fetchTextWithin(SNS_LIMITS);
  // With a memory and places of its own: no request keeps a mail from outside waiting.
  const askedByMail = new CachingResolver(names, clock);
  const inbound = Inbound.open(config, { store, clock, log, resolver: askedByMail, returnPath: mail, leaseMs });
  const smtpPorts = [...submissionPorts(config, access), inboundPort(config, { store, clock, returnPath: mail })];
  return {
    store,
    clock,
    log,
    access,
    mail,
    carriers,
    renderer,
    resolver,
    domains,
    dispatcher,
    catchUp,
    sendLoop,
    webhookLoop,
    inbound,
    importBytes,
    executionDays,
    webhookAllow: config.webhooks.allow,
    healthLimits: config.limits,
    files: inbound.files,
    ports: await Ports.open(config, smtpPorts, { clock, log }),
    sesNotices: new SesNotices({ store, clock, log, topics: config.ses.topics, fetchText }),
    signUps: new SignUpLimits({ clock, clients, perMinute: signUpsPerMinute }),
    /** What work on contacts takes from rooms above theirs. */
    above: { segmentCondition: contactsOf(clock), erase: eraseContact, catchUp },
  };
}

/** No other process can be at work on this store: what is leased or half done was left by one that is gone. Answers how many mails it had in hand. */
async function takeOver(store: Store): Promise<number> {
  return store.write(async (tx) => {
    const mails = await endLeases(tx, iso(tx.nowMs - HOUR_MS));
    await endCallLeases(tx);
    await endMessageLeases(tx);
    await abandonAllStaging(tx);
    return mails;
  });
}
