// Whether the SPF record of a domain can be used (RFC 7208).
import type { Resolver } from "../../../dns.ts";
import { missing, OK, quoted, wrong, type Finding } from "./finding.ts";
import { isSpf, readSpf } from "./spf-record.ts";

/** RFC 7208 §4.6.4. */
const MAX_LOOKUPS = 10;
const TOO_MANY = `The record needs more than ${MAX_LOOKUPS} DNS lookups, which makes it void: take includes out of it.`;

type WantedSpf = {
  readonly name: string;
  /** What must be included; null = it is not known. */
  readonly include: string | null;
  /** The domain in the envelope of our mails, where receivers look instead; null = this one. */
  readonly instead: string | null;
};

/** @throws DnsError if that cannot be found out */
export async function checkSpf(resolver: Resolver, wanted: WantedSpf): Promise<Finding> {
  const finding = await findingAt(resolver, wanted);
  if (wanted.instead === null || finding.problem === null) return finding;
  return { ...finding, problem: `${finding.problem} It matters little: receivers look at ${wanted.instead}.` };
}

async function findingAt(resolver: Resolver, { name, include, instead }: WantedSpf): Promise<Finding> {
  const records = await spfRecords(resolver, name);
  const [text] = records;
  if (text === undefined) return missing(`There is no TXT record at ${name} that begins with v=spf1.`);
  if (records.length > 1)
    return wrong(`${records.length} SPF records stand at ${name}, which makes all of them void: join them into one.`);
  if (/<[^>]*>/.test(text))
    return wrong(`The record ${quoted(text)} holds a placeholder: put in its place what your relay asks for.`);
  const record = readSpf(text);
  if (record.allowsEverybody) return wrong(`The record ${quoted(text)} lets everybody send: end it with ~all.`);
  const tree = await taken(resolver, name, text);
  if ("problem" in tree) return wrong(tree.problem);
  if (instead !== null) return OK;
  if (!record.allowsSenders) return wrong(`The record ${quoted(text)} names nobody who may send.`);
  if (include === null || tree.includes.has(include)) return OK;
  return wrong(`The record ${quoted(text)} does not name who sends your mails: add include:${include} to it.`);
}

async function spfRecords(resolver: Resolver, name: string): Promise<string[]> {
  return (await resolver.txt(name)).filter(isSpf);
}

type Tree = { readonly includes: ReadonlySet<string> } | { readonly problem: string };

/** Everything that a record takes in, or what makes the whole void. What stands on one level is looked up at the same time. */
async function taken(resolver: Resolver, name: string, text: string): Promise<Tree> {
  const includes = new Set<string>();
  let lookups = 0;
  for (let level: readonly Place[] = [{ name, texts: [text] }]; level.length > 0;) {
    const records = level.map(({ name: at, texts: [only = ""] }) => ({ at, ...readSpf(only) }));
    const bad = records.find(({ fault }) => fault !== null);
    if (bad) return { problem: `The SPF record at ${bad.at} is void: ${quoted(bad.fault ?? "")} means nothing in it.` };
    lookups += records.reduce((sum, one) => sum + one.lookups, 0);
    if (lookups > MAX_LOOKUPS) return { problem: TOO_MANY };
    level = await Promise.all(records.flatMap((one) => one.includes).map((one) => placeAt(resolver, one)));
    const broken = level.find(({ texts }) => texts.length !== 1);
    if (broken) return { problem: brokenBy(broken) };
    for (const one of level) includes.add(one.name);
  }
  return { includes };
}

/** `texts`: the SPF records that stand there. */
type Place = { readonly name: string; readonly texts: readonly string[] };

async function placeAt(resolver: Resolver, name: string): Promise<Place> {
  return { name, texts: await spfRecords(resolver, name) };
}

function brokenBy({ name, texts }: Place): string {
  const what = texts.length === 0 ? "no SPF record stands" : `${texts.length} SPF records stand`;
  return `The record includes ${name}, where ${what}, which makes it void: take that out of it.`;
}
