// `bun bench/fairness.ts`: what one workspace can do to another. Workspace A attacks in many ways, one after the other; for workspace
// B the longest wait of its mails and of GET /health is shown beside its goal.
import { runBench } from "./support/run-bench.ts";
import { measureFairness } from "./support/measure-fairness.ts";
import { ATTACKS } from "./support/attack.ts";

await runBench({
  options: {
    only: { value: Object.keys(ATTACKS).slice(0, 2).join(","), help: "some of the attacks" },
    seconds: { value: "6", help: "how long B is watched in each (default: 6)" },
  },
  measure: (ground, { only, seconds }) =>
    measureFairness({ ...ground, seconds: Number(seconds ?? 6) }, only?.split(",") ?? Object.keys(ATTACKS)),
});
