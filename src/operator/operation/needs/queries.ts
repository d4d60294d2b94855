// The SQL of needs, in a workspace and in the whole installation.
import { jsonOrNull } from "../../../store/columns.ts";
import type { Reader } from "../../../store/store.ts";
import type { Checks } from "../../../tenant/domains/dns-check/look.ts";

export type DomainFailureRow = { readonly domain: string; readonly workspace: string; readonly failingSince: string };

export function failingDomains(reader: Reader, most: number): Promise<DomainFailureRow[]> {
  return reader.all<DomainFailureRow>`
    select d.domain, w.name as workspace, d.failing_since as "failingSince" from domains d join workspaces w on w.seq = d.workspace
    where d.removed_at is null and d.failing_since is not null order by d.failing_since limit ${most}`;
}

export type DomainChangeRow = { readonly domain: string; readonly workspace: string; readonly checks: Checks };

/** Domains of which a record that was in order no longer is. */
export async function changedDomains(reader: Reader, most: number): Promise<DomainChangeRow[]> {
  const rows = await reader.all<Omit<DomainChangeRow, "checks"> & { readonly checks: string | null }>`
    select d.domain, w.name as workspace, d.checks from domains d join workspaces w on w.seq = d.workspace
    where d.removed_at is null and d.lost_since is not null order by d.workspace, d.seq limit ${most}`;
  return rows.map((row) => ({ ...row, checks: jsonOrNull<Checks>(row.checks) ?? {} }));
}

export type StoppedWorkspace = { readonly workspace: string; readonly reason: string };

/** Workspaces whose marketing mail does not leave. */
export function stoppedWorkspaces(reader: Reader, most: number): Promise<StoppedWorkspace[]> {
  return reader.all<StoppedWorkspace>`
    select name as workspace, marketing_stopped as reason from workspaces where marketing_stopped is not null order by seq limit ${most}`;
}

export type FailingDomain = {
  readonly id: string;
  readonly domain: string;
  readonly failingSince: string;
  readonly checks: Checks;
};

type DomainRow = Omit<FailingDomain, "checks"> & { readonly checks: string | null };

/** Sender domains whose record is gone; they send, or no longer do. */
export async function failingInWorkspace(reader: Reader, workspace: number, most: number): Promise<FailingDomain[]> {
  const rows = await reader.all<DomainRow>`
    select id, domain, failing_since as "failingSince", checks from domains
    where workspace = ${workspace} and removed_at is null and failing_since is not null order by seq limit ${most}`;
  return rows.map((row) => ({ ...row, checks: jsonOrNull<Checks>(row.checks) ?? {} }));
}

export type ChangedDomain = Pick<FailingDomain, "id" | "domain" | "checks">;

/** Sender domains with another record that was in order and no longer is. */
export async function changedInWorkspace(reader: Reader, workspace: number, most: number): Promise<ChangedDomain[]> {
  const rows = await reader.all<Pick<DomainRow, "id" | "domain" | "checks">>`
    select id, domain, checks from domains
    where workspace = ${workspace} and removed_at is null and lost_since is not null order by seq limit ${most}`;
  return rows.map((row) => ({ ...row, checks: jsonOrNull<Checks>(row.checks) ?? {} }));
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
