// Where the executable begins: before anything else is loaded, as `serve` begins anew with options of the engine.
import { beginWithEngineOptions } from "./cli/engine-options.ts";

if (process.argv.includes("serve")) beginWithEngineOptions();
const { main } = await import("./main.ts");
await main();
