// Whether somebody stands for the address in From: RFC 9989, by walking up the tree of the DNS.
import type { Verdict } from "../emails/receive.ts";

/** TXT records of a name, each with its strings joined; `[]` = there are none. @throws if that cannot be found out */
export type TxtRecords = (name: string) => Promise<readonly string[]>;

export type Identities = {
  /** The domain of each mailbox in From; null for one that has none. */
  readonly authors: readonly (string | null)[];
  /** The domains for which SPF and DKIM have passed. */
  readonly spf: string | null;
  readonly dkim: readonly string[];
  /** One of them may pass another time. */
  readonly isUnsure: boolean;
};

type Found = { readonly domain: string; readonly tags: ReadonlyMap<string, string> };

/** RFC 9989 §4.10: a name of more labels is looked at itself, and then from here on. */
const MOST_LABELS = 7;
/** What must not be asked for again and again on the say-so of a stranger. */
const MOST_SIGNERS = 10;

/**
 * PASS and FAIL where the domain says anything by DMARC, whatever it wants done. Several authors fail, even of one domain:
 * whoever reads the mail may be shown the one that nobody has signed.
 */
export async function checkDmarc(txt: TxtRecords, identities: Identities): Promise<Verdict> {
  const [author = null, ...others] = identities.authors;
  if (others.length > 0) return "FAIL";
  if (author === null) return "GRAY";
  try {
    const records = await walk(txt, author);
    const home = organization(author, records);
    const policy = records.find(({ domain }) => domain === author) ?? records.find(({ domain }) => domain === home);
    const applied = policy ?? records.at(-1);
    if (!applied) return "GRAY";
    const isAligned = async (domain: string, strict: boolean) =>
      domain === author || (!strict && organization(domain, await walk(txt, domain)) === home);
    const isStrict = (tag: string) => applied.tags.get(tag)?.toLowerCase() === "s";
    if (identities.spf !== null && (await isAligned(identities.spf, isStrict("aspf")))) return "PASS";
    for (const domain of identities.dkim.slice(0, MOST_SIGNERS))
      if (await isAligned(domain, isStrict("adkim"))) return "PASS";
    return identities.isUnsure ? "GRAY" : "FAIL";
  } catch {
    return "GRAY";
  }
}

/** The records of a name and of those above it, from the longest (RFC 9989 §4.10). */
async function walk(txt: TxtRecords, start: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const domain of upward(start)) {
    const record = recordAmong(await txt(`_dmarc.${domain}`));
    if (!record) continue;
    found.push({ domain, tags: record });
    const psd = record.get("psd")?.toLowerCase();
    if (psd === "n" || (psd === "y" && domain !== start)) break;
  }
  return found;
}

function* upward(start: string): Generator<string> {
  yield start;
  const labels = start.split(".");
  for (let rest = labels.slice(Math.max(1, labels.length - MOST_LABELS)); rest.length > 0; rest = rest.slice(1))
    yield rest.join(".");
}

/** Several records are none (RFC 9989 §4.10). */
function recordAmong(texts: readonly string[]): ReadonlyMap<string, string> | null {
  const [only, ...others] = texts.filter((text) => /^v=DMARC1\s*(;|$)/.test(text.trim()));
  if (only === undefined || others.length > 0) return null;
  const tags = only.split(";").map((tag) => tag.split("=", 2).map((part) => part.trim()));
  return new Map(tags.map(([name = "", value = ""]) => [name.toLowerCase(), value]));
}

/** RFC 9989 §4.10.2. */
function organization(start: string, found: readonly Found[]): string {
  for (const { domain, tags } of found) {
    const psd = tags.get("psd")?.toLowerCase();
    if (psd === "n") return domain;
    if (psd === "y" && domain !== start) return oneBelow(domain, start);
  }
  return found.at(-1)?.domain ?? start;
}

function oneBelow(domain: string, start: string): string {
  const labels = start.split(".");
  return labels.slice(labels.length - domain.split(".").length - 1).join(".");
}
