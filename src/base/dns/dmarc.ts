// The DMARC records of a domain, found by walking up the tree of the DNS (RFC 9989 §4.10).

/** TXT records of a name, each with its strings joined; `[]` = there are none. @throws if that cannot be found out */
export type TxtRecords = (name: string) => Promise<readonly string[]>;

type DmarcRecord = { readonly domain: string; readonly tags: ReadonlyMap<string, string> };

/** For a longer name, the name itself is looked up and then its last seven labels. */
const MAX_LABELS = 7;

/**
 * The records of a name and of the names above it, the longest first. The walk ends at a public suffix (`psd=y`) or an
 * organizational domain (`psd=n`). @throws what `txt` throws
 */
export async function dmarcRecords(txt: TxtRecords, start: string): Promise<DmarcRecord[]> {
  const found: DmarcRecord[] = [];
  for (const domain of upward(start)) {
    const [only, ...others] = dmarcAmong(await txt(`_dmarc.${domain}`));
    // A name with several records counts as one without a record.
    if (only === undefined || others.length > 0) continue;
    const tags = tagsOf(only);
    found.push({ domain, tags });
    const psd = tags.get("psd")?.toLowerCase();
    if (psd === "n" || (psd === "y" && domain !== start)) break;
  }
  return found;
}

/** Filters DMARC records out of a name's TXT records (§4.7). */
export function dmarcAmong(texts: readonly string[]): string[] {
  return texts.filter((text) => /^\s*[vV]\s*=\s*DMARC1\s*(;|$)/.test(text));
}

/**
 * The record that applies to mail from `author`: its own, else its organizational domain's, else the public suffix's
 * (§4.10.1).
 */
export function policyFor(author: string, records: readonly DmarcRecord[]): DmarcRecord | null {
  const home = organizationalDomain(author, records);
  const own = records.find(({ domain }) => domain === author) ?? records.find(({ domain }) => domain === home);
  return own ?? records.at(-1) ?? null;
}

/** The organizational domain of `start`, by the records that `dmarcRecords` found (§4.10.2). */
export function organizationalDomain(start: string, found: readonly DmarcRecord[]): string {
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
  for (let rest = labels.slice(Math.max(1, labels.length - MAX_LABELS)); rest.length > 0; rest = rest.slice(1))
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
