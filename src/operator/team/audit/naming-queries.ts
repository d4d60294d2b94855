// The SQL of the audit log's names for records: a kind is the first part of a path, a name is as the record has it.
import { sql, steadyList, type Sql } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";

type NameSource = { readonly from: Sql; readonly name: Sql };

/** Records that have names and pages. Each `from` ends where the workspace and the ids follow. */
const PLACES: Readonly<Record<string, NameSource>> = {
  campaigns: { from: sql`campaigns where deleted_at is null`, name: sql`name` },
  workflows: { from: sql`workflows where deleted_at is null`, name: sql`name` },
  templates: { from: sql`templates where 1 = 1`, name: sql`name` },
  segments: { from: sql`segments where 1 = 1`, name: sql`name` },
  contacts: { from: sql`contacts where 1 = 1`, name: sql`email` },
  domains: { from: sql`domains where removed_at is null`, name: sql`domain` },
  keys: { from: sql`key_sets where 1 = 1`, name: sql`name` },
  topics: { from: sql`topics where 1 = 1`, name: sql`key` },
  forms: { from: sql`forms where 1 = 1`, name: sql`name` },
  blocks: { from: sql`blocks where 1 = 1`, name: sql`name` },
  images: { from: sql`images where 1 = 1`, name: sql`name` },
  queue: { from: sql`brakes where 1 = 1`, name: sql`mailbox` },
  webhooks: { from: sql`webhook_endpoints where deleted_at is null`, name: sql`coalesce(description, url)` },
};

export function hasNames(kind: string | null): kind is string {
  return kind !== null && kind in PLACES;
}

/** The names of the records that still exist. */
export async function namesOf(
  reader: Reader,
  { workspace, kind }: { readonly workspace: number; readonly kind: string | null },
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const place = PLACES[kind ?? ""];
  if (!place || ids.length === 0) return new Map();
  const rows = await reader.all<{ id: string; name: string | null }>`
    select id, ${place.name} as name from ${place.from} and workspace = ${workspace} and id in (${steadyList(ids)})`;
  return new Map(rows.map(({ id, name }) => [id, name ?? ""]));
}
