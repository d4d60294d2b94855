// The SQL of lists of contacts: each order and filter has its index (migrations/0010), and a search reads one index alone.
import { sql, steadyList, type Sql } from "../store/sql.ts";
import type { Key } from "../store/page.ts";
import type { Reader } from "../store/store.ts";
import { CONTACT, PRESENT, type ContactRow } from "./queries.ts";

export type Sort = "createdAt" | "email";
export type Direction = "asc" | "desc";

export type ContactList = {
  readonly workspace: number;
  /** Null = whatever the flag. */
  readonly subscribed: boolean | null;
  readonly sort: Sort;
  readonly dir: Direction;
  /** The seq or the address, whichever the order goes by, of the row after which it begins; null = at the beginning. */
  readonly after: Key | null;
};

/** Who was made first has the lower seq. The plus keeps a search on the index that has the addresses. */
const KEYS = { createdAt: sql`seq`, email: sql`email` };
const KEYS_IN_SEARCH = { createdAt: sql`+seq`, email: sql`email` };
const WAYS = { asc: { way: sql`asc`, beyond: sql`>` }, desc: { way: sql`desc`, beyond: sql`<` } };

function within({ workspace, subscribed }: Pick<ContactList, "workspace" | "subscribed">): Sql {
  const flag = subscribed === null ? sql`` : sql` and subscribed = ${subscribed ? 1 : 0}`;
  return sql`workspace = ${workspace}${flag} and ${PRESENT}`;
}

function behind({ dir, after }: ContactList, key: Sql): Sql {
  return after === null ? sql`` : sql` and ${key} ${WAYS[dir].beyond} ${after}`;
}

export function contactsPage(reader: Reader, page: ContactList, limit: number): Promise<ContactRow[]> {
  const key = KEYS[page.sort];
  return reader.all<ContactRow>`
    select ${CONTACT} from contacts where ${within(page)}${behind(page, key)}
    order by ${key} ${WAYS[page.dir].way} limit ${limit}`;
}

/** Found in passing, for a text that most addresses have. */
const NEAR = 2_000;

/** Those with `text` in their address, of the first 2,000 of the list alone. */
export function contactsNear(reader: Reader, page: ContactList, text: string, limit: number): Promise<ContactRow[]> {
  const key = KEYS[page.sort];
  const { way } = WAYS[page.dir];
  return reader.all<ContactRow>`
    select ${CONTACT} from contacts where seq in (
      select seq from (
        select seq, email from contacts where ${within(page)}${behind(page, key)} order by ${key} ${way} limit ${NEAR}
      ) as near
      where instr(email, ${text}) > 0 order by ${key} ${way} limit ${limit})
    order by ${key} ${way}`;
}

/**
 * Those with `text` in their address. Goes through the addresses of the workspace once, however many match: in the list's
 * own order, a rare text would be looked for in all rows.
 */
export function contactsFound(reader: Reader, page: ContactList, text: string, limit: number): Promise<ContactRow[]> {
  const key = KEYS_IN_SEARCH[page.sort];
  const { way } = WAYS[page.dir];
  return reader.all<ContactRow>`
    select ${CONTACT} from contacts where seq in (
      select seq from contacts where instr(email, ${text}) > 0 and ${within(page)}${behind(page, key)}
      order by ${key} ${way} limit ${limit})
    order by ${KEYS[page.sort]} ${way}`;
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
