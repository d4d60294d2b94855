// Signing up for marketing mail. With double opt-in a new contact is PENDING until the person confirms (interface-gaps.md §3).
import { DAY_MS, iso, MINUTE_MS } from "../clock.ts";
import { touch } from "../events/outbox.ts";
import { contactTopic } from "../events/topics.ts";
import type { Tx } from "../store/store.ts";
import { subscribe, upsertContact, type ContactWish, type Upserted } from "./contact.ts";
import { activate, setTerm, type ContactRow } from "./queries.ts";

/** Queues the mail that asks `contact` to confirm, in the same change. What sends mail stands above and is handed in. */
export type AskToConfirm = (tx: Tx, workspace: number, contact: ContactRow) => Promise<void>;

export type ConfirmationMails = {
  readonly ask: AskToConfirm;
  /** Whether a mail may go to that contact; where there is none, it always may. It may throw, which undoes all. */
  readonly mayAsk?: (workspace: number, contact: ContactRow) => boolean;
};

type SignUp = ContactWish & { readonly doubleOptIn: boolean };

const STATUS = [contactTopic("status"), contactTopic("updatedAt")];
const EXPIRES_AFTER_MS = 7 * DAY_MS;
/** Whoever signs up again before that has a mail on its way. */
export const ASKED_AGAIN_AFTER_MS = 15 * MINUTE_MS;

/**
 * As `upsertContact`. With double opt-in a new contact that is to be subscribed is PENDING for seven days and is asked to
 * confirm; one that signs up again is asked again after a quarter of an hour, and has seven days from then on. Where no mail may
 * go, only the term of a new one begins. An ACTIVE contact stays ACTIVE, and is asked where `onlyInPerson` has kept its flag off.
 */
export async function signUp(
  tx: Tx,
  workspace: number,
  wish: SignUp,
  { ask, mayAsk }: ConfirmationMails,
): Promise<Upserted> {
  const wantsMail = wish.subscribed ?? wish.subscribedIfNew;
  const { contact, isNew } = await upsertContact(tx, workspace, {
    ...wish,
    pendingIfNew: wish.doubleOptIn && wantsMail,
  });
  if (contact.status === "ACTIVE") {
    if (isLeftToPerson(contact, wish) && (mayAsk?.(workspace, contact) ?? true)) await ask(tx, workspace, contact);
    return { contact, isNew };
  }
  if (!wantsMail) return { contact, isNew };
  // Each mail begins a new term, so the term tells when the last one was sent.
  const unlessAfterMs = tx.nowMs + EXPIRES_AFTER_MS - ASKED_AGAIN_AFTER_MS;
  if (contact.expires_at !== null && Date.parse(contact.expires_at) > unlessAfterMs) return { contact, isNew };
  const isToBeAsked = mayAsk?.(workspace, contact) ?? true;
  if (!isToBeAsked && !isNew) return { contact, isNew };
  const term = { expiresAt: iso(tx.nowMs + EXPIRES_AFTER_MS), unlessAfter: iso(unlessAfterMs) };
  const begun = await setTerm(tx, contact.seq, term);
  if (!begun) return { contact, isNew };
  if (!isNew) await touch(tx, { workspace, contact: contact.seq, topics: [contactTopic("updatedAt")] });
  if (isToBeAsked) await ask(tx, workspace, begun);
  return { contact: begun, isNew };
}

/** Asks a PENDING contact whose address has changed at the new one; it has seven days from now on. */
export async function askAtNewAddress(
  tx: Tx,
  workspace: number,
  contact: ContactRow,
  ask: AskToConfirm,
): Promise<ContactRow> {
  const expiresAt = iso(tx.nowMs + EXPIRES_AFTER_MS);
  const begun = (await setTerm(tx, contact.seq, { expiresAt, unlessAfter: expiresAt })) ?? contact;
  await ask(tx, workspace, begun);
  return begun;
}

/**
 * What the person at this address does on a page of ours: subscribes, and confirms what waits for that. Emits
 * contact.subscribed, once.
 */
export async function subscribeInPerson(
  tx: Tx,
  workspace: number,
  { seq: contact, email }: Pick<ContactRow, "seq" | "email">,
): Promise<void> {
  if ((await activate(tx, contact, email)) > 0) await touch(tx, { workspace, contact, topics: STATUS });
  await subscribe(tx, workspace, contact);
}

/** A sign-up that nobody confirmed in time counts as deleted, even if it is still there. */
export function hasExpired({ status, expires_at }: ContactRow, nowMs: number): boolean {
  return status === "PENDING" && expires_at !== null && Date.parse(expires_at) <= nowMs;
}

/** Whoever has bounced for good or complained is not even asked. */
function isLeftToPerson({ subscribed, suppressed }: ContactRow, wish: SignUp): boolean {
  return wish.onlyInPerson === true && wish.subscribed === true && subscribed === 0 && suppressed === null;
}
