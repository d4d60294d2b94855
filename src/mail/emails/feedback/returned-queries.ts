// The SQL of bounced emails.
import { C_PRESENT } from "../../../audience/contacts/queries.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";

export type ReturnRow = { readonly toAddress: string; readonly error: string | null; readonly at: string };

/** In ISO form; both ends included. */
export type ReturnPeriod = { readonly since: string; readonly until: string };
export type ReturnsPage = { readonly limit: number; readonly offset: number };

/** An erased person leaves no address. */
const KNOWN = sql`instr(to_address, '@') > 0 and (contact is null or exists (
  select 1 from contacts c where c.seq = emails.contact and ${C_PRESENT}))`;

/** Last bounced first. */
export function bouncedPage(
  reader: Reader,
  { workspace, type }: { readonly workspace: number; readonly type: "Permanent" | "Transient" },
  { since, until }: ReturnPeriod,
  { limit, offset }: ReturnsPage,
): Promise<ReturnRow[]> {
  return reader.all<ReturnRow>`
    select to_address as "toAddress", error, bounced_at as at from emails
    where workspace = ${workspace} and status = 'BOUNCED' and bounced_at >= ${since} and bounced_at <= ${until}
      and bounce_type = ${type} and ${KNOWN}
    order by bounced_at desc limit ${limit} offset ${offset}`;
}

type Bounce = { readonly email: string; readonly error: string | null };

/** The newest bounce of each of these addresses that is a contact's. */
export function bounceOfEach(reader: Reader, workspace: number, emails: readonly string[]): Promise<Bounce[]> {
  return reader.all<Bounce>`
    select c.email, (select error from emails e where e.contact = c.seq and e.status = 'BOUNCED' order by e.seq desc limit 1) as error
    from contacts c where c.workspace = ${workspace} and ${reader.dialect.isOneOf(sql`c.email`, emails)}`;
}

type ReturnedMail = ReturnRow & {
  readonly status: string;
  readonly bounceType: string | null;
  readonly complainedAt: string | null;
};

/** The newest bounces of a contact. */
export function returnedTo(reader: Reader, contact: number, most: number): Promise<ReturnedMail[]> {
  return reader.all<ReturnedMail>`
    select to_address as "toAddress", error, coalesce(bounced_at, complained_at) as at, status,
      bounce_type as "bounceType", complained_at as "complainedAt" from emails
    where contact = ${contact} and (bounced_at is not null or complained_at is not null)
    order by seq desc limit ${most}`;
}
