// `bun bench/import.ts`: contacts imported and exported in a second, and what the server's other callers notice of it.
import { measureImport } from "./support/measure-import.ts";
import { runBench } from "./support/run-bench.ts";

await runBench({
  options: {
    rows: { value: "1000000", help: "contacts in the file" },
    database: { value: "postgres://…", help: "an empty PostgreSQL database instead of SQLite" },
  },
  measure: (ground, { rows, database }) =>
    measureImport({ ...ground, rows: Number(rows ?? 1_000_000), database: database ?? null }),
});
