// The context of verbs that work beside a running server: its store, the installation's key, the named workspace.
import { mkdirSync } from "node:fs";
import { systemClock } from "../../base/clock.ts";
import { configOrigin, type Config } from "../../base/config.ts";
import { withKept, type KeptConfig } from "../../base/config/kept.ts";
import { createLog, type Log } from "../../base/log.ts";
import { SenderChecks } from "../../sending/open-ways/sender-checks.ts";
import { isThere } from "../../base/private-files.ts";
import type { Secrets } from "../../base/secrets.ts";
import { openSecrets } from "../../store/installation.ts";
import { databaseFile, openStore } from "../../store/open.ts";
import type { StoreOpenMode } from "../../store/schema.ts";
import type { Reader, Store } from "../../store/store.ts";
import { usesTokens, WayTokens } from "../../ground/way-tokens/way-tokens.ts";
import { configuredWays, listedWays, type WayList } from "../../ground/ways/list.ts";
import { keptSettings } from "../../ground/settings/queries.ts";
import { keptValues } from "../../ground/settings/stored.ts";
import { findWorkspace } from "../../tenant/workspaces/workspace.ts";
import type { VerbCall, Option } from "./verb.ts";

/** `config`: with what owners have set in the interface, as the server has it. */
export type CliGround = {
  readonly store: Store;
  readonly config: Config;
  readonly kept: KeptConfig;
  readonly log: Log;
};

export const WORKSPACE_OPTION: Option = { value: "ID|NAME", help: "The workspace" };
export const WORKSPACE_NEEDED: Option = { ...WORKSPACE_OPTION, needed: true };

/** Opens the store for `work` and closes it after. @throws Error without a store: a mistyped path creates none */
export async function inStore<Result>(call: VerbCall, work: (place: CliGround) => Promise<Result>): Promise<Result> {
  refuseMissing(call.config());
  return withStore(call, "use", work);
}

/** As `inStore`, but creates a missing store. */
export async function inNewStore<Result>(call: VerbCall, work: (place: CliGround) => Promise<Result>): Promise<Result> {
  const { database, data } = call.config();
  if (database.url === null) mkdirSync(data.dir, { recursive: true, mode: 0o700 });
  return withStore(call, "make", work);
}

/** There is no store yet. */
export function isMissing(config: Config): boolean {
  const file = databaseFile(config);
  return file !== null && !isThere(file);
}

/** @throws Error if the database is a file that does not exist */
export function refuseMissing(config: Config): void {
  if (!isMissing(config)) return;
  throw new Error(
    `There is no database ${databaseFile(config)}. Begin with: posthorn serve, or name its directory with --data DIR.`,
  );
}

export function logOf(call: VerbCall): Log {
  return createLog({ ...call.config().log, clock: systemClock, write: (line) => call.io.err(line) });
}

/** @throws Error if the key is missing or is not the store's: the server could not read what another key encrypts */
export function secretsOf({ store, config, log }: Omit<CliGround, "kept">): Promise<Secrets> {
  return openSecrets(store, config, log);
}

/** All ways out; before the first start, those of the configuration. */
export function waysOf(call: VerbCall): Promise<WayList> {
  const config = call.config();
  return isMissing(config) ? Promise.resolve(configuredWays(config)) : inStore(call, waysIn);
}

/** All ways out, with those that owners have added. @throws Error as secretsOf */
export async function waysIn(place: CliGround): Promise<WayList> {
  const known = { config: place.config, secrets: await secretsOf(place) };
  return place.store.read((reader) => listedWays(reader, known));
}

/** The access tokens of ways out, as the server keeps them. @throws Error as secretsOf */
export async function tokensIn(place: CliGround): Promise<WayTokens> {
  const { store, log } = place;
  return new WayTokens({ store, log, clock: store.clock, secrets: await secretsOf(place) });
}

/**
 * The ways out, to query them about sender domains. @throws Error as secretsOf, if one of them has secrets in the store
 */
export async function waysAsked(place: CliGround): Promise<SenderChecks> {
  const { store, config } = place;
  const open = await store.read((reader) => listedWays(reader, { config, secrets: null }));
  if (!open.some((way) => way.source === "INSTALLATION" || usesTokens(way)))
    return new SenderChecks({ config, ways: () => open });
  const ways = await waysIn(place);
  return new SenderChecks({ config, ways: () => ways, tokens: await tokensIn(place) });
}

/** The workspace that `--workspace` names, null without it. @throws AppError WORKSPACE_NOT_FOUND */
export async function workspaceOf(call: VerbCall, reader: Reader): Promise<number | null> {
  const named = call.text("workspace");
  return named === undefined ? null : (await findWorkspace(reader, named)).seq;
}

/** The configuration with what owners have set; that of the file where the store cannot be read. */
export async function configBeside(call: VerbCall): Promise<KeptConfig> {
  const nothing: KeptConfig = { config: call.config(), used: new Set(), leftOut: new Set(), problems: [] };
  return isMissing(nothing.config) ? nothing : inStore(call, async ({ kept }) => kept).catch(() => nothing);
}

/** Without the key, the secrets among it are left out. */
async function keptIn(call: VerbCall, store: Store, log: Log): Promise<KeptConfig> {
  const given = { config: call.config(), origins: configOrigin(call.configOptions).origins };
  const rows = await store.read(keptSettings);
  const secrets = rows.length === 0 ? null : await openSecrets(store, given.config, log).catch(() => null);
  return withKept(given, keptValues(secrets, rows));
}

type StoreWork<Result> = (place: CliGround) => Promise<Result>;

async function withStore<Result>(
  call: VerbCall,
  opening: Exclude<StoreOpenMode, "migrate">,
  work: StoreWork<Result>,
): Promise<Result> {
  const config = call.config();
  const log = logOf(call);
  const { store } = await openStore(config, { clock: systemClock, log, opening });
  try {
    const kept = await keptIn(call, store, log);
    return await work({ store, config: kept.config, kept, log });
  } finally {
    await store.close();
  }
}
