// The loop of all runs: a bounded step for each workspace with a due campaign, round after round, with the campaign's
// row locked.
//
// - The progress of freezing and queueing is in the campaign's row and moves with the rows they make. There is no
//   lease: the lock ends with the transaction, so each recipient is mailed once, even if a process dies.
// - A pause takes effect immediately, because the hand-over checks the campaign. Holding its mails only spares
//   slots.
// - There are no running sums: statistics.ts counts recipients and settled mails.
// - A recipient's contact and mail are bare numbers: when a person is erased, the row stays without a name.
import { domainOf } from "../../../base/addresses.ts";
import { BoundedMap } from "../../../base/brakes/bounded-map.ts";
import { iso, type Clock } from "../../../base/clock.ts";
import { hasHeld, hasReady } from "../../../mail/emails/campaign-queries.ts";
import { keptContent } from "../../../mail/emails/content/queries.ts";
import { AppError } from "../../../base/errors.ts";
import type { CatchUp } from "../../../tenant/events/dispatch.ts";
import { NOTHING_DUE, restUntil } from "../../../base/jobs/due.ts";
import { backOffMs } from "../../../base/jobs/retry.ts";
import type { Log } from "../../../base/log.ts";
import type { Reader, Store } from "../../../store/store.ts";
import { senderDomain } from "../../../tenant/domains/queries.ts";
import { workspaceBySeq } from "../../../tenant/workspaces/queries.ts";
import { audienceOf } from "../audience.ts";
import { dueCampaign, dueCampaigns, nextCampaignDue, type Campaign, type RunProgress } from "../queries.ts";
import { findPeople, NOBODY, type RecipientList } from "./found.ts";
import { hasPieces } from "../recipients/recipient-queries.ts";
import * as steps from "./steps.ts";

type CampaignLoopOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Before an audience is frozen. */
  readonly catchUp: CatchUp;
  /** False while the next hop cannot be reached. */
  readonly isGettingThrough: () => boolean;
};

/** The limit of campaigns per round. */
const MAX_CAMPAIGNS_A_ROUND = 10_000;
const MAX_FAULTY = 1_000;
const MAX_REMEMBERED = 10_000;
/** The limit of queued mails per campaign: a recipient without a mail can be paused or skipped without a trace. */
const MAX_READY_MAILS = 2_000;
/** While mails leave, room for more comes without a signal. */
const QUEUEING_REST_MS = 100;
/** The last mails are settled without a signal. */
const FINISHING_REST_MS = 500;
/** Until a blocked campaign is checked again. */
const BLOCKED_REST_MS = 10_000;

const NEXT_HOP_DOWN = "The next hop cannot be reached; email waits and no attempt is used up.";
const FAULT = "An unexpected fault holds it; it is tried again, and the server's log has it.";

export class CampaignLoop {
  readonly #options: CampaignLoopOptions;
  /** Faults in a row, by campaign. */
  readonly #faults = new BoundedMap<number, number>(MAX_FAULTY);
  /** By workspace. */
  readonly #lastAdvanced = new BoundedMap<number, number>(MAX_REMEMBERED);

  constructor(options: CampaignLoopOptions) {
    this.#options = options;
  }

  /** One step for each workspace with a due campaign; answers how long the loop may rest. */
  async step(): Promise<number> {
    const { store, clock } = this.#options;
    const now = iso(clock.nowMs());
    const due = await store.read((reader) => dueCampaigns(reader, now, MAX_CAMPAIGNS_A_ROUND));
    let restMs = await this.#untilDueMs(now);
    for (const [workspace, theirs] of Map.groupBy(due, (campaign) => campaign.workspace)) {
      const seqs = theirs.map(({ seq }) => seq);
      restMs = Math.min(restMs, await this.#advanceNext(workspace, seqs));
    }
    return restMs;
  }

  /** Tries a workspace's campaigns up to the first that was due; the next round continues after it. */
  async #advanceNext(workspace: number, seqs: readonly number[]): Promise<number> {
    const last = seqs.indexOf(this.#lastAdvanced.get(workspace) ?? 0);
    let restMs = NOTHING_DUE;
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

  /** A campaign with a fault does not hold up others: it is deferred, and its record says why. */
  async #advanceAlone(seq: number): Promise<number> {
    const { store, clock } = this.#options;
    const campaign = await store.read((reader) => dueCampaign(reader, seq, iso(clock.nowMs())));
    if (!campaign) return NOTHING_DUE;
    try {
      const restMs = await this.#advance(campaign);
      this.#faults.delete(seq);
      return restMs;
    } catch (error) {
      return this.#defer(campaign, error);
    }
  }

  /** @throws the store's error if it is away: that is not the campaign's fault */
  async #defer(campaign: Campaign, error: unknown): Promise<number> {
    const { clock, log } = this.#options;
    const faults = (this.#faults.get(campaign.seq) ?? 0) + 1;
    const restMs = backOffMs(faults);
    const blocked = error instanceof AppError ? error.message : FAULT;
    await this.#note(campaign, { blocked, dueAt: iso(clock.nowMs() + restMs) });
    this.#faults.set(campaign.seq, faults);
    log.error("a campaign could not make progress; trying again later", { campaign: campaign.id, faults, error });
    return restMs;
  }

  /** Answers how long this campaign may rest; 0 = there is more to do. */
  async #advance(campaign: Campaign): Promise<number> {
    if (campaign.deletedAt !== null) return this.#take(campaign, steps.removeRows, FINISHING_REST_MS);
    if (campaign.status === "DRAFT") return this.#freeze(campaign);
    if (campaign.status === "SCHEDULED") return this.#begin(campaign);
    if (campaign.frozenAt === null && campaign.startedAt !== null) return this.#freeze(campaign);
    if (campaign.status === "CANCELLED") return this.#take(campaign, steps.withdrawMails, FINISHING_REST_MS);
    if (campaign.paused) return this.#take(campaign, steps.holdMails, QUEUEING_REST_MS);
    return (await this.#blocked(campaign)) ?? this.#send(campaign);
  }

  /** Answers 0 if there may be more to do immediately, else `restMs`. */
  async #take(campaign: Campaign, step: steps.CampaignStep, restMs: number): Promise<number> {
    return (await steps.take(this.#options.store, campaign, step)) ? 0 : restMs;
  }

  async #note(campaign: Campaign, progress: Pick<RunProgress, "blocked" | "dueAt">): Promise<void> {
    await steps.take(this.#options.store, campaign, steps.note(progress));
  }

  async #begin(campaign: Campaign): Promise<number> {
    await this.#options.catchUp(campaign.workspace);
    const found = campaign.repeats === null ? await this.#found(campaign) : NOBODY;
    return this.#take(campaign, steps.beginScheduled(campaign, found), QUEUEING_REST_MS);
  }

  async #found(campaign: Campaign): Promise<RecipientList> {
    const { store, clock } = this.#options;
    const { workspace } = campaign;
    const findAudience = async (reader: Reader) =>
      findPeople(reader, await audienceOf(reader, workspace, campaign, clock.nowMs()));
    return store.read(findAudience, { longFor: workspace, byLoop: true });
  }

  async #freeze(campaign: Campaign): Promise<number> {
    const { clock, store } = this.#options;
    const startedMs = clock.monotonicMs();
    const isFound = await store.read((reader) => hasPieces(reader, campaign.seq));
    const step = isFound ? steps.freezeNext : steps.freezeFound(await this.#found(campaign));
    const restMs = await this.#take(campaign, step, QUEUEING_REST_MS);
    // Requests get as much of the writer as this takes.
    return restMs || clock.monotonicMs() - startedMs;
  }

  /** Null if it can go on; then its record says so. */
  async #blocked(campaign: Campaign): Promise<number | null> {
    const { clock, isGettingThrough } = this.#options;
    const obstacle = await this.#obstacle(campaign);
    if (obstacle !== null) {
      if ((await this.#take(campaign, steps.holdMails, BLOCKED_REST_MS)) === 0) return 0;
      await this.#note(campaign, { blocked: obstacle, dueAt: iso(clock.nowMs() + BLOCKED_REST_MS) });
      return BLOCKED_REST_MS;
    }
    const blocked = isGettingThrough() ? null : NEXT_HOP_DOWN;
    if (blocked !== campaign.blocked) await this.#note(campaign, { blocked });
    return null;
  }

  async #obstacle(campaign: Campaign): Promise<string | null> {
    const { store } = this.#options;
    const name = domainOf(campaign.fromAddress);
    const [workspace, domain, content] = await store.read(async (reader) => [
      await workspaceBySeq(reader, campaign.workspace),
      await senderDomain(reader, campaign.workspace, name),
      campaign.content === null ? null : await keptContent(reader, campaign.content),
    ]);
    if (workspace?.disabledAt) return "The workspace is disabled.";
    if (workspace?.marketingStopped) return workspace.marketingStopped;
    if (!domain?.verifiedAt) return `The domain ${name} is not verified in this workspace.`;
    if (content && content.domain !== domain.seq) await steps.take(store, campaign, steps.setSigningDomain(domain.seq));
    return null;
  }

  async #send(campaign: Campaign): Promise<number> {
    const { store, clock } = this.#options;
    const [held, isFull] = await store.read(async (reader) => [
      await hasHeld(reader, campaign.seq),
      await hasReady(reader, campaign.seq, iso(clock.nowMs()), MAX_READY_MAILS),
    ]);
    if (held) return this.#take(campaign, steps.releaseMails, QUEUEING_REST_MS);
    if (isFull) return QUEUEING_REST_MS;
    if (await steps.take(store, campaign, steps.queueMails)) return 0;
    return this.#take(campaign, steps.finish, FINISHING_REST_MS);
  }
}
