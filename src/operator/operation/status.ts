// The state of the installation as one record: the first view for its operator, with the open needs.
import { iso, MINUTE_MS } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { storeSize, type StoreSize } from "../../store/space.ts";
import type { Reader } from "../../store/store.ts";
import { conditionOf, type InstallationCondition } from "./needs/condition.ts";
import { operatorNeeds } from "./needs/needs.ts";
import type { ProcessView } from "./needs/row.ts";
import * as queries from "./status-queries.ts";

/** The state that the running server reports; `ready` false with the reason, also if it does not answer. */
export type ServerAnswer = {
  /** The server answers, even if it is not ready. */
  readonly isThere: boolean;
  readonly ready: boolean;
  readonly problem: string | null;
  readonly version: string | null;
  readonly uptimeSeconds: number | null;
  readonly relay: string | null;
  readonly stream: string | null;
  readonly waysAway: readonly { readonly name: string }[];
};

export type InstallationStatus = InstallationCondition & {
  readonly server: ServerAnswer;
  readonly store: StoreSize;
  readonly queue: readonly queries.WaitingShare[];
  readonly rate: { readonly perSecond: number; readonly limit: number | null };
  readonly jobs: readonly queries.JobStatusRow[];
  /** The needs of the operator, in words. */
  readonly needs: readonly string[];
};

const MOST = 50;
const MOST_EVENTS = 20_000;

type StatusOptions = Pick<ProcessView, "unusedSettings"> & {
  readonly config: Config;
  readonly server: ServerAnswer;
  readonly nowMs: number;
};

export async function statusOf(reader: Reader, status: StatusOptions): Promise<InstallationStatus> {
  const { config, server, nowMs, unusedSettings = [] } = status;
  const sent = await queries.countSentSince(reader, iso(nowMs - MINUTE_MS), MOST_EVENTS);
  const condition = await conditionOf(reader, config, nowMs);
  return {
    server,
    ...condition,
    store: await storeSize(reader, config),
    queue: await queries.waitingByReason(reader, iso(nowMs)),
    rate: { perSecond: Math.round((sent / 60) * 10) / 10, limit: config.delivery.ratePerSecond || null },
    jobs: await queries.unfinishedJobs(reader, MOST),
    needs: operatorNeeds(condition, { ...server, unusedSettings }, nowMs).map(({ text }) => text),
  };
}
