// The limits on guessing: failures count by client and account together, by client, and by account. An attempt counts
// before the password is compared, so that concurrent ones are not let past; a right one, or one that could not be
// compared, is taken back.
import { HOUR_MS, MINUTE_MS, type Clock } from "../../../base/clock.ts";
import { SlidingLimit } from "../../../base/brakes/sliding-limit.ts";
import { AppError } from "../../../base/errors.ts";
import { sha256Hex } from "../../../base/ids.ts";
import { hostOf } from "../../../base/ip-addresses.ts";

/** `client`: its address; null = cannot be told from others. */
export type SignInAttempt = { readonly client: string | null; readonly account: string };

const WINDOW_MS = 10 * MINUTE_MS;
const MOST = { pair: 10, client: 50, account: 100 };
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

export class SignInLimits {
  readonly #pairs = new SlidingLimit(MOST.pair, WINDOW_MS);
  readonly #clients = new SlidingLimit(MOST.client, WINDOW_MS);
  /** A longer window: guesses at one account may come from everywhere. */
  readonly #accounts = new SlidingLimit(MOST.account, HOUR_MS);

  constructor(private readonly clock: Clock) {}

  /**
   * Runs `work`, which answers null for a failure; each failure is answered later than the last. `failed` runs at the
   * same time, so that the time of the answer does not reveal it.
   * @throws AppError RATE_LIMIT_EXCEEDED
   */
  async run<Result>(
    attempt: SignInAttempt,
    work: () => Promise<Result | null>,
    failed: () => Promise<void> = async () => {},
  ): Promise<Result | null> {
    const atMs = this.clock.monotonicMs();
    const counted = this.#counted(attempt);
    for (const [limit, key] of counted) refuseBeyond(limit.waitSeconds(key, atMs));
    const [failures = 1] = counted.map(([limit, key]) => limit.count(key, atMs));
    const uncount = () => counted.forEach(([limit, key]) => limit.uncount(key, atMs));
    const result = await work().catch((error) => {
      uncount();
      throw error;
    });
    if (result !== null) uncount();
    else await Promise.all([this.#pause(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1))), failed()]);
    return result;
  }

  /** The pair comes first. Accounts are kept as hashes of one size. */
  #counted({ client, account }: SignInAttempt): (readonly [SlidingLimit, string])[] {
    const hash = sha256Hex(account);
    const host = client === null ? "" : hostOf(client);
    const ofClient = client === null ? [] : [[this.#clients, host] as const];
    return [[this.#pairs, `${host} ${hash}`], ...ofClient, [this.#accounts, hash]];
  }

  #pause(ms: number): Promise<void> {
    const signal = this.clock.timeout(ms);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }
}

/** @throws AppError RATE_LIMIT_EXCEEDED */
function refuseBeyond(retryAfterSeconds: number): void {
  if (retryAfterSeconds === 0) return;
  throw new AppError("RATE_LIMIT_EXCEEDED", "Too many attempts to sign in have failed.", { retryAfterSeconds });
}
