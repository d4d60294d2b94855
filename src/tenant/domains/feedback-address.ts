// Where mailbox providers may report complaints about the marketing mail of a sender domain (RFC 9477,
// docs/bounces.md).
//
// At the domain itself, if its mail arrives here; else at the return-path domain, if that is below it. One DKIM
// signature of the sender's domain is enough then (RFC 9477 §3.1); an address elsewhere would need another signature of
// its own.
import { BoundedMap } from "../../base/brakes/bounded-map.ts";
import { MINUTE_MS } from "../../base/clock.ts";
import type { Ground } from "../../ground/ground.ts";
import { recordSettings } from "./dns-records.ts";
import { checksOfVerified } from "./queries.ts";
import { arrivesHere } from "./report-address.ts";

const KNOWN_MS = 10 * MINUTE_MS;
const MOST_KNOWN = 1_000;

type CachedAddress = { readonly address: Promise<string | null>; readonly untilMs: number };

/** Looked up once in a while, as the hand-over of mail has no time for it. */
export class FeedbackAddresses {
  readonly #ground: Pick<Ground, "config" | "store" | "clock" | "ways">;
  readonly #known = new BoundedMap<string, CachedAddress>(MOST_KNOWN);

  constructor(ground: Pick<Ground, "config" | "store" | "clock" | "ways">) {
    this.#ground = ground;
  }

  /** Null = the domain has none. Concurrent callers, such as the emails of a campaign, share one lookup. */
  of(domain: string): Promise<string | null> {
    const nowMs = this.#ground.clock.monotonicMs();
    const known = this.#known.get(domain);
    if (known && known.untilMs > nowMs) return known.address;
    const address = this.#lookedUp(domain);
    this.#known.set(domain, { address, untilMs: nowMs + KNOWN_MS });
    address.catch(() => this.#known.delete(domain));
    return address;
  }

  async #lookedUp(domain: string): Promise<string | null> {
    const { config, store, ways } = this.#ground;
    const settings = recordSettings(config, ways.used);
    const { takesMail, returnPathDomain } = settings;
    if (!takesMail) return null;
    const checks = await store.read((reader) => checksOfVerified(reader, domain));
    if (checks !== null && arrivesHere({ domain, checks }, settings)) return `fbl@${domain}`;
    const isBelow = checks !== null && `.${returnPathDomain ?? ""}`.endsWith(`.${domain}`);
    return isBelow ? `fbl@${returnPathDomain}` : null;
  }
}
