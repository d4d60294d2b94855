// What the name servers say. Asked by ourselves, packet by packet: Bun tears the strings of one TXT record apart
// (oven-sh/bun#21370), and every DKIM key of 2048 bits stands in two; and it keeps answers longer than they are valid.
import { getServers } from "node:dns";
import { exchange, serverAt, type Server } from "./dns/exchange.ts";
import type { RecordType, Reply } from "./dns/message.ts";

/** Where answers about DNS come from; `[]` = there is no such record. */
export interface Resolver {
  /** The TXT records of a name, each with its strings joined. @throws DnsError if that cannot be found out */
  txt(name: string): Promise<readonly string[]>;
}

/** No name server gave an answer: nothing is known, least of all that there is no record. */
export class DnsError extends Error {
  override readonly name = "DnsError";
}

const TRIES = 2;
/** All of them together, however many there are. */
const LONGEST_MS = 10_000;

const NO_SUCH_NAME = 3;
const REFUSALS: Readonly<Record<number, string>> = { 2: "failed (SERVFAIL)", 5: "refused to answer" };
const FAULTS: Readonly<Record<string, string>> = {
  TimeoutError: "did not answer in time",
  ECONNREFUSED: "cannot be reached",
};

/**
 * Asks `servers` (each an IP address, with a port if that is not 53), or those of the system if there are none; `timeoutMs`
 * is how long one of them may stay silent, each time.
 */
export function systemResolver(servers: readonly string[], timeoutMs = 3_000): Resolver {
  const ask = async (name: string, type: RecordType) => {
    const asked = servers.length > 0 ? servers : getServers();
    const answer = await firstAnswer(asked, timeoutMs, (server, signal) => exchange(server, name, type, signal));
    if ("records" in answer) return answer.records;
    throw new DnsError(`The DNS records of ${name} could not be checked: ${answer.fault}.`);
  };
  return { txt: (name) => ask(name, "TXT") };
}

type Answer = { readonly records: readonly string[] } | { readonly fault: string };
type Ask = (server: Server, signal: AbortSignal) => Promise<Reply>;

/** One server after the other, and all of them again: the first that answers is believed, else the last fault is told. */
async function firstAnswer(servers: readonly string[], timeoutMs: number, ask: Ask): Promise<Answer> {
  const end = AbortSignal.timeout(LONGEST_MS);
  let fault = "there is no name server to ask";
  for (const server of Array.from({ length: TRIES }, () => servers).flat()) {
    if (end.aborted) break;
    const signal = AbortSignal.any([end, AbortSignal.timeout(timeoutMs)]);
    const answer = await ask(serverAt(server), signal).then(readAnswer, readFault);
    if ("records" in answer) return answer;
    fault = `the name server ${server} ${answer.fault}`;
  }
  return { fault };
}

function readAnswer({ code, records }: Reply): Answer {
  if (code === 0 || code === NO_SUCH_NAME) return { records };
  return { fault: REFUSALS[code] ?? `answered with code ${code}` };
}

function readFault({ name, code, message }: Error & { readonly code?: string }): Answer {
  return { fault: FAULTS[code ?? ""] ?? FAULTS[name] ?? `cannot be asked (${message})` };
}
