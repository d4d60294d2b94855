// What `npm run test:long` does: the tests that `npm test` leaves out, those of the second engine, those that are timed,
// alone, and the short ones again with random draws that are rare.
import { filesOf, runBun, runTests } from "./suites.ts";

/** A picture of each screen: one that cannot be drawn, or is empty, fails. */
const PICTURES = { path: "./test/face/shots.ts", env: { SHOTS: "each" } } as const;

/** The ends and the middle: a test that holds for these holds for every draw. */
const DRAWS = ["0.001", "0.5", "0.999"] as const;

const passed = [
  await runTests([...filesOf("long"), PICTURES.path], { engine: "sqlite", env: PICTURES.env }),
  await runTests(filesOf("alone"), { engine: "sqlite", processes: 1 }),
];
for (const draw of DRAWS) {
  console.log(`Each random draw is ${draw}:`);
  passed.push(await runTests(filesOf("short"), { engine: "sqlite", env: { POSTHORN_TEST_DRAW: draw } }));
}
if (process.env["POSTHORN_TEST_DATABASE"]) passed.push(await runBun(["test/second-engine.ts"]));
else console.log("(skip) The second engine: POSTHORN_TEST_DATABASE names no PostgreSQL.");
process.exit(passed.every(Boolean) ? 0 : 1);
