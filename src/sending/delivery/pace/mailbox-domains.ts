// The mailbox provider of each recipient: by the domain of the address, or by the domain's MX records, which are
// resolved once a day, and only while a brake or a warm-up needs them.
import { BoundedMap } from "../../../base/brakes/bounded-map.ts";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, type Clock } from "../../../base/clock.ts";
import type { Resolver } from "../../../base/dns.ts";
import { boundedResolver } from "../../../base/dns/bounded.ts";
import { PROVIDER_NAMES, providerOf, type MailboxProvider } from "../../../mail/statistics/providers.ts";
import type { Store } from "../../../store/store.ts";
import { providerOfHosts } from "./mailbox-hosts.ts";
import { forgetMailboxDomains, keepMailboxDomain, mailboxDomain } from "./queries.ts";

type MailboxDomainsOptions = { readonly store: Store; readonly clock: Clock; readonly resolver: Resolver };

const MOST_DOMAINS = 50_000;
const MOST_FORGOTTEN = 1_000;
const MOST_QUESTIONS = 50;
/** Until a name server that did not answer is asked again. */
const UNKNOWN_MS = 5 * MINUTE_MS;

type MailboxDomainEntry = { readonly provider: MailboxProvider | null; readonly untilMs: number };

export class MailboxDomains {
  readonly #options: MailboxDomainsOptions;
  readonly #known = new BoundedMap<string, MailboxDomainEntry>(MOST_DOMAINS);
  readonly #underWay = new Map<string, Promise<MailboxProvider | null>>();

  constructor(options: MailboxDomainsOptions) {
    this.#options = { ...options, resolver: boundedResolver(options.resolver, MOST_QUESTIONS) };
  }

  /** The name of the provider that hosts these mailboxes; for any other server, the domain itself. */
  async mailboxOf(domain: string): Promise<string> {
    return this.atOnce(domain) ?? (await this.#lookUp(domain)) ?? domain;
  }

  /** The same, from memory without a DNS query; null = unknown. */
  atOnce(domain: string): string | null {
    const provider = providerOf(domain);
    if (provider !== "other") return provider;
    const known = this.#known.get(domain);
    return known && this.#options.clock.monotonicMs() < known.untilMs ? (known.provider ?? domain) : null;
  }

  /** Deletes expired rows; answers the wait until the next deletion. */
  async forget(): Promise<number> {
    const { store } = this.#options;
    const gone = await store.write((tx) => forgetMailboxDomains(tx, iso(tx.nowMs - DAY_MS), MOST_FORGOTTEN));
    return gone === MOST_FORGOTTEN ? 0 : HOUR_MS;
  }

  #lookUp(domain: string): Promise<MailboxProvider | null> {
    const underWay = this.#underWay.get(domain) ?? this.#find(domain).finally(() => this.#underWay.delete(domain));
    this.#underWay.set(domain, underWay);
    return underWay;
  }

  async #find(domain: string): Promise<MailboxProvider | null> {
    const { store, clock, resolver } = this.#options;
    const since = iso(clock.nowMs() - DAY_MS);
    const kept = await store.read((reader) => mailboxDomain<MailboxProvider>(reader, domain, since));
    if (kept !== null) return this.#remember(domain, kept, DAY_MS);
    const hosts = await resolver.find(domain, "MX").catch(() => null);
    if (hosts === null) return this.#remember(domain, null, UNKNOWN_MS);
    const provider = providerOfHosts(hosts.records);
    // Mails to a provider's domains are found in the queue by these rows (queries.ts).
    if (provider !== null) await store.write((tx) => keepMailboxDomain(tx, domain, provider));
    return this.#remember(domain, provider, DAY_MS);
  }

  #remember(domain: string, provider: MailboxProvider | null, forMs: number): MailboxProvider | null {
    this.#known.set(domain, { provider, untilMs: this.#options.clock.monotonicMs() + forMs });
    return provider;
  }
}

/** Whether it is the name of a provider, and not a company's own domain. */
export function isKnown(mailbox: string): boolean {
  return (PROVIDER_NAMES as readonly string[]).includes(mailbox);
}
