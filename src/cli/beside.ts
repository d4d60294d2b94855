// The store for verbs that work beside a running server.
import { existsSync, mkdirSync } from "node:fs";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { createLog } from "../log.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import type { Call } from "./verb.ts";

export type Place = { readonly store: Store; readonly config: Config };

/** Opens the store for `work` and closes it after. @throws if there is no data directory: a mistyped path makes nothing */
export async function inStore<Result>(call: Call, work: (place: Place) => Promise<Result>): Promise<Result> {
  const { data, database } = call.config();
  if (database.url !== null || existsSync(data.dir)) return inNewStore(call, work);
  throw new Error(`There is no data directory ${data.dir}. Begin with: posthorn serve, or name the directory with --data DIR.`);
}

/** Like `inStore`, and makes what is missing. */
export async function inNewStore<Result>(call: Call, work: (place: Place) => Promise<Result>): Promise<Result> {
  const config = call.config();
  mkdirSync(config.data.dir, { recursive: true });
  const log = createLog({ ...config.log, clock: systemClock, write: (line) => call.io.err(line) });
  const store = openStore(config, { clock: systemClock, log });
  try {
    return await work({ store, config });
  } finally {
    await store.close();
  }
}
