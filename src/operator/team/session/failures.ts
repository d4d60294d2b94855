// How failed sign-ins are recorded: lines in the log by client, and entries in the audit log by user. Strangers can
// fail as often as they like, so both are bounded.
import { HOUR_MS, MINUTE_MS } from "../../../base/clock.ts";
import { isStoreAway } from "../../../base/errors.ts";
import { SlidingLimit } from "../../../base/brakes/sliding-limit.ts";
import type { Ground } from "../../../ground/ground.ts";
import { hostOf } from "../../../base/ip-addresses.ts";
import { SparseWarnings } from "../../../base/jobs/sparse-warnings.ts";
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import { noteAct } from "../audit/audit.ts";
import type { User } from "../queries.ts";

export type SignInFailure = {
  readonly client: string | null;
  /** The user whose account was tried; null = there is no such account. */
  readonly user: Pick<User, "id"> | null;
  readonly requestId: string;
};

const LINE_EVERY_MS = MINUTE_MS;
const ENTRIES_AN_HOUR = 1;
/** The proof was wrong: the actor is unknown. */
const SOMEBODY: ChangeAuthor = { kind: "PERSON", id: null, name: null };

export class SignInFailures {
  readonly #ground: Ground;
  readonly #warnings: SparseWarnings;
  readonly #entries = new SlidingLimit(ENTRIES_AN_HOUR, HOUR_MS);

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#warnings = new SparseWarnings(ground.log, ground.clock, LINE_EVERY_MS);
  }

  /** One line a minute for each client, one entry an hour for each user, and one for all unknown ones. */
  async note({ client, user, requestId }: SignInFailure): Promise<void> {
    this.#warn("somebody could not sign in", client, { ...(user ? { user: user.id } : {}), requestId });
    if (!this.#entries.take(user?.id ?? "", this.#ground.clock.monotonicMs()).allowed) return;
    const act = { by: SOMEBODY, action: "signInFailed", target: user?.id ?? null, requestId };
    await this.#ground.store.write((tx) => noteAct(tx, act)).catch(ignoreStoreAway);
  }

  /** An attempt refused unchecked, after too many failures. */
  noteRefusal(client: string | null): void {
    this.#warn("sign-ins are refused: too many have failed", client, {});
  }

  #warn(message: string, client: string | null, fields: object): void {
    const from = client === null ? {} : { client };
    this.#warnings.warn(message, { ...from, ...fields }, `${message} ${client === null ? "" : hostOf(client)}`);
  }
}

/** The log has the fault, and the answer is the same. */
function ignoreStoreAway(error: unknown): void {
  if (!isStoreAway(error)) throw error;
}
