// The one loop that moves campaigns on: a bounded piece of work for each workspace, round after round, and its campaigns in turn.
import { domainOf } from "../addresses.ts";
import { BoundedMap } from "../bounded-map.ts";
import { iso, type Clock } from "../clock.ts";
import { hasHeld, hasReady, keptContent } from "../emails/campaign-queries.ts";
import { AppError } from "../errors.ts";
import type { CatchUp } from "../events/dispatch.ts";
import { LONGEST_REST_MS, restUntil } from "../jobs/due.ts";
import { backOffMs } from "../jobs/retry.ts";
import { Stride } from "../jobs/stride.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";
import { senderDomain } from "../workspaces/domains/queries.ts";
import { workspaceBySeq } from "../workspaces/queries.ts";
import { dueCampaign, dueCampaigns, nextCampaignDue, type CampaignRow } from "./queries.ts";
import {
  beginScheduled,
  finish,
  freezeAudience,
  holdMails,
  note,
  queueMails,
  releaseMails,
  removeRows,
  setSigningDomain,
  withdrawMails,
  type Done,
} from "./work.ts";

type CampaignLoopOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Before an audience is frozen. */
  readonly catchUp: CatchUp;
  /** False while the next hop cannot be reached. */
  readonly isGettingThrough: () => boolean;
};

/** Contacts that are looked at in one transaction. */
const CONTACTS_A_STEP = { first: 1_000, least: 200, most: 20_000, aimMs: 5 };
/** More are not under way at the same time. */
const MAX_CAMPAIGNS_A_ROUND = 10_000;
/** Of those that could not be moved on, so many are known. */
const MAX_FAULTY = 1_000;
const MAX_REMEMBERED = 10_000;
/**
 * While so many mails of a campaign are in the queue, it gets no more: recipients without a mail can still be paused, cancelled
 * and unsubscribed from without a trace.
 */
const MAX_READY_MAILS = 2_000;
/** While mails leave, room for more comes without a signal. */
const QUEUEING_REST_MS = 100;
/** The last mails are settled without a signal. */
const FINISHING_REST_MS = 500;
/** What stands in a campaign's way is looked at again after this. */
const BLOCKED_REST_MS = 10_000;

const NEXT_HOP_DOWN = "The next hop cannot be reached; mail waits and no attempt is used up.";
const FAULT = "An unexpected fault holds it; it is tried again, and the server's log has it.";

export class CampaignLoop {
  readonly #options: CampaignLoopOptions;
  readonly #stride = new Stride(CONTACTS_A_STEP);
  /** Faults in a row, by campaign. */
  readonly #faults = new BoundedMap<number, number>(MAX_FAULTY);
  /** By workspace. */
  readonly #lastAdvanced = new BoundedMap<number, number>(MAX_REMEMBERED);

  constructor(options: CampaignLoopOptions) {
    this.#options = options;
  }

  /** One piece of work for each workspace with a campaign that is due; answers how long there will be nothing to do. */
  async step(): Promise<number> {
    const { store, clock } = this.#options;
    const now = iso(clock.nowMs());
    const due = await store.read((reader) => dueCampaigns(reader, now, MAX_CAMPAIGNS_A_ROUND));
    let restMs = await this.#untilDueMs(now);
    for (const [workspace, theirs] of Map.groupBy(due, (campaign) => campaign.workspace))
      restMs = Math.min(
        restMs,
        await this.#advanceNext(
          workspace,
          theirs.map(({ seq }) => seq),
        ),
      );
    return restMs;
  }

  /** Of a workspace's campaigns, up to the first that had work to do; the next round goes on behind it. */
  async #advanceNext(workspace: number, seqs: readonly number[]): Promise<number> {
    const last = seqs.indexOf(this.#lastAdvanced.get(workspace) ?? 0);
    let restMs = LONGEST_REST_MS;
    for (const seq of [...seqs.slice(last + 1), ...seqs.slice(0, last + 1)]) {
      restMs = Math.min(restMs, await this.#advanceAlone(seq));
      if (restMs >= QUEUEING_REST_MS) continue;
      this.#lastAdvanced.set(workspace, seq);
      break;
    }
    return restMs;
  }

  async #untilDueMs(now: string): Promise<number> {
    const next = await this.#options.store.read((reader) => nextCampaignDue(reader, now));
    return Math.max(1, restUntil(next, Date.parse(now)));
  }

  /** A campaign that cannot be moved on keeps no other from its turn: it is put off, and its record says so. */
  async #advanceAlone(seq: number): Promise<number> {
    const { store, clock } = this.#options;
    const campaign = await store.read((reader) => dueCampaign(reader, seq, iso(clock.nowMs())));
    if (!campaign) return LONGEST_REST_MS;
    try {
      const restMs = await this.#advance(campaign);
      this.#faults.delete(seq);
      return restMs;
    } catch (error) {
      return this.#putOff(campaign, error);
    }
  }

  /** @throws what the store throws if it is away: then it is no fault of the campaign */
  async #putOff(campaign: CampaignRow, error: unknown): Promise<number> {
    const { store, clock, log } = this.#options;
    const faults = (this.#faults.get(campaign.seq) ?? 0) + 1;
    const restMs = backOffMs(faults);
    const blocked = error instanceof AppError ? error.message : FAULT;
    await note(store, campaign, { blocked, due_at: iso(clock.nowMs() + restMs) });
    this.#faults.set(campaign.seq, faults);
    log.error("a campaign could not be moved on and will be tried again", { campaign: campaign.id, faults, error });
    return restMs;
  }

  /** Answers how long this campaign has nothing to do; 0 = there is more. */
  async #advance(campaign: CampaignRow): Promise<number> {
    const { store } = this.#options;
    if (campaign.deleted_at !== null) return restAfter(await removeRows(store, campaign), FINISHING_REST_MS);
    if (campaign.status === "SCHEDULED") return this.#begin(campaign);
    if (campaign.status === "CANCELLED") return restAfter(await withdrawMails(store, campaign), FINISHING_REST_MS);
    if (campaign.frozen_at === null) return this.#freeze(campaign);
    if (campaign.paused === 1) return restAfter(await holdMails(store, campaign), QUEUEING_REST_MS);
    return (await this.#blocked(campaign)) ?? this.#send(campaign);
  }

  async #begin(campaign: CampaignRow): Promise<number> {
    const { store, catchUp } = this.#options;
    await catchUp(campaign.workspace);
    return restAfter(await beginScheduled(store, campaign), QUEUEING_REST_MS);
  }

  async #freeze(campaign: CampaignRow): Promise<number> {
    const { store, clock } = this.#options;
    const startedMs = clock.monotonicMs();
    const done = await freezeAudience(store, campaign, this.#stride.length);
    const tookMs = clock.monotonicMs() - startedMs;
    this.#stride.took(tookMs);
    // Requests get as much of the writer as this takes.
    return restAfter(done, QUEUEING_REST_MS) || tookMs;
  }

  /** Null if nothing stands in the way; then its record says so. */
  async #blocked(campaign: CampaignRow): Promise<number | null> {
    const { store, clock, isGettingThrough } = this.#options;
    const obstacle = await this.#obstacle(campaign);
    if (obstacle !== null) {
      if ((await holdMails(store, campaign)) === "again") return 0;
      await note(store, campaign, { blocked: obstacle, due_at: iso(clock.nowMs() + BLOCKED_REST_MS) });
      return BLOCKED_REST_MS;
    }
    const blocked = isGettingThrough() ? null : NEXT_HOP_DOWN;
    if (blocked !== campaign.blocked) await note(store, campaign, { blocked });
    return null;
  }

  async #obstacle(campaign: CampaignRow): Promise<string | null> {
    const { store } = this.#options;
    const name = domainOf(campaign.from_address);
    const [workspace, domain, content] = await store.read(async (reader) => [
      await workspaceBySeq(reader, campaign.workspace),
      await senderDomain(reader, campaign.workspace, name),
      campaign.content === null ? null : await keptContent(reader, campaign.content),
    ]);
    if (workspace?.disabled_at) return "The workspace is disabled.";
    if (workspace?.marketing_stopped) return workspace.marketing_stopped;
    if (!domain?.verified_at) return `The domain ${name} is not verified in this workspace.`;
    if (content && content.domain !== domain.seq) await setSigningDomain(store, campaign, domain.seq);
    return null;
  }

  async #send(campaign: CampaignRow): Promise<number> {
    const { store, clock } = this.#options;
    const [held, isFull] = await store.read(async (reader) => [
      await hasHeld(reader, campaign.seq),
      await hasReady(reader, campaign.seq, iso(clock.nowMs()), MAX_READY_MAILS),
    ]);
    if (held) return restAfter(await releaseMails(store, campaign), QUEUEING_REST_MS);
    if (isFull) return QUEUEING_REST_MS;
    if ((await queueMails(store, campaign)) === "again") return 0;
    return restAfter(await finish(store, campaign), FINISHING_REST_MS);
  }
}

function restAfter(done: Done, restMs: number): number {
  return done === "again" ? 0 : restMs;
}
