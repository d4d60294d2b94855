// All contacts, or those that a filter matches, as a file that can be imported again unchanged.
import { guarded, textOf } from "./cell.ts";
import { columnNamed, JSON_COLUMN } from "./columns.ts";
import { csvLine } from "./syntax.ts";
import type { Store } from "../../store/store.ts";
import type { Contact } from "../queries.ts";
import { contactsInOrder, lastContact, type Selected } from "../selection-queries.ts";

/** Few enough for the store's second thread to answer in milliseconds. */
const CONTACTS_A_BATCH = 500;
/** Keys of data that become columns, in the order of their first occurrence; further keys share a column of JSON. */
const MAX_COLUMNS = 500;

/** The lines of the file, some at a time, without contacts created after the start. */
export async function* exported(store: Store, workspace: number, selected: Selected): AsyncGenerator<string> {
  const upTo = await store.read((reader) => lastContact(reader, workspace));
  const { columns, isAll } = await columnsIn(batches(store, workspace, upTo, selected));
  const keys = [...columns];
  yield csvLine(["email", "subscribed", ...keys.map(columnNamed), ...(isAll ? [] : [JSON_COLUMN])]);
  for await (const batch of batches(store, workspace, upTo, selected)) {
    yield batch.map((contact) => csvLine(cellsOf(contact, keys, isAll ? null : columns))).join("");
  }
}

async function* batches(store: Store, workspace: number, upTo: number, selected: Selected): AsyncGenerator<Contact[]> {
  for (let after = 0; ;) {
    const range = { after, upTo, ...selected };
    const batch = await store.read((reader) => contactsInOrder(reader, workspace, range, CONTACTS_A_BATCH), {
      longFor: workspace,
    });
    const last = batch.at(-1);
    if (!last) return;
    yield batch;
    after = last.seq;
  }
}

async function columnsIn(all: AsyncIterable<Contact[]>): Promise<{ columns: ReadonlySet<string>; isAll: boolean }> {
  const columns = new Set<string>();
  for await (const batch of all) {
    for (const key of batch.flatMap(({ data }) => Object.keys(data))) {
      if (columns.size === MAX_COLUMNS && !columns.has(key)) return { columns, isAll: false };
      columns.add(key);
    }
  }
  return { columns, isAll: true };
}

function cellsOf(contact: Contact, keys: readonly string[], columns: ReadonlySet<string> | null): string[] {
  const data = new Map(Object.entries(contact.data));
  const cells = keys.map((key) => (data.has(key) ? textOf(data.get(key)) : ""));
  const rest = columns === null ? [] : [...data].filter(([key]) => !columns.has(key));
  const more = rest.length === 0 ? "" : JSON.stringify(Object.fromEntries(rest));
  return [guarded(contact.email), String(contact.subscribed), ...cells, ...(columns === null ? [] : [more])];
}
