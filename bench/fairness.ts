// `bun bench/fairness.ts`: what one workspace can do to another. Workspace A attacks in many ways, one after the other; for workspace
// B the longest wait of its mails and of GET /health is shown beside its goal.
import { runBench } from "./support/run-bench.ts";
import { measureSlow } from "./support/measure-slow.ts";
import { measureFairness } from "./support/measure-fairness.ts";
import { ATTACKS } from "./support/attack.ts";

await runBench({
  options: {
    only: { value: Object.keys(ATTACKS).slice(0, 2).join(","), help: "some of the attacks" },
    slow: {
      value: "all",
      help: "slow disks and relays instead: all, or some like 20x500,100x5000 (ms of fsync, of an answer)",
    },
    seconds: { value: "6", help: "how long B is watched in each (default: 6)" },
  },
  measure: (ground, { only, seconds, slow }) => {
    if (slow) return measureSlow(ground, slow === "all" ? null : slow.split(","));
    return measureFairness({ ...ground, seconds: Number(seconds ?? 6) }, only?.split(",") ?? Object.keys(ATTACKS));
  },
});
