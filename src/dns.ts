// What the name servers say: the one place that asks them.
import { Resolver as NameResolver } from "node:dns/promises";

/** Where answers about DNS come from; `[]` = there is no such record. */
export interface Resolver {
  /** The TXT records of a name, each with its strings joined (RFC 7208 §3.3). @throws DnsError if that cannot be found out */
  txt(name: string): Promise<readonly string[]>;
}

/** No name server gave an answer: nothing is known, least of all that there is no record. */
export class DnsError extends Error {
  override readonly name = "DnsError";
}

/** One name server may stay silent for so long, twice. */
const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** All of them together, however many there are. */
const LONGEST_MS = 10_000;

const NO_RECORD: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA"]);
const REASONS: Readonly<Record<string, string>> = {
  ETIMEOUT: "no name server answered in time",
  ECANCELLED: "no name server answered in time",
  ESERVFAIL: "the name server failed (SERVFAIL)",
  EREFUSED: "the name server refused to answer",
  ECONNREFUSED: "no name server could be reached",
};

/** Asks `servers` (each an IP address, with a port if that is not 53), or those of the system if there are none. */
export function systemResolver(servers: readonly string[]): Resolver {
  return {
    txt: (name) =>
      answer(name, servers, async (resolver) => (await resolver.resolveTxt(name)).map((strings) => strings.join(""))),
  };
}

type Ask = (resolver: NameResolver) => Promise<string[]>;

/** With a resolver of its own: one that is used again keeps answers for up to an hour, whatever their time to live. */
async function answer(name: string, servers: readonly string[], ask: Ask): Promise<string[]> {
  const resolver = new NameResolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers([...servers]);
  const deadline = setTimeout(() => resolver.cancel(), LONGEST_MS);
  try {
    return await ask(resolver);
  } catch (error) {
    const code = (error as { code?: string }).code ?? String(error);
    if (NO_RECORD.has(code)) return [];
    throw new DnsError(`The DNS records of ${name} could not be checked: ${REASONS[code] ?? code}.`);
  } finally {
    clearTimeout(deadline);
  }
}
