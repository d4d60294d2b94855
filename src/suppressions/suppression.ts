// Suppressions: addresses and domains that get no mail, or no marketing mail, and why. `contacts.suppressed` has the
// reason of the address's own one: each verb here keeps it in step.
import { domainOf } from "../addresses.ts";
import { iso } from "../clock.ts";
import { AppError } from "../errors.ts";
import { note, type Act, type Noted } from "../consent/consent.ts";
import { tellEndpoints } from "../events/notices.ts";
import { touchEach } from "../events/outbox.ts";
import { contactTopic } from "../events/topics.ts";
import { newId } from "../ids.ts";
import { loader } from "../store/loads.ts";
import { Overtaken, type Reader, type Tx } from "../store/store.ts";
import {
  complaintScope,
  contactsWith,
  deleteSuppressions,
  hasErased,
  insertSuppressions,
  lockEnded,
  markContacts,
  setTarget,
  suppressionById,
  suppressionsAt,
  updateSuppressions,
  type Reason,
  type Scope,
  type Suppression,
} from "./queries.ts";

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

export function kindOf(target: string): "address" | "domain" {
  return target.includes("@") ? "address" : "domain";
}

export function isInForce({ until }: Pick<Suppression, "until">, now: string): boolean {
  return until === null || until > now;
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

type Told = Pick<Suppression, "id" | "kind" | "target" | "reason" | "scope" | "until">;

type Changed = {
  readonly workspace: number;
  readonly those: readonly Told[];
  readonly act: Act;
  readonly isAdded: boolean;
};

/**
 * Those that have these addresses, locked: first before their suppressions change, as those who make contacts lock
 * what exists first, and then again, with those that were made in between.
 */
async function contactsAt(tx: Tx, workspace: number, those: readonly Pick<Suppression, "target">[]) {
  const emails = those.flatMap(({ target }) => (kindOf(target) === "address" ? target : []));
  return emails.length === 0 ? [] : contactsWith(tx, workspace, emails);
}

async function keepInStep(tx: Tx, { workspace, those, act, isAdded }: Changed): Promise<void> {
  const contacts = await contactsAt(tx, workspace, those);
  const byEmail = new Map(contacts.map((contact) => [contact.email, contact]));
  const marks = those.flatMap(({ target, reason }) => {
    const contact = byEmail.get(target);
    const suppressed = isAdded ? reason : null;
    return contact && contact.suppressed !== suppressed ? { seq: contact.seq, suppressed } : [];
  });
  marks.sort((one, other) => one.seq - other.seq);
  if (marks.length > 0) await markContacts(tx, marks);
  const seqs = marks.map(({ seq }) => seq);
  await touchEach(tx, seqs, { workspace, topics: [contactTopic("updatedAt")] });
  const told = those.map((one) => tell(tx, { workspace, contact: byEmail.get(one.target) ?? null, act, isAdded }, one));
  await Promise.all(told);
}

type Telling = {
  readonly workspace: number;
  readonly contact: Noted["contact"] | null;
  readonly act: Act;
  readonly isAdded: boolean;
};

/** Webhooks and, of a contact, the ledger. */
export async function tell(tx: Tx, { workspace, contact, act, isAdded }: Telling, one: Told): Promise<void> {
  const { reason, scope, until } = one;
  const what = isAdded ? "suppressed" : "unsuppressed";
  if (contact) note(tx, { workspace, contact, what, act, facts: { reason, scope, ...(until ? { until } : {}) } });
  const name = isAdded ? "suppression.added" : "suppression.removed";
  await tellEndpoints(tx, { workspace, contact: contact?.seq ?? null }, name, said(one));
}

function said({ id: suppressionId, kind, target, reason, scope, until }: Told) {
  const address = kind === "address" ? target : null;
  return { suppressionId, address, domain: kind === "domain" ? target : null, reason, scope, until };
}

/** Answers how many of those that have run out it has lifted. */
export async function liftEnded(tx: Tx, most: number): Promise<number> {
  const ended = await lockEnded(tx, most);
  for (const [workspace, theirs] of Map.groupBy(ended, (one) => one.workspace))
    await lift(tx, workspace, theirs, { door: "clock" });
  return ended.length;
}

export type Place = { readonly workspace: number; readonly email: string };

/** What is in force: the address's own one, under the address or its hash, and its domain's. */
export type Standing = { readonly own: Suppression | null; readonly domain: Suppression | null };

/** What keeps mail from an address now: its own one, and its domain's. */
export async function inForceAt(reader: Reader, { workspace, email }: Place, nowMs: number): Promise<Suppression[]> {
  const found = await suppressionsAt(reader, workspace, [email, domainOf(email)]);
  return found.filter((one) => isInForce(one, iso(nowMs)));
}

/** What suppresses an address. For new contacts, and those that are suppressed: others have none of their own. */
export const standingOf = loader<Place, Standing>({
  stage: "find",
  name: ({ workspace, email }) => `${workspace} ${email}`,
  ask: async (tx, places) => {
    const found = new Map<string, Suppression>();
    for (const [workspace, theirs] of Map.groupBy(places, (place) => place.workspace)) {
      const targets = theirs.flatMap(({ email }) => [email, domainOf(email), tx.keyedHash(email)]);
      for (const one of await suppressionsAt(tx, workspace, [...new Set(targets)]))
        if (isInForce(one, tx.now)) found.set(`${workspace} ${one.target}`, one);
    }
    return places.map(({ workspace, email }) => {
      const at = (target: string) => found.get(`${workspace} ${target}`) ?? null;
      return { own: at(email) ?? at(tx.keyedHash(email)), domain: at(domainOf(email)) };
    });
  },
});

/** The one that keeps more from an address: it, or nothing, if it is for the mail at hand. */
export function against({ own, domain }: Standing, isMarketing: boolean): Suppression | null {
  return [own, domain].find((one) => one !== null && (isMarketing || one.scope === "all")) ?? null;
}

/** Part of erasing a person: the address is kept as a keyed hash alone. */
export async function hashErased(tx: Tx, workspace: number, email: string): Promise<void> {
  const target = tx.keyedHash(email);
  const found = await suppressionsAt(tx, workspace, [email, target]);
  const own = found.find((one) => one.kind === "address");
  const others = found.filter((one) => one !== own || !isInForce(one, tx.now));
  if (!own) return;
  if (others.length > 0)
    await deleteSuppressions(
      tx,
      others.map(({ seq }) => seq),
    );
  if (isInForce(own, tx.now))
    await setTarget(tx, own.seq, { kind: "hash", target, reason: "erased", former: own.reason });
}

/** Where erased people's addresses come back, their hashes become addresses again, with their former reasons. */
export async function takeOver(tx: Tx, workspace: number, targets: readonly string[]): Promise<void> {
  const emails = targets.filter((target) => kindOf(target) === "address");
  if (emails.length === 0 || !(await hasErased(tx, workspace))) return;
  const byHash = new Map(emails.map((email) => [tx.keyedHash(email), email]));
  for (const { seq, target, former } of await suppressionsAt(tx, workspace, [...byHash.keys()])) {
    const back = { kind: "address", target: byHash.get(target) as string, former: null } as const;
    await setTarget(tx, seq, { ...back, reason: former ?? "bounce" });
  }
}

/** A person who subscribes again lifts them; what a person decided, only a person lifts. */
export function isLiftedBySubscribing(reason: Reason): boolean {
  return reason !== "manual";
}

const WHY: Readonly<Record<Reason, string>> = {
  bounce: "an email to it bounced permanently",
  complaint: "an email to it was marked as spam",
  "soft-bounces": "emails to it bounced several times in a row",
  manual: "somebody suppressed it by hand",
  import: "it was on an imported list",
  erased: "its person was erased",
};

/** For people; without the address. */
export function whySuppressed({ kind, reason }: Pick<Suppression, "kind" | "reason">): string {
  return `The ${kind === "domain" ? "domain" : "address"} is suppressed: ${WHY[reason]}.`;
}
