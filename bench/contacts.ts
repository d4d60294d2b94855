// `bun bench/contacts.ts`: a workspace with a million contacts, each figure beside its limit and its goal.
import { measureContacts } from "./support/measure-contacts.ts";
import { runBench } from "./support/run-bench.ts";

await runBench({
  options: {
    quick: { help: "100,000 contacts and one short pass of each" },
    count: { value: "1000000", help: "so many contacts" },
  },
  size: (options) => ({ count: countOf(options), of: "contacts" }),
  measure: (ground, options) => {
    const pace = options.quick ? { passes: 1, seconds: 1 } : { passes: 3, seconds: 2 };
    return measureContacts({ ...ground, ...pace }, countOf(options));
  },
});

function countOf({ quick, count }: { readonly quick?: boolean; readonly count?: string }): number {
  return Number(count ?? (quick ? 100_000 : 1_000_000));
}
