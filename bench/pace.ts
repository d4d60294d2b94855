// `bun bench/pace.ts`: 50,000 mails wait for a mailbox provider that takes none; for all others the longest wait of
// their mails is shown beside its goal, on SQLite and, if a server is named, on PostgreSQL.
import { runBench } from "./support/run-bench.ts";
import { measurePace } from "./support/measure-pace.ts";

await runBench({
  options: {
    mails: { value: "50000", help: "that wait (default: 50,000)" },
    seconds: { value: "10", help: "how long the others are watched (default: 10)" },
    postgres: { value: "postgres://…", help: "a server on which databases may be made" },
  },
  measure: (ground, { mails, seconds, postgres }) =>
    measurePace({
      ...ground,
      mails: Number(mails ?? 50_000),
      seconds: Number(seconds ?? 10),
      postgres: postgres ?? null,
    }),
});
