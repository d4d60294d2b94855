// `bun bench/retention.ts`: what accepting mail feels of pruning and compacting, each beside the same without it, in
// the same run.
import { measureRetention } from "./support/measure-retention.ts";
import { runBench } from "./support/run-bench.ts";

await runBench({
  options: {
    quick: { help: "fewer passes, and fewer old mails" },
    mails: { value: "200000", help: "how many old mails there are" },
  },
  measure: (ground, options) => {
    const passes = options.quick ? 3 : 9;
    return measureRetention({ ...ground, passes, seconds: 1.5 }, mailsOf(options));
  },
  size: (options) => ({ count: mailsOf(options), of: "old mails" }),
});

function mailsOf(options: { readonly quick?: boolean; readonly mails?: string }): number {
  return Number(options.mails ?? (options.quick ? 50_000 : 200_000));
}
