// Suppressions: addresses and domains that get no mail, or no marketing mail, and why. `contacts.suppressed` has the
// reason of the address's own one: each verb here keeps it in step.
import { AppError } from "../errors.ts";
import type { Act } from "../consent/consent.ts";
import { newId } from "../ids.ts";
import { Overtaken, type Reader, type Tx } from "../store/store.ts";
import { takeOver } from "./erased.ts";
import { contactsAt, keepInStep } from "./in-step.ts";
import {
  complaintScope,
  deleteSuppressions,
  insertSuppressions,
  lockEnded,
  suppressionById,
  suppressionsAt,
  updateSuppressions,
  type Scope,
  type Suppression,
} from "./queries.ts";
import { isInForce, kindOf } from "./standing.ts";

/** `target`: an address or a domain, in its stored form. */
export type NewSuppression = Pick<Suppression, "target" | "reason" | "scope"> &
  Partial<Pick<Suppression, "until" | "note">>;

export type Suppressed = {
  readonly suppression: Omit<Suppression, "seq" | "former">;
  readonly outcome: "added" | "changed" | "unchanged";
};

/** @throws AppError SUPPRESSION_NOT_FOUND, also for another workspace's */
export async function findSuppression(reader: Reader, workspace: number, id: string): Promise<Suppression> {
  const found = await suppressionById(reader, workspace, id);
  if (!found) throw new AppError("SUPPRESSION_NOT_FOUND", `There is no suppression ${id}.`);
  return found;
}

/** What a hard bounce or a complaint suppresses. */
export async function scopeOf(tx: Tx, workspace: number, reason: "bounce" | "complaint"): Promise<Scope> {
  return reason === "bounce" ? "all" : complaintScope(tx, workspace);
}

/** One address or domain. */
export async function suppress(tx: Tx, workspace: number, one: NewSuppression, act: Act = {}): Promise<Suppressed> {
  return (await suppressEach(tx, workspace, [one], act))[0] as Suppressed;
}

/**
 * One answer for each, in their order. What is suppressed already is never weakened by it: the wider scope and the
 * later end count.
 */
export async function suppressEach(
  tx: Tx,
  workspace: number,
  those: readonly NewSuppression[],
  act: Act = {},
): Promise<readonly Suppressed[]> {
  if (those.length === 0) return [];
  const targets = [...new Set(those.map(({ target }) => target))];
  await contactsAt(tx, workspace, those);
  await takeOver(tx, workspace, targets);
  const known = new Map((await suppressionsAt(tx, workspace, targets)).map((one) => [one.target, one]));
  const now = new Map<string, Omit<Suppression, "seq" | "former">>(known);
  const outcomes = new Map<string, Suppressed["outcome"]>();
  for (const one of those) {
    const before = now.get(one.target);
    const isOver = before !== undefined && !isInForce(before, tx.now);
    const after = before === undefined || isOver ? fresh(tx, workspace, one, before?.id) : stronger(before, one);
    if (before === undefined || isOver) outcomes.set(one.target, "added");
    else if (after !== before && !outcomes.has(one.target)) outcomes.set(one.target, "changed");
    now.set(one.target, after);
  }
  const written = [...outcomes.keys()].map((target) => now.get(target) as Suppression);
  const added = written.filter(({ target }) => !known.has(target));
  const changed = written.flatMap((one) => {
    const { seq } = known.get(one.target) ?? {};
    return seq === undefined ? [] : { ...one, seq };
  });
  if (added.length > 0 && (await insertSuppressions(tx, added)).length < added.length)
    throw new Overtaken("Another transaction has just suppressed one of these.");
  if (changed.length > 0) await updateSuppressions(tx, changed);
  await keepInStep(tx, { workspace, those: written, act, isAdded: true });
  return those.map(({ target }) => ({
    suppression: now.get(target) as Suppression,
    outcome: outcomes.get(target) ?? "unchanged",
  }));
}

function fresh(tx: Tx, workspace: number, one: NewSuppression, id: string = newId(tx.nowMs)) {
  const { target, reason, scope, until = null, note = null } = one;
  const times = { createdAt: tx.now, updatedAt: tx.now };
  return { id, workspace, kind: kindOf(target), target, reason, scope, until, note, ...times };
}

/** `before` itself if it is no weaker. A complaint stays one. */
function stronger<One extends Omit<Suppression, "seq" | "former">>(before: One, more: NewSuppression): One {
  const scope = more.scope === "all" ? "all" : before.scope;
  const until = later(before.until, more.until ?? null);
  const isStronger = scope !== before.scope || until !== before.until;
  const isGraver = before.reason !== "complaint" && more.reason === "complaint";
  const reason = before.reason !== "complaint" && (isStronger || isGraver) ? more.reason : before.reason;
  const note = more.note ?? before.note;
  if (!isStronger && reason === before.reason && note === before.note) return before;
  return { ...before, scope, until, reason, note };
}

function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return null;
  return one > other ? one : other;
}

/** Lifts them. Subscriptions stay as they are. */
export async function lift(tx: Tx, workspace: number, those: readonly Suppression[], act: Act = {}): Promise<void> {
  if (those.length === 0) return;
  await contactsAt(tx, workspace, those);
  await deleteSuppressions(
    tx,
    those.map(({ seq }) => seq),
  );
  await keepInStep(tx, { workspace, those, act, isAdded: false });
}

/** Lifts the address's own one, if there is one. */
export async function liftAddress(tx: Tx, workspace: number, email: string, act: Act): Promise<void> {
  await lift(tx, workspace, await suppressionsAt(tx, workspace, [email]), act);
}

/** Answers how many of those that have run out it has lifted. */
export async function liftEnded(tx: Tx, most: number): Promise<number> {
  const ended = await lockEnded(tx, most);
  for (const [workspace, theirs] of Map.groupBy(ended, (one) => one.workspace))
    await lift(tx, workspace, theirs, { door: "clock" });
  return ended.length;
}
