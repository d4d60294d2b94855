// The SQL of provider reports: finding their mails, and the time of the last report. `cross join` has SQLite look from
// workspace to workspace, where it would otherwise read all mails.
import type { Reader, Tx } from "../../store/store.ts";

type ProviderMailRow = { readonly id: string; readonly workspace: number };

/** The mail of a group that went to this address. */
export function mailOfGroup(reader: Reader, group: string, recipient: string): Promise<ProviderMailRow | null> {
  return reader.get<ProviderMailRow>`
    select e.id, e.workspace from contents c join emails e on e.content = c.seq
    where c.group_id = ${group} and lower(e.to_address) = ${recipient} and e.resent_from is null limit 1`;
}

/** Complete messages with this Message-ID of their own that went to this address; the latest first. */
export function mailsOfMessage(reader: Reader, messageId: string, recipient: string): Promise<ProviderMailRow[]> {
  return reader.all<ProviderMailRow>`
    select e.id, e.workspace from workspaces w cross join contents c join emails e on e.content = c.seq
    where c.workspace = w.seq and c.message_id = ${messageId} and lower(e.to_address) = ${recipient} and e.status <> 'RECEIVED' order by e.seq desc limit 20`;
}

/** The latest mail that has left, in each workspace that has written to this address. */
export function latestMailsTo(reader: Reader, recipient: string): Promise<ProviderMailRow[]> {
  return reader.all<ProviderMailRow>`
    select e.id, e.workspace from emails e join (
      select max(e.seq) as latest from workspaces w cross join contacts c join emails e on e.contact = c.seq
      where c.workspace = w.seq and c.email = ${recipient} and e.sent_at is not null group by w.seq) of_each on of_each.latest = e.seq`;
}

/** `unlessSince`: a later report need not be noted again. */
export function noteReport(tx: Tx, provider: string, unlessSince: string): Promise<number> {
  return tx.run`
    insert into provider_reports (provider, reported_at) values (${provider}, ${tx.now})
    on conflict (provider) do update set reported_at = excluded.reported_at
    where provider_reports.reported_at < ${unlessSince}`;
}

export async function lastReport(reader: Reader, provider: string): Promise<string | null> {
  const row = await reader.get<{ at: string }>`
    select reported_at as at from provider_reports where provider = ${provider}`;
  return row?.at ?? null;
}
