// `bun bench/face.ts`: what 20 open faces cost, live on the list of mails, while mail is accepted and sent at full
// rate.
import { measureFace } from "./support/measure-face.ts";
import { runBench } from "./support/run-bench.ts";

await runBench({
  options: { quick: { help: "two short passes instead of five" } },
  measure: (ground, options) =>
    measureFace({ ...ground, ...(options.quick ? { passes: 2, seconds: 2 } : { passes: 5, seconds: 3 }) }),
});
