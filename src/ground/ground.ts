// The ground that every room is built on, and what a room offers in return.
import { mkdirSync } from "node:fs";
import type { AnyElysia } from "elysia";
import { systemClock, type Clock } from "../base/clock.ts";
import { cautionsOf, type Config } from "../base/config.ts";
import type { SettingOrigins } from "../base/config/settings.ts";
import { systemResolver, type Resolver } from "../base/dns.ts";
import { LinkBases } from "../base/link-bases.ts";
import type { LoopSpec } from "../base/jobs/loops.ts";
import { createLog, type Log } from "../base/log.ts";
import { Metrics } from "../base/metrics/metrics.ts";
import { faultOfDirectory } from "../base/private-files.ts";
import type { Secrets } from "../base/secrets.ts";
import type { SmtpPort } from "./smtp-listener/ports.ts";
import type { Recall } from "../store/clock-watch.ts";
import { noteServer, openSecrets } from "../store/installation.ts";
import { openStoreToServe, privateDirectories } from "../store/open.ts";
import { schemaChange } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { build } from "../base/version.ts";
import { Settings } from "./settings/settings.ts";
import { WayTokens } from "./way-tokens/way-tokens.ts";
import { Ways } from "./ways/list.ts";

export type Ground = {
  /** Sections and values are those of now: owners change some while the server runs. */
  readonly config: Config;
  readonly settings: Settings;
  /** The store's clock: all processes on one store share it. */
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly store: Store;
  /** The engine of the store with its version, and the number of its schema. */
  readonly engine: string;
  readonly schema: number;
  readonly secrets: Secrets;
  /** The ways out. */
  readonly ways: Ways;
  /** The access tokens of those that log in with them. */
  readonly tokens: WayTokens;
  /** Where links in mails lead. */
  readonly bases: LinkBases;
  /** Asks the name servers each time, without cache or limit. */
  readonly resolver: Resolver;
  /** A process that has not renewed its leases for this long is dead. */
  readonly leaseMs: number;
};

export type Room = {
  readonly routes?: readonly AnyElysia[];
  readonly loops?: readonly LoopSpec[];
  readonly ports?: readonly SmtpPort[];
  /** Called after the clock was set back. */
  readonly recall?: Recall;
  /** Accepts no more work; resolves when the work in hand is done. */
  readonly stop?: () => Promise<void>;
  /** Ends its threads and connections. */
  readonly close?: () => void;
};

/** Parts of the ground that tests replace; `around`: what all rooms see in place of the store. */
export type GroundSwaps = Partial<Pick<Ground, "clock" | "log" | "resolver" | "leaseMs">> & {
  readonly around?: (opened: Store) => Store;
  /** Where the settings come from. */
  readonly origins?: SettingOrigins;
};

const LEASE_MS = 90_000;
/** A caller waits for the answer: after one silent name server there is time for the next. */
const LOOKUP_LIMITS = { timeoutMs: 1_500, longestMs: 3_000 };

/**
 * @throws if the data directory is in use, or the store cannot be opened, is newer than this Posthorn or belongs to
 * another key
 */
export async function openGround(start: Config, swaps: GroundSwaps): Promise<Ground> {
  const clock = swaps.clock ?? systemClock;
  const log = swaps.log ?? createLog({ ...start.log, clock, write: (line) => console.log(line) });
  const metrics = new Metrics(start.metrics.workspaces);
  mkdirSync(start.data.dir, { recursive: true, mode: 0o700 });
  const { store: unwrapped, engine, schema } = await openStoreToServe(start, { clock, log, metrics });
  const store = swaps.around?.(unwrapped) ?? unwrapped;
  const migrated = schema.before > 0 && schema.before < schema.now ? { migrated: schemaChange(schema) } : {};
  log.info("Posthorn starts", { ...build(), engine, schema: schema.now, ...migrated });
  try {
    const secrets = await openSecrets(store, start, log);
    const { origins = new Map() } = swaps;
    const settings = await Settings.open({ config: start, origins }, { store, secrets, log });
    const { config } = settings;
    for (const warning of warningsOf(config)) log.warn(warning);
    const { version, commit } = build();
    await noteServer(store, `${version} (commit ${commit})`);
    const resolver = swaps.resolver ?? systemResolver(config.dns.servers, LOOKUP_LIMITS);
    const leaseMs = swaps.leaseMs ?? LEASE_MS;
    const ways = await Ways.open(store, { config, secrets });
    const bases = new LinkBases(() => config.http.baseUrl);
    const { clock: storeClock } = store;
    const tokens = new WayTokens({ store, secrets, log, clock: storeClock });
    return {
      ...{ config, settings, clock: storeClock, log, metrics, store, engine, schema: schema.now },
      ...{ secrets, ways, tokens, bases, resolver, leaseMs },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Advice to the operator although Posthorn runs without it: questionable settings, and directories that others may
 * read.
 */
export function warningsOf(config: Config): readonly string[] {
  return [...cautionsOf(config), ...privateDirectories(config).flatMap((path) => faultOfDirectory(path) ?? [])];
}
