// The SQL of the overview: each reads a few rows through an index.
import { jsonOrNull } from "../store/columns.ts";
import type { Reader } from "../store/store.ts";
import type { Checks } from "../domains/dns-check/look.ts";

export type FailingDomain = {
  readonly id: string;
  readonly domain: string;
  readonly failingSince: string;
  readonly checks: Checks;
};

type DomainRow = Omit<FailingDomain, "checks"> & { readonly checks: string | null };

/** Sender domains whose record is gone; they send, or no longer do. */
export async function failingDomains(reader: Reader, workspace: number, most: number): Promise<FailingDomain[]> {
  const rows = await reader.all<DomainRow>`
    select id, domain, failing_since as "failingSince", checks from domains
    where workspace = ${workspace} and removed_at is null and failing_since is not null order by seq limit ${most}`;
  return rows.map((row) => ({ ...row, checks: jsonOrNull<Checks>(row.checks) ?? {} }));
}

/** Whether a domain was verified by its record; the one for trying things out was not. */
export async function hasSeenDomain(reader: Reader, workspace: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as seen from domains
    where workspace = ${workspace} and removed_at is null and verified_at is not null and taken_unseen = 0 limit 1`;
  return row !== null;
}

export async function hasSent(reader: Reader, workspace: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as sent from events where workspace = ${workspace} and name = 'email.sent' limit 1`;
  return row !== null;
}

/** Whether Amazon SES has told anything. */
export async function hasNotices(reader: Reader): Promise<boolean> {
  return (await reader.get`select 1 as told from notices limit 1`) !== null;
}
