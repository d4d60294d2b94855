// The store for verbs that work beside a running server.
import { existsSync, mkdirSync } from "node:fs";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { createLog, type Log } from "../log.ts";
import type { Secrets } from "../secrets.ts";
import { databaseFile, openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { openSecrets } from "../workspaces/installation.ts";
import type { Call } from "./verb.ts";

export type Place = { readonly store: Store; readonly config: Config; readonly log: Log };

/** Opens the store for `work` and closes it after. @throws Error if there is none: a mistyped path makes nothing */
export async function inStore<Result>(call: Call, work: (place: Place) => Promise<Result>): Promise<Result> {
  refuseMissing(call.config());
  return opened(call, "use", work);
}

/** Like `inStore`, and makes what is missing. */
export async function inNewStore<Result>(call: Call, work: (place: Place) => Promise<Result>): Promise<Result> {
  const { database, data } = call.config();
  if (database.url === null) mkdirSync(data.dir, { recursive: true, mode: 0o700 });
  return opened(call, "make", work);
}

/** @throws Error if the database is a file that does not exist */
export function refuseMissing(config: Config): void {
  const file = databaseFile(config);
  if (file === null || existsSync(file)) return;
  throw new Error(`There is no database ${file}. Begin with: posthorn serve, or name its directory with --data DIR.`);
}

export function logOf(call: Call): Log {
  return createLog({ ...call.config().log, clock: systemClock, write: (line) => call.io.err(line) });
}

async function opened<Result>(
  call: Call,
  opening: "make" | "use",
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const config = call.config();
  const log = logOf(call);
  const { store } = await openStore(config, { clock: systemClock, log, byDatabaseClock: true, opening });
  try {
    return await work({ store, config, log });
  } finally {
    await store.close();
  }
}

/** @throws Error if the key is missing or is not the store's: what another encrypts, the server could not read */
export function secretsOf({ store, config, log }: Place): Promise<Secrets> {
  return openSecrets(store, config, log);
}
