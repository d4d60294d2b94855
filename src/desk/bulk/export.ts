// All contacts, or those that a filter matches, as a file that can be imported again unchanged.
import { guarded, cellText, typeOfValue, type CsvColumnType } from "../../audience/csv/cell.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { choiceOf } from "../../audience/topics/choice.ts";
import { columnNamed, JSON_COLUMN, TOPIC_PREFIX } from "../../audience/csv/columns.ts";
import { csvLine } from "../../audience/csv/syntax.ts";
import type { Store } from "../../store/store.ts";
import type { Contact } from "../../audience/contacts/queries.ts";
import { contactsInOrder, lastContact, type SelectionQuery } from "../../audience/contacts/search/selection-queries.ts";

/** Few enough for the store's second thread to answer in milliseconds. */
const CONTACTS_A_BATCH = 500;
/** Keys of data that become columns, in the order of their first occurrence; further keys share a column of JSON. */
const MAX_COLUMNS = 500;

/**
 * The lines of the file, in batches, without contacts created after the start. An import types a column as a whole, so
 * values that are not of their column's type go to the column of JSON. `texts`: keys that an import reads as text in
 * any case.
 */
export async function* exported(
  store: Store,
  { workspace, topics }: Pick<Caller, "workspace" | "topics">,
  selected: SelectionQuery,
  texts: ReadonlySet<string>,
): AsyncGenerator<string> {
  const upTo = await store.read((reader) => lastContact(reader, workspace));
  const columns = await columnsIn(batches(store, workspace, upTo, selected), texts);
  const keys = [...columns.types.keys()];
  const named = topics.map((key) => TOPIC_PREFIX + key);
  yield csvLine(["email", "subscribed", ...named, ...keys.map(columnNamed), ...(columns.isAll ? [] : [JSON_COLUMN])]);
  for await (const batch of batches(store, workspace, upTo, selected)) {
    yield batch.map((contact) => csvLine(cellsOf(contact, columns, topics))).join("");
  }
}

async function* batches(
  store: Store,
  workspace: number,
  upTo: number,
  selected: SelectionQuery,
): AsyncGenerator<Contact[]> {
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

/** `isAll`: the columns hold all data. */
type ColumnsOfData = { readonly types: ReadonlyMap<string, CsvColumnType>; readonly isAll: boolean };

async function columnsIn(all: AsyncIterable<Contact[]>, texts: ReadonlySet<string>): Promise<ColumnsOfData> {
  const types = new Map<string, CsvColumnType>();
  let isAll = true;
  for await (const batch of all)
    for (const { data } of batch)
      for (const key of Object.keys(data)) {
        const type = typeOfValue(data[key]);
        const known = types.get(key) ?? (texts.has(key) ? "text" : undefined);
        if (type !== null && known === type && types.has(key)) continue;
        isAll &&= type !== null && (known ?? type) === type;
        if (known === undefined && types.size === MAX_COLUMNS) isAll = false;
        else types.set(key, known === undefined || known === type ? (type ?? "text") : "text");
      }
  return { types, isAll };
}

function cellsOf(
  { email, subscribed, topics, data }: Contact,
  { types, isAll }: ColumnsOfData,
  keys: readonly string[],
): string[] {
  const isCell = (key: string) => isAll || types.get(key) === typeOfValue(data[key]);
  const cells = [guarded(email), String(subscribed), ...keys.map((key) => choiceOf(topics, key) ?? "")];
  for (const key of types.keys()) cells.push(Object.hasOwn(data, key) && isCell(key) ? cellText(data[key]) : "");
  if (isAll) return cells;
  const rest = Object.entries(data).filter(([key]) => !isCell(key));
  return [...cells, rest.length === 0 ? "" : JSON.stringify(Object.fromEntries(rest))];
}
