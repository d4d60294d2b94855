// What is asked of a contact, by its address: it is created, or changed.
import { AppError } from "../errors.ts";
import { hearersOf, putInOutbox } from "../events/outbox.ts";
import { contactTopic } from "../events/topics.ts";
import { newId } from "../ids.ts";
import { note, type Act } from "../consent/consent.ts";
import { lookup } from "../store/loads.ts";
import { Overtaken, type Tx } from "../store/store.ts";
import { choiceOf, choose, mergeChoices, type ChoiceChanges } from "../topics/choice.ts";
import type { Choices } from "../topics/queries.ts";
import { change, type Change } from "./contact.ts";
import { mergeData, type Variables } from "./data.ts";
import { deleteSuppressions, type Reason } from "../suppressions/queries.ts";
import { isLiftedBySubscribing, standingOf, type Place } from "../suppressions/suppression.ts";
import { contactAt, lockContactToChange, nameOf, type Contact, type ReturnReason } from "./queries.ts";
import { insertContact, type NewContact } from "./change-queries.ts";
import { rulesForContacts } from "./search-queries.ts";
import { soughtOf } from "./sought.ts";
import { reasonIn, settleOwn } from "./suppression.ts";

/** `cause`: what adds a new contact, too. */
export type ContactInput = Act & {
  /** In its stored form (addresses.ts). */
  readonly email: string;
  /** Undefined = an existing contact keeps its flag. */
  readonly subscribed: boolean | undefined;
  readonly subscribedIfNew: boolean;
  readonly data: Variables;
  /** What it says of topics from now on. */
  readonly topics?: ChoiceChanges;
  /** False: a topic that the person left is not joined again. */
  readonly mayRejoin?: boolean;
  /** Kept as data `name` if the contact has none. */
  readonly name?: string | null;
  /** False for public keys: they cannot resubscribe an address that bounced or complained. */
  readonly mayLiftSuppression?: boolean;
  /** False: an existing contact keeps its data, and is not subscribed. */
  readonly mayUpdate?: boolean;
  /** False: an existing contact is not unsubscribed. */
  readonly mayUnsubscribe?: boolean;
  /** Only the person can subscribe an existing contact (sign-up.ts). */
  readonly onlyInPerson?: boolean;
  /** A new contact waits until the person confirms (sign-up.ts). */
  readonly pendingIfNew?: boolean;
  /** The address is suppressed from now on, for this reason. */
  readonly suppressed?: ReturnReason;
  /** Where the consent comes from: data `consent` of a new contact that gets marketing mail, or is asked. */
  readonly consent?: string;
  /** An existing contact keeps what it has, and gets only what it lacks. */
  readonly onlyEmpty?: boolean;
  /** Added to the list under data `tags`. */
  readonly tag?: string | null;
  /** Refuses the input, with this, if the contact would not be subscribed. Nothing is changed then. */
  readonly unlessSubscribed?: () => AppError;
  /**
   * Asked before anything changes, with the contact as it is (undefined: it is new): why the input is refused, or null.
   */
  readonly admit?: (contact: Contact | undefined) => AppError | null;
};

export function actOf({ cause, door, form, workflow, evidence }: Act): Act {
  return { cause, door, form, workflow, evidence };
}

/** What a new contact touches. */
const NEW = [contactTopic("new")];
export type Upserted = {
  readonly contact: Contact;
  readonly isNew: boolean;
  /** As it was before; nothing = it has not changed, or is new. */
  readonly before?: Contact | undefined;
  readonly searchFields: readonly string[];
};

export type Found = {
  readonly contact: Contact | null;
  /** The workspace has suppressions; and of whole domains. */
  readonly someSuppressed: boolean;
  readonly someDomains: boolean;
  /** Keys of data that a search looks in. */
  readonly searchFields: readonly string[];
  /** This transaction has changed the contact already. */
  readonly isLocked?: boolean;
};

export const rulesOf = lookup(String, rulesForContacts);

/** Who has an address. */
export async function findContactAt(tx: Tx, place: Place): Promise<Found> {
  const [contact, rules] = await Promise.all([contactAt(tx, place), rulesOf(tx, place.workspace)]);
  return { contact, ...rules };
}

type UpsertTerms = {
  /** As it was found in this transaction. */
  readonly found?: Found | undefined;
};

/**
 * Creates the contact with this address, or updates it. A new contact that is subscribed emits nothing; changing the
 * flag of an existing one emits contact.subscribed or contact.unsubscribed.
 * @throws AppError VALIDATION_ERROR if it would hold more than 64 KB, and as `input` says; before anything has changed
 * @throws Overtaken if another transaction has just created it: it would be locked after others that come behind it
 */
export function upsertContact(
  tx: Tx,
  workspace: number,
  input: ContactInput,
  { found }: UpsertTerms = {},
): Promise<Upserted> {
  const place = { workspace, email: input.email };
  return tx.inTurn<Upserted>(`contact ${nameOf(place)}`, async (before) => {
    const left = before === undefined ? found : leftBy(before);
    const { contact: seen, someSuppressed, searchFields, isLocked } = left ?? (await findContactAt(tx, place));
    const known = seen && !isLocked ? await lockedIfChanged(tx, seen, input) : seen;
    refuseUnfit(tx, input, known);
    if (known) return update(tx, workspace, { known, input, searchFields });
    const own = someSuppressed ? (await standingOf(tx, place)).own : null;
    const made = newContact(tx, input, reasonIn(own));
    const sought = soughtOf(made.email, made.data, searchFields);
    // Before, or the contact that is not marked would be taken for one made while its address is being suppressed.
    if (own !== null && made.suppressed === null) await deleteSuppressions(tx, [own.seq]);
    const [contact, hearers] = await Promise.all([
      insertContact(tx, { ...made, workspace, sought, cause: input.cause ?? null }),
      hearersOf(tx, { workspace, topics: NEW }),
    ]);
    if (!contact) throw new Overtaken("Another transaction has just created the contact.");
    if (own !== null || contact.suppressed !== null)
      await settleOwn(tx, workspace, contact, { own, act: actOf(input) });
    if (contact.subscribed) note(tx, { workspace, contact, what: "subscribed", act: actOf(input) });
    tx.deferred(putInOutbox(tx, { workspace, contact: contact.seq, topics: NEW, event: null }, hearers));
    const topics = choicesAfter(contact.topics, input);
    if (topics === contact.topics) return { contact, isNew: true, searchFields };
    await choose(tx, { workspace, contact, before: contact.topics, after: topics, act: actOf(input) });
    return { contact: { ...contact, topics }, isNew: true, searchFields };
  });
}

/** The contact after the input before this one. Not of a person who is being asked: that sets a term (sign-up.ts). */
function leftBy(upserted: Upserted | null): Found | undefined {
  if (!upserted || upserted.contact.status === "PENDING") return undefined;
  const { contact, isNew, before, searchFields } = upserted;
  return { contact, someSuppressed: false, someDomains: false, searchFields, isLocked: isNew || before !== undefined };
}

/** Null = it has another address by now. */
async function lockedIfChanged(tx: Tx, seen: Contact, input: ContactInput): Promise<Contact | null> {
  if (!changesOf(seen, input)) return seen;
  const locked = await lockContactToChange(tx, seen.seq);
  return locked?.email === seen.email ? locked : null;
}

/** @throws AppError as `upsertContact` */
export function refuseUnfit(tx: Tx, input: ContactInput, known: Contact | null): void {
  const subscribed = known
    ? (changesOf(known, input)?.subscribed ?? known.subscribed)
    : newContact(tx, input, null).subscribed;
  const refusal = subscribed ? null : input.unlessSubscribed?.();
  const denied = refusal ?? input.admit?.(known ?? undefined);
  if (denied) throw denied;
}

/**
 * `reason`: why the address is suppressed. The new contact is then suppressed too, unless a secret key subscribes it.
 * @throws AppError VALIDATION_ERROR if it would hold more than 64 KB
 */
export function newContact(
  tx: Pick<Tx, "nowMs">,
  input: ContactInput,
  reason: Reason | null,
): Omit<NewContact, "workspace" | "cause" | "sought"> {
  const isLifted =
    input.subscribed === true &&
    input.mayLiftSuppression !== false &&
    (reason === null || isLiftedBySubscribing(reason));
  const suppressed = isLifted ? null : graver(input.suppressed ?? null, reason);
  const status = input.pendingIfNew && suppressed === null ? "PENDING" : "ACTIVE";
  const isKept = suppressed === null || !(input.pendingIfNew || isReturned(suppressed));
  const subscribed = status === "ACTIVE" && isKept && (input.subscribed ?? input.subscribedIfNew);
  const data = dataWith(input.consent && (subscribed || status === "PENDING") ? { consent: input.consent } : {}, input);
  return { id: newId(tx.nowMs), email: input.email, subscribed, status, suppressed, data };
}

/** A complaint stays one. */
function graver(one: ReturnReason | null, other: Reason | null): Reason | null {
  if (one === null || other === null) return one ?? other;
  return one === "complaint" || !isReturned(other) ? one : other;
}

function isReturned(reason: Reason): reason is ReturnReason {
  return reason === "bounce" || reason === "complaint";
}

type Known = Pick<Found, "searchFields"> & {
  readonly known: Contact;
  readonly input: ContactInput;
};

async function update(tx: Tx, workspace: number, { known, input, searchFields }: Known): Promise<Upserted> {
  const changes = changesOf(known, input);
  if (!changes) return { contact: known, isNew: false, searchFields };
  await change(tx, workspace, { contact: known, ...changes, searchFields }, actOf(input));
  const subscribed = changes.suppressed ? false : (changes.subscribed ?? known.subscribed);
  const isLifted = changes.subscribed === true && known.suppressed !== null && isLiftedBySubscribing(known.suppressed);
  const suppressed = changes.suppressed ?? (isLifted ? null : known.suppressed);
  const { data, topics = known.topics } = changes;
  const changed = { ...known, data, topics, subscribed, suppressed, updatedAt: tx.now };
  return { contact: changed, isNew: false, before: known, searchFields };
}

/** What the input would change of the contact; null = nothing. */
export function changesOf(contact: Contact, input: ContactInput): Omit<Change, "contact" | "searchFields"> | null {
  const merged = dataWith(input.mayUpdate === false ? {} : contact.data, input);
  // Data that is too large is refused for an existing contact too, or the answer would reveal that it exists.
  const data = input.mayUpdate === false ? contact.data : merged;
  const isSuppressed = contact.suppressed !== null && input.mayLiftSuppression === false;
  const isPersonal = contact.status === "PENDING" || input.onlyInPerson === true;
  const isRefused = input.subscribed
    ? isSuppressed || isPersonal || input.mayUpdate === false
    : input.mayUnsubscribe === false;
  const isSame = input.subscribed === undefined || input.subscribed === contact.subscribed;
  const subscribed = isSame || isRefused ? null : (input.subscribed ?? null);
  const reason = input.suppressed ? graver(input.suppressed, contact.suppressed) : null;
  const suppressed = reason === null || reason === contact.suppressed ? {} : { suppressed: reason as ReturnReason };
  const topics = choicesAfter(contact.topics, allowed(input));
  const isSaid = topics !== contact.topics;
  if (data === contact.data && subscribed === null && !isSaid && !("suppressed" in suppressed)) return null;
  return { data, subscribed, ...(isSaid ? { topics } : {}), ...suppressed };
}

type Said = Pick<ContactInput, "topics" | "onlyEmpty" | "mayRejoin">;

/** The very same object if nothing changes. */
function choicesAfter(current: Choices, { topics, onlyEmpty, mayRejoin }: Said): Choices {
  if (!topics) return current;
  const taken = Object.entries(topics).filter(([key, choice]) => {
    const said = choiceOf(current, key);
    return said === null || !(onlyEmpty || (mayRejoin === false && said === "out" && choice !== "out"));
  });
  return mergeChoices(current, Object.fromEntries(taken));
}

/** What may be said for a contact that exists: to leave a topic is as to unsubscribe, the rest as to subscribe. */
function allowed(input: ContactInput): Said {
  const mayJoin = input.mayUpdate !== false && input.onlyInPerson !== true;
  const mayLeave = input.mayUnsubscribe !== false;
  if (!input.topics || (mayJoin && mayLeave)) return input;
  const topics = Object.entries(input.topics).filter(([, choice]) => (choice === "out" ? mayLeave : mayJoin));
  return { ...input, topics: Object.fromEntries(topics) };
}

function dataWith(current: Variables, { data, name, onlyEmpty, tag }: ContactInput): Variables {
  const lacking = onlyEmpty ? Object.entries(data).filter(([key]) => isEmpty(current[key])) : null;
  const taken = lacking ? Object.fromEntries(lacking) : data;
  const named = name && !hasName(current, taken) ? { ...taken, name } : taken;
  const changes = tag ? { ...named, tags: withTag(named["tags"] ?? current["tags"], tag) } : named;
  return Object.keys(changes).length === 0 ? current : mergeData(current, changes);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** A value that is no list becomes its first item. */
export function withTag(tags: unknown, tag: string): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(tags) ? tags : isEmpty(tags) ? [] : [tags];
  return list.includes(tag) ? list : [...list, tag];
}

function hasName({ name }: Variables, changes: Variables): boolean {
  return "name" in changes || (name !== undefined && name !== "");
}
