// The meanings of a search text: an id of a mail, an address, words of a subject.
import { soughtInAddresses } from "../../../base/addresses.ts";
import { formerStarting } from "../../../audience/contacts/past/former-queries.ts";
import { sqlList, sql, type Sql } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";
import { branchesOf, checksOf, escaped, OF_CONTACT } from "./branches.ts";
import type { MailFilter } from "./filter.ts";
import { contactsStarting, mailsNamed, type Branch, type MailNames } from "./queries.ts";

/** With more contacts the mails are scanned instead, since many of them must match. */
const MOST_CONTACTS = 100;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** `named`: these mails have the text as a name, and no others are meant. */
export type MailQuery =
  { readonly named: readonly number[]; readonly checks: readonly Sql[] } | { readonly branches: readonly Branch[] };

export async function soughtBy(
  reader: Reader,
  filter: MailFilter,
  text: string,
  isStopped: boolean,
): Promise<MailQuery> {
  const { workspace } = filter;
  const checks = checksOf(filter, isStopped).map(([, check]) => check);
  const named = await mailsNamed(reader, workspace, namesIn(text));
  if (named.length > 0) return { named, checks };
  const address = soughtInAddresses(text);
  if (!address.includes("@"))
    return { branches: along(branchesOf(filter, isStopped), wordsCheck(reader, address, text)) };
  const contacts = await contactsStarting(reader, workspace, address, MOST_CONTACTS + 1);
  const formers = await formerStarting(reader, workspace, address, MOST_CONTACTS + 1);
  const starts = startsCheck(reader, address);
  if (contacts.length > MOST_CONTACTS || formers.length > MOST_CONTACTS)
    return { branches: along(branchesOf(filter, isStopped), starts) };
  const others = sql`e.workspace = ${workspace} and (e.contact is null or e.source_type = 'INBOUND') and e.to_address <> ''`;
  const former = [...new Set(formers.map(({ contact }) => contact))].filter((contact) => !contacts.includes(contact));
  return {
    branches: [
      ...mailsOf(contacts, checks),
      ...mailsOf(former, [...checks, starts]),
      { index: "emails_to_others", where: sql`${others} and ${starts}`, checks },
    ],
  };
}

function mailsOf(contacts: readonly number[], checks: readonly Sql[]): Branch[] {
  if (contacts.length === 0) return [];
  const where = contacts.length === 1 ? sql`e.contact = ${contacts[0] ?? 0}` : sql`e.contact in (${sqlList(contacts)})`;
  return [{ index: OF_CONTACT, where, checks }];
}

function along(branches: readonly Branch[], check: Sql): Branch[] {
  return branches.map((branch) => ({ ...branch, checks: [...branch.checks, check] }));
}

function startsCheck({ dialect }: Reader, address: string): Sql {
  return dialect.startsWith(sql`e.to_address`, address);
}

/** An erased person's mail is not found by its subject either. */
function wordsCheck(reader: Reader, address: string, text: string): Sql {
  const subject = sql`lower(coalesce(e.subject, c.subject)) like lower(${`%${escaped(text.trim())}%`}) escape '\\'`;
  return sql`e.to_address <> '' and (${startsCheck(reader, address)} or ${subject})`;
}

/** The names of a mail that a text may be. */
export function namesIn(text: string): MailNames {
  const name = text.trim();
  const bare = name.replace(/^<(.*)>$/, "$1");
  const [local = ""] = bare.split("@");
  const ids = [...new Set([bare.toLowerCase(), local.toLowerCase()])].filter((one) => UUID.test(one));
  return { ids: ids.length > 0 ? ids : [""], remoteId: local, messageId: `<${bare}>`, requestId: name };
}
