// The DMARC records of a domain, found by walking up the tree of the DNS (RFC 9989 §4.10).

/** TXT records of a name, each with its strings joined; `[]` = there are none. @throws if that cannot be found out */
export type TxtRecords = (name: string) => Promise<readonly string[]>;

type DmarcRecord = { readonly domain: string; readonly tags: ReadonlyMap<string, string> };

/** A name of more labels is looked at itself, and then from here on. */
const MOST_LABELS = 7;

/** Those of a name and of those above it, from the longest, as far as anybody looks. */
export async function dmarcRecords(txt: TxtRecords, start: string): Promise<DmarcRecord[]> {
  const found: DmarcRecord[] = [];
  for (const domain of upward(start)) {
    const [only, ...others] = dmarcAmong(await txt(`_dmarc.${domain}`));
    // Several are none.
    if (only === undefined || others.length > 0) continue;
    const tags = tagsOf(only);
    found.push({ domain, tags });
    const psd = tags.get("psd")?.toLowerCase();
    if (psd === "n" || (psd === "y" && domain !== start)) break;
  }
  return found;
}

/** Those of TXT records that are for DMARC. */
export function dmarcAmong(texts: readonly string[]): string[] {
  return texts.filter((text) => /^\s*[vV]\s*=\s*DMARC1\s*(;|$)/.test(text));
}

/** What counts for mail from a domain: its own record, else that of its organization, else that of who gives names out. */
export function policyFor(author: string, records: readonly DmarcRecord[]): DmarcRecord | null {
  const home = organization(author, records);
  const own = records.find(({ domain }) => domain === author) ?? records.find(({ domain }) => domain === home);
  return own ?? records.at(-1) ?? null;
}

/** The domain that a name belongs to, by the records of the way up from it (§4.10.2). */
export function organization(start: string, found: readonly DmarcRecord[]): string {
  for (const { domain, tags } of found) {
    const psd = tags.get("psd")?.toLowerCase();
    if (psd === "n") return domain;
    if (psd === "y" && domain !== start) return oneBelow(domain, start);
  }
  return found.at(-1)?.domain ?? start;
}

function* upward(start: string): Generator<string> {
  yield start;
  const labels = start.split(".");
  for (let rest = labels.slice(Math.max(1, labels.length - MOST_LABELS)); rest.length > 0; rest = rest.slice(1))
    yield rest.join(".");
}

function tagsOf(record: string): ReadonlyMap<string, string> {
  const tags = record.split(";").map((tag) => tag.split("=", 2).map((part) => part.trim()));
  return new Map(tags.map(([name = "", value = ""]) => [name.toLowerCase(), value]));
}

function oneBelow(domain: string, start: string): string {
  const labels = start.split(".");
  return labels.slice(labels.length - domain.split(".").length - 1).join(".");
}
