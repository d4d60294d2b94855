// The store for verbs that work beside a running server.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { createLog, type Log } from "../log.ts";
import { loadSecrets, type Secrets } from "../secrets.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { inPlace } from "./faults.ts";
import type { Call } from "./verb.ts";

export type Place = { readonly store: Store; readonly config: Config };

/** Opens the store for `work` and closes it after. @throws if there is no data directory: a mistyped path makes nothing */
export async function inStore<Result>(call: Call, work: (place: Place) => Promise<Result>): Promise<Result> {
  const { data, database } = call.config();
  if (database.url !== null || existsSync(data.dir)) return inNewStore(call, work);
  throw new Error(
    `There is no data directory ${data.dir}. Begin with: posthorn serve, or name the directory with --data DIR.`,
  );
}

/** Like `inStore`, and makes what is missing. */
export async function inNewStore<Result>(call: Call, work: (place: Place) => Promise<Result>): Promise<Result> {
  const config = call.config();
  if (config.database.url === null) mkdirSync(config.data.dir, { recursive: true, mode: 0o700 });
  const log = createLog({ ...config.log, clock: systemClock, write: (line) => call.io.err(line) });
  const store = await opened(config, log);
  try {
    return await work({ store, config });
  } finally {
    await store.close();
  }
}

async function opened(config: Config, log: Log): Promise<Store> {
  try {
    return await openStore(config, { clock: systemClock, log });
  } catch (error) {
    throw inPlace(error, config);
  }
}

/** @throws if the database stands elsewhere and its key is not here: what a new key encrypts, the server could not read */
export function secretsOf({ data, database, secrets }: Config): Secrets {
  const isHere = secrets.key !== null || database.url === null || existsSync(join(data.dir, "secret.key"));
  if (isHere) return loadSecrets(secrets.key, data.dir);
  throw new Error(
    `There is no secret.key in ${data.dir}. Set secrets.key, or name the server's directory with --data DIR.`,
  );
}
