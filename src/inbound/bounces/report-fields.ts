// The groups of fields of which machine-readable reports are made (RFC 3464 §2.1, RFC 5965 §3).

export type Fields = ReadonlyMap<string, string>;

const MAX_GROUPS = 100;

/** Groups with empty lines between them; names in lower case, folded lines joined, the first of a name counts. */
export function fieldGroups(text: string): Fields[] {
  const groups = text.split(/(?:\r?\n[ \t]*){2,}/).slice(0, MAX_GROUPS);
  return groups.map(fieldsOf).filter((fields) => fields.size > 0);
}

/** `rfc822; ada@example.com` → `ada@example.com`; the type is optional in what some servers write. */
export function withoutType(value: string): string {
  return value.replace(/^\s*[\w-]+\s*;\s*/, "").trim();
}

function fieldsOf(group: string): Fields {
  const fields = new Map<string, string>();
  for (const line of group.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const name = /^([!-9;-~]+)\s*:/.exec(line)?.[1]?.toLowerCase();
    if (name !== undefined && !fields.has(name)) fields.set(name, line.slice(line.indexOf(":") + 1).trim());
  }
  return fields;
}
