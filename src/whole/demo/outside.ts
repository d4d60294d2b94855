// The world around the demo. No outside server is asked, and nothing leaves: the name servers are this table, and no
// host is found.
import { DnsError, type DnsResult, type Resolver } from "../../base/dns.ts";
import type { Swaps } from "../server.ts";
import { MAILBOXES } from "./people.ts";

const TTL_SECONDS = 3_600;

type Zone = { readonly [type: string]: readonly string[] };

export class DemoNames implements Resolver {
  readonly #zones = new Map<string, Zone>([
    [MAILBOXES.gmail, { MX: ["10 aspmx.l.google.com"] }],
    [MAILBOXES.outlook, { MX: ["10 example-net.mail.protection.outlook.com"] }],
  ]);

  publish({ name, type, value }: { readonly name: string; readonly type: string; readonly value: string }): void {
    this.#zones.set(name, { ...this.#zones.get(name), [type]: [value] });
  }

  async find(name: string, type: string): Promise<DnsResult> {
    const nameExists = [...this.#zones.keys()].some((known) => known === name || known.endsWith(`.${name}`));
    return { nameExists, records: this.#zones.get(name)?.[type] ?? [], ttlSeconds: TTL_SECONDS };
  }

  async txt(name: string): Promise<readonly string[]> {
    return (await this.find(name, "TXT")).records;
  }
}

/** The parts of a server that would call others. */
export function nobodyOutside(names: DemoNames): Swaps {
  const callsNobody = () => Promise.reject(new DnsError("This is a demo: it calls nobody."));
  return { resolver: names, lookUp: callsNobody, fetchText: callsNobody, certificates: () => Promise.resolve(null) };
}
