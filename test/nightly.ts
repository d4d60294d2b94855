// What `npm run test:nightly` does: all that the gate leaves out or has in short. Kills, machines of others, every
// screen with every fault, the second engine whole, and the short tests with random draws that are rare. If all passed,
// it writes test/nightly.json, which is to be committed: a release asks for it, and the gate counts changes from it.
import { writeFileSync } from "node:fs";
import { changedSince, LAST_NIGHTLY, type NightlyRun } from "./changed.ts";
import { filesOf, MORE_SEEDS, PICTURES, runBun, runTests } from "./suites.ts";

/** The ends and the middle: a test that holds for these holds for every draw. */
const DRAWS = ["0.001", "0.5", "0.999"] as const;

const commit = Bun.spawnSync(["git", "rev-parse", "HEAD"]).stdout.toString().trim();
if (changedSince(commit)?.size !== 0) throw new Error("Commit first: the run is about a commit.");
if (!process.env["POSTHORN_TEST_DATABASE"]) throw new Error("POSTHORN_TEST_DATABASE has to name a PostgreSQL.");

const files = [...filesOf("nightly"), ...filesOf("long"), ...filesOf("face"), PICTURES.path, MORE_SEEDS.path];
const env = { ...PICTURES.env, ...MORE_SEEDS.env, POSTHORN_FAULTS: "all" };
const passed = [
  await runTests(files, { engine: "sqlite", env }),
  await runTests(filesOf("alone"), { engine: "sqlite", processes: 1 }),
];
for (const draw of DRAWS) {
  console.log(`Each random draw is ${draw}:`);
  passed.push(await runTests(filesOf("short"), { engine: "sqlite", env: { POSTHORN_TEST_DRAW: draw } }));
}
passed.push(await runBun(["test/second-engine.ts"]));
if (!passed.every(Boolean)) process.exit(1);
const run: NightlyRun = { commit, at: new Date().toISOString() };
writeFileSync(LAST_NIGHTLY, `${JSON.stringify(run, null, 2)}\n`);
console.log(`All passed. Commit ${LAST_NIGHTLY}.`);
