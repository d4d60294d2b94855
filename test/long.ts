// What `npm run test:long` does: the tests that `npm test` leaves out, those that are timed, alone, the screens that
// have changed since the last nightly run, and the second engine, whole only if what it executes has changed since.
// With --all: every screen, and the second engine whole.
import { programsChangedSince, isEngineChanged, isJourneyChanged, lastNightly } from "./changed.ts";
import { filesOf, filesWithSlow, MORE_SEEDS, PICTURES, runBun, runTests, SLOW_ALONE } from "./suites.ts";

const since = process.argv.includes("--all") ? undefined : lastNightly()?.commit;
const changed = since === undefined ? null : programsChangedSince(since);
const env = { ...PICTURES.env, ...MORE_SEEDS.env, ...(since && changed ? { POSTHORN_SCREENS_SINCE: since } : {}) };
const journeys = filesOf("face").filter((file) => isJourneyChanged(file, changed));
const isWhole = isEngineChanged(changed);

console.log(changed === null ? "Everything may have changed." : `${changed.size} files have changed since ${since}.`);
const passed = [
  await runTests([...filesOf("long"), ...journeys, PICTURES.path, MORE_SEEDS.path], { engine: "sqlite", env }),
  await runTests(filesWithSlow(), { engine: "sqlite", options: SLOW_ALONE }),
  await runTests(filesOf("alone"), { engine: "sqlite", processes: 1 }),
];
if (process.env["POSTHORN_TEST_DATABASE"])
  passed.push(await runBun(["test/second-engine.ts", ...(isWhole ? [] : ["--at-once"])]));
else console.log("(skip) The second engine: POSTHORN_TEST_DATABASE names no PostgreSQL.");
process.exit(passed.every(Boolean) ? 0 : 1);
