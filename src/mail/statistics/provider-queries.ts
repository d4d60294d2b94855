// The SQL of finding the mailbox provider of an address.
import { literal, sql, type Sql } from "../../store/sql.ts";
import { PROVIDERS, type MailboxProvider } from "./providers.ts";

export function hasProvider(address: Sql, provider: MailboxProvider): Sql {
  const domain = domainOf(address);
  const known = PROVIDERS.find(({ name }) => name === provider);
  if (known) return sql`${domain} in (${listed(known.domains)})`;
  return sql`${address} <> '' and ${domain} not in (${listed(PROVIDERS.flatMap(({ domains }) => [...domains]))})`;
}

/** The part after the last @. */
function domainOf(address: Sql): Sql {
  return sql`substr(${address}, length(rtrim(${address}, replace(${address}, '@', ''))) + 1)`;
}

function listed(domains: readonly string[]): Sql {
  return literal(domains.map((domain) => `'${domain}'`).join(", "));
}
