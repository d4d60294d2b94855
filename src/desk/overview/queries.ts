// The SQL of the first steps: each reads a few rows through an index.
import { flag } from "../../store/columns.ts";
import type { Reader } from "../../store/store.ts";

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
    await reader.get`select 1 as sent from mail_increments where workspace = ${workspace} and what = 'sent' limit 1`;
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
