// What PostgreSQL would do with the statements that tests executed: whether one can be answered by nothing but reading
// a whole table.
import { SQL } from "bun";
import { freshDatabase, giveBack } from "./database.ts";
import { isOfSource } from "./of-source.ts";
import { SMALL } from "./small-tables.ts";

type Plan = { readonly "Node Type": string; readonly "Relation Name"?: string; readonly Plans?: readonly Plan[] };

/** Statements with a piece of their text that may read a table. */
const ALLOWED: Readonly<Record<string, string>> = {
  "select 1 as parked from outbox": "reads what is not dispatched, for an operator",
};

/** A line for each statement without an index that it could use. */
export async function withoutIndex(texts: readonly string[]): Promise<readonly string[]> {
  const database = await freshDatabase();
  const sql = new SQL(database.url ?? "", { max: 1 });
  try {
    // Rows are few in tests, and a plan for values that are known would follow them.
    await sql.unsafe("set plan_cache_mode = force_generic_plan; set enable_seqscan = off");
    const faults: string[] = [];
    for (const text of texts.filter(isOfSource)) {
      const tables = await readWhole(sql, text);
      if (tables.length > 0 && !Object.keys(ALLOWED).some((piece) => text.includes(piece)))
        faults.push(
          `${tables.join(", ")}: an index is missing, or a reason in test/support/postgres-plans.ts. ${text.replace(/\s+/g, " ").trim()}`,
        );
    }
    return faults;
  } finally {
    await sql.close();
    await giveBack(database);
  }
}

/** The tables that grow which a statement reads from end to end. */
async function readWhole(sql: SQL, text: string): Promise<readonly string[]> {
  await sql.unsafe(`prepare explained as ${text}`);
  const [{ count }] =
    await sql`select cardinality(parameter_types) as count from pg_prepared_statements where name = 'explained'`;
  const values = Number(count) === 0 ? "" : `(${Array.from({ length: Number(count) }, () => "null").join(", ")})`;
  const [row] = await sql.unsafe(`explain (format json) execute explained${values}`);
  await sql.unsafe("deallocate explained");
  return scansIn(row["QUERY PLAN"][0].Plan).filter((table) => !Object.hasOwn(SMALL, table) && !table.startsWith("pg_"));
}

function scansIn(plan: Plan): readonly string[] {
  const own = plan["Node Type"] === "Seq Scan" ? [plan["Relation Name"] ?? ""] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansIn)];
}
