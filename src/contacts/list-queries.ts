// The SQL of lists of contacts: each order and filter has its index (migrations/0010), and a search reads one index alone.
import { sql, steadyList, type Sql } from "../store/sql.ts";
import type { Key } from "../store/page.ts";
import type { Reader } from "../store/store.ts";
import { CONTACT, PRESENT, type ContactRow } from "./queries.ts";
import { contactJson } from "./record.ts";

export type Sort = "createdAt" | "email";
export type Direction = "asc" | "desc";

export type ContactList = {
  readonly workspace: number;
  readonly workspaceId: string;
  /** Null = whatever the flag. */
  readonly subscribed: boolean | null;
  readonly sort: Sort;
  readonly dir: Direction;
  /** The seq or the address, whichever the order goes by, of the row with which it begins; null = at the beginning. */
  readonly from: Key | null;
};

/** A page as the store puts it together. */
export type ContactPage = {
  /** The records as JSON, `BETWEEN` them; null = none. */
  readonly records: string | null;
  readonly count: number;
  /** What the last of them is ordered by; null = none. */
  readonly last: Key | null;
};

/** No record has a line end: JSON writes it otherwise. */
export const BETWEEN = ",\n";

/** Who was made first has the lower seq. The plus keeps a search on the index that has the addresses. */
const KEYS = { createdAt: sql`seq`, email: sql`email` };
const KEYS_IN_SEARCH = { createdAt: sql`+seq`, email: sql`email` };
const WAYS = {
  asc: { way: sql`asc`, onward: sql`>=`, last: sql`max` },
  desc: { way: sql`desc`, onward: sql`<=`, last: sql`min` },
};

function within({ workspace, subscribed }: Pick<ContactList, "workspace" | "subscribed">): Sql {
  const flag = subscribed === null ? sql`` : sql` and subscribed = ${subscribed ? 1 : 0}`;
  return sql`workspace = ${workspace}${flag} and ${PRESENT}`;
}

function onward({ dir, from }: ContactList, key: Sql): Sql {
  return from === null ? sql`` : sql` and ${key} ${WAYS[dir].onward} ${from}`;
}

/**
 * Those of `contacts` that the rest of a statement leaves, which orders them by the key. Put together by the store, a page costs
 * half of what its rows would.
 */
async function pageOf(reader: Reader, { sort, dir, workspaceId }: ContactList, rest: Sql): Promise<ContactPage> {
  const page = await reader.get<ContactPage>`
    select string_agg(record, ${BETWEEN}) as records, count(*) as count, ${WAYS[dir].last}(place) as last
    from (select ${KEYS[sort]} as place, ${contactJson(workspaceId)} as record from contacts ${rest}) as page`;
  return page ?? { records: null, count: 0, last: null };
}

export function contactsPage(reader: Reader, page: ContactList, limit: number): Promise<ContactPage> {
  const key = KEYS[page.sort];
  const rest = sql`where ${within(page)}${onward(page, key)} order by ${key} ${WAYS[page.dir].way} limit ${limit}`;
  return pageOf(reader, page, rest);
}

/** Found in passing, for a text that most addresses have. */
const NEAR = 2_000;

/** Those with `text` in their address, of the first 2,000 of the list alone. */
export function contactsNear(reader: Reader, page: ContactList, text: string, limit: number): Promise<ContactPage> {
  const key = KEYS[page.sort];
  const { way } = WAYS[page.dir];
  const rest = sql`where seq in (
      select seq from (
        select seq, email from contacts where ${within(page)}${onward(page, key)} order by ${key} ${way} limit ${NEAR}
      ) as near
      where instr(email, ${text}) > 0 order by ${key} ${way} limit ${limit})
    order by ${key} ${way}`;
  return pageOf(reader, page, rest);
}

/**
 * Those with `text` in their address. Goes through the addresses of the workspace once, however many match: in the list's
 * own order, a rare text would be looked for in all rows.
 */
export function contactsFound(reader: Reader, page: ContactList, text: string, limit: number): Promise<ContactPage> {
  const key = KEYS_IN_SEARCH[page.sort];
  const { way } = WAYS[page.dir];
  const rest = sql`where seq in (
      select seq from contacts where instr(email, ${text}) > 0 and ${within(page)}${onward(page, key)}
      order by ${key} ${way} limit ${limit})
    order by ${KEYS[page.sort]} ${way}`;
  return pageOf(reader, page, rest);
}

export async function countFound(
  reader: Reader,
  whose: Pick<ContactList, "workspace" | "subscribed">,
  text: string,
): Promise<number> {
  const row = await reader.get<{ total: number }>`
    select count(*) as total from contacts where instr(email, ${text}) > 0 and ${within(whose)}`;
  return row?.total ?? 0;
}

/** In no order. */
export function contactsByEmail(reader: Reader, workspace: number, emails: readonly string[]): Promise<ContactRow[]> {
  return reader.all<ContactRow>`
    select ${CONTACT} from contacts where workspace = ${workspace} and email in (${steadyList(emails)})`;
}
