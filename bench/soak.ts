// `bun bench/soak.ts --minutes 30`: a little of everything for a long time; the last third must need no more than the
// second.
import { measureThirds } from "./support/measure-thirds.ts";
import { runBench } from "./support/run-bench.ts";

await runBench({
  options: {
    minutes: { value: "30", help: "how long (default: 30)" },
    quick: { help: "two minutes" },
  },
  measure: (ground, { minutes, quick }) => measureThirds(ground, Number(minutes ?? (quick ? 2 : 30))),
});
