// Writes people, their suppressions and the segments that they are in.
import { parseAddress } from "../../base/addresses.ts";
import { csvLine } from "../../audience/csv/syntax.ts";
import { isPlainKey, plainKey } from "../../audience/contacts/plain-keys.ts";
import { fieldsOf, itemsIn, numberOf, textOf, textsOf } from "./fields.ts";
import type { ImportFile, MoveServer } from "./server.ts";
import type { SourceMember, SourcePerson, SourceProof, SourceSuppression } from "./source.ts";
import { noteGap, type MoveState } from "./state.ts";

/** Of one call about members. */
const MOST_MEMBERS = 500;

export async function writeSuppressions(
  server: MoveServer,
  state: MoveState,
  all: readonly SourceSuppression[],
): Promise<void> {
  const counts = state.counts.suppressions;
  counts.read += all.length;
  if (server.isDry) counts.added += all.length;
  if (server.isDry || all.length === 0) return;
  const rows = all.map(({ email, reason, scope = "" }) => csvLine([email, reason, scope]));
  const lines = [csvLine(["email", "reason", "scope"]), ...rows];
  const file = { name: `${state.product}, suppressions`, lines, once: onceOf(state) };
  const { result } = await server.import("/suppressions/imports", file);
  counts.added += numberOf(result["addedCount"]) ?? 0;
  counts.known += numberOf(result["unchangedCount"]) ?? 0;
  counts.refused += numberOf(result["failureCount"]) ?? 0;
  for (const { target, error } of itemsIn(result["errors"]))
    noteGap(state, { what: "suppressions", why: textOf(error) }, textOf(target));
}

/** An import subscribes nobody again who has said no here, and of two rows about a person the worse one counts. */
export async function writePeople(server: MoveServer, state: MoveState, all: readonly SourcePerson[]): Promise<void> {
  const counts = state.counts.people;
  counts.read += all.length;
  const people = all.filter(({ email }) => email.trim() !== "");
  if (people.length < all.length) {
    counts.refused += all.length - people.length;
    noteGap(state, { what: "people", why: "They have no address." }, "", all.length - people.length);
  }
  for (const { standing } of people) state.standings[standing]++;
  if (people.length === 0) return;
  const file = { name: `${state.product}, up to person ${counts.read}`, once: onceOf(state), ...fileOf(people, state) };
  const result = server.isDry ? await whatWouldCome(server, file) : await whatCame(server, state, file);
  counts.added += result.added;
  counts.changed += result.changed;
  counts.known += result.known;
  counts.refused += result.refused;
  for (const { email, error } of result.errors) noteGap(state, { what: "people", why: textOf(error) }, textOf(email));
}

async function whatCame(server: MoveServer, state: MoveState, file: ImportFile) {
  const { id, result } = await server.import("/contacts/import", file);
  if (!state.imports.includes(id)) state.imports.push(id);
  const [added = 0, changed = 0, refused = 0] = ["createdCount", "updatedCount", "failureCount"].map((one) =>
    numberOf(result[one]),
  );
  return { added, changed, refused, known: 0, errors: itemsIn(result["errors"]) };
}

async function whatWouldCome(server: MoveServer, file: ImportFile) {
  const result = await server.check("/contacts/import", file);
  const [added = 0, changed = 0, refused = 0, known = 0] = ["created", "updated", "failed", "unchanged"].map((one) =>
    numberOf(result[one]),
  );
  return { added, changed, refused, known, errors: itemsIn(result["errors"]) };
}

export async function writeMembers(server: MoveServer, state: MoveState, all: readonly SourceMember[]): Promise<void> {
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

/** Named so that an import knows them as proof of consent. */
const PROOFS: Readonly<Record<keyof SourceProof, string>> = {
  optInAt: "optin_time",
  optInIp: "optin_ip",
  confirmedAt: "confirm_time",
  confirmedIp: "confirm_ip",
  addedAt: "joined_at",
  unsubscribedAt: "unsub_time",
};
const PROOF_NAMES = Object.keys(PROOFS) as (keyof SourceProof)[];

/** The file of an import. The proofs do not become data. */
function fileOf(people: readonly SourcePerson[], { topics }: Pick<MoveState, "topics">) {
  const ids = [...new Set(people.flatMap((one) => Object.keys(one.topics ?? {})))].filter((id) =>
    Object.hasOwn(topics, id),
  );
  const header = ["email", "data", "subscribed", ...ids.map((id) => `topic:${topics[id]}`), ...Object.values(PROOFS)];
  const columns = header.map((_, at) => (at < 3 + ids.length ? null : ""));
  const rows = people.map(({ email, data, standing, topics: said = {}, proof = {} }) => [
    ...[email, JSON.stringify(plainData(data)), standing],
    ...ids.map((id) => said[id] ?? ""),
    ...PROOF_NAMES.map((name) => proof[name] ?? ""),
  ]);
  return { lines: [header, ...rows].map(csvLine), fields: { columns: JSON.stringify(columns) } };
}

/** With keys that emails and segments can name. */
function plainData(data: SourcePerson["data"]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [plainKeyOf(key), value]));
}

function plainKeyOf(key: string): string {
  return isPlainKey(key) ? key : plainKey(key) || "field";
}
