// Mail that waits for the pace of a mailbox provider, held by it: put there, swept, and claimed again.
import type { Clock } from "../../../base/clock.ts";
import { LANES, type Lane } from "../../../mail/emails/queue/holds.ts";
import { countPaced, returnPaced, setPaced, sweepDue } from "../../../mail/emails/queue/pace-queries.ts";
import type { MailAttempt } from "../../../mail/emails/queue/queue-queries.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import { LOOK_OFTEN_MS, NOTHING_DUE } from "../../../base/jobs/due.ts";
import type { Sql } from "../../../store/sql.ts";
import type { Store } from "../../../store/store.ts";
import type { Limit, LimitedMail } from "../limits/limit.ts";
import type { ClaimedMail, Rate } from "../limits/rate.ts";
import { claimBacklog } from "./claim-backlog.ts";
import {
  allBacklogs,
  deleteBacklog,
  isAtMailbox,
  keepBacklog,
  lockBacklog,
  backlogOf,
  type MailBacklog,
} from "./queries.ts";

type BacklogsOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** The limits of a lane of the backlog on this way; null = no limit on any way. */
  readonly limitsOf: (backlog: MailBacklog, lane: Lane, way: string) => readonly Limit[] | null;
  /** The order in which a lane of the backlog leaves. */
  readonly placeOf: (backlog: LimitedMail, lane: Lane) => Sql;
};

const MOST_BACKLOGS = 5_000;
/** Mails of the queue that one transaction sweeps. */
const SWEEP_WINDOW = 5_000;
const MOST_RETURNED = 2_000;
/** The most mails that one claim takes from a backlog, and the most backlogs in one step. */
const MOST_OF_BACKLOG = 50;
const MOST_A_STEP = 20;

/** A way out. */
export type BacklogWay = Pick<Rate, "pace" | "pacer"> & {
  readonly name: string;
  /** Selects the queued mails for this way; null = all of them. */
  readonly only: Sql | null;
  /** The next hop to note on claimed mails; null = there is one way only. */
  readonly hop: number | null;
};

type BacklogLanes = {
  readonly backlog: MailBacklog;
  /** Lanes with mail that may wait, each with the moment before which none may leave, by way. */
  readonly lanes: Map<Lane, Map<string, number>>;
};

/** Signalled when a mail was put into a backlog. */
export const BACKLOG_FILLED = "a backlog has mail";

export class Backlogs {
  readonly #options: BacklogsOptions;
  readonly #waiting = new Map<number, BacklogLanes>();
  readonly #toSweep = new Map<number, MailBacklog>();

  constructor(options: BacklogsOptions) {
    this.#options = options;
  }

  get isNone(): boolean {
    return this.#waiting.size === 0;
  }

  /** Loads the backlogs of the store. */
  async load(): Promise<void> {
    const { store } = this.#options;
    const backlogs = await store.read((reader) => allBacklogs(reader, MOST_BACKLOGS));
    const known = new Set(backlogs.map(({ seq }) => seq));
    for (const seq of this.#waiting.keys()) if (!known.has(seq)) this.#waiting.delete(seq);
    for (const backlog of backlogs) this.#mayWait(backlog);
  }

  /** The limits may have changed. */
  lookAgain(): void {
    for (const { lanes } of this.#waiting.values()) for (const nextAtMs of lanes.values()) nextAtMs.clear();
  }

  /** Puts a claimed mail into a backlog, without counting an attempt. */
  async put(mail: MailAttempt, lane: Lane, key: LimitedMail): Promise<void> {
    const { store, placeOf } = this.#options;
    const backlog = await store.write(async (tx) => {
      const row = await backlogOf(tx, key);
      await setPaced(tx, mail, row.seq, placeOf(key, lane));
      notifyChange(tx, "mails", key.workspace);
      tx.signal(BACKLOG_FILLED);
      return row;
    });
    this.#mayWait(backlog);
    this.#toSweep.set(backlog.seq, backlog);
  }

  /** Moves due mails that belong to a filled backlog into it, a bounded number. Answers whether there may be more. */
  async sweep(): Promise<boolean> {
    const { store, placeOf, limitsOf } = this.#options;
    for (const backlog of this.#toSweep.values()) {
      const { workspace, domain, mailbox, seq } = backlog;
      const isTheirs = isAtMailbox(mailbox);
      const lanes = LANES.filter((lane) => limitsOf(backlog, lane, "") !== null);
      const moved = await store.write(async (tx) => {
        // A backlog may have ended meanwhile: its mails would never be claimed.
        if ((await keepBacklog(tx, seq)) === null) return 0;
        let count = 0;
        for (const lane of lanes) {
          const place = placeOf(backlog, lane);
          count += await sweepDue(tx, { lane, workspace, backlog: seq, domain, isTheirs, place }, SWEEP_WINDOW);
        }
        return count;
      });
      if (moved === 0) this.#toSweep.delete(seq);
      else this.#mayWait(backlog);
      if (moved > 0) return true;
    }
    return false;
  }

  /** Claims for a way the mails that may leave by now; answers the wait until the next one. */
  async claim(way: BacklogWay, most: number): Promise<{ mails: readonly ClaimedMail[]; restMs: number }> {
    const nowMs = this.#options.clock.monotonicMs();
    const mails: ClaimedMail[] = [];
    const rests: number[] = [NOTHING_DUE];
    let steps = MOST_A_STEP;
    for (const [seq, waiting] of [...this.#waiting]) {
      for (const lane of LANES) {
        const nextAtMs = waiting.lanes.get(lane);
        if (!nextAtMs) continue;
        const leftMs = (nextAtMs.get(way.name) ?? -Infinity) - nowMs;
        if (leftMs > 0 || steps === 0 || mails.length >= most) {
          rests.push(Math.max(leftMs, BUSY_MS));
          // Marketing mail takes no slot for which transactional mail waits.
          break;
        }
        steps--;
        rests.push(await this.#claimLane(waiting, lane, { way, most: most - mails.length, mails }));
      }
      // The next step begins with another backlog.
      this.#waiting.delete(seq);
      if (waiting.lanes.size > 0) this.#waiting.set(seq, waiting);
      else await this.#end(waiting.backlog);
    }
    return { mails, restMs: Math.min(...rests) };
  }

  async #claimLane(
    { backlog, lanes }: BacklogLanes,
    lane: Lane,
    to: { readonly way: BacklogWay; readonly most: number; readonly mails: ClaimedMail[] },
  ): Promise<number> {
    const { store, clock, leaseMs, limitsOf } = this.#options;
    const { name, only, hop, ...rate } = to.way;
    const { mails } = to;
    const limits = limitsOf(backlog, lane, name);
    if (limits === null) {
      const returned = await store.write((tx) => returnPaced(tx, backlog.seq, lane, MOST_RETURNED));
      if (returned < MOST_RETURNED) lanes.delete(lane);
      return returned > 0 ? 0 : BUSY_MS;
    }
    const most = Math.min(MOST_OF_BACKLOG, to.most);
    const terms = { ...rate, backlog, lane, limits, only, hop, clock, leaseMs, most };
    const claimed = await store.write((tx) => claimBacklog(tx, terms));
    mails.push(...claimed.mails);
    if (claimed.isEmpty && (only === null || (await this.#isEmpty(backlog, lane)))) lanes.delete(lane);
    const restMs = claimed.isEmpty ? LOOK_OFTEN_MS : claimed.restMs;
    lanes.get(lane)?.set(name, clock.monotonicMs() + restMs);
    return restMs;
  }

  /** Checks for mails of all ways together. */
  async #isEmpty({ seq }: MailBacklog, lane: Lane): Promise<boolean> {
    return (await this.#options.store.read((reader) => countPaced(reader, seq, lane, 1))) === 0;
  }

  /** Forgets a backlog that is empty. */
  async #end(backlog: MailBacklog): Promise<void> {
    const { store } = this.#options;
    const isGone = await store.write(async (tx) => {
      if ((await lockBacklog(tx, backlog.seq)) === null) return true;
      for (const lane of LANES) if ((await countPaced(tx, backlog.seq, lane, 1)) > 0) return false;
      return (await deleteBacklog(tx, backlog.seq)) > 0;
    });
    if (!isGone) this.#mayWait(backlog);
  }

  #mayWait(backlog: MailBacklog): void {
    const known = this.#waiting.get(backlog.seq) ?? { backlog, lanes: new Map() };
    for (const lane of LANES) if (!known.lanes.has(lane)) known.lanes.set(lane, new Map());
    this.#waiting.set(backlog.seq, known);
  }
}

/** Wait until there is room again. */
const BUSY_MS = 20;
