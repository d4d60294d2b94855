// `bun bench/webhooks.ts`: what accepting mail loses while events wait for webhooks.
import { measureHooks } from "./support/measure-hooks.ts";
import { runBench } from "./support/run-bench.ts";

await runBench({
  options: { quick: { help: "one short pass" } },
  measure: (ground, { quick }) =>
    measureHooks({ ...ground, ...(quick ? { passes: 1, seconds: 3 } : { passes: 11, seconds: 4 }) }),
});
