// Pauses: marketing mail waits until a time that the person chose. A pause loses its effect at that time; a loop clears
// it a moment later and emits the event.
import { DAY_MS, iso } from "../../base/clock.ts";
import type { ConsentAct } from "../consent/consent.ts";
import { happenedToContact } from "../consent/happened.ts";
import { invalidField } from "../../base/errors.ts";
import { momentIn } from "../../http/body/moment-in.ts";
import type { Tx } from "../../store/store.ts";
import { lockPausesEnded, setPausedUntil } from "./pause-queries.ts";
import type { Contact } from "./queries.ts";

/** The durations on the preference page. */
export const PAUSE_DAYS = [30, 60, 90] as const;
const LONGEST_DAYS = 366;

type PauseContact = Pick<Contact, "seq" | "email"> & { readonly workspace: number };

export function isPaused({ pausedUntil }: Pick<Contact, "pausedUntil">, now: string): boolean {
  return pausedUntil !== null && pausedUntil > now;
}

/**
 * Reads the end of a pause; null = the pause shall end now, undefined = no change.
 * @throws AppError VALIDATION_ERROR on `pausedUntil` unless it is a future time within 366 days
 */
export function readPause(given: string | null | undefined, nowMs: number): string | null | undefined {
  if (given === null || given === undefined) return given;
  const field = "pausedUntil";
  const ms = momentIn(field, given, invalidField);
  if (ms <= nowMs) throw invalidField(field, "Write a time to come.", "in_the_past");
  if (ms > nowMs + LONGEST_DAYS * DAY_MS)
    throw invalidField(field, `Email can be paused for up to ${LONGEST_DAYS} days.`, "too_big");
  return iso(ms);
}

/** The end of a pause of this many days. */
export function pauseEnd(nowMs: number, days: number): string {
  return iso(nowMs + days * DAY_MS);
}

/** Begins the pause, or moves its end. Emits contact.paused on a change. `contact` must be locked. */
export async function pause(
  tx: Tx,
  contact: PauseContact & Pick<Contact, "pausedUntil">,
  until: string,
  act: ConsentAct = {},
): Promise<void> {
  if (contact.pausedUntil === until) return;
  const { workspace, seq } = contact;
  await setPausedUntil(tx, seq, until);
  await happenedToContact(tx, "contact.paused", { workspace, contact, act }, { until });
}

/** Ends the pause. Emits contact.resumed if there was one. `contact` must be locked. */
export async function resume(
  tx: Tx,
  contact: PauseContact & Pick<Contact, "pausedUntil">,
  act: ConsentAct = {},
): Promise<void> {
  if (contact.pausedUntil !== null) await end(tx, contact, act);
}

async function end(tx: Tx, contact: PauseContact, act: ConsentAct): Promise<void> {
  const { workspace, seq } = contact;
  await setPausedUntil(tx, seq, null);
  await happenedToContact(tx, "contact.resumed", { workspace, contact, act }, {});
}

/** Clears some ended pauses; answers how many. */
export async function endPauses(tx: Tx, most: number): Promise<number> {
  const ended = await lockPausesEnded(tx, most);
  for (const contact of ended) await end(tx, contact, { door: "clock" });
  return ended.length;
}
