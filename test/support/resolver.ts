// A resolver that knows what a test has written down, and which questions it was asked.
import type { Clock } from "../../src/base/clock.ts";
import { DnsError, type DnsResult, type Resolver } from "../../src/base/dns.ts";
import type { RecordType } from "../../src/base/dns/message.ts";

/** Records of a name by type; `silence` = nobody answers for this type, or for the whole name. */
export type Zone = { readonly [Type in RecordType]?: readonly string[] | "silence" } | "silence";

const TTL_SECONDS = 3600;

export class TableResolver implements Resolver {
  readonly asked: string[] = [];

  constructor(readonly zones: Readonly<Record<string, Zone>> = {}) {}

  async find(name: string, type: RecordType): Promise<DnsResult> {
    this.asked.push(`${type} ${name}`);
    const zone = this.zones[name];
    const records = zone === "silence" ? "silence" : (zone?.[type] ?? []);
    if (records === "silence") throw new DnsError(`Nobody knows ${name}.`);
    return { nameExists: zone !== undefined || this.#isAbove(name), records, ttlSeconds: TTL_SECONDS };
  }

  async txt(name: string): Promise<readonly string[]> {
    return (await this.find(name, "TXT")).records;
  }

  #isAbove(name: string): boolean {
    return Object.keys(this.zones).some((known) => known.endsWith(`.${name}`));
  }
}

/** Answers as the table says, each question when it has been on its way for so long. */
export class SlowResolver extends TableResolver {
  /** Resolved each time somebody asks. */
  #noticed = Promise.withResolvers<void>();

  constructor(
    zones: Readonly<Record<string, Zone>>,
    private readonly clock: Clock,
    private readonly tookMs: (name: string) => number,
  ) {
    super(zones);
  }

  override async find(name: string, type: RecordType): Promise<DnsResult> {
    const found = super.find(name, type);
    this.#noticed.resolve();
    this.#noticed = Promise.withResolvers();
    const signal = this.clock.timeout(this.tookMs(name));
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return found;
  }

  /** Answers when so many questions have been asked in all. */
  async askedOf(count: number): Promise<void> {
    while (this.asked.length < count) await this.#noticed.promise;
  }
}
