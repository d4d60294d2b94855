// The schema that a store is at, and how a store with another schema is treated.
//
// Only the server and the verb `migrate` change the schema. On PostgreSQL servers of the version before go on working,
// so each step is a transaction that locks its tables (lock-order.ts), gives up soon if it cannot, and locks the
// missing one first the next time. A migration therefore adds tables, indexes, and columns with a default; parts that
// are no longer used are dropped a version later. The first migration is that of 0.1.0: a store of a preview, which was made
// by another one, is refused by its fingerprint.
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Metrics } from "../base/metrics/metrics.ts";
import type { Store } from "./store.ts";

/** The number of the last migration: `before` the store was opened (0 = there was none), and since. */
export type Schema = { readonly before: number; readonly now: number };

/** "34 → 37". */
export function schemaChange({ before, now }: Schema): string {
  return `${before} → ${now}`;
}

/** `engine`: its name and version. */
export type OpenStore = { readonly store: Store; readonly engine: string; readonly schema: Schema };

export type StoreOptions = {
  readonly clock: Clock;
  readonly log: Log;
  /** The metrics of the store; verbs of the command line have no page to show them on. */
  readonly metrics?: Metrics;
};

/**
 * The changes that opening a store may make: `migrate` migrates an older one and makes a new one, `make` only makes a
 * new one, `use` changes nothing.
 */
export type StoreOpenMode = "migrate" | "make" | "use";

export class NewerStoreError extends Error {
  override readonly name = "NewerStoreError";
}

export class ForeignStoreError extends Error {
  override readonly name = "ForeignStoreError";
}

/**
 * `first`: the migration with which the store was made; `servedBy`: the executable that served from it last, null =
 * unknown. @throws ForeignStoreError unless it is this executable's, with `fingerprint`
 */
export function refuseForeign(
  first: { readonly fingerprint?: string } | undefined,
  fingerprint: string,
  servedBy: string | null,
): void {
  if (first === undefined || first.fingerprint === fingerprint) return;
  throw new ForeignStoreError(
    `The store was created by a preview of Posthorn, from before 0.1.0, and its schema is different. Use the executable that created it, or start with a new data directory (on PostgreSQL, an empty database).${lastServed(servedBy)}`,
  );
}

/** @throws NewerStoreError if `version` is beyond the newest that this executable knows */
export function refuseNewer(version: number, newest: number, servedBy: string | null): void {
  if (version <= newest) return;
  throw new NewerStoreError(
    `The store is at schema ${version}, this executable knows only ${newest}: a newer Posthorn has used it. Start that one, or restore a backup.${lastServed(servedBy)}`,
  );
}

function lastServed(servedBy: string | null): string {
  return servedBy === null ? "" : ` The store was last served by Posthorn ${servedBy}.`;
}

/**
 * An older server may be at work on an older store, so only commands that are meant to change its schema do.
 * @throws Error if a store of `version` may not be opened in this way
 */
export function refuseUnfit(version: number, newest: number, opening: StoreOpenMode): void {
  if (opening === "migrate" || version === newest || (version === 0 && opening === "make")) return;
  if (version === 0) throw new Error("There is no store in the database yet. Begin with: posthorn serve.");
  throw new Error(
    `The store is at schema ${version}, this executable needs ${newest}. Start the new server, which migrates it, or run: posthorn migrate.`,
  );
}
