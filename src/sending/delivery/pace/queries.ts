// The SQL of brakes, backlogs, and domains whose mailboxes a known provider hosts.
import { newId } from "../../../base/ids.ts";
import { PROVIDERS } from "../../../mail/statistics/providers.ts";
import { flag } from "../../../store/columns.ts";
import { sql, steadyList, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { LimitedMail } from "../limits/limit.ts";
import type { Brake, BrakeChange } from "./brake.ts";

const BRAKE = sql`
  seq, id, workspace, way, mailbox, per_hour as "perHour", full_per_hour as "fullPerHour", paused_until as "pausedUntil", pauses,
  hearsay, reply, since, changed_at as "changedAt"`;

type BrakeRow<Of extends Brake = Brake> = Omit<Of, "isHearsay"> & { readonly hearsay: 0 | 1 };

function brakeOf<Of extends Brake>({ hearsay, ...rest }: BrakeRow<Of>): Of {
  return { ...rest, isHearsay: flag(hearsay) } as unknown as Of;
}

export async function allBrakes(reader: Reader, most: number): Promise<Brake[]> {
  const rows = await reader.all<BrakeRow>`select ${BRAKE} from brakes order by seq limit ${most}`;
  return rows.map(brakeOf);
}

export async function brakesOf(reader: Reader, workspace: number): Promise<Brake[]> {
  const rows = await reader.all<BrakeRow>`
    select ${BRAKE} from brakes where workspace = ${workspace} order by way, mailbox`;
  return rows.map(brakeOf);
}

export type BrakeOfWorkspace = Brake & { readonly workspaceName: string };

const NAMED = sql`
  select ${BRAKE}, (select w.name from workspaces w where w.seq = brakes.workspace) as "workspaceName" from brakes`;

/** The brakes of all workspaces, for operators. */
export async function brakesByWorkspace(reader: Reader, most: number): Promise<BrakeOfWorkspace[]> {
  const rows = await reader.all<BrakeRow<BrakeOfWorkspace>>`${NAMED} order by workspace, seq limit ${most}`;
  return rows.map(brakeOf<BrakeOfWorkspace>);
}

export async function brakeOfAnyWorkspace(reader: Reader, id: string): Promise<BrakeOfWorkspace | null> {
  const row = await reader.get<BrakeRow<BrakeOfWorkspace>>`${NAMED} where id = ${id}`;
  return row && brakeOf<BrakeOfWorkspace>(row);
}

export async function countBrakes(
  reader: Reader,
  now: string,
): Promise<{ readonly all: number; readonly paused: number }> {
  const row = await reader.get<{ all: number; paused: number }>`
    select count(*) as "all", count(case when paused_until > ${now} then 1 end) as paused from brakes`;
  return row ?? { all: 0, paused: 0 };
}

export type BrakeKey = Pick<Brake, "workspace" | "way" | "mailbox">;

export async function brakeAt(tx: Tx, { workspace, way, mailbox }: BrakeKey): Promise<Brake | null> {
  const row = await tx.get<BrakeRow>`
    select ${BRAKE} from brakes where workspace = ${workspace} and way = ${way} and mailbox = ${mailbox}${tx.dialect.forUpdate}`;
  return row && brakeOf(row);
}

/** The provider's latest reply replaces the one before. */
export function putOnBrake(
  tx: Tx,
  { workspace, way, mailbox }: BrakeKey,
  change: BrakeChange,
  { reply, isHearsay }: Pick<Brake, "reply" | "isHearsay">,
): Promise<number> {
  const { perHour, fullPerHour, pausedUntil, pauses } = change;
  return tx.run`
    insert into brakes (id, workspace, way, mailbox, per_hour, full_per_hour, paused_until, pauses, hearsay, reply, since, changed_at)
    values (${newId(tx.nowMs)}, ${workspace}, ${way}, ${mailbox}, ${perHour}, ${fullPerHour}, ${pausedUntil}, ${pauses}, ${isHearsay ? 1 : 0}, ${reply}, ${tx.now}, ${tx.now})
    on conflict (workspace, way, mailbox) do update set per_hour = excluded.per_hour, full_per_hour = excluded.full_per_hour,
      paused_until = excluded.paused_until, pauses = excluded.pauses, hearsay = excluded.hearsay, reply = excluded.reply, changed_at = excluded.changed_at`;
}

/** Changes nothing if another process has changed the brake. */
export function easeBrake(tx: Tx, { seq, changedAt }: Brake, change: BrakeChange): Promise<number> {
  const { perHour, pausedUntil, pauses } = change;
  return tx.run`
    update brakes set per_hour = ${perHour}, paused_until = ${pausedUntil}, pauses = ${pauses}, changed_at = ${tx.now}
    where seq = ${seq} and changed_at = ${changedAt}`;
}

export function deleteBrake(tx: Tx, { seq, changedAt }: Pick<Brake, "seq" | "changedAt">): Promise<number> {
  return tx.run`delete from brakes where seq = ${seq} and changed_at = ${changedAt}`;
}

export async function brakeById(tx: Tx, workspace: number, id: string): Promise<Brake | null> {
  const row = await tx.get<BrakeRow>`
    select ${BRAKE} from brakes where workspace = ${workspace} and id = ${id}${tx.dialect.forUpdate}`;
  return row && brakeOf(row);
}

/** Other processes wait until this transaction ends. Null = the brake is gone. */
export async function lockBrake(tx: Tx, seq: number): Promise<number | null> {
  const row = await tx.get<{ readonly nextAtMs: number }>`
    select next_at_ms as "nextAtMs" from brakes where seq = ${seq}${tx.dialect.forUpdate}`;
  return row?.nextAtMs ?? null;
}

export function keepNextOfBrake(tx: Tx, seq: number, nextAtMs: number): Promise<number> {
  return tx.run`update brakes set next_at_ms = ${nextAtMs} where seq = ${seq}`;
}

export type MailBacklog = LimitedMail & { readonly seq: number };

export function allBacklogs(reader: Reader, most: number): Promise<MailBacklog[]> {
  return reader.all<MailBacklog>`select seq, workspace, domain, mailbox from backlogs order by seq limit ${most}`;
}

export function backlogsOf(reader: Reader, workspace: number): Promise<MailBacklog[]> {
  return reader.all<MailBacklog>`select seq, workspace, domain, mailbox from backlogs where workspace = ${workspace} order by domain, mailbox`;
}

/** The row of the backlog, which stays until this transaction ends. */
export async function backlogOf(tx: Tx, { workspace, domain, mailbox }: LimitedMail): Promise<MailBacklog> {
  const findBacklog = () => tx.get<MailBacklog>`
    select seq, workspace, domain, mailbox from backlogs
    where workspace = ${workspace} and domain = ${domain} and mailbox = ${mailbox}${tx.dialect.forReference}`;
  const known = await findBacklog();
  if (known) return known;
  await tx.run`
    insert into backlogs (workspace, domain, mailbox) values (${workspace}, ${domain}, ${mailbox})
    on conflict (workspace, domain, mailbox) do nothing`;
  return (await findBacklog()) as MailBacklog;
}

/** Null = the backlog has ended; else it stays until this transaction ends. */
export function keepBacklog(tx: Tx, seq: number): Promise<MailBacklog | null> {
  return tx.get<MailBacklog>`
    select seq, workspace, domain, mailbox from backlogs where seq = ${seq}${tx.dialect.forReference}`;
}

/** No mail is put into the backlog until this transaction ends. */
export function lockBacklog(tx: Tx, seq: number): Promise<MailBacklog | null> {
  return tx.get<MailBacklog>`select seq, workspace, domain, mailbox from backlogs where seq = ${seq}${tx.dialect.forUpdate}`;
}

export function deleteBacklog(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from backlogs where seq = ${seq}`;
}

/** Matches domains whose mailboxes are at this provider. */
export function isAtMailbox(mailbox: string): (domain: Sql) => Sql {
  const provider = PROVIDERS.find(({ name }) => name === mailbox);
  if (!provider) return (domain) => sql`${domain} = ${mailbox}`;
  return (domain) => sql`(${domain} in (${steadyList(provider.domains)})
    or exists (select 1 from mailbox_domains m where m.domain = ${domain} and m.provider = ${mailbox}))`;
}

/** Null = no provider was found since then. */
export async function mailboxDomain<Name extends string>(
  reader: Reader,
  domain: string,
  since: string,
): Promise<Name | null> {
  const row = await reader.get<{ provider: Name }>`
    select provider from mailbox_domains where domain = ${domain} and found_at >= ${since}`;
  return row?.provider ?? null;
}

export function keepMailboxDomain(tx: Tx, domain: string, provider: string): Promise<number> {
  return tx.run`
    insert into mailbox_domains (domain, provider, found_at) values (${domain}, ${provider}, ${tx.now})
    on conflict (domain) do update set provider = excluded.provider, found_at = excluded.found_at`;
}

export function forgetMailboxDomains(tx: Tx, before: string, most: number): Promise<number> {
  return tx.run`
    delete from mailbox_domains where domain in (
      select domain from mailbox_domains where found_at < ${before} limit ${most})`;
}

/** A report, from the server that had accepted a mail; reports of other parties prove nothing. */
export type ServerReport = {
  readonly at: string;
  readonly reply: string;
  readonly workspace: number;
  readonly toAddress: string;
  /** The mail server that had the mail (hop-queries.ts). */
  readonly hop: number | null;
};

/** Oldest first. `until`: later reports may not be recorded yet. */
export function reportsSince(
  reader: Reader,
  { since, until }: { readonly since: string; readonly until: string },
  most: number,
): Promise<ServerReport[]> {
  return reader.all<ServerReport>`
    select a.at, a.reply, e.workspace, e.to_address as "toAddress", e.hop
    from email_attempts a join emails e on e.seq = a.email
    where a.at > ${since} and a.at <= ${until} and a.took_ms is null and a.hop is not null and a.outcome in ('bounced', 'failed', 'delayed')
    order by a.at limit ${most}`;
}
