// The effect of an input on a new or an existing contact. Changes nothing itself.
import type { AppError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import type { ConsentAct } from "../consent/consent.ts";
import type { Tx } from "../../store/store.ts";
import { choiceOf, mergeChoices, type ChoiceChanges } from "../topics/choice.ts";
import type { TopicChoices } from "../topics/queries.ts";
import type { SuppressionReason } from "../suppressions/queries.ts";
import { isLiftedBySubscribing } from "../suppressions/standing.ts";
import type { ContactChange } from "./contact.ts";
import { mergeData, type Variables } from "./data.ts";
import type { NewContact } from "./change-queries.ts";
import type { Contact, ReturnReason } from "./queries.ts";

/** `cause`: also of the creation of a contact. */
export type ContactInput = ConsentAct & {
  /** In its stored form (addresses.ts). */
  readonly email: string;
  /** Undefined = an existing contact keeps its flag. */
  readonly subscribed: boolean | undefined;
  readonly subscribedIfNew: boolean;
  readonly data: Variables;
  /** Changes of its topic choices. */
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
  /** The reason for a suppression of the address. */
  readonly suppressed?: ReturnReason;
  /** The origin of the consent: data `consent` of a new contact that gets marketing mail or is asked to confirm. */
  readonly consent?: string;
  /** An existing contact keeps its values; only missing ones are added. */
  readonly onlyEmpty?: boolean;
  /** Lists are extended by the input, except under these keys. Undefined = lists are always replaced. */
  readonly replaces?: readonly string[];
  /** The date of joining the list, kept as data `joinedAt` if the contact has none. */
  readonly joinedAt?: string;
  /** Added to the list under data `tags`. */
  readonly tag?: string | null;
  /** The refusal if the contact would not be subscribed. In that case nothing changes. */
  readonly unlessSubscribed?: () => AppError;
  /** Called before any change with the current contact (undefined = a new one); answers the refusal or null. */
  readonly admit?: (contact: Contact | undefined) => AppError | null;
};

/**
 * `reason`: of the address's suppression. The new contact is also suppressed, unless a secret key subscribes it.
 * @throws AppError VALIDATION_ERROR if it would hold more than 64 KB
 */
export function newContact(
  tx: Pick<Tx, "nowMs">,
  input: ContactInput,
  reason: SuppressionReason | null,
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

/** A complaint outweighs all other reasons. */
function graver(one: ReturnReason | null, other: SuppressionReason | null): SuppressionReason | null {
  if (one === null || other === null) return one ?? other;
  return one === "complaint" || !isReturned(other) ? one : other;
}

function isReturned(reason: SuppressionReason): reason is ReturnReason {
  return reason === "bounce" || reason === "complaint";
}

/** The changes that the input makes to the contact; null = none. */
export function changesOf(
  contact: Contact,
  input: ContactInput,
): Omit<ContactChange, "contact" | "searchFields"> | null {
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

type ChoiceInput = Pick<ContactInput, "topics" | "onlyEmpty" | "mayRejoin">;

/** The same object if there is no change. */
export function choicesAfter(current: TopicChoices, { topics, onlyEmpty, mayRejoin }: ChoiceInput): TopicChoices {
  if (!topics) return current;
  const taken = Object.entries(topics).filter(([key, choice]) => {
    const said = choiceOf(current, key);
    return said === null || !(onlyEmpty || (mayRejoin === false && said === "out" && choice !== "out"));
  });
  return mergeChoices(current, Object.fromEntries(taken));
}

/** The permitted choices: leaving a topic needs the permission to unsubscribe, any other that to subscribe. */
function allowed(input: ContactInput): ChoiceInput {
  const mayJoin = input.mayUpdate !== false && input.onlyInPerson !== true;
  const mayLeave = input.mayUnsubscribe !== false;
  if (!input.topics || (mayJoin && mayLeave)) return input;
  const topics = Object.entries(input.topics).filter(([, choice]) => (choice === "out" ? mayLeave : mayJoin));
  return { ...input, topics: Object.fromEntries(topics) };
}

function dataWith(
  current: Variables,
  { data: said, name, onlyEmpty, replaces, joinedAt, tag }: ContactInput,
): Variables {
  const data = replaces ? withLists(current, said, replaces) : said;
  const lacking = onlyEmpty
    ? Object.entries(data).filter(([key]) => isEmpty(current[key]) || isEmptyList(current[key]))
    : null;
  const taken = lacking ? Object.fromEntries(lacking) : data;
  const named = name && !hasName(current, taken) ? { ...taken, name } : taken;
  const dated = joinedAt && isEmpty(taken["joinedAt"] ?? current["joinedAt"]) ? { ...named, joinedAt } : named;
  const changes = tag ? { ...dated, tags: withTag(dated["tags"] ?? current["tags"], tag) } : dated;
  return Object.keys(changes).length === 0 ? current : mergeData(current, changes);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function withLists(current: Variables, said: Variables, replaces: readonly string[]): Variables {
  if (![said, current].some((data) => Object.values(data).some(Array.isArray))) return said;
  return Object.fromEntries(
    Object.entries(said).map(([key, value]) => [key, replaces.includes(key) ? value : withItems(current[key], value)]),
  );
}

/** Adds new items if either value is a list; the same value if there are none. Other values are replaced. */
function withItems(current: unknown, said: unknown): unknown {
  if ((!Array.isArray(current) && !Array.isArray(said)) || isEmpty(current) || !canJoin(current) || !canJoin(said))
    return said;
  const [list, items] = [listOf(current), listOf(said)];
  const known = new Set(list.map((item) => JSON.stringify(item)));
  const fresh = items.filter((item) => !known.has(JSON.stringify(item)));
  return fresh.length === 0 ? current : [...list, ...fresh];
}

function canJoin(value: unknown): boolean {
  return value !== null && (typeof value !== "object" || Array.isArray(value));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** A value that is no list becomes its first item. */
export function withTag(tags: unknown, tag: string): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(tags) ? tags : isEmpty(tags) ? [] : [tags];
  return list.includes(tag) ? list : [...list, tag];
}

function hasName({ name }: Variables, changes: Variables): boolean {
  return "name" in changes || (name !== undefined && name !== "");
}
