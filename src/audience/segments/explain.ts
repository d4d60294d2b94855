// Explains a contact's membership of a segment: each filter with yes or no and the value that it read, evaluated by the
// SQL that also finds members.
import { iso } from "../../base/clock.ts";
import { contactByAddress, contactById, type Contact } from "../contacts/queries.ts";
import { isPaused } from "../contacts/pause.ts";
import { AppError } from "../../base/errors.ts";
import { choiceOf } from "../topics/choice.ts";
import { requiredAddress } from "../../http/body/address-field.ts";
import type { Reader } from "../../store/store.ts";
import type { Condition } from "./condition/check.ts";
import { subjectOf } from "./condition/condition.ts";
import { fallingOf } from "./condition/falling.ts";
import { UNSAID, type ConditionFilter } from "./condition/filter.ts";
import {
  filtersIn,
  groupsOf,
  turnOfAll,
  turnsOf,
  type GroupVerdict,
  type FilterPosition,
} from "./condition/verdicts.ts";
import { isKept, lastEvent, verdictsOn } from "./explain-queries.ts";
import type { Segment } from "./queries.ts";
import { conditionOf, readingNow } from "./references.ts";

/** Null: no value. `emailId`: the mail of the last event. */
type FilterObservation = { readonly seen: unknown; readonly emailId: string | null };
type Judgement = FilterPosition & GroupVerdict & FilterObservation & { readonly changesAt: string | null };

export type Explanation = {
  readonly contact: Contact;
  readonly matches: boolean;
  readonly changesAt: string | null;
  /** The evaluated condition; null where members are added by hand. */
  readonly condition: Condition | null;
  readonly filters: readonly Judgement[];
  readonly groups: readonly GroupVerdict[];
};

/** Longer texts and values are cut. */
const MAX_SEEN_CHARS = 1_000;

/** @throws AppError CONTACT_NOT_FOUND */
export async function contactAsked(
  reader: Reader,
  workspace: number,
  { contactId, email }: { readonly contactId?: string | null | undefined; readonly email?: string | null | undefined },
): Promise<Contact> {
  const found = contactId
    ? await contactById(reader, workspace, contactId)
    : await contactByAddress(reader, workspace, requiredAddress("email", email ?? ""));
  if (found) return found;
  throw new AppError("CONTACT_NOT_FOUND", `There is no contact ${contactId ?? "with this address"}.`);
}

type ExplanationQuery = { readonly workspace: number; readonly contact: Contact; readonly nowMs: number };

/** A member added by hand needs no filters to explain it. */
export async function explainMember(reader: Reader, segment: Segment, asked: ExplanationQuery): Promise<Explanation> {
  if (segment.type === "DYNAMIC") return explain(reader, conditionOf(segment), asked);
  const { contact } = asked;
  const matches = await isKept(reader, segment.seq, contact.seq);
  return { contact, matches, changesAt: null, condition: null, filters: [], groups: [] };
}

export async function explain(reader: Reader, condition: Condition, asked: ExplanationQuery): Promise<Explanation> {
  const { workspace, contact, nowMs } = asked;
  const { verdicts, matches } = fallingOf(condition, await readingNow(reader, workspace, condition, nowMs));
  const answer = await verdictsOn(reader, contact.seq, verdicts, matches);
  const byPlace = new Map(verdicts.map(({ at }, index) => [at, answer.filters[index] === true]));
  const filters: Judgement[] = [];
  for (const placed of filtersIn(condition)) {
    const matches = byPlace.get(placed.at) === true;
    const seen = await seenBy(reader, { contact, nowMs }, placed.filter, matches);
    filters.push({ ...placed, matches, ...seen, changesAt: null });
  }
  const turns = new Map(
    filters.map(({ at, filter, seen, matches: holds }) => [
      at,
      subjectOf(filter).kind === "paused" ? endOfPause(contact, !holds, nowMs) : turnsOf(filter, seen, nowMs),
    ]),
  );
  const changesAtMs = turnOfAll(condition, byPlace, turns);
  return {
    contact,
    matches: answer.matches,
    changesAt: changesAtMs === null ? null : iso(changesAtMs),
    condition,
    filters: filters.map((one) => ({ ...one, seen: cut(one.seen), changesAt: momentOf(turns.get(one.at)?.[0]) })),
    groups: groupsOf(condition, byPlace),
  };
}

function momentOf(turn: { readonly atMs: number } | undefined): string | null {
  return turn ? iso(turn.atMs) : null;
}

/** The end of the pause, at which a filter's verdict changes. */
function endOfPause({ pausedUntil }: Contact, holds: boolean, nowMs: number) {
  const atMs = Date.parse(pausedUntil ?? "");
  return atMs > nowMs ? [{ atMs, holds }] : [];
}

type ExplanationSubject = Pick<ExplanationQuery, "contact" | "nowMs">;

async function seenBy(
  reader: Reader,
  { contact, nowMs }: ExplanationSubject,
  filter: ConditionFilter,
  matches: boolean,
): Promise<FilterObservation> {
  const subject = subjectOf(filter);
  if (subject.kind === "event") {
    const last = await lastEvent(reader, contact.seq, subject.name, filter);
    return { seen: last?.createdAt ?? null, emailId: last?.emailId ?? null };
  }
  if (subject.kind === "segment") return { seen: matches === (filter.operator === "memberOf"), emailId: null };
  if (subject.kind === "topic") return { seen: choiceOf(contact.topics, subject.key) ?? UNSAID, emailId: null };
  if (subject.kind === "paused") return { seen: isPaused(contact, iso(nowMs)), emailId: null };
  if (subject.kind === "time") return { seen: contact[subject.column], emailId: null };
  return { seen: subject.kind === "data" ? valueAt(contact.data, subject.path) : contact[subject.kind], emailId: null };
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return path.reduce((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : null), data) ?? null;
}

function cut(seen: unknown): unknown {
  const text = typeof seen === "string" ? seen : JSON.stringify(seen);
  return text.length > MAX_SEEN_CHARS ? `${text.slice(0, MAX_SEEN_CHARS)}…` : seen;
}
