// `bun bench/fairness.ts`: what one workspace can do to another. Workspace A attacks in many ways, one after the other;
// for workspace B the longest wait of its mails and of GET /health is shown beside its goal. Then slow disks and
// relays, which five workspaces share.
import { runBench } from "./support/run-bench.ts";
import { measureSlow } from "./support/measure-slow.ts";
import { measureFairness } from "./support/measure-fairness.ts";
import { ATTACKS } from "./support/attack.ts";

await runBench({
  options: {
    only: { value: Object.keys(ATTACKS).slice(0, 2).join(","), help: "these attacks alone: all, or some" },
    slow: {
      value: "20x500,100x5000",
      help: "these slow disks and relays alone: all, or some (ms of fsync, of an answer)",
    },
    seconds: { value: "6", help: "how long B is watched in each (default: 6)" },
  },
  measure: async (ground, { only, slow, seconds }) => {
    const isWhole = only === undefined && slow === undefined;
    const attacks = isWhole || only === "all" ? Object.keys(ATTACKS) : (only?.split(",") ?? []);
    const cells = isWhole || slow === "all" ? null : (slow?.split(",") ?? []);
    return [
      ...(attacks.length === 0 ? [] : await measureFairness({ ...ground, seconds: Number(seconds ?? 6) }, attacks)),
      ...(cells?.length === 0 ? [] : await measureSlow(ground, cells)),
    ];
  },
});
