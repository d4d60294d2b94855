// All data about one person, as one JSON file, written as it is read: a history need not fit into memory.
import { consentsBefore } from "../../audience/consent/evidence-queries.ts";
import { consentRecord, contentsTold } from "../../audience/consent/record.ts";
import type { Contact } from "../../audience/contacts/queries.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { answersOf } from "../../audience/contacts/past/leaving-queries.ts";
import { contactRecord } from "../../audience/contacts/record.ts";
import type { Mail } from "../../mail/emails/queries.ts";
import { mailsNumbered } from "../../mail/emails/queries.ts";
import { emailRecord } from "../../mail/emails/record.ts";
import { AppError } from "../../base/errors.ts";
import { loggedEvents } from "../../tenant/events/queries.ts";
import { notesPage } from "../notes/queries.ts";
import { noteRecord } from "../notes/record.ts";
import type { Store } from "../../store/store.ts";
import { traceOf } from "../../programs/workflows/execution/trace-queries.ts";
import { campaignsBefore, contextOf, executionsBefore, mailsBefore } from "./past-queries.ts";
import { executionRecord } from "./standing.ts";
import { segmentsOfContact } from "../../audience/segments/queries.ts";
import { formerOf } from "./standing-queries.ts";

/** The content of a mail, as GET /emails/{id}/content answers it. */
export type ContentOf = (mail: Mail) => Promise<object>;

type PersonExport = {
  readonly store: Store;
  readonly workspace: number;
  readonly caller: Pick<Caller, "workspaceId" | "topics">;
  readonly contact: Contact;
  readonly exportedAt: string;
  readonly contentOf: ContentOf;
  readonly returnPathOf: (mail: Mail) => string;
};

const A_PIECE = 100;

/** The text of the file, a piece at a time. */
export async function* dataOf(whole: PersonExport): AsyncGenerator<string> {
  const { store, caller, contact, exportedAt } = whole;
  const [former, segments] = await store.read(async (reader) => [
    await formerOf(reader, contact.seq),
    await segmentsOfContact(reader, contact.seq),
  ]);
  const beginning = { exportedAt, contact: contactRecord(contact, caller), formerEmails: former, segments };
  yield `${JSON.stringify(beginning, null, 2).slice(0, -2)},\n`;
  yield* listed("mails", mailsOf(whole));
  yield ",\n";
  yield* listed("events", eventsOf(whole));
  yield ",\n";
  yield* listed("executions", executionsOf(whole));
  yield ",\n";
  yield* listed("excludedBy", leftOutOf(whole));
  yield ",\n";
  yield* listed("consent", consentOf(whole));
  yield ",\n";
  yield* listed("leavingAnswers", answersIn(whole));
  yield ",\n";
  yield* listed("notes", notesIn(whole));
  yield "\n}\n";
}

async function* listed(name: string, records: AsyncIterable<object>): AsyncGenerator<string> {
  yield `  "${name}": [`;
  let count = 0;
  for await (const record of records) yield `${count++ === 0 ? "" : ","}\n    ${JSON.stringify(record)}`;
  yield count === 0 ? "]" : "\n  ]";
}

/**
 * From the newest to the oldest, a piece at a time. `read` answers the entries before a place; null = the first of all.
 */
async function* walked<Item, Place>(
  read: (before: Place | null) => Promise<readonly Item[]>,
  placeOf: (item: Item) => Place,
): AsyncGenerator<Item> {
  for (let before: Place | null = null; ;) {
    const found: readonly Item[] = await read(before);
    yield* found;
    const last = found.at(-1);
    if (last === undefined) return;
    before = placeOf(last);
  }
}

async function* mailsOf({ store, contact, workspace, contentOf, returnPathOf }: PersonExport): AsyncGenerator<object> {
  const pieceBefore = (before: number | null) => {
    const piece = { contact: contact.seq, before, limit: A_PIECE };
    return store.read(async (reader) => mailsNumbered(reader, await mailsBefore(reader, piece)), {
      longFor: workspace,
    });
  };
  for await (const mail of walked(pieceBefore, ({ seq }) => seq))
    yield { ...emailRecord(mail, returnPathOf(mail)), content: await saidBy(contentOf, mail) };
}

/** Null if it was pruned, or deleted with another person who was erased. */
async function saidBy(contentOf: ContentOf, mail: Mail): Promise<object | null> {
  try {
    return await contentOf(mail);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function* eventsOf({ store, workspace, contact }: PersonExport): AsyncGenerator<object> {
  const filter = { workspace, contact: contact.seq, name: null };
  const read = (before: number | null) => store.read((reader) => loggedEvents(reader, filter, before, A_PIECE));
  for await (const { id, name, emailId, data, createdAt } of walked(read, ({ seq }) => seq))
    yield { id, name, emailId, data, createdAt };
}

async function* executionsOf({ store, contact }: PersonExport): AsyncGenerator<object> {
  const read = (before: number | null) =>
    store.read((reader) => executionsBefore(reader, { contact: contact.seq, before, limit: A_PIECE }));
  for await (const execution of walked(read, ({ seq }) => seq)) {
    const [context, trace] = await store.read(async (reader) => [
      await contextOf(reader, execution.seq),
      await traceOf(reader, execution.seq),
    ]);
    const steps = trace.map(({ seq: _, step: stepId, ...run }) => ({ ...run, stepId }));
    yield { ...executionRecord(execution), context, steps };
  }
}

async function* consentOf({ store, workspace, contact }: PersonExport): AsyncGenerator<object> {
  const read = (before: number | null) =>
    store.read(async (reader) => {
      const rows = await consentsBefore(reader, contact.seq, before ?? Number.MAX_SAFE_INTEGER, A_PIECE);
      return contentsTold(reader, workspace, rows);
    });
  for await (const { number, told } of walked(read, ({ seq }) => seq)) yield consentRecord(number, told, "en");
}

async function* answersIn({ store, contact }: PersonExport): AsyncGenerator<object> {
  yield* await store.read((reader) => answersOf(reader, contact.seq));
}

async function* notesIn({ store, contact }: PersonExport): AsyncGenerator<object> {
  for (let offset = 0; ; offset += A_PIECE) {
    const notes = await store.read((reader) => notesPage(reader, contact.seq, A_PIECE, offset));
    yield* notes.map((note) => noteRecord(contact.id, note));
    if (notes.length < A_PIECE) return;
  }
}

async function* leftOutOf({ store, contact }: PersonExport): AsyncGenerator<object> {
  const read = (before: readonly [string, number] | null) =>
    store.read((reader) => campaignsBefore(reader, { contact: contact.seq, before, limit: A_PIECE }));
  for await (const { id, name, reason, at } of walked(read, (one) => [one.at, one.campaign] as const))
    yield { campaign: { id, name }, reason, at };
}
