// The SQL of the access tokens of ways out: kept once for all nodes, and renewed by one process at a time.
import type { Reader, Tx } from "../../store/store.ts";

export type WayTokenRow = {
  /** JSON, encrypted with the installation's key. */
  readonly secrets: string;
  /** When the access token ends; null = no token. */
  readonly endsAt: string | null;
  readonly renewAt: string;
  /** Why there is no newer one. */
  readonly problem: string | null;
};

export async function tokenRow(reader: Reader, way: string): Promise<WayTokenRow | null> {
  const row = await reader.get<WayTokenRow>`
    select secrets, ends_at as "endsAt", renew_at as "renewAt", problem from way_tokens where way = ${way}`;
  return row ?? null;
}

/** `seen`: the secrets as they were read, null = there was no row; `none`: those of a new row. */
type RenewalClaim = { readonly seen: string | null; readonly none: string; readonly until: string };

/** 0 = another process is asking for a token, or has got one since. */
export function claimRenewal(tx: Tx, way: string, { seen, none, until }: RenewalClaim): Promise<number> {
  return tx.run`
    insert into way_tokens (way, secrets, renew_at, claimed_until) values (${way}, ${none}, ${tx.now}, ${until})
    on conflict (way) do update set claimed_until = excluded.claimed_until
    where way_tokens.secrets = ${seen} and (way_tokens.claimed_until is null or way_tokens.claimed_until < ${tx.now})`;
}

/** Ends the claim. */
export function putToken(tx: Tx, way: string, { secrets, endsAt, renewAt, problem }: WayTokenRow): Promise<number> {
  return tx.run`
    update way_tokens set secrets = ${secrets}, ends_at = ${endsAt}, renew_at = ${renewAt}, problem = ${problem},
      claimed_until = null
    where way = ${way}`;
}

/** Replaces the tokens, and ends a claim of another process. */
export function adoptToken(tx: Tx, way: string, { secrets, endsAt, renewAt }: WayTokenRow): Promise<number> {
  return tx.run`
    insert into way_tokens (way, secrets, ends_at, renew_at) values (${way}, ${secrets}, ${endsAt}, ${renewAt})
    on conflict (way) do update set secrets = excluded.secrets, ends_at = excluded.ends_at, renew_at = excluded.renew_at,
      problem = null, claimed_until = null`;
}

/** A person waits for it: a refused token is requested again. */
export function askAgain(tx: Tx, way: string): Promise<number> {
  return tx.run`update way_tokens set renew_at = ${tx.now} where way = ${way} and problem is not null`;
}

/** The way was removed. */
export function forgetToken(tx: Tx, way: string): Promise<number> {
  return tx.run`delete from way_tokens where way = ${way}`;
}
