// The SQL of telling by an address who keeps the mailbox.
import { sql, type Sql } from "../store/sql.ts";
import { domainOf, text } from "./fact-queries.ts";
import { PROVIDERS, type Provider } from "./providers.ts";

const listed = (domains: readonly string[]) => domains.map((domain) => `'${domain}'`).join(", ");
const WHENS = PROVIDERS.map(({ name, domains }) => `when recipient in (${listed(domains)}) then '${name}'`).join(" ");

/** Of facts with the domain of a `recipient`, which may be null. */
export const PROVIDER = text(`case when recipient is null then null ${WHENS} else 'other' end`);

export function hasProvider(address: Sql, provider: Provider): Sql {
  const domain = domainOf(address);
  const known = PROVIDERS.find(({ name }) => name === provider);
  if (known) return sql`${domain} in (${text(listed(known.domains))})`;
  return sql`${address} <> '' and ${domain} not in (${text(listed(PROVIDERS.flatMap(({ domains }) => [...domains])))})`;
}
