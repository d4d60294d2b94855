// Signing up for marketing mail. With double opt-in a new contact is PENDING until the person confirms.
import { DAY_MS, iso, MINUTE_MS } from "../../../base/clock.ts";
import { happened } from "../../../tenant/events/happened.ts";
import { lookup } from "../../../store/loads.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { asRefusal, type AppError } from "../../../base/errors.ts";
import { newestOf } from "../../consent/queries.ts";
import type { ConsentAct } from "../../consent/consent.ts";
import { happenedToContact } from "../../consent/happened.ts";
import type { LedgerContent } from "../../consent/content.ts";
import { subscribe } from "../contact.ts";
import { actOf, upsertContact, type UpsertResult } from "../upsert.ts";
import type { ContactInput } from "../wanted.ts";
import { activate, setTerm } from "../change-queries.ts";
import { resume } from "../pause.ts";
import type { Contact } from "../queries.ts";

/** A hook: queues the mail that asks `contact` to confirm, in the same transaction. */
export type AskToConfirm = (tx: Tx, workspace: number, contact: Contact) => Promise<unknown>;

/** The contact and workspace of a sign-up, before any change. */
export type Wish = Pick<Contact, "email" | "status"> & {
  readonly workspace: number;
  readonly isNew: boolean;
  /** The person would be mailed. */
  readonly isAsked: boolean;
};

/** Hooks: `ask`, and a function that throws the refusal of a workspace that cannot send confirmation mail. */
export type ConfirmationServices = {
  readonly ask: AskToConfirm;
  readonly refuseToAsk: (reader: Reader, workspace: number) => Promise<void>;
};

export type ConfirmationMails = ConfirmationServices & {
  /** The refusal of the sign-up, or null; without this function, all are admitted. */
  readonly admit?: (wish: Wish) => AppError | null;
  /** True if the contact may be mailed; without this function, all may be. */
  readonly mayAsk?: (workspace: number, contact: Pick<Contact, "email" | "status">) => boolean;
};

const EXPIRES_AFTER_MS = 7 * DAY_MS;
/** Before that, the last mail may still be in transit. */
export const ASKED_AGAIN_AFTER_MS = 15 * MINUTE_MS;

export type SignUp = {
  readonly workspace: number;
  readonly input: ContactInput;
  readonly mails: ConfirmationMails;
};

/** The reason why a workspace cannot send confirmation mail, read once for all concurrent sign-ups. */
const inabilityOf = lookup(
  ({ workspace }: SignUp) => String(workspace),
  (tx, { workspace, mails }) => mails.refuseToAsk(tx, workspace).catch(asRefusal),
);

/**
 * Like `upsertContact`. A new contact that wants marketing mail, and that the voice may only add once the person has
 * confirmed, is PENDING for seven days and is asked; one that signs up again after a quarter of an hour is asked again,
 * and has another seven days. If mail may not go, only the term of a new contact begins. An ACTIVE contact stays
 * ACTIVE, and is asked if the voice may only subscribe it so.
 * @throws AppError as `upsertContact`, and if the workspace cannot send confirmation mail; before any change
 */
export async function signUp(tx: Tx, one: SignUp): Promise<UpsertResult> {
  const { workspace, input } = one;
  const unable = mayAskSomebody(one) ? await inabilityOf(tx, one) : undefined;
  const admit = admission(tx, one, unable);
  const upserted = await upsertContact(tx, workspace, admit ? { ...input, ...admit } : input);
  const { contact } = upserted;
  return contact.status === "PENDING" || isLeftToPerson(contact, input) ? confirmIfNeeded(tx, upserted, one) : upserted;
}

function mayAskSomebody({ input }: SignUp): boolean {
  return wantsMail(input) && (input.voice.add === "confirmed" || input.voice.subscribe === "confirmed");
}

function isPendingIfNew(input: ContactInput): boolean {
  return input.voice.add === "confirmed" && wantsMail(input);
}

function admission(
  tx: Tx,
  { workspace, input, mails: { admit } }: SignUp,
  unable: AppError | void,
): Pick<ContactInput, "admit"> | null {
  if (!admit && !unable) return null;
  const asNew = { email: input.email, status: isPendingIfNew(input) ? "PENDING" : "ACTIVE" } as const;
  return {
    admit: (contact) => {
      const isAsked = contact ? mayBeAsked(tx, contact, input) : asNew.status === "PENDING";
      if (isAsked && unable) return unable;
      const { email, status } = contact ?? asNew;
      return admit?.({ workspace, email, status, isNew: contact === undefined, isAsked }) ?? null;
    },
  };
}

function mayBeAsked(tx: Tx, contact: Contact, input: ContactInput): boolean {
  if (contact.status === "PENDING") return wantsMail(input) && !wasAskedLately(tx, contact);
  return isLeftToPerson(contact, input);
}

/** Each mail begins a new term, so the term tells when the last mail was sent. */
function wasAskedLately({ nowMs }: Tx, { expiresAt }: Contact): boolean {
  return expiresAt !== null && Date.parse(expiresAt) > unlessAfterMs(nowMs);
}

function unlessAfterMs(nowMs: number): number {
  return nowMs + EXPIRES_AFTER_MS - ASKED_AGAIN_AFTER_MS;
}

function wantsMail({ subscribed, subscribedIfNew }: ContactInput): boolean {
  return subscribed ?? subscribedIfNew;
}

/** Sends the confirmation mail if one is needed: the contact is PENDING, or only the person can subscribe it. */
async function confirmIfNeeded(
  tx: Tx,
  upserted: UpsertResult,
  { workspace, input, mails }: SignUp,
): Promise<UpsertResult> {
  const { contact } = upserted;
  const asking = { ...mails, act: actOf(input) };
  if (contact.status === "PENDING")
    return wantsMail(input) ? { ...upserted, contact: await askPending(tx, workspace, upserted, asking) } : upserted;
  if (mails.mayAsk?.(workspace, contact) ?? true) await askAndNote(tx, workspace, contact, asking);
  return upserted;
}

/** `act`: the act that leads to the confirmation. */
type ConfirmationRequest = Pick<ConfirmationMails, "ask" | "mayAsk"> & { readonly act: ConsentAct };

async function askAndNote(
  tx: Tx,
  workspace: number,
  contact: Contact,
  { ask, act }: ConfirmationRequest,
): Promise<void> {
  await ask(tx, workspace, contact);
  await happenedToContact(tx, "contact.asked", { workspace, contact, act }, {});
}

/** Asks a contact that has just become PENDING. @throws the errors of `ask` */
export async function askNew(tx: Tx, workspace: number, contact: Contact, asking: ConfirmationRequest): Promise<void> {
  await askPending(tx, workspace, { contact, isNew: true }, asking);
}

async function askPending(
  tx: Tx,
  workspace: number,
  { contact, isNew }: Pick<UpsertResult, "contact" | "isNew">,
  asking: ConfirmationRequest,
): Promise<Contact> {
  if (wasAskedLately(tx, contact)) return contact;
  const isAsked = asking.mayAsk?.(workspace, contact) ?? true;
  if (!isAsked && !isNew) return contact;
  const term = { expiresAt: iso(tx.nowMs + EXPIRES_AFTER_MS), unlessAfter: iso(unlessAfterMs(tx.nowMs)) };
  const waiting = await setTerm(tx, contact.seq, term);
  if (!waiting) return contact;
  if (!isNew) await happened(tx, "contact.updated", { workspace, contact: contact.seq }, {});
  if (isAsked) await askAndNote(tx, workspace, waiting, asking);
  return waiting;
}

/** Asks a contact regardless of earlier mails; a PENDING one at its new address has another seven days. */
export async function askAtNewAddress(
  tx: Tx,
  workspace: number,
  contact: Contact,
  asking: ConfirmationRequest,
): Promise<Contact> {
  const expiresAt = iso(tx.nowMs + EXPIRES_AFTER_MS);
  const waiting = (await setTerm(tx, contact.seq, { expiresAt, unlessAfter: expiresAt })) ?? contact;
  await askAndNote(tx, workspace, waiting, asking);
  return waiting;
}

/** The cause of acts on the recipient pages. */
export const RECIPIENT_PAGE = "page";

/** Subscribes the person, who chose so on a recipient page. Confirms a PENDING contact, and ends a pause. */
export async function subscribeInPerson(tx: Tx, workspace: number, contact: Contact, act: ConsentAct): Promise<void> {
  const { seq, email } = contact;
  if ((await activate(tx, seq, email)) > 0)
    await happenedToContact(tx, "contact.confirmed", { workspace, contact, act }, {});
  await subscribe(tx, workspace, contact, act);
  await resume(tx, { ...contact, workspace }, act);
}

/** Records that a person declines a confirmation: once until they are asked again. */
export async function declineInPerson(tx: Tx, workspace: number, contact: Contact, act: ConsentAct): Promise<void> {
  const newest = await newestOf(tx, contact.seq);
  if (newest !== null && (JSON.parse(newest) as LedgerContent).what === "declined") return;
  await happenedToContact(tx, "contact.declined", { workspace, contact, act }, {});
}

/** A sign-up that was not confirmed in time counts as deleted, even if it still exists. */
export function hasExpired({ status, expiresAt }: Contact, nowMs: number): boolean {
  return status === "PENDING" && expiresAt !== null && Date.parse(expiresAt) <= nowMs;
}

/** A suppressed address is not asked. */
function isLeftToPerson({ subscribed, suppressed }: Contact, input: ContactInput): boolean {
  return input.voice.subscribe === "confirmed" && input.subscribed === true && !subscribed && suppressed === null;
}
