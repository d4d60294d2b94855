// A workspace leaves: all that is its own, as the parts of a file, table by table. The store works on meanwhile; the
// file has the rows that were there at its beginning.
import { chainAll } from "../../audience/consent/chain.ts";
import type { Secrets } from "../../base/secrets.ts";
import { build } from "../../base/version.ts";
import { Horizon } from "../../store/horizon.ts";
import type { Store } from "../../store/store.ts";
import type { Workspace } from "../../tenant/workspaces/queries.ts";
import { endsNow, idsOf, leavingRows, type FileCut, type LeavingRow } from "./departure-queries.ts";
import { ABOUT, digestOf, FORMAT_VERSION, MANIFEST, packed, partName, SECRETS } from "./file.ts";
import type { FileHeader, FileManifest, FilePart, PartDigest } from "./file.ts";
import { lineOf } from "./line.ts";
import { Places } from "./places.ts";
import { filePlan, type FileTable } from "./plan.ts";
import { sealedSecrets } from "./secrets.ts";

export type Departure = {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly workspace: Workspace;
  /** Events and mails since then; null = all. */
  readonly since: string | null;
  /** Secrets go as well, encrypted with it; null = they stay. */
  readonly passphrase: string | null;
  /** Called after each row, with the rows of its table so far. */
  readonly onRows?: (table: string, rows: number) => void;
};

/** The bytes of the file. */
export function leaving(departure: Departure): AsyncGenerator<Uint8Array> {
  return packed(filePartsOf(departure));
}

async function* filePartsOf(departure: Departure): AsyncGenerator<FilePart> {
  const { seq, id, name } = departure.workspace;
  await chainAll(departure.store, seq);
  const about: FileHeader = {
    ...{ format: "posthorn-workspace", formatVersion: FORMAT_VERSION, version: build().version },
    ...{ workspace: { id, name }, since: departure.since },
  };
  yield jsonOf(ABOUT, about);
  const digests: PartDigest[] = [];
  const counts: Record<string, number> = {};
  for await (const { table, ...part } of rowsOf(departure)) {
    digests.push(digestOf(part));
    counts[table] = (counts[table] ?? 0) + part.rows;
    yield part;
  }
  if (departure.passphrase !== null) {
    const bytes = await sealedSecrets(departure.store, departure, departure.passphrase);
    const part = { name: SECRETS, bytes, rows: 0 };
    digests.push(digestOf(part));
    yield part;
  }
  const stays = Object.fromEntries(filePlan().stays.map((one) => [one.name, one.why]));
  yield jsonOf(MANIFEST, { ...about, parts: digests, counts, stays } satisfies FileManifest);
}

function jsonOf(name: string, content: object): FilePart {
  return { name, bytes: Buffer.from(`${JSON.stringify(content, null, 2)}\n`), rows: 0 };
}

/** A part is at least so long, but the last of a table. */
const PART_BYTES = 4 * 1024 * 1024;

async function* rowsOf(departure: Departure): AsyncGenerator<FilePart & { readonly table: string }> {
  const { store, workspace, since, onRows } = departure;
  const cut: FileCut = { workspace: workspace.seq, ends: await endsOf(store), since };
  const places = new Map(filePlan().tables.flatMap((one) => (one.hasPlaces ? [[one.name, new Places()]] : [])));
  for (const table of filePlan().tables) {
    let [lines, bytes, number, total]: [string[], number, number, number] = [[], 0, 0, 0];
    const part = () => {
      const made = { table: table.name, name: partName(table.name, ++number), bytes: Buffer.from(lines.join("")) };
      const rows = lines.length;
      [lines, bytes] = [[], 0];
      return { ...made, rows };
    };
    for await (const row of pages(store, cut, table)) {
      const lists = table.says.lists ? await listsIn(store, cut, table, row) : {};
      const line = lineOf(table, row, { ...placesIn(table, row, places), ...lists });
      lines.push(line);
      bytes += line.length;
      places.get(table.name)?.add(row["k0"] as number);
      if (bytes >= PART_BYTES) yield part();
      onRows?.(table.name, ++total);
    }
    if (lines.length > 0) yield part();
  }
}

const HORIZON_REST_MS = 20;

/** On PostgreSQL a row may be on its way that comes before others. */
async function endsOf(store: Store): Promise<ReadonlyMap<string, number>> {
  const horizon = new Horizon(endsNow);
  for (;;) {
    const ends = await store.read((reader) => horizon.passed(reader));
    if (ends !== null) return ends;
    await Bun.sleep(HORIZON_REST_MS);
  }
}

const FIRST_PAGE = 4;
const LARGEST_PAGE = 512;
/** For tables whose rows may have 10 MB each. */
const LARGEST_PAGE_OF_LARGE = 8;

async function* pages(store: Store, cut: FileCut, table: FileTable): AsyncGenerator<LeavingRow> {
  const largest = table.says.isLarge ? LARGEST_PAGE_OF_LARGE : LARGEST_PAGE;
  for (let [most, after]: [number, LeavingRow | null] = [FIRST_PAGE, null]; ;) {
    const page = { most, after };
    const rows = await store.read((reader) => leavingRows(reader, cut, table, page), { longFor: cut.workspace });
    yield* rows;
    if (rows.length < most) return;
    after = rows.at(-1) as LeavingRow;
    most = rows.reduce((sum, row) => sum + sizeOf(row), 0) > PART_BYTES ? FIRST_PAGE : Math.min(largest, most * 2);
  }
}

/** Roughly: only long texts count. */
function sizeOf(row: LeavingRow): number {
  let size = 0;
  for (const name in row) {
    const value = row[name];
    if (typeof value === "string" || value instanceof Uint8Array) size += value.length;
  }
  return size;
}

/** References to rows without a public id, as places in the file. */
function placesIn({ columns }: FileTable, row: LeavingRow, places: ReadonlyMap<string, Places>) {
  const references: Record<string, number | readonly string[] | null> = {};
  for (const { name, means } of columns) {
    const of = means?.kind === "row" && typeof means.of === "string" ? places.get(means.of) : undefined;
    if (of && row[name] !== null) references[name] = of.placeOf(row[name] as number);
  }
  return references;
}

async function listsIn(store: Store, cut: FileCut, { says }: FileTable, row: LeavingRow) {
  const lists: Record<string, readonly string[]> = {};
  for (const [name, of] of Object.entries(says.lists ?? {})) {
    const numbers = String(row[name]).split(",").map(Number);
    lists[name] = await store.read((reader) => idsOf(reader, cut, filePlan().table(of), numbers));
  }
  return lists;
}
