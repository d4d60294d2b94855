// `bun bench/segments.ts`: how long segments of many contacts take, and what the server's other callers notice of it.
import { measureSegments } from "./support/measure-segments.ts";
import { runBench } from "./support/run-bench.ts";

await runBench({
  options: { contacts: { value: "1000000", help: "that the workspace has" } },
  measure: (ground, { contacts }) => measureSegments({ ...ground, contacts: Number(contacts ?? 1_000_000) }),
});
