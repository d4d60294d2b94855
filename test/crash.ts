// The crash test as a program: `bun test/crash.ts --kills 200 [--seed N]`.
import { parseArgs } from "node:util";
import type { Report } from "./crash/report.ts";
import { killAgainAndAgain, stopUnderLoad } from "./crash/scenarios.ts";

export { killAgainAndAgain, stopUnderLoad };

const MOST_FAULTS_SHOWN = 50;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { kills: { type: "string", default: "200" }, seed: { type: "string" } } });
  const [kills, seed] = [Number(values.kills), Number(values.seed ?? crypto.getRandomValues(new Uint16Array(1))[0])];
  if (!Number.isInteger(kills) || !Number.isInteger(seed)) throw new Error("--kills and --seed take whole numbers.");
  console.log(`${kills} kills, seed ${seed}`);
  const startMs = performance.now();
  const onKill = (kill: number) => void (kill % 20 === 0 && console.log(`… ${kill} kills`));
  const report = await killAgainAndAgain({ kills, seed, onKill });
  console.log(inWords(report, performance.now() - startMs));
  return report.faults.length === 0 ? 0 : 1;
}

function inWords(report: Report, tookMs: number): string {
  const { faults, cutOff } = report;
  return [
    `${report.accepted} mails accepted in ${report.answered} answers; ${report.repeated} requests repeated after a restart`,
    `${report.unanswered} requests never answered, ${report.stored} of them stored`,
    `${report.arrivals} arrivals, ${report.duplicates} of them duplicates, at most ${report.worstKill} after one kill`,
    `${report.inHand} mails were in hand at the kills`,
    `${cutOff.part} messages cut off in part, ${cutOff.whole} before their answer`,
    `${Math.round(tookMs / 1000)} s; ${faults.length === 0 ? "no faults" : `${faults.length} FAULTS:`}`,
    ...faults.slice(0, MOST_FAULTS_SHOWN),
  ].join("\n");
}

if (import.meta.main) process.exit(await main());
