// `bun bench/all.ts`: every bench, one after the other, in one table beside limits and goals. A bench that fails is
// named at the end.
import { parseArgs } from "node:util";
import { machine } from "./support/machine.ts";
import { machineLine, table, type Figure } from "./support/report.ts";

/** Each bench with its options for a short run. */
const QUICK: Readonly<Record<string, readonly string[]>> = {
  send: ["--quick"],
  submission: ["--quick"],
  inbound: ["--quick"],
  contacts: ["--quick"],
  emails: ["--quick"],
  import: ["--rows", "100000"],
  segments: ["--contacts", "100000"],
  campaign: ["--contacts", "100000", "--recipients", "20000"],
  workflows: ["--quick"],
  webhooks: ["--quick"],
  tracking: ["--quick"],
  verify: ["--quick"],
  fairness: ["--seconds", "3", "--only", "all", "--slow", "0x500,100x500"],
  pace: ["--mails", "10000", "--seconds", "4"],
  face: ["--quick"],
  retention: ["--quick"],
  outside: ["--quick"],
};

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean" }, help: { type: "boolean" } },
  allowPositionals: true,
});
if (values.help) {
  console.log(`bun bench/all.ts [--quick] [${Object.keys(QUICK).join("] [")}]`);
  process.exit();
}
const chosen = positionals.length > 0 ? positionals : Object.keys(QUICK);
const figures: Figure[] = [];
const failed: string[] = [];
for (const name of chosen) {
  console.error(`${name} …`);
  const options = values.quick ? (QUICK[name] ?? []) : [];
  const bench = Bun.spawn([process.execPath, `${import.meta.dir}/${name}.ts`, "--json", ...options], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await bench.stdout.text();
  if ((await bench.exited) !== 0) failed.push(name);
  else figures.push(...(JSON.parse(text) as { figures: Figure[] }).figures);
}
console.log(`${machineLine(machine(import.meta.dir))}\n\n${table(figures)}`);
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(", ")}.`);
  process.exit(1);
}
