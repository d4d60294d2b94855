// The entry point of the executable: before anything else is loaded, as `serve` begins anew with options of the engine.
import { beginWithEngineOptions } from "./cli/engine-options.ts";

if (process.argv.includes("serve")) beginWithEngineOptions();
if (process.argv[2] === "serve") await serveAlone();
const { main } = await import("./main.ts");
await main();

/** A server runs for months without the code of the other verbs. */
async function serveAlone(): Promise<never> {
  const [{ endWith }, { SERVE }] = await Promise.all([import("./cli/run.ts"), import("./cli/serve/serve.ts")]);
  return endWith([SERVE]);
}
