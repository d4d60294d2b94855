// Whether the DKIM record of a key can be found, and verifies what we sign (RFC 6376 §3.6.1).
import type { Resolver } from "../../../dns.ts";
import { nothingThere, OK, quoted, wrong, type Finding } from "./finding.ts";
import { tagsOf } from "./tags.ts";

type WantedKey = { readonly name: string; readonly domain: string; readonly publicKey: string };

/** @throws DnsError if that cannot be found out */
export async function checkDkim(resolver: Resolver, { name, domain, publicKey }: WantedKey): Promise<Finding> {
  const found = await resolver.txt(name);
  const keys = found.filter((record) => tagsOf(record).has("p"));
  const isOurs = (record: string) => tagsOf(record).get("p") === publicKey;
  const ours = keys.find(isOurs);
  if (ours && keys.length > 1) return wrong(`${keys.length} DKIM records stand at ${name}; only ours may.`);
  if (ours) return faultOf(tagsOf(ours)) ?? OK;
  const [other = found[0]] = keys;
  if (other === undefined) return nothingThere(resolver, { name, domain, isIt: (texts) => texts.some(isOurs) });
  return wrong(`The record does not hold our key: found ${quoted(other)}, expected p=${publicKey}.`);
}

/** What keeps a record with our key from being used. */
function faultOf(tags: ReadonlyMap<string, string>): Finding | null {
  const allowed: readonly [tag: string, pattern: RegExp, expected: string][] = [
    ["v", /^DKIM1$/, "DKIM1"],
    ["k", /^rsa$/i, "rsa"],
    ["h", /(^|:)sha256(:|$)/i, "sha256"],
    ["s", /(^|:)(\*|email)(:|$)/i, "email"],
  ];
  for (const [tag, pattern, expected] of allowed) {
    const value = tags.get(tag);
    if (value !== undefined && !pattern.test(value))
      return wrong(
        `The record holds our key, but ${tag}= is ${quoted(value)} and must be ${expected}, or be left out.`,
      );
  }
  return null;
}
