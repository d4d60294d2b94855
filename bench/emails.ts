// `bun bench/emails.ts`: finding mails among a million, each figure beside its goal.
import { measureEmails } from "./support/measure-emails.ts";
import { runBench } from "./support/run-bench.ts";

await runBench({
  options: {
    quick: { help: "100,000 mails and one short pass of each" },
    count: { value: "1000000", help: "so many mails" },
    database: { value: "postgres://…", help: "an empty PostgreSQL database, to which the mails are moved" },
    only: { value: "statistics", help: "the figures whose name begins so" },
  },
  size: (options) => ({ count: countOf(options), of: "mails" }),
  measure: (ground, options) => {
    const pace = options.quick ? { passes: 1, seconds: 1 } : { passes: 1, seconds: 2 };
    const { database = null, only = "" } = options;
    return measureEmails({ ...ground, ...pace }, { count: countOf(options), database, only });
  },
});

function countOf({ quick, count }: { readonly quick?: boolean; readonly count?: string }): number {
  return Number(count ?? (quick ? 100_000 : 1_000_000));
}
