// Whether the SPF record of a domain can be used (RFC 7208).
import type { Resolver } from "../../dns.ts";
import { missing, OK, quoted, wrong, type Finding } from "./finding.ts";

/** RFC 7208 §4.6.4. */
const MOST_LOOKUPS = 10;
const LOOKUP = /^[+?~-]?(include|a|mx|ptr|exists)(?=[:/]|$)|^redirect(?==)/i;
const POINTER = /^[+?~-]?include:(\S+)$|^redirect=(\S+)$/i;

/** @throws DnsError if that cannot be found out */
export async function checkSpf(resolver: Resolver, domain: string): Promise<Finding> {
  const records = await spfRecords(resolver, domain);
  const [record] = records;
  if (record === undefined) return missing(`There is no TXT record at ${domain} that begins with v=spf1.`);
  if (records.length > 1)
    return wrong(`${records.length} SPF records stand at ${domain}, which makes all of them void: join them into one.`);
  if (/\s\+?all(\s|$)/i.test(record))
    return wrong(`The record ${quoted(record)} lets everybody send: end it with ~all.`);
  const lookups = await countLookups(resolver, record);
  if (lookups <= MOST_LOOKUPS) return OK;
  return wrong(`The record needs more than ${MOST_LOOKUPS} DNS lookups, which makes it void: take includes out of it.`);
}

async function spfRecords(resolver: Resolver, name: string): Promise<string[]> {
  return (await resolver.txt(name)).filter((record) => /^v=spf1(\s|$)/i.test(record));
}

/** Counts as far as one beyond the limit, what is included too. */
async function countLookups(resolver: Resolver, record: string): Promise<number> {
  const waiting = [record];
  let lookups = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const terms = next.split(/\s+/).filter((term) => LOOKUP.test(term));
    lookups += terms.length;
    if (lookups > MOST_LOOKUPS) break;
    for (const name of terms.flatMap(namedBy)) waiting.push(...(await spfRecords(resolver, name)));
  }
  return lookups;
}

/** The domain whose record a term takes in; one with macros depends on the mail. */
function namedBy(term: string): string[] {
  const [, included, redirected] = POINTER.exec(term) ?? [];
  const name = included ?? redirected;
  return name === undefined || name.includes("%") ? [] : [name];
}
