// The SQL of opens and clicks.
import { changing, insertion } from "../../store/row-statement.ts";
import { sql } from "../../store/sql.ts";
import { flag } from "../../store/columns.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { MailInEvents } from "./happened.ts";
import type { Mail } from "./queries.ts";

/** The counts of a mail, and its fields in events. */
export type VisitedMail = MailInEvents &
  Pick<Mail, "toAddress" | "contactEmail" | "opens" | "openedAt" | "clicks" | "clickedAt"> & {
    /** A mail in hand may be opened before its hand-over is recorded; a mail that was never handed over cannot be. */
    readonly hasLeft: boolean;
    /** PERHAPS_DELIVERED: an open proves that it arrived. */
    readonly isPerhaps: boolean;
  };

type VisitFlag = "hasLeft" | "isPerhaps";
type VisitRow = Omit<VisitedMail, VisitFlag> & Readonly<Record<VisitFlag, 0 | 1>>;

/**
 * The mails with these public ids, locked: other visits to them wait until this transaction ends. Unknown ids are left
 * out.
 */
export async function lockVisited(tx: Tx, ids: readonly string[]): Promise<VisitedMail[]> {
  const rows = await tx.all<VisitRow>`
    with e as (
      select seq, id, workspace, contact, campaign, content, source_type, status, to_address, subject, opens, opened_at, clicks, clicked_at
      from emails where ${tx.dialect.isOneOf(sql`id`, [...new Set(ids)])} order by seq${tx.dialect.forChange})
    select e.seq, e.id, e.workspace, e.contact, p.email as "contactEmail", e.to_address as "toAddress",
      k.id as "campaignId", e.source_type as "sourceType", e.subject as "renderedSubject", c.template_id as "templateId",
      c.from_address as "fromAddress", c.from_name as "fromName", c.subject, c.message_id as "messageId", c.group_id as "group",
      c.tags, c.metadata,
      case when e.status in ('QUEUED', 'SKIPPED', 'CANCELLED', 'RECEIVED') then 0 else 1 end as "hasLeft",
      case when e.status = 'PERHAPS_DELIVERED' then 1 else 0 end as "isPerhaps",
      e.opens, e.opened_at as "openedAt", e.clicks, e.clicked_at as "clickedAt"
    from e
    join contents c on c.seq = e.content
    left join contacts p on p.seq = e.contact
    left join campaigns k on k.seq = e.campaign`;
  return rows.map((row) => ({ ...row, hasLeft: flag(row.hasLeft), isPerhaps: flag(row.isPerhaps) }));
}

const VISITS = changing(
  "emails",
  { seq: "bigint", opens: "bigint", openedAt: "text", clicks: "bigint", clickedAt: "text" },
  ({ seq, opens, openedAt, clicks, clickedAt }) => ({
    set: `opens = ${opens}, opened_at = ${openedAt}, clicks = ${clicks}, clicked_at = ${clickedAt}`,
    where: `emails.seq = ${seq}`,
    returning: "emails.seq",
  }),
);

/** The mails must be locked. */
export async function setVisits(tx: Tx, mails: readonly VisitedMail[]): Promise<void> {
  await tx.runEach(
    VISITS,
    mails.map(({ seq, opens, openedAt, clicks, clickedAt }) => [seq, opens, openedAt, clicks, clickedAt]),
  );
}

export type MachineVisit = {
  readonly kind: "open" | "click";
  readonly at: string;
  readonly link: string | null;
};

/** By the seq of the mail, for mails that have any. */
export async function countMachineVisits(
  reader: Reader,
  emails: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await reader.all<{ email: number; visits: number }>`
    select email, count(*) as visits from machine_visits where ${reader.dialect.isAmong(sql`email`, emails)} group by email`;
  return new Map(rows.map(({ email, visits }) => [email, visits]));
}

const MACHINE_VISITS = insertion("machine_visits", {
  email: "bigint",
  number: "smallint",
  kind: "text",
  at: "text",
  link: "text",
});

export type NewMachineVisit = MachineVisit & { readonly email: number; readonly number: number };

/** The mails must be locked. */
export async function insertMachineVisits(tx: Tx, visits: readonly NewMachineVisit[]): Promise<void> {
  const rows = visits.map(({ email, number, kind, at, link }) => [email, number, kind, at, link]);
  await tx.runEach(MACHINE_VISITS, rows);
}

export function machineVisits(reader: Reader, email: number): Promise<MachineVisit[]> {
  return reader.all<MachineVisit>`select kind, at, link from machine_visits where email = ${email} order by number`;
}

/** Null = the mail is gone. */
export async function workspaceOfMail(reader: Reader, id: string): Promise<number | null> {
  return (await reader.get<{ workspace: number }>`select workspace from emails where id = ${id}`)?.workspace ?? null;
}

/** Its public id; null = the mail is gone. */
export async function workspaceIdOfMail(reader: Reader, id: string): Promise<string | null> {
  const row = await reader.get<{ id: string }>`
    select w.id from emails e join workspaces w on w.seq = e.workspace where e.id = ${id}`;
  return row?.id ?? null;
}
