// The store for verbs that work beside a running server.
import { existsSync, mkdirSync } from "node:fs";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { createLog, type Log } from "../log.ts";
import type { Secrets } from "../secrets.ts";
import { databaseFile, openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { openSecrets } from "../workspaces/installation.ts";
import { inPlace } from "./faults.ts";
import type { Call } from "./verb.ts";

export type Place = { readonly store: Store; readonly config: Config; readonly log: Log };

/** Opens the store for `work` and closes it after. @throws Error if there is none: a mistyped path makes nothing */
export async function inStore<Result>(call: Call, work: (place: Place) => Promise<Result>): Promise<Result> {
  const file = databaseFile(call.config());
  if (file === null || existsSync(file)) return inNewStore(call, work);
  throw new Error(`There is no database ${file}. Begin with: posthorn serve, or name its directory with --data DIR.`);
}

/** Like `inStore`, and makes what is missing. */
export async function inNewStore<Result>(call: Call, work: (place: Place) => Promise<Result>): Promise<Result> {
  const config = call.config();
  if (config.database.url === null) mkdirSync(config.data.dir, { recursive: true, mode: 0o700 });
  const log = createLog({ ...config.log, clock: systemClock, write: (line) => call.io.err(line) });
  const store = await opened(config, log);
  try {
    return await work({ store, config, log });
  } finally {
    await store.close();
  }
}

async function opened(config: Config, log: Log): Promise<Store> {
  try {
    return await openStore(config, { clock: systemClock, log, byDatabaseClock: true });
  } catch (error) {
    throw inPlace(error, config);
  }
}

/** @throws Error if the key is missing or is not the store's: what another encrypts, the server could not read */
export function secretsOf({ store, config, log }: Place): Promise<Secrets> {
  return openSecrets(store, config, log);
}
