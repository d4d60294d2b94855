// The SQL of secrets that go with a workspace, encrypted as the installation has them.
import { joined, literal, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

type SecretRow = Readonly<Record<string, string | null>>;

/** With the public id of each row. */
export function secretsIn(
  reader: Reader,
  workspace: number,
  table: string,
  columns: readonly string[],
): Promise<SecretRow[]> {
  const whose = table === "workspaces" ? sql`seq` : sql`workspace`;
  return reader.all<SecretRow>`
    select id, ${literal(columns.join(", "))} from ${literal(table)} where ${whose} = ${workspace} order by seq`;
}

type RowWithSecrets = {
  readonly table: string;
  readonly id: string;
  readonly columns: Readonly<Record<string, string>>;
};

export async function setSecrets(tx: Tx, workspace: number, { table, id, columns }: RowWithSecrets): Promise<void> {
  const whose = table === "workspaces" ? sql`seq` : sql`workspace`;
  const set = Object.entries(columns).map(([name, value]) => sql`${literal(name)} = ${value}`);
  await tx.run`update ${literal(table)} set ${joined(set, ", ")} where ${whose} = ${workspace} and id = ${id}`;
}
