// A person with a row in every table that can name one, found from the schema: erased, nothing is left; merged and two
// again, nothing is lost; exported, every list has something.
import { expect, test } from "bun:test";
import type { Bindable } from "../../src/store/sql.ts";
import { personTables, type PersonTable } from "../../src/store/table.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { letter } from "../support/mails.ts";
import { ask, everything } from "../support/scenario.ts";
import { Rows, TIME, type KnownValue } from "../support/rows.ts";
import { workspace } from "../support/workspace.ts";

const ADA = "ada@person.example";
const LATER = "9999-01-01T00:00:00.000Z";

const TWIN = "twin@person.example";
/** All that names Ada besides numbers. */
const NAMES = ["@person.example"];
const CONDITION = JSON.stringify({ groups: [{ filters: [{ field: "email", operator: "equals", value: ADA }] }] });

/** What rows have in them, where that is not told by their columns: above all, the person. */
const GIVEN: Readonly<Record<string, Readonly<Record<string, Bindable>>>> = {
  contact_jobs: { operation: "DELETE", status: "COMPLETED", due_at: LATER, selection: `{"search":"${ADA}"}` },
  contact_job_errors: { about: ADA, error: `${ADA} is not there.` },
  contact_job_batches: { content: `[{"email":"${ADA}"}]` },
  import_changes: { former: `{"email":"${ADA}"}` },
  suppressions: { kind: "address", target: ADA, reason: "manual", scope: "all" },
  soft_bounce_terms: { address: ADA },
  leaving_answers: { words: `I am ${ADA}.` },
  segments: { condition: CONDITION, type: "DYNAMIC", state: "CURRENT" },
  campaigns: { audience_type: "FILTERED", audience_condition: CONDITION, status: "SENT", started_at: TIME },
  workflow_steps: { type: "CONDITION", config: `{"condition":${CONDITION}}` },
  workflow_versions: { definition: `{"steps":[{"type":"CONDITION","config":{"condition":${CONDITION}}}]}` },
  executions: { status: "COMPLETED" },
  webhook_events: { data: `{"email":"${ADA}"}` },
  outbox: { notice: `{"data":{"email":"${ADA}"}}`, for_endpoints: 1, subjects: `["contact.updated"]` },
  saved_views: { filter: `{"search":"${ADA}"}` },
  recipients: { reason: "suppressed" },
  notes: { text: `Call ${ADA}.` },
  form_answers: { address: ADA, answer: `{"values":{"email":"${ADA}"}}`, expires_at: LATER },
  messages: { sender: ADA, whole: 1 },
  emails: { source_type: "INBOUND", status: "RECEIVED", to_address: ADA },
  audit: { target_name: ADA, target_sought: ADA, kind: "PERSON" },
};
const A_GROUP = { type: "STATIC", state: "CURRENT" };
const AN_IMPORT = { ...GIVEN["contact_jobs"], operation: "IMPORT", selection: "{}" };

type Person = { readonly id: string; readonly seq: number; readonly former?: number };

function ofPerson([ada, bob]: readonly [Person, Person]): KnownValue {
  return (table, { name }, rows) => {
    if (name === "contact" || name === "one") return ada.seq;
    if (name === "other") return bob.seq;
    if (table === "audit" && name === "target") return ada.id;
    if (table === "import_changes" && name === "job") return rows.in("contact_jobs", AN_IMPORT, "an import");
    if (table === "segment_members" && name === "segment") return rows.in("segments", A_GROUP, "a group");
    // What came in is known by its mail.
    if (table === "messages" && name === "content") return rows.in("emails").then(() => rows.in("contents"));
    return undefined;
  };
}

/** Without the mark of who is being erased. */
const tables = () => personTables().filter(({ name }) => name !== "erasures");

type Store = Readonly<Record<string, unknown[]>>;

/** The rows of a table that name Ada. */
function naming(all: Store, { name, person }: PersonTable, ada: Person): Json[] {
  return ((all[name] ?? []) as Json[]).filter((row) => person.by.some((column) => names(row[column], column, ada)));
}

function names(value: unknown, column: string, ada: Person): boolean {
  if (/^(contact|former|one|other)$/.test(column) && typeof value !== "object")
    return [ada.seq, ada.former].includes(Number(value));
  const said = value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : JSON.stringify(value);
  return NAMES.some((name) => said.includes(name));
}

async function counts(posthorn: Posthorn, ada: Person): Promise<Record<string, number>> {
  const all = await everything(posthorn);
  return Object.fromEntries(tables().map((table) => [table.name, naming(all, table, ada).length]));
}

async function left(posthorn: Posthorn, ada: Person): Promise<readonly string[]> {
  const all = await everything(posthorn);
  const rows = tables().flatMap((table) =>
    table.person.onErase.stays === undefined ? naming(all, table, ada).map((row) => [table.name, row]) : [],
  );
  return rows.map((row) => JSON.stringify(row));
}

async function done(posthorn: Posthorn, route: string, body: unknown = {}, headers = {}): Promise<Json> {
  const { status, body: answer } = await ask(posthorn, route, { body, headers });
  expect([status, answer.error]).toEqual([status, undefined]);
  return answer;
}

async function person(posthorn: Posthorn, email: string, headers = {}): Promise<Person> {
  const { id } = await done(posthorn, "POST /contacts", { email, data: { name: email } }, headers);
  const row = await posthorn.store.read(
    (reader) => reader.get<{ seq: number }>`select seq from contacts where id = ${id}`,
  );
  return { id, seq: Number(row?.seq) };
}

/** Ada, with a row in every table: by what people do, and the rest by the schema; and Bob. */
async function everywhere(posthorn: Posthorn): Promise<readonly [Person, Person]> {
  const [first, twin] = [await person(posthorn, ADA, { "idempotency-key": ADA }), await person(posthorn, TWIN)];
  const [ada, bob] = [{ ...first, former: twin.seq }, await person(posthorn, "bob@other.example")];
  await done(posthorn, "POST /v1/send", { ...letter, to: TWIN, subject: `For ${ADA}` });
  await done(posthorn, "POST /v1/track", { email: TWIN, event: "signup", data: { about: ADA } });
  await posthorn.settle();
  await done(posthorn, "POST /contacts/merge", { into: ada.id, from: [twin.id] });
  await posthorn.settle();
  const known = await counts(posthorn, ada);
  await posthorn.store.write(async (tx) => {
    const rows = new Rows(tx, GIVEN, ofPerson([ada, bob]));
    for (const { name } of tables().toReversed()) if (known[name] === 0) await rows.in(name);
  });
  expect(Object.entries(await counts(posthorn, ada)).filter(([, count]) => count === 0)).toEqual([]);
  return [ada, bob];
}

test("somebody who is in every table is erased from all of them (slow)", async () => {
  await using posthorn = await workspace();
  const [ada] = await everywhere(posthorn);
  await done(posthorn, `DELETE /contacts/${ada.id}`);
  await posthorn.settle();
  expect(await left(posthorn, ada)).toEqual([]);
});

test("an undone merge loses nothing, and either contact is erased from all tables (slow)", async () => {
  await using posthorn = await workspace();
  const [ada, bob] = await everywhere(posthorn);
  const before = await counts(posthorn, ada);
  const merge = await done(posthorn, "POST /contacts/merge", { into: bob.id, from: [ada.id] });
  await posthorn.settle();
  const merged = await counts(posthorn, bob);
  const moving = tables().filter(({ person }) => person.onMerge === "moves");
  expect(moving.filter(({ name }) => (merged[name] ?? 0) < (before[name] ?? 0))).toEqual([]);
  await done(posthorn, `POST /contacts/merges/${merge.id}/undo`);
  await posthorn.settle();
  const after = await counts(posthorn, ada);
  const lost = tables().flatMap(({ name }) => ((after[name] ?? 0) < (before[name] ?? 0) ? [name] : []));
  expect(lost).toEqual([]);
  await done(posthorn, `DELETE /contacts/${ada.id}`);
  await posthorn.settle();
  expect(await left(posthorn, ada)).toEqual([]);
});

/** More than are moved at once. */
const MANY = 60;

test("whoever was merged into somebody is erased with them, also what has not been moved yet", async () => {
  await using posthorn = await workspace();
  const [ada, bob] = await everywhere(posthorn);
  const answers = { ...GIVEN["leaving_answers"], contact: ada.seq };
  await posthorn.store.write(async (tx) => {
    const rows = new Rows(tx, GIVEN, ofPerson([ada, bob]));
    for (let n = 0; n < MANY; n++) await rows.in("leaving_answers", answers, `answer ${n}`);
  });
  await done(posthorn, "POST /contacts/merge", { into: bob.id, from: [ada.id] });
  await done(posthorn, `DELETE /contacts/${bob.id}`);
  await posthorn.settle();
  expect([await left(posthorn, ada), await left(posthorn, bob)]).toEqual([[], []]);
});

test("each table is in the export of the person, or says why not", async () => {
  await using posthorn = await workspace();
  const [ada] = await everywhere(posthorn);
  const { exportedAt: _, ...data } = await (await ask(posthorn, `GET /contacts/${ada.id}/export`)).body;
  const lists = tables().flatMap(({ person: { inExport } }) => (typeof inExport === "string" ? inExport : []));
  expect(Object.keys(data).toSorted()).toEqual([...new Set(lists)].toSorted());
  expect(Object.entries(data).filter(([, list]) => Array.isArray(list) && list.length === 0)).toEqual([]);
});
