// What `npm test` does: formatting; types and the build, which nothing times, beside each other; then the short tests
// without the slow ones among them, and the executable's start, each with nothing beside it.
import { filesOf, runBun, runTests, WITHOUT_SLOW } from "./suites.ts";

const isReady = async () =>
  (await runBun(["fmt", "--check"])) &&
  (await Promise.all([runBun(["run", "check"]), runBun(["run", "build"])])).every(Boolean);

if (!(await isReady())) process.exit(1);
const passed = [
  await runTests(filesOf("short"), { engine: "sqlite", options: WITHOUT_SLOW }),
  await runBun(["test/smoke.ts"]),
];
process.exit(passed.every(Boolean) ? 0 : 1);
