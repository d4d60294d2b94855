// `bun bench/workflows.ts`: events that start workflows, steps that fall due together, webhooks, each beside its goal.
import { measureWorkflows } from "./support/measure-workflows.ts";
import { runBench } from "./support/run-bench.ts";

await runBench({
  options: {
    executions: { value: "100000", help: "how many wait, and fall due together" },
    quick: { help: "one short pass over 5,000" },
  },
  measure: (ground, { executions, quick }) => {
    const pace = quick ? { passes: 1, seconds: 1 } : { passes: 3, seconds: 3 };
    return measureWorkflows({ ...ground, ...pace, executions: Number(executions ?? (quick ? 5_000 : 100_000)) });
  },
});
