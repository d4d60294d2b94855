// DNS lookups, by our own packets: Bun splits the strings of one TXT record
// (oven-sh/bun#21370), and every DKIM key of 2048 bits has two; and it keeps answers longer than they are valid.
import { getServers } from "node:dns";
import { exchange, serverAt, type NameServer } from "./dns/exchange.ts";
import type { RecordType, DnsReply } from "./dns/message.ts";

export type DnsResult = {
  /** False: there is no such name, and none below it (RFC 8020). */
  readonly nameExists: boolean;
  /** As in `Reply`; `[]` = there is no such record. */
  readonly records: readonly string[];
  readonly ttlSeconds: number;
};

/** A source of answers about DNS. */
export interface Resolver {
  /** @throws DnsError if the answer cannot be found out */
  find(name: string, type: RecordType): Promise<DnsResult>;
  /** The TXT records of a name, each with its strings joined. @throws DnsError if they cannot be found out */
  txt(name: string): Promise<readonly string[]>;
}

type DnsWait = {
  /** How long one name server may stay silent, each time. */
  readonly timeoutMs: number;
  /** The limit for all attempts together. */
  readonly longestMs: number;
};

/** No name server answered: nothing is known, least of all that the record does not exist. */
export class DnsError extends Error {
  override readonly name = "DnsError";

  constructor(
    message: string,
    /** False: there was no time to ask a server. */
    readonly wasAsked = true,
  ) {
    super(message);
  }
}

const TRIES = 2;
const USUAL: DnsWait = { timeoutMs: 3_000, longestMs: 10_000 };

const NO_SUCH_NAME = 3;
const REFUSALS: Readonly<Record<number, string>> = { 2: "failed (SERVFAIL)", 5: "refused to answer" };
const FAULTS: Readonly<Record<string, string>> = {
  TimeoutError: "did not answer in time",
  ECONNREFUSED: "cannot be reached",
};

/** The name servers to ask: `servers`, or those of the system if there are none. */
export function nameServers(servers: readonly string[]): readonly string[] {
  return servers.length > 0 ? servers : getServers();
}

/** Asks `servers` (each an IP address, with a port if that is not 53), or those of the system if there are none. */
export function systemResolver(servers: readonly string[], maxWait = USUAL): Resolver {
  const find = async (name: string, type: RecordType): Promise<DnsResult> => {
    const answer = await firstAnswer(nameServers(servers), maxWait, (server, signal) =>
      exchange(server, name, type, signal),
    );
    if ("records" in answer) return answer;
    throw new DnsError(`The DNS records of ${name} could not be checked: ${answer.fault}.`);
  };
  return { find, txt: async (name) => (await find(name, "TXT")).records };
}

type DnsOutcome = DnsResult | { readonly fault: string };
type ServerExchange = (server: NameServer, signal: AbortSignal) => Promise<DnsReply>;

/** Asks one server after the other, and all of them again: the first answer counts, else the last fault is reported. */
async function firstAnswer(servers: readonly string[], maxWait: DnsWait, ask: ServerExchange): Promise<DnsOutcome> {
  const end = AbortSignal.timeout(maxWait.longestMs);
  let fault = "there is no name server to ask";
  for (const server of Array.from({ length: TRIES }, () => servers).flat()) {
    if (end.aborted) break;
    const signal = AbortSignal.any([end, AbortSignal.timeout(maxWait.timeoutMs)]);
    const answer = await ask(serverAt(server), signal).then(readAnswer, readFault);
    if ("records" in answer) return answer;
    fault = `the name server ${server} ${answer.fault}`;
  }
  return { fault };
}

function readAnswer({ code, records, ttlSeconds }: DnsReply): DnsOutcome {
  if (code === 0 || code === NO_SUCH_NAME) return { nameExists: code === 0, records, ttlSeconds };
  return { fault: REFUSALS[code] ?? `answered with code ${code}` };
}

function readFault({ name, code, message }: Error & { readonly code?: string }): DnsOutcome {
  return { fault: FAULTS[code ?? ""] ?? FAULTS[name] ?? `cannot be asked (${message})` };
}
