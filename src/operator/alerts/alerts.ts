// Watches the needs of the operator and reports each twice: when it begins and when it is over
// (docs/operate/alerts.md).
//
// Needs are kept in the store, so that several servers report one once and a restart reports nothing again. A trouble
// is reported when it is a minute old, and is over when no server has seen it for three: what a restart of the relay
// causes is neither.
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { ownName } from "../../base/config.ts";
import type { RelayState } from "../../sending/open-ways/way-choice.ts";
import type { BackupStream } from "../backup/room.ts";
import { healthSoon } from "../backup/stream/health.ts";
import { withinTime } from "../backup/stream/within-time.ts";
import { SETTINGS_FOLLOWED, type Settings } from "../../ground/settings/settings.ts";
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import { backOffMs } from "../../base/jobs/retry.ts";
import type { LoopSpec } from "../../base/jobs/loops.ts";
import type { Log } from "../../base/log.ts";
import { heldSince } from "../../store/hold.ts";
import type { Tx } from "../../store/store.ts";
import { conditionOf } from "../operation/needs/condition.ts";
import { operatorNeeds } from "../operation/needs/needs.ts";
import type { OperatorNeed } from "../operation/needs/row.ts";
import {
  claimAlert,
  deleteAlert,
  insertAlert,
  nextAlertAt,
  deferAlert,
  seeTrouble,
  takeOver,
  takeUntold,
  type ClaimedAlert,
} from "./queries.ts";
import { Rates } from "./rates.ts";
import { recipientsOf, sendAlert, type AlertServices } from "./telling.ts";
import type { AlertNews } from "./words.ts";

export type AlertsOptions = AlertServices & {
  readonly log: Log;
  readonly relay: () => RelayState;
  readonly stream: BackupStream | null;
  readonly settings: Pick<Settings, "problems">;
};

/** Signalled when there is an alert to send. */
const ALERTS = "alerts";
const LOOK_EVERY_MS = MINUTE_MS;
const TOLD_AFTER_MS = MINUTE_MS;
const OVER_AFTER_MS = 3 * MINUTE_MS;
const STANDBY_AWAY_MS = 10 * MINUTE_MS;
/** An alert that could not be sent within a day is old news. */
const GIVEN_UP_AFTER_MS = DAY_MS;
/** A letter waits for a slot, and a relay may take its time. */
const LEASE_MS = 15 * MINUTE_MS;
const LONGEST_ANSWER_MS = 1_000;

/** They rest while [alerts] has no recipients. */
export function alertLoops(options: AlertsOptions): readonly LoopSpec[] {
  const rates = new Rates(options);
  const ifAnybody = (step: () => Promise<number>) => async () =>
    recipientsOf(options.config).length === 0 ? NOTHING_DUE : step();
  return [
    {
      name: "looking for alerts",
      step: ifAnybody(() => noteNeedsNow(options, rates)),
      wokenBy: SETTINGS_FOLLOWED,
    },
    { name: "telling alerts", step: ifAnybody(() => tellNext(options)), wokenBy: ALERTS, mayTakeLong: true },
  ];
}

async function noteNeedsNow(options: AlertsOptions, rates: Rates): Promise<number> {
  const { store } = options;
  if ((await store.read(heldSince)) !== null) return LOOK_EVERY_MS;
  const needs = await needsNow(options, rates);
  await store.write((tx) => noteNeeds(tx, needs, options.config));
  return LOOK_EVERY_MS;
}

async function needsNow(
  { store, config, relay, stream, settings }: AlertsOptions,
  rates: Rates,
): Promise<OperatorNeed[]> {
  const nowMs = store.clock.nowMs();
  const seen = await store.read((reader) => conditionOf(reader, config, nowMs), { longFor: 0 });
  const { state, reply, ways } = relay();
  const waysAway = ways.filter((way) => way.state === "AWAY" && !way.isPaused);
  const sees = {
    relay: state,
    relayReply: reply,
    waysAway,
    stream: stream === null ? null : await healthSoon(stream.state),
    lateSeconds: config.alerts.queueSeconds,
    standbyAway: await standbyAway(stream, nowMs),
    highRates: await rates.high(),
    unusedSettings: settings.problems,
  };
  return operatorNeeds(seen, sees, nowMs);
}

async function standbyAway(stream: BackupStream | null, nowMs: number) {
  const state = await (stream && withinTime(stream.state(), LONGEST_ANSWER_MS).catch(() => null));
  const standby = state?.standby;
  return !standby || Date.parse(standby.seenAt) > nowMs - STANDBY_AWAY_MS ? null : standby;
}

/** Queues the alerts for the needs, in the transaction that marks them as reported. */
async function noteNeeds(tx: Tx, needs: readonly OperatorNeed[], config: Config): Promise<void> {
  for (const need of needs) await seeTrouble(tx, need);
  const begun = await takeUntold(tx, iso(tx.nowMs - TOLD_AFTER_MS));
  const over = await takeOver(tx, iso(tx.nowMs - OVER_AFTER_MS));
  if (begun.length + over.length === 0) return;
  const news: AlertNews = { server: ownName(config), at: tx.now, begun, over };
  for (const recipient of recipientsOf(config)) await insertAlert(tx, { recipient, content: JSON.stringify(news) });
  tx.signal(ALERTS);
}

async function tellNext(options: AlertsOptions): Promise<number> {
  const { store } = options;
  const alert = await store.write((tx) => claimAlert(tx, iso(tx.nowMs + LEASE_MS)));
  if (alert) {
    await settle(options, alert);
    return 0;
  }
  const next = await store.read(nextAlertAt);
  return next === null ? HOUR_MS : Math.max(1, Math.min(HOUR_MS, Date.parse(next) - store.clock.nowMs()));
}

async function settle(options: AlertsOptions, { seq, recipient, content, attempts, createdAt }: ClaimedAlert) {
  const { store, log } = options;
  const by = recipient.includes("@") ? "email" : recipient;
  const fault = await sendAlert(options, recipient, JSON.parse(content) as AlertNews).catch(
    (error: Error) => error.message,
  );
  const isTooOld = Date.parse(createdAt) < store.clock.nowMs() - GIVEN_UP_AFTER_MS;
  if (fault !== null) log.warn("an alert could not be sent", { by, fault, isGivenUp: isTooOld });
  await store.write(async (tx) => {
    if (fault === null || isTooOld) await deleteAlert(tx, seq);
    else await deferAlert(tx, seq, iso(tx.nowMs + backOffMs(attempts)));
  });
}
