// A resolver that remembers: each answer as long as its zone allows, in bounded memory, and no question twice at a time. Who
// asks much at a time waits, and keeps nobody else waiting.
import { BoundedMap } from "../bounded-map.ts";
import type { Clock } from "../clock.ts";
import { DnsError, type Found, type Resolver } from "../dns.ts";
import type { Question, RecordType } from "./message.ts";
import { Places, type Bounds, type Who } from "./places.ts";

/** On whose behalf a question is asked, and when the answer is of no more use. */
type Asker = { readonly who: Who; readonly until?: AbortSignal };

/** @throws DnsError if that cannot be found out, or not in time */
export interface SharedResolver {
  find(name: string, type: RecordType, asker: Asker): Promise<Found>;
}

type CacheLimits = {
  /** Answers that are kept, and all their characters together; the longest unused goes first. */
  readonly answers: number;
  readonly chars: number;
  /** Questions on their way; each has a socket open. */
  readonly questions: Bounds;
};

const LIMITS: CacheLimits = { answers: 20_000, chars: 20_000_000, questions: { all: 500, each: 100 } };
const ANYBODY: Asker = { who: "anybody" };
/** RFC 8767 §4 lets nobody keep an answer for weeks; RFC 2308 §5 wants that something is missing forgotten within hours. */
const LONGEST_SECONDS = 86_400;
const LONGEST_WITHOUT_SECONDS = 10_800;

type Kept = { readonly found: Found; readonly untilMs: number };

export class CachingResolver implements Resolver, SharedResolver {
  readonly #kept: BoundedMap<string, Kept>;
  readonly #asking = new Map<string, Promise<Found>>();
  readonly #places: Places;

  constructor(
    private readonly resolver: Resolver,
    private readonly clock: Clock,
    limits = LIMITS,
  ) {
    this.#kept = new BoundedMap(limits.answers, limits.chars);
    this.#places = new Places(limits.questions);
  }

  /** Not kept: who asks for TXT records has just published them. */
  txt(name: string): Promise<readonly string[]> {
    return this.resolver.txt(name);
  }

  async find(name: string, type: RecordType, { who, until } = ANYBODY): Promise<Found> {
    const key = `${type} ${name.toLowerCase()}`;
    const known = this.#remembered(key);
    if (known) return known;
    if (until?.aborted) throw new DnsError("There was no time to ask.", false);
    const asking = this.#asking.get(key);
    if (asking) return inTime(asking, until);
    const place = this.#places.take(who, until);
    if (!place) return inTime(this.#ask(who, key, { name, type }), until);
    await place;
    const found = this.#remembered(key) ?? this.#asking.get(key);
    if (!found) return inTime(this.#ask(who, key, { name, type }), until);
    this.#places.giveBack(who);
    return inTime(Promise.resolve(found), until);
  }

  #remembered(key: string): Found | undefined {
    const kept = this.#kept.get(key);
    return kept && this.clock.monotonicMs() < kept.untilMs ? kept.found : undefined;
  }

  /** From a place of `who`, which is given back. */
  #ask(who: Who, key: string, { name, type }: Pick<Question, "name" | "type">): Promise<Found> {
    const answer = this.resolver.find(name, type).then((found) => this.#keep(key, found));
    const asked = answer.finally(() => {
      this.#asking.delete(key);
      this.#places.giveBack(who);
    });
    this.#asking.set(key, asked);
    return asked;
  }

  #keep(key: string, found: Found): Found {
    const longestSeconds = found.records.length > 0 ? LONGEST_SECONDS : LONGEST_WITHOUT_SECONDS;
    const keptMs = Math.min(found.ttlSeconds, longestSeconds) * 1000;
    const chars = found.records.reduce((sum, record) => sum + record.length, key.length);
    if (keptMs > 0) this.#kept.set(key, { found, untilMs: this.clock.monotonicMs() + keptMs }, chars);
    return found;
  }
}

/** The question goes on without who cannot wait: its answer is kept for the next. */
function inTime(answer: Promise<Found>, until: AbortSignal | undefined): Promise<Found> {
  if (!until) return answer;
  const { promise, resolve, reject } = Promise.withResolvers<Found>();
  const late = () => reject(new DnsError("No answer came in time."));
  until.addEventListener("abort", late);
  answer.then(resolve, reject);
  return promise.finally(() => until.removeEventListener("abort", late));
}
