// `tag=value; tag=value`, the form of DKIM and DMARC records (RFC 6376 §3.2).

/** Values without the space in them; names in lower case. */
export function tagsOf(record: string): ReadonlyMap<string, string> {
  const pairs = record.split(";").map((tag) => tag.split(/=(.*)/s, 2) as [string, string?]);
  return new Map(pairs.map(([name, value]) => [name.trim().toLowerCase(), (value ?? "").replace(/\s/g, "")]));
}
