// The warm-up of a sender domain: its states, and the verbs that change them.
//
//   RUNNING  each mailbox provider gets as many marketing emails as the day of the plan says
//   PAUSED   stopped by a person: providers get no marketing email, and the day stands still
//   HALTED   stopped automatically, after too many bounces or complaints
//   DONE     the plan is over
//   SKIPPED  ended by a person
//
// Only mail to known providers counts: a company's own server gets a few emails, and keeps no reputations.
// Transactional mail is counted but never waits: marketing mail gets the rest of the quota.
import { refuseSavedSince, timeOfSaving, type SaveTerms } from "../../tenant/access/saving.ts";
import { DAY_MS, iso } from "../../base/clock.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import { notifyChange } from "../../tenant/events/notify.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { DEFAULT_PLAN, lengthOf, type WarmupPlan } from "./plan.ts";
import * as queries from "./queries.ts";
import type { HopOutcomes, WarmupSubject, Warmup, WarmupState } from "./queries.ts";

/** Signalled when a warm-up has changed: the pacing reloads it. */
export const WARMUP_CHANGED = "warm-up";

/** A domain that has sent this many in the last days is known to providers. */
const HISTORY_EMAILS = 500;
const HISTORY_MS = 30 * DAY_MS;

type WarmupDomain = { readonly workspace: number; readonly domain: number };

/**
 * Called when a domain without a warm-up sends marketing mail: it gets one, which is over immediately if the domain has
 * a history.
 */
export async function beginIfNew(tx: Tx, { workspace, domain }: WarmupDomain): Promise<void> {
  const isKnown = await hasHistory(tx, { workspace, domain }, tx.nowMs);
  const state = isKnown ? "SKIPPED" : "RUNNING";
  if (await queries.insertWarmup(tx, { workspace, domain }, { state, plan: DEFAULT_PLAN })) told(tx, workspace);
}

/** Whether it has sent enough lately for providers to know it. */
export async function hasHistory(reader: Reader, of: WarmupDomain, nowMs: number): Promise<boolean> {
  const { sent } = await queries.outcomesSince(reader, of, quarterOf(nowMs - HISTORY_MS));
  return sent >= HISTORY_EMAILS;
}

/**
 * The actions of a person.
 * @throws AppError CONFLICT from a state in which the action is invalid
 */
export const ACTS = {
  pause: { from: ["RUNNING"], to: "PAUSED" },
  resume: { from: ["PAUSED", "HALTED"], to: "RUNNING" },
  skip: { from: ["RUNNING", "PAUSED", "HALTED"], to: "SKIPPED" },
  restart: { from: ["DONE", "SKIPPED"], to: "RUNNING" },
} as const satisfies Readonly<Record<string, { from: readonly WarmupState[]; to: WarmupState }>>;
export type WarmupAct = keyof typeof ACTS;

/** Creates the warm-up first if there is none. `reason`: why it is skipped. */
export async function act(
  tx: Tx,
  subject: WarmupSubject & { readonly workspace: number | null },
  what: WarmupAct,
  reason: string | null = null,
): Promise<void> {
  const { workspace } = subject;
  await queries.insertWarmup(tx, subject, { state: what === "restart" ? "SKIPPED" : "RUNNING", plan: DEFAULT_PLAN });
  const warmup = (await queries.lockWarmup(tx, subject)) as Warmup;
  const { from, to } = ACTS[what];
  if (!(from as readonly WarmupState[]).includes(warmup.state))
    throw new AppError("CONFLICT", `The warm-up is ${warmup.state}. To ${what} it, it has to be ${from.join(" or ")}.`);
  const isAgain = what === "restart" || (what === "resume" && isOver(warmup.dayBeganAt, tx.nowMs));
  const again = { ...(isAgain && { dayBeganAt: null }), ...(what === "restart" && { day: 1, startedAt: tx.now }) };
  await queries.changeWarmup(tx, warmup, { state: to, reason, judgedFrom: tx.now, ...again });
  if (isAgain) await queries.clearSent(tx, warmup.seq);
  told(tx, workspace);
}

/** Whether the day is over; a day that went by during a pause begins again. */
function isOver(dayBeganAt: string | null, nowMs: number): boolean {
  return dayBeganAt !== null && Date.parse(dayBeganAt) + DAY_MS <= nowMs;
}

/**
 * @throws AppError VALIDATION_ERROR where the plan is shorter than the days that are over, CONFLICT if it was saved
 * since `ifUpdatedAt`
 */
export async function changePlan(
  tx: Tx,
  subject: WarmupSubject & { readonly workspace: number | null },
  plan: WarmupPlan,
  saving: Pick<SaveTerms, "ifUpdatedAt"> = {},
): Promise<void> {
  const isNew = await queries.insertWarmup(tx, subject, { state: "RUNNING", plan });
  const warmup = (await queries.lockWarmup(tx, subject)) as Warmup;
  const before = { updatedAt: warmup.plannedAt };
  if (!isNew) refuseSavedSince(tx, before, saving);
  const hasEnded = warmup.state === "DONE" || warmup.state === "SKIPPED";
  if (lengthOf(plan) < warmup.day && !hasEnded)
    throw invalidField("days", `must have at least ${warmup.day} days: so many have begun`);
  await queries.changeWarmup(tx, warmup, { plan, plannedAt: timeOfSaving(tx, before) });
  told(tx, subject.workspace);
}

const MOST_BOUNCED = 0.02;
const MOST_COMPLAINED = 0.001;
/** A smaller sample proves nothing. */
const LEAST_SENT = 50;
const LEAST_BOUNCED = 3;
const LEAST_COMPLAINED = 2;

/** Why it may not go on; null = it may. */
export function faultIn({ sent, bounced, complained }: HopOutcomes): string | null {
  if (sent < LEAST_SENT) return null;
  if (bounced >= LEAST_BOUNCED && bounced / sent >= MOST_BOUNCED)
    return `${bounced} of ${sent} emails bounced: ${perCent(bounced, sent)} %, and a warm-up may have up to 2 %.`;
  if (complained >= LEAST_COMPLAINED && complained / sent >= MOST_COMPLAINED)
    return `${complained} of ${sent} emails were marked as spam: ${perCent(complained, sent)} %, and a warm-up may have up to 0.1 %.`;
  return null;
}

function perCent(part: number, whole: number): string {
  return ((part / whole) * 100).toFixed(1);
}

/** Halts a harmful warm-up, or begins its next day. Answers whether it was changed. */
export async function advance(tx: Tx, seen: Warmup): Promise<boolean> {
  const warmup = await queries.lockWarmup(tx, seen.domain === null ? { way: seen.way ?? "" } : { domain: seen.domain });
  if (warmup?.state !== "RUNNING") return false;
  const { workspace, judgedFrom, startedAt, dayBeganAt, day, plan } = warmup;
  const sinceMs = Math.max(Date.parse(judgedFrom), tx.nowMs - JUDGED_MS);
  // For a new warm-up, the quarter of an hour in which it began counts: most of a campaign may leave in it.
  const quarter = quarterOf(judgedFrom === startedAt ? sinceMs - QUARTER_MS + 1 : sinceMs);
  const reason = faultIn(await judgedOf(tx, warmup, quarter));
  if (reason) await queries.changeWarmup(tx, warmup, { state: "HALTED", reason });
  else if (isOver(dayBeganAt, tx.nowMs)) {
    const isLast = day >= lengthOf(plan);
    await queries.changeWarmup(tx, warmup, isLast ? { state: "DONE" } : { day: day + 1, dayBeganAt: null });
    await queries.clearSent(tx, warmup.seq);
  } else return false;
  told(tx, workspace);
  return true;
}

/** `sent` includes mail refused at the hand-over. */
async function judgedOf(tx: Tx, { workspace, domain, way }: Warmup, quarter: string): Promise<HopOutcomes> {
  if (workspace === null || domain === null) {
    const counted = await queries.outcomesAt(tx, await queries.hopsOf(tx, way ?? ""), quarter);
    // Refusals at a way are not counted apart: a mail server that takes no mail still has to halt it.
    return { ...counted, sent: Math.max(counted.sent, counted.bounced) };
  }
  const counted = await queries.outcomesSince(tx, { workspace, domain }, quarter);
  const refused =
    counted.bounced === 0 ? 0 : await queries.countRefused(tx, { workspace, domain }, quarter, MOST_REFUSED);
  return { ...counted, sent: counted.sent + refused };
}

const MOST_REFUSED = 5_000;

/** Bounces and complaints arrive within two days. */
const JUDGED_MS = 2 * DAY_MS;

/** `2026-03-01T09:15`, the quarter of an hour that begins next: the one before is partly earlier. */
function quarterOf(ms: number): string {
  return iso(Math.ceil(ms / QUARTER_MS) * QUARTER_MS).slice(0, 16);
}
const QUARTER_MS = 900_000;

function told(tx: Tx, workspace: number | null): void {
  tx.signal(WARMUP_CHANGED);
  if (workspace !== null) notifyChange(tx, "domains", workspace);
}
