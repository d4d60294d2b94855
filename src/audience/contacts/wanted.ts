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
import type { ContactVoice } from "./voices.ts";

/** How the data of a file joins that of a contact. */
export type DataMergeOptions = {
  /** An existing contact keeps its values and choices; only missing ones are added. */
  readonly onlyEmpty: boolean;
  /** Lists are extended, except under these keys. */
  readonly replaces: readonly string[];
  /** Added to the list under data `tags`. */
  readonly tag: string | null;
};

/** `cause`: also of the creation of a contact. */
export type ContactInput = ConsentAct & {
  readonly voice: ContactVoice;
  /** In its stored form (addresses.ts). */
  readonly email: string;
  /** Undefined = an existing contact keeps its flag. */
  readonly subscribed: boolean | undefined;
  readonly subscribedIfNew: boolean;
  readonly data: Variables;
  /** Changes of its topic choices. */
  readonly topics?: ChoiceChanges;
  /** Kept as data `name` if the contact has none. */
  readonly name?: string | null;
  /** The reason for a suppression of the address. */
  readonly suppressed?: ReturnReason;
  /** The origin of the consent: data `consent` of a new contact that gets marketing mail or is asked to confirm. */
  readonly consent?: string;
  /** Absent = the data of the input takes the place of the contact's. */
  readonly filing?: DataMergeOptions;
  /** The date of joining the list, kept as data `joinedAt` if the contact has none. */
  readonly joinedAt?: string;
  /** The refusal if the contact would not be subscribed. In that case nothing changes. */
  readonly unlessSubscribed?: () => AppError;
  /** Called before any change with the current contact (undefined = a new one); answers the refusal or null. */
  readonly admit?: (contact: Contact | undefined) => AppError | null;
};

/**
 * `reason`: of the address's suppression. The new contact is also suppressed, unless a voice that may lift it
 * subscribes it.
 * @throws AppError VALIDATION_ERROR if it would hold more than 64 KB
 */
export function newContact(
  tx: Pick<Tx, "nowMs">,
  input: ContactInput,
  reason: SuppressionReason | null,
): Omit<NewContact, "workspace" | "cause" | "sought"> {
  const { voice } = input;
  const isLifted =
    input.subscribed === true && voice.lift === "yes" && (reason === null || isLiftedBySubscribing(reason));
  const suppressed = isLifted ? null : graver(input.suppressed ?? null, reason);
  const isWelcome = voice.add !== "no" && (input.subscribed ?? input.subscribedIfNew);
  const isAsked = isWelcome && voice.add === "confirmed";
  const status = isAsked && suppressed === null ? "PENDING" : "ACTIVE";
  const isKept = suppressed === null || !(isAsked || isReturned(suppressed));
  const subscribed = status === "ACTIVE" && isKept && isWelcome;
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
  const { voice } = input;
  const mayUpdate = voice.update === "yes";
  const merged = dataWith(mayUpdate ? contact.data : {}, input);
  // Data that is too large is refused for an existing contact too, or the answer would reveal that it exists.
  const data = mayUpdate ? merged : contact.data;
  const isSuppressed = contact.suppressed !== null && voice.lift !== "yes";
  const isRefused = input.subscribed
    ? isSuppressed || contact.status === "PENDING" || voice.subscribe !== "yes"
    : voice.unsubscribe !== "yes";
  const isSame = input.subscribed === undefined || input.subscribed === contact.subscribed;
  const subscribed = isSame || isRefused ? null : (input.subscribed ?? null);
  const reason = input.suppressed ? graver(input.suppressed, contact.suppressed) : null;
  const suppressed = reason === null || reason === contact.suppressed ? {} : { suppressed: reason as ReturnReason };
  const topics = choicesAfter(contact.topics, allowed(input));
  const isSaid = topics !== contact.topics;
  if (data === contact.data && subscribed === null && !isSaid && !("suppressed" in suppressed)) return null;
  return { data, subscribed, ...(isSaid ? { topics } : {}), ...suppressed };
}

type ChoiceInput = Pick<ContactInput, "topics" | "filing" | "voice">;

/** The same object if there is no change. */
export function choicesAfter(current: TopicChoices, { topics, filing, voice }: ChoiceInput): TopicChoices {
  if (!topics) return current;
  const taken = Object.entries(topics).filter(([key, choice]) => {
    const said = choiceOf(current, key);
    return (
      said === null || !(filing?.onlyEmpty || (voice.join === "unless left" && said === "out" && choice !== "out"))
    );
  });
  return mergeChoices(current, Object.fromEntries(taken));
}

/** The permitted choices: leaving a topic needs the right to unsubscribe, any other that to join. */
function allowed(input: ContactInput): ChoiceInput {
  const mayJoin = input.voice.join === "yes" || input.voice.join === "unless left";
  const mayLeave = input.voice.unsubscribe === "yes";
  if (!input.topics || (mayJoin && mayLeave)) return input;
  const topics = Object.entries(input.topics).filter(([, choice]) => (choice === "out" ? mayLeave : mayJoin));
  return { ...input, topics: Object.fromEntries(topics) };
}

function dataWith(current: Variables, { data: said, name, filing, joinedAt }: ContactInput): Variables {
  const data = filing ? withLists(current, said, filing.replaces) : said;
  const lacking = filing?.onlyEmpty
    ? Object.entries(data).filter(([key]) => isEmpty(current[key]) || isEmptyList(current[key]))
    : null;
  const taken = lacking ? Object.fromEntries(lacking) : data;
  const named = name && !hasName(current, taken) ? { ...taken, name } : taken;
  const dated = joinedAt && isEmpty(taken["joinedAt"] ?? current["joinedAt"]) ? { ...named, joinedAt } : named;
  const tag = filing?.tag;
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
