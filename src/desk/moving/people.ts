// Writes people, their suppressions and the segments that they are in.
import { parseAddress } from "../../base/addresses.ts";
import { csvLine } from "../../audience/csv/syntax.ts";
import { isPlainKey, plainKey } from "../../audience/contacts/plain-keys.ts";
import { fieldsOf, itemsIn, numberOf, textOf, textsOf, type AnswerFields } from "./fields.ts";
import type { OpenMove } from "./server.ts";
import { PROOF_COLUMNS, type SourceMember, type SourcePerson, type SourceSuppression } from "./source.ts";
import type { MoveState } from "./record.ts";
import { noteGap } from "./state.ts";

/** The most members in one call. */
const MOST_MEMBERS = 500;

export async function writeSuppressions({ server, state }: OpenMove, all: readonly SourceSuppression[]): Promise<void> {
  const counts = state.counts.suppressions;
  counts.read += all.length;
  if (server.isDry) counts.added += all.length;
  if (server.isDry || all.length === 0) return;
  const rows = all.map(({ email, reason, scope = "" }) => [email, reason, scope]);
  const lines = [["email", "reason", "scope"], ...rows].map(csvLine);
  const file = { name: `${state.product}, suppressions`, lines, once: onceOf(state) };
  const { result } = await server.import("/suppressions/imports", file);
  noteResult(state, "suppressions", result);
}

/** An import subscribes no person again who has said no here, and of two rows about a person the worse one counts. */
export async function writePeople({ server, state }: OpenMove, all: readonly SourcePerson[]): Promise<void> {
  const counts = state.counts.people;
  counts.read += all.length;
  const people = all.filter(({ email }) => email.trim() !== "");
  const without = all.length - people.length;
  counts.refused += without;
  if (without > 0) noteGap(state, { what: "people", why: "They have no address." }, "", without);
  for (const { standing } of people) state.standings[standing]++;
  if (people.length === 0) return;
  const file = { name: `${state.product}, up to person ${counts.read}`, once: onceOf(state), ...fileOf(people, state) };
  if (server.isDry) return noteResult(state, "people", await server.check("/contacts/import", file));
  const { id, result } = await server.import("/contacts/import", file);
  if (!state.imports.includes(id)) state.imports.push(id);
  noteResult(state, "people", result);
}

/** Field names of counts: an import and its check use different ones. */
const COUNTED = {
  added: ["createdCount", "addedCount", "created"],
  changed: ["updatedCount", "updated"],
  known: ["unchangedCount", "unchanged"],
  refused: ["failureCount", "failed"],
} as const;

function noteResult(state: MoveState, what: "people" | "suppressions", result: AnswerFields): void {
  for (const [count, names] of Object.entries(COUNTED))
    for (const name of names) state.counts[what][count as keyof typeof COUNTED] += numberOf(result[name]) ?? 0;
  for (const { email, target, error } of itemsIn(result["errors"]))
    noteGap(state, { what, why: textOf(error) }, textOf(email ?? target));
}

export async function writeMembers({ server, state }: OpenMove, all: readonly SourceMember[]): Promise<void> {
  const counts = state.counts.members;
  counts.read += all.length;
  const refuse = (why: string, emails: readonly string[]) => {
    counts.refused += emails.length;
    if (emails.length > 0) noteGap(state, { what: "members", why }, emails[0] ?? "", emails.length);
  };
  for (const [segment, members] of Map.groupBy(all, (one) => one.segment)) {
    const emails = [...new Set(members.flatMap(({ email }) => parseAddress(email) ?? []))];
    const id = Object.hasOwn(state.segments, segment) ? state.segments[segment] : undefined;
    if (id === undefined) refuse("Their segment did not come.", emails);
    else if (server.isDry) counts.added += emails.length;
    else
      for (let from = 0; from < emails.length; from += MOST_MEMBERS) {
        const body = { emails: emails.slice(from, from + MOST_MEMBERS) };
        const { added, notFound } = fieldsOf(
          await server.ask(`POST /segments/${encodeURIComponent(id)}/members`, body),
        );
        counts.added += numberOf(added) ?? 0;
        refuse("They are no contacts here.", textsOf(notFound));
      }
  }
}

function onceOf({ id }: MoveState): string {
  return `import-from ${id}`;
}

/** The file of an import. The columns of proof do not become data. */
function fileOf(people: readonly SourcePerson[], { topics }: Pick<MoveState, "topics">) {
  const ids = [...new Set(people.flatMap((one) => Object.keys(one.topics ?? {})))].filter((id) =>
    Object.hasOwn(topics, id),
  );
  const read = ["email", "data", "subscribed", ...ids.map((id) => `topic:${topics[id]}`)];
  const rows = people.map(({ email, data, standing, topics: said = {}, proof }) => [
    ...[email, JSON.stringify(plainData(data)), standing, ...ids.map((id) => said[id] ?? "")],
    ...PROOF_COLUMNS.map((name) => proof[name] ?? ""),
  ]);
  const columns = [...read.map(() => null), ...PROOF_COLUMNS.map(() => "")];
  return { lines: [[...read, ...PROOF_COLUMNS], ...rows].map(csvLine), fields: { columns: JSON.stringify(columns) } };
}

/** With keys that emails and segments can name. */
function plainData(data: AnswerFields): AnswerFields {
  const plainName = (key: string) => (isPlainKey(key) ? key : plainKey(key) || "field");
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [plainName(key), value]));
}
