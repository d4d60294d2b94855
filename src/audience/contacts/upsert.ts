// Creates or changes the contact at an address.
import { hearersOf, putInOutbox } from "../../tenant/events/outbox.ts";
import { contactSubject } from "../../tenant/events/subjects.ts";
import { note, type ConsentAct } from "../consent/consent.ts";
import { eachOfWorkspace, loader, remembered } from "../../store/loads.ts";
import { Overtaken, type Tx } from "../../store/store.ts";
import { choose } from "../topics/choice.ts";
import { deleteSuppressions, type Suppression } from "../suppressions/queries.ts";
import { isLiftedBySubscribing, standingOf, type WorkspaceAddress } from "../suppressions/standing.ts";
import { change } from "./contact.ts";
import {
  contactFormerlyAt,
  contactsAt,
  lockContact,
  lockContactToChange,
  addressKey,
  type Contact,
} from "./queries.ts";
import { insertContacts, type NewContact } from "./change-queries.ts";
import { rulesForContacts } from "./search/search-queries.ts";
import { soughtOf } from "./search/sought.ts";
import { reasonIn, settleOwn, suppressReturned } from "./suppression.ts";
import { changesOf, choicesAfter, newContact, type ContactInput } from "./wanted.ts";
import { FACTS } from "../../tenant/events/catalog.ts";

export function actOf({ cause, door, form, workflow, evidence }: ConsentAct): ConsentAct {
  return { cause, door, form, workflow, evidence };
}

/** The act with its evidence of consent: the caller's statement and the file's proof. */
export function agreedIn(input: ContactInput): ConsentAct {
  const { consent } = input;
  if (!consent) return actOf(input);
  const proven = input.evidence?.source;
  return { ...actOf(input), evidence: { ...input.evidence, source: proven ? `${consent}; ${proven}` : consent } };
}

/** The subjects that a new contact touches. */
const NEW = FACTS["contact.created"].touches.map(contactSubject);
export type UpsertResult = {
  readonly contact: Contact;
  readonly isNew: boolean;
  /** The contact before the change; undefined = unchanged or new. */
  readonly before?: Contact | undefined;
  readonly searchFields: readonly string[];
};

export type ContactLookup = {
  readonly contact: Contact | null;
  /** The workspace has suppressions; suppressions of domains; erased people. */
  readonly someSuppressed: boolean;
  readonly someDomains: boolean;
  readonly someErased: boolean;
  /** Keys of data that a search covers. */
  readonly searchFields: readonly string[];
  /** This transaction has already changed the contact. */
  readonly isLocked?: boolean;
};

export const rulesOf = remembered(String, rulesForContacts);

/** The contact at an address; for a former address, the last contact that had it. */
export const findContactAt = loader<WorkspaceAddress, ContactLookup>({
  stage: "find",
  name: addressKey,
  ask: eachOfWorkspace(async (tx, workspace, places) => {
    const emails = places.map(({ email }) => email);
    const [at, rules] = await Promise.all([contactsAt(tx, workspace, emails), rulesOf.within(tx, workspace)]);
    const lookups = places.map(({ email }) => ({ ...rules, contact: at.get(email) ?? null }));
    if (!rules.someFormer || at.size === places.length) return lookups;
    return Promise.all(
      lookups.map(async (one, index) =>
        one.contact ? one : { ...one, contact: await contactFormerlyAt(tx, places[index] as WorkspaceAddress) },
      ),
    );
  }),
});

/** A new contact, told to those who listen; null if another transaction has created it at the same moment. */
const create = loader<NewContact, Contact | null>({
  stage: "change",
  makesRows: true,
  name: addressKey,
  ask: eachOfWorkspace(async (tx, workspace, people) => {
    const [contacts, hearers] = await Promise.all([
      insertContacts(tx, workspace, people),
      hearersOf.within(tx, { workspace, subjects: NEW }),
    ]);
    for (const contact of contacts)
      if (contact) putInOutbox(tx, { workspace, contact: contact.seq, subjects: NEW, event: null }, hearers);
    return contacts;
  }),
});

type UpsertTerms = {
  /** The contact as found in this transaction. */
  readonly found?: ContactLookup | undefined;
};

/**
 * Creates or updates the contact with this address. A new subscribed contact emits no event; changing the flag of an
 * existing one emits contact.subscribed or contact.unsubscribed.
 * @throws AppError VALIDATION_ERROR if it would hold more than 64 KB, and the refusals of `input`; before any change
 * @throws Overtaken if another transaction has just created it: this one would lock it out of order
 */
export function upsertContact(
  tx: Tx,
  workspace: number,
  input: ContactInput,
  { found }: UpsertTerms = {},
): Promise<UpsertResult> {
  const place = { workspace, email: input.email };
  return tx.inTurn<UpsertResult>(`contact ${addressKey(place)}`, async (before) => {
    const left = before === undefined ? found : leftBy(before);
    const whose = left ?? (await findContactAt(tx, place));
    const { contact: seen, searchFields, isLocked, someSuppressed } = whose;
    if (seen && seen.email !== input.email) return upsertFormer(tx, workspace, seen, input);
    const known = seen && !isLocked ? await lockedIfChanged(tx, seen, input) : seen;
    refuseUnfit(tx, input, known);
    if (known) return update(tx, workspace, { known, input, searchFields });
    const own = someSuppressed ? (await standingOf(tx, { ...place, ...whose })).own : [];
    const lifted = own.length > 0 ? liftedBy(input, own) : [];
    const stays = own.filter((one) => !lifted.includes(one));
    const made = newContact(tx, input, reasonIn(stays.length > 0 ? stays : own));
    const sought = soughtOf(made.email, made.data, searchFields);
    // First, since an unmarked contact would be mistaken for one created while its address is being suppressed.
    if (lifted.length > 0 && made.suppressed === null)
      await deleteSuppressions(
        tx,
        lifted.map(({ seq }) => seq),
      );
    const contact = await create(tx, { ...made, workspace, sought, cause: input.cause ?? null });
    if (!contact) throw new Overtaken("Another transaction has just created the contact.");
    if (own.length > 0 || contact.suppressed !== null)
      await settleOwn(tx, workspace, contact, { own, lifted, act: actOf(input) });
    if (contact.subscribed) note(tx, { workspace, contact, what: "subscribed", act: agreedIn(input) });
    const topics = choicesAfter(contact.topics, input);
    if (topics === contact.topics) return { contact, isNew: true, searchFields };
    await choose(tx, { workspace, contact, before: contact.topics, after: topics, act: actOf(input) });
    return { contact: { ...contact, topics }, isNew: true, searchFields };
  });
}

/** The contact after the previous input. Undefined for a PENDING contact, since asking sets a term (sign-up.ts). */
function leftBy(upserted: UpsertResult | null): ContactLookup | undefined {
  if (!upserted || upserted.contact.status === "PENDING") return undefined;
  const { contact, isNew, before, searchFields } = upserted;
  const none = { someSuppressed: false, someDomains: false, someErased: false };
  return { contact, ...none, searchFields, isLocked: isNew || before !== undefined };
}

/** @throws Overtaken if the contact has another address by now; the next run finds it by that address */
async function lockedIfChanged(tx: Tx, seen: Contact, input: ContactInput): Promise<Contact> {
  if (!changesOf(seen, input)) return seen;
  const locked = await lockContactToChange(tx, seen.seq);
  if (locked?.email !== seen.email) throw new Overtaken("Another transaction has just changed the contact's address.");
  return locked;
}

/**
 * For a former address, changes the contact that had it, in turn with changes by its current address. A bounce concerns
 * only the former address; a complaint there unsubscribes the contact.
 */
async function upsertFormer(tx: Tx, workspace: number, { email }: Contact, input: ContactInput): Promise<UpsertResult> {
  const { suppressed: reason, ...asked } = input;
  const left = reason === undefined ? {} : { subscribed: reason === "complaint" ? false : undefined };
  const upserted = await upsertContact(tx, workspace, { ...asked, ...left, email });
  if (reason) await suppressReturned(tx, workspace, input.email, { ...actOf(input), reason });
  return upserted;
}

/** @throws AppError as `upsertContact` */
export function refuseUnfit(tx: Tx, input: ContactInput, known: Contact | null): void {
  if (!input.unlessSubscribed && !input.admit) return;
  const subscribed = known
    ? (changesOf(known, input)?.subscribed ?? known.subscribed)
    : newContact(tx, input, null).subscribed;
  const refusal = subscribed ? null : input.unlessSubscribed?.();
  const denied = refusal ?? input.admit?.(known ?? undefined);
  if (denied) throw denied;
}

type ContactUpdate = Pick<ContactLookup, "searchFields"> & {
  readonly known: Contact;
  readonly input: ContactInput;
};

async function update(tx: Tx, workspace: number, { known, input, searchFields }: ContactUpdate): Promise<UpsertResult> {
  const changes = changesOf(known, input);
  if (!changes) return { contact: known, isNew: false, searchFields };
  await change(tx, workspace, { contact: known, ...changes, searchFields }, actOf(input));
  const subscribed = changes.suppressed ? false : (changes.subscribed ?? known.subscribed);
  const isLifted = changes.subscribed === true && known.suppressed !== null;
  const suppressed = changes.suppressed ?? (isLifted ? await suppressedNow(tx, known) : known.suppressed);
  const { data, topics = known.topics } = changes;
  const changed = { ...known, data, topics, subscribed, suppressed, updatedAt: tx.now };
  return { contact: changed, isNew: false, before: known, searchFields };
}

/** The suppressions that a subscription by this voice lifts. */
function liftedBy({ subscribed, voice }: ContactInput, own: readonly Suppression[]): Suppression[] {
  if (subscribed !== true || voice.lift !== "yes") return [];
  return own.filter((one) => isLiftedBySubscribing(one.former ?? one.reason));
}

/** Another suppression may remain. */
async function suppressedNow(tx: Tx, { seq }: Contact): Promise<Contact["suppressed"]> {
  return (await lockContact(tx, seq))?.suppressed ?? null;
}
