// A resolver that remembers: each answer as long as its zone allows, in bounded memory, and no question twice at a time.
import type { Clock } from "../clock.ts";
import { DnsError, type Found, type Resolver } from "../dns.ts";
import type { RecordType } from "./message.ts";

export type CacheLimits = {
  /** Answers that are kept; the longest unused goes first. */
  readonly answers: number;
  /** Questions on their way; each has a socket open. */
  readonly questions: number;
};

const LIMITS: CacheLimits = { answers: 20_000, questions: 500 };
/** RFC 8767 §4 lets nobody keep an answer for weeks; RFC 2308 §5 wants that something is missing forgotten within hours. */
const LONGEST_SECONDS = 86_400;
const LONGEST_WITHOUT_SECONDS = 10_800;

type Kept = { readonly found: Found; readonly untilMs: number };

export class CachingResolver implements Resolver {
  readonly #kept = new Map<string, Kept>();
  readonly #asking = new Map<string, Promise<Found>>();

  constructor(
    private readonly resolver: Resolver,
    private readonly clock: Clock,
    private readonly limits = LIMITS,
  ) {}

  /** Not kept: who asks for TXT records has just published them. */
  txt(name: string): Promise<readonly string[]> {
    return this.resolver.txt(name);
  }

  async find(name: string, type: RecordType): Promise<Found> {
    const key = `${type} ${name.toLowerCase()}`;
    return this.#remembered(key) ?? this.#asking.get(key) ?? this.#ask(key, name, type);
  }

  #remembered(key: string): Found | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#kept.delete(key);
    if (kept.untilMs <= this.clock.monotonicMs()) return undefined;
    this.#kept.set(key, kept);
    return kept.found;
  }

  #ask(key: string, name: string, type: RecordType): Promise<Found> {
    if (this.#asking.size >= this.limits.questions) throw new DnsError("Too many questions are waiting for an answer.");
    const answer = this.resolver.find(name, type).then((found) => this.#keep(key, found));
    const asked = answer.finally(() => this.#asking.delete(key));
    this.#asking.set(key, asked);
    return asked;
  }

  #keep(key: string, found: Found): Found {
    const longestSeconds = found.records.length > 0 ? LONGEST_SECONDS : LONGEST_WITHOUT_SECONDS;
    const keptMs = Math.min(found.ttlSeconds, longestSeconds) * 1000;
    if (keptMs <= 0) return found;
    this.#kept.set(key, { found, untilMs: this.clock.monotonicMs() + keptMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.limits.answers) break;
      this.#kept.delete(oldest);
    }
    return found;
  }
}
