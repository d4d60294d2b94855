// All contacts, or those that a filter matches, as a file that imports back unchanged.
import { textOf } from "./csv/cell.ts";
import { columnNamed, JSON_COLUMN } from "./csv/columns.ts";
import { guarded } from "./csv/guard.ts";
import { csvLine } from "./csv/syntax.ts";
import type { Store } from "../store/store.ts";
import type { Variables } from "./data.ts";
import type { ContactRow } from "./queries.ts";
import { contactsInOrder, lastContact, type Selected } from "./selection-queries.ts";

/** Contacts that are read at once: the store's second thread answers in milliseconds. */
const CONTACTS_A_BATCH = 500;
/** Keys of data that become columns, in the order in which they turn up; contacts with more have them in a column of JSON. */
const MAX_COLUMNS = 500;

/** The lines of the file, some at a time. Contacts that are made after the start are left out. */
export async function* exported(store: Store, workspace: number, selected: Selected): AsyncGenerator<string> {
  const upTo = await store.read((reader) => lastContact(reader, workspace));
  const { columns, isAll } = await columnsIn(batches(store, workspace, upTo, selected));
  const keys = [...columns];
  yield csvLine(["email", "subscribed", ...keys.map(columnNamed), ...(isAll ? [] : [JSON_COLUMN])]);
  for await (const batch of batches(store, workspace, upTo, selected)) {
    yield batch.map((contact) => csvLine(cellsOf(contact, keys, isAll ? null : columns))).join("");
  }
}

async function* batches(
  store: Store,
  workspace: number,
  upTo: number,
  selected: Selected,
): AsyncGenerator<ContactRow[]> {
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

async function columnsIn(all: AsyncIterable<ContactRow[]>): Promise<{ columns: ReadonlySet<string>; isAll: boolean }> {
  const columns = new Set<string>();
  for await (const batch of all) {
    for (const key of batch.flatMap(({ data }) => Object.keys(JSON.parse(data) as Variables))) {
      if (columns.size === MAX_COLUMNS && !columns.has(key)) return { columns, isAll: false };
      columns.add(key);
    }
  }
  return { columns, isAll: true };
}

function cellsOf(contact: ContactRow, keys: readonly string[], columns: ReadonlySet<string> | null): string[] {
  const data = new Map(Object.entries(JSON.parse(contact.data) as Variables));
  const cells = keys.map((key) => (data.has(key) ? textOf(data.get(key)) : ""));
  const rest = columns === null ? [] : [...data].filter(([key]) => !columns.has(key));
  const more = rest.length === 0 ? "" : JSON.stringify(Object.fromEntries(rest));
  return [
    guarded(contact.email),
    contact.subscribed === 1 ? "true" : "false",
    ...cells,
    ...(columns === null ? [] : [more]),
  ];
}
