// What `npm test` does once formatting and types are right: the short tests, and after them the executable is built and
// started.
import { filesOf, runBun, runTests } from "./suites.ts";

const passed = [await runTests(filesOf("short"), { engine: "sqlite" }), await runBun(["run", "test:executable"])];
process.exit(passed.every(Boolean) ? 0 : 1);
