// Suppressions: addresses and domains that get no mail, or no marketing mail, with the reason. `contacts.suppressed`
// has the reason of the address's own suppression: each verb here keeps it in step.
import { AppError } from "../../base/errors.ts";
import type { ConsentAct } from "../consent/consent.ts";
import { newId } from "../../base/ids.ts";
import { Overtaken, type Reader, type Tx } from "../../store/store.ts";
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
  type SuppressionScope,
  type Suppression,
} from "./queries.ts";
import { isInForce, isLiftedBySubscribing, kindOf } from "./standing.ts";

/** `target`: an address or a domain, in its stored form. */
export type NewSuppression = Pick<Suppression, "target" | "reason" | "scope"> &
  Partial<Pick<Suppression, "until" | "note">>;

export type SuppressionResult = {
  readonly suppression: SuppressionDraft;
  readonly outcome: "added" | "changed" | "unchanged";
};

/** @throws AppError SUPPRESSION_NOT_FOUND, also for another workspace's suppression */
export async function findSuppression(reader: Reader, workspace: number, id: string): Promise<Suppression> {
  const found = await suppressionById(reader, workspace, id);
  if (!found) throw new AppError("SUPPRESSION_NOT_FOUND", `There is no suppression ${id}.`);
  return found;
}

/** The scope of a hard bounce's or a complaint's suppression. */
export async function scopeOf(tx: Tx, workspace: number, reason: "bounce" | "complaint"): Promise<SuppressionScope> {
  return reason === "bounce" ? "all" : complaintScope(tx, workspace);
}

/** Suppresses one address or domain. */
export async function suppress(
  tx: Tx,
  workspace: number,
  one: NewSuppression,
  act: ConsentAct = {},
): Promise<SuppressionResult> {
  return (await suppressEach(tx, workspace, [one], act))[0] as SuppressionResult;
}

type SuppressionDraft = Omit<Suppression, "seq" | "former"> & { readonly seq?: number };

/**
 * Answers one result for each, in their order. Never weakens an existing suppression. One for all mail and one for
 * marketing mail that ends later both stay.
 */
export async function suppressEach(
  tx: Tx,
  workspace: number,
  those: readonly NewSuppression[],
  act: ConsentAct = {},
): Promise<readonly SuppressionResult[]> {
  if (those.length === 0) return [];
  const targets = [...new Set(those.map(({ target }) => target))];
  await contactsAt(tx, workspace, those);
  await takeOver(tx, workspace, targets);
  const at = new Map<string, readonly SuppressionDraft[]>(
    Map.groupBy(await suppressionsAt(tx, workspace, targets), ({ target }) => target),
  );
  const outcomes = new Map<string, "added" | "changed">();
  const ids = those.map((one) => {
    const { kept, outcome } = beside(tx, workspace, at.get(one.target) ?? [], one);
    if (outcome === "added" || (outcome === "changed" && !outcomes.has(kept.id))) outcomes.set(kept.id, outcome);
    const others = (at.get(one.target) ?? []).filter(({ id }) => id !== kept.id);
    at.set(one.target, [...others, kept]);
    return kept.id;
  });
  const all = new Map([...at.values()].flat().map((one) => [one.id, one]));
  // Writes in a fixed order, so that transactions cannot wait for each other.
  const written = [...outcomes.keys()]
    .map((id) => all.get(id) as SuppressionDraft)
    .sort((one, other) => (one.target < other.target ? -1 : one.target > other.target ? 1 : 0));
  const [changed, added] = [written.filter(isStored), written.filter((one) => !isStored(one))];
  if (added.length > 0 && (await insertSuppressions(tx, added)).length < added.length)
    throw new Overtaken("Another transaction has just suppressed one of these.");
  if (changed.length > 0) await updateSuppressions(tx, changed);
  await keepInStep(tx, { workspace, those: written, at, act, isAdded: true });
  return ids.map((id) => ({ suppression: all.get(id) as SuppressionDraft, outcome: outcomes.get(id) ?? "unchanged" }));
}

function isStored<One extends SuppressionDraft>(one: One): one is One & { readonly seq: number } {
  return one.seq !== undefined;
}

type SuppressionVerdict = { readonly kept: SuppressionDraft; readonly outcome: SuppressionResult["outcome"] };

/** The suppression of the target that `one` adds or changes. `rows`: all those of its target, also ended ones. */
function beside(tx: Tx, workspace: number, rows: readonly SuppressionDraft[], one: NewSuppression): SuppressionVerdict {
  const inForce = rows.filter((row) => isInForce(row, tx.now));
  const covering = inForce.find(({ scope, until }) => scope === "all" && later(until, one.until ?? null) === until);
  const same = rows.find(({ scope }) => scope === one.scope);
  const covered =
    one.scope === "all" && !same
      ? inForce.find(({ until }) => later(until, one.until ?? null) === (one.until ?? null))
      : undefined;
  const before = covering ?? (same && inForce.includes(same) ? same : covered);
  if (before === undefined) return { kept: fresh(tx, workspace, one, same), outcome: "added" };
  const after = stronger(before, one);
  return { kept: after, outcome: after === before ? "unchanged" : "changed" };
}

/** `ended`: a suppression of the same target and scope, whose row it replaces. */
function fresh(tx: Tx, workspace: number, one: NewSuppression, ended?: SuppressionDraft): SuppressionDraft {
  const { target, reason, scope, until = null, note = null } = one;
  const place = ended
    ? { id: ended.id, ...(ended.seq === undefined ? {} : { seq: ended.seq }) }
    : { id: newId(tx.nowMs) };
  const times = { createdAt: tx.now, updatedAt: tx.now };
  return { ...place, workspace, kind: kindOf(target), target, reason, scope, until, note, ...times };
}

/** `before` itself if it is at least as strong. A complaint stays one. */
function stronger(before: SuppressionDraft, more: NewSuppression): SuppressionDraft {
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

/** Lifts suppressions. Subscriptions stay unchanged. */
export async function lift(
  tx: Tx,
  workspace: number,
  those: readonly Suppression[],
  act: ConsentAct = {},
): Promise<void> {
  if (those.length === 0) return;
  const contacts = await contactsAt(tx, workspace, those);
  await deleteSuppressions(
    tx,
    those.map(({ seq }) => seq),
  );
  const emails = contacts.map(({ email }) => email);
  const left = emails.length === 0 ? [] : await suppressionsAt(tx, workspace, emails);
  const at = Map.groupBy(left, ({ target }) => target);
  await keepInStep(tx, { workspace, those, at, act, isAdded: false });
}

/** Lifts the address's own suppressions. */
export async function liftAddress(tx: Tx, workspace: number, email: string, act: ConsentAct): Promise<void> {
  await lift(tx, workspace, await suppressionsAt(tx, workspace, [email]), act);
}

/** Like `liftAddress`, for a person who subscribes. */
export async function liftBySubscribing(tx: Tx, workspace: number, email: string, act: ConsentAct): Promise<void> {
  const own = await suppressionsAt(tx, workspace, [email]);
  const lifted = own.filter(({ reason }) => isLiftedBySubscribing(reason));
  await lift(tx, workspace, lifted, act);
}

/** Lifts ended suppressions; answers how many. */
export async function liftEnded(tx: Tx, most: number): Promise<number> {
  const ended = await lockEnded(tx, most);
  for (const [workspace, theirs] of Map.groupBy(ended, (one) => one.workspace))
    await lift(tx, workspace, theirs, { door: "clock" });
  return ended.length;
}
