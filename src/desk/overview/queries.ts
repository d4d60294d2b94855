// The SQL of the overview: each reads a few rows through an index.
import { flag, jsonOrNull } from "../../store/columns.ts";
import type { Reader } from "../../store/store.ts";
import type { Checks } from "../../tenant/domains/dns-check/look.ts";

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

export type ChangedDomain = Pick<FailingDomain, "id" | "domain" | "checks">;

/** Sender domains with another record that was in order and no longer is. */
export async function changedDomains(reader: Reader, workspace: number, most: number): Promise<ChangedDomain[]> {
  const rows = await reader.all<Pick<DomainRow, "id" | "domain" | "checks">>`
    select id, domain, checks from domains
    where workspace = ${workspace} and removed_at is null and lost_since is not null order by seq limit ${most}`;
  return rows.map((row) => ({ ...row, checks: jsonOrNull<Checks>(row.checks) ?? {} }));
}

/** True if a domain was verified by its record; the one for trials was not. */
export async function hasSeenDomain(reader: Reader, workspace: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as seen from domains
    where workspace = ${workspace} and removed_at is null and verified_at is not null and taken_unseen = 0 limit 1`;
  return row !== null;
}

/** As counted, so without mail to the team; mail still to be added to the sums counts too. */
export async function hasSent(reader: Reader, workspace: number): Promise<boolean> {
  const counted =
    await reader.get`select 1 as sent from mail_counts where workspace = ${workspace} and sent > 0 limit 1`;
  if (counted !== null) return true;
  const noted =
    await reader.get`select 1 as sent from mail_facts where workspace = ${workspace} and what = 'sent' limit 1`;
  return noted !== null;
}

/** True once a message has come to a return path. */
export async function hasReturned(reader: Reader): Promise<boolean> {
  return (await reader.get`select 1 as came from installation where one = 1 and returned_at is not null`) !== null;
}

/** True once Amazon SES or a provider has reported anything. */
export async function hasNotices(reader: Reader): Promise<boolean> {
  const told = await reader.get`select 1 as told from notices limit 1`;
  return told !== null || (await reader.get`select 1 as told from provider_reports limit 1`) !== null;
}

/** The records made in a workspace so far. */
type FirstSteps = Readonly<Record<"template" | "campaign" | "webhook", boolean>>;

export async function madeIn(reader: Reader, workspace: number): Promise<FirstSteps> {
  const row = await reader.get<Record<keyof FirstSteps, 0 | 1>>`
    select case when exists (select 1 from templates where workspace = ${workspace}) then 1 else 0 end as template,
      case when exists (select 1 from campaigns where workspace = ${workspace} and deleted_at is null) then 1 else 0 end as campaign,
      case when exists (select 1 from webhook_endpoints where workspace = ${workspace}) then 1 else 0 end as webhook`;
  return { template: flag(row?.template ?? 0), campaign: flag(row?.campaign ?? 0), webhook: flag(row?.webhook ?? 0) };
}

export type FailedCampaign = { readonly id: string; readonly name: string; readonly startedAt: string };

/** Campaigns since then with refused mails and none that has left. */
export function failedCampaigns(
  reader: Reader,
  workspace: number,
  since: string,
  most: number,
): Promise<FailedCampaign[]> {
  return reader.all<FailedCampaign>`
    select k.id, k.name, k.started_at as "startedAt" from campaigns k
    where k.workspace = ${workspace} and k.started_at >= ${since} and k.status = 'SENT' and k.deleted_at is null
      and exists (
        select 1 from emails e
        where e.campaign = k.seq and e.campaign is not null and e.due_at is null and e.status in ('FAILED', 'BOUNCED'))
      and not exists (
        select 1 from emails e
        where e.campaign = k.seq and e.campaign is not null and e.due_at is null
          and (e.status in ('SENT', 'DELIVERED', 'COMPLAINED') or (e.status = 'BOUNCED' and e.sent_at is not null)))
    order by k.started_at desc limit ${most}`;
}
