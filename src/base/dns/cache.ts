// A caching resolver: each answer is kept for as long as its zone allows, in bounded space, and a question is never on
// its way twice. An asker with many questions waits for its own, and delays no other asker.
import { BoundedMap } from "../brakes/bounded-map.ts";
import { FairQueue } from "../brakes/fair-queue.ts";
import type { Clock } from "../clock.ts";
import { DnsError, type DnsResult, type Resolver } from "../dns.ts";
import type { DnsQuestion, RecordType } from "./message.ts";

/** The asker of a question, and when the answer is of no more use. */
type Asker = {
  /** Identifies the asker, for example a workspace. */
  readonly who: number | string;
  readonly until?: AbortSignal;
};

/** @throws DnsError if the answer cannot be found out, or not in time */
export interface SharedResolver {
  find(name: string, type: RecordType, asker: Asker): Promise<DnsResult>;
}

type CacheLimits = {
  /** The limits on kept answers and on all their characters together; the least recently used answer goes first. */
  readonly answers: number;
  readonly chars: number;
  /** Limits on questions on their way; each has a socket open. */
  readonly questions: { readonly total: number; readonly perAsker: number };
};

const LIMITS: CacheLimits = { answers: 20_000, chars: 20_000_000, questions: { total: 500, perAsker: 100 } };
const ANYBODY: Asker = { who: "anybody" };
/** RFC 8767 §4 lets no resolver keep an answer for weeks; RFC 2308 §5 wants negative answers forgotten within hours. */
const MAX_TTL_SECONDS = 86_400;
const MAX_NEGATIVE_TTL_SECONDS = 10_800;

type DnsCacheEntry = { readonly found: DnsResult; readonly untilMs: number };

export class CachingResolver implements Resolver, SharedResolver {
  readonly #kept: BoundedMap<string, DnsCacheEntry>;
  readonly #underWay = new Map<string, Promise<DnsResult>>();
  readonly #slots: FairQueue;

  constructor(
    private readonly resolver: Resolver,
    private readonly clock: Clock,
    limits = LIMITS,
  ) {
    this.#kept = new BoundedMap(limits.answers, limits.chars);
    this.#slots = new FairQueue(limits.questions.total, limits.questions.perAsker);
  }

  /** Not cached: a caller that needs TXT records has just published them. */
  txt(name: string): Promise<readonly string[]> {
    return this.resolver.txt(name);
  }

  async find(name: string, type: RecordType, { who, until } = ANYBODY): Promise<DnsResult> {
    const key = `${type} ${name.toLowerCase()}`;
    const known = this.#remembered(key);
    if (known) return known;
    if (until?.aborted) throw new DnsError("There was no time left to ask.", false);
    const underWay = this.#underWay.get(key);
    if (underWay) return inTime(underWay, until);
    const release = await this.#slots.take({ owner: who, until }).catch(() => {
      throw new DnsError("Too many questions were under way.", false);
    });
    const found = this.#remembered(key) ?? this.#underWay.get(key);
    if (!found) return inTime(this.#ask(release, key, { name, type }), until);
    release();
    return inTime(Promise.resolve(found), until);
  }

  #remembered(key: string): DnsResult | undefined {
    const kept = this.#kept.get(key);
    return kept && this.clock.monotonicMs() < kept.untilMs ? kept.found : undefined;
  }

  #ask(release: () => void, key: string, { name, type }: Pick<DnsQuestion, "name" | "type">): Promise<DnsResult> {
    const answer = this.resolver.find(name, type).then((found) => this.#keep(key, found));
    const asked = answer.finally(() => {
      this.#underWay.delete(key);
      release();
    });
    this.#underWay.set(key, asked);
    return asked;
  }

  #keep(key: string, found: DnsResult): DnsResult {
    const maxSeconds = found.records.length > 0 ? MAX_TTL_SECONDS : MAX_NEGATIVE_TTL_SECONDS;
    const keptMs = Math.min(found.ttlSeconds, maxSeconds) * 1000;
    const chars = found.records.reduce((sum, record) => sum + record.length, key.length);
    if (keptMs > 0) this.#kept.set(key, { found, untilMs: this.clock.monotonicMs() + keptMs }, chars);
    return found;
  }
}

/** The question goes on without an asker that cannot wait: its answer is kept for the next. */
function inTime(answer: Promise<DnsResult>, until: AbortSignal | undefined): Promise<DnsResult> {
  if (!until) return answer;
  const { promise, resolve, reject } = Promise.withResolvers<DnsResult>();
  const late = () => reject(new DnsError("No answer came in time."));
  until.addEventListener("abort", late);
  answer.then(resolve, reject);
  return promise.finally(() => until.removeEventListener("abort", late));
}
