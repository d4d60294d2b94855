// Details that campaigns are shown with and that are not in their rows: counters, the reach of unsent ones, and the
// segments of their audiences.
import type { Clock } from "../../base/clock.ts";
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import { answerOnce, type PostRequest } from "../../http/idempotency.ts";
import { success } from "../../http/replies.ts";
import { memberCount } from "../../audience/segments/members.ts";
import { segmentsNamed } from "../../audience/segments/queries.ts";
import { segmentRecord } from "../../audience/segments/record.ts";
import type { Store, Tx } from "../../store/store.ts";
import { foresee } from "./foreseen.ts";
import type { Campaign } from "./queries.ts";
import { campaignRecord, isForeseen, type CampaignDetails, type Counters } from "./record.ts";
import { countersOf } from "./statistics.ts";

export type DetailsSources = { readonly store: Store; readonly clock: Clock; readonly catchUp: CatchUp };
type CampaignOwner = { readonly workspace: number; readonly workspaceId: string };
/** A new campaign has neither number nor state yet. */
type CampaignOutline = Pick<Campaign, "audienceType" | "segmentId"> & {
  readonly topic?: string | null;
  readonly seq?: number;
  readonly status?: Campaign["status"];
  readonly audienceCondition?: object | null;
  readonly repeats?: Campaign["repeats"];
};

/** A new campaign has nothing to count, so it does not wait in the queue of long reads. */
const NONE: ReadonlyMap<number, Counters> = new Map();

/** Before a change, never within it, because counting may take long. */
export async function detailsOf(
  { store, clock, catchUp }: DetailsSources,
  owner: CampaignOwner,
  campaigns: readonly CampaignOutline[],
): Promise<CampaignDetails> {
  const { workspace, workspaceId } = owner;
  const seqs = campaigns.flatMap(({ seq }) => seq ?? []);
  const counters =
    seqs.length === 0 ? NONE : await store.read((reader) => countersOf(reader, seqs), { longFor: workspace });
  const ids = [...new Set(campaigns.flatMap((one) => (one.audienceType === "SEGMENT" && one.segmentId) || []))];
  const unsent = campaigns.flatMap(
    ({ status = "DRAFT", repeats = null, audienceType, segmentId, audienceCondition = null, topic = null }) =>
      isForeseen({ status, repeats }) ? [{ audienceType, segmentId, audienceCondition, topic }] : [],
  );
  if (ids.length > 0 || unsent.some(({ audienceType }) => audienceType !== "ALL")) await catchUp(workspace);
  const rows = ids.length === 0 ? [] : await store.read((reader) => segmentsNamed(reader, workspace, ids));
  const segments = new Map<string, ReturnType<typeof segmentRecord>>();
  for (const row of rows) segments.set(row.id, segmentRecord(row, await memberCount(store, clock, row), workspaceId));
  return { workspaceId, counters, segments, foreseen: await foresee({ store, clock }, workspace, unsent) };
}

export type CampaignChange = {
  readonly change: (tx: Tx) => Promise<Campaign>;
  readonly status: number;
  /** Answered beside the campaign. */
  readonly extra?: object;
  /** The number of recipients, where the change itself has settled it; null = it is in the details. */
  readonly total?: (tx: Tx, campaign: Campaign) => Promise<number | null>;
};

/** Answers a change once (http/idempotency.ts), with the details as they were before it. */
export async function answerChange(
  sources: DetailsSources,
  asked: PostRequest & { readonly caller: CampaignOwner },
  described: readonly CampaignOutline[],
  { change, status, extra, total }: CampaignChange,
) {
  const details = await detailsOf(sources, asked.caller, described);
  const changeRecord = async (tx: Tx) => {
    const campaign = await change(tx);
    const totalRecipients = (await total?.(tx, campaign)) ?? null;
    const shown = campaignRecord(campaign, details);
    return { ...success(totalRecipients === null ? shown : { ...shown, totalRecipients }), ...extra };
  };
  return answerOnce(sources.store, asked, changeRecord, status);
}
