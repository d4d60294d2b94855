// The crash tests as a program: `bun test/crash.ts [--postgres | --stream | --ways | --campaign 100000] [--kills 200]
// [--seed N]`.
import { parseArgs } from "node:util";
import { killDuringCampaign } from "./crash/campaign-scenario.ts";
import { killAnyOfThree } from "./crash/postgres-scenarios.ts";
import type { Report } from "./crash/report.ts";
import { killAgainAndAgain, killWithTwoWays } from "./crash/scenarios.ts";
import { killAndLoseAll } from "./crash/stream-scenario.ts";
import type { SharedReport } from "./crash/shared-report.ts";

const OPTIONS = {
  kills: { type: "string", default: "200" },
  seed: { type: "string" },
  /** Three servers on one PostgreSQL of their own, instead of one server on its file. */
  postgres: { type: "boolean", default: false },
  /** The server ships its log, and its directory goes with it at each kill. */
  stream: { type: "boolean", default: false },
  /** Two ways out, which go away and come back. */
  ways: { type: "boolean", default: false },
  /** A campaign to so many people instead of requests. */
  campaign: { type: "string" },
} as const;
const MOST_FAULTS_SHOWN = 50;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  const [kills, seed] = [Number(values.kills), Number(values.seed ?? crypto.getRandomValues(new Uint16Array(1))[0])];
  if (!Number.isInteger(kills) || !Number.isInteger(seed)) throw new Error("--kills and --seed take whole numbers.");
  console.log(`${kills} kills, seed ${seed}`);
  if (values.campaign !== undefined) return campaign(Number(values.campaign), kills, seed);
  if (values.stream) return stream(kills, seed);
  const startMs = performance.now();
  const onKill = (kill: number) => void (kill % 20 === 0 && console.log(`… ${kill} kills`));
  const report = await (values.postgres ? killAnyOfThree : values.ways ? killWithTwoWays : killAgainAndAgain)({
    kills,
    seed,
    onKill,
  });
  console.log(inWords(report, performance.now() - startMs));
  return report.faults.length === 0 ? 0 : 1;
}

async function campaign(people: number, kills: number, seed: number): Promise<number> {
  const { faults, ...report } = await killDuringCampaign({ people, kills, seed });
  console.log(JSON.stringify(report, null, 2));
  console.log([`${faults.length} faults`, ...faults.slice(0, MOST_FAULTS_SHOWN)].join("\n"));
  return faults.length === 0 ? 0 : 1;
}

async function stream(kills: number, seed: number): Promise<number> {
  const onKill = (kill: number) => void (kill % 10 === 0 && console.log(`… ${kill} kills`));
  const { faults, ...report } = await killAndLoseAll({ kills, seed, onKill });
  console.log(JSON.stringify(report, null, 2));
  console.log([`${faults.length} faults`, ...faults.slice(0, MOST_FAULTS_SHOWN)].join("\n"));
  return faults.length === 0 ? 0 : 1;
}

function inWords(report: Report | SharedReport, tookMs: number): string {
  const { faults, cutOff } = report;
  return [
    `${report.accepted} mails accepted in ${report.answered} answers; ${report.repeated} answered requests repeated with their key`,
    `${report.unanswered} requests never answered, ${report.stored} of them stored`,
    `${report.arrivals} arrivals, ${report.duplicates} of them duplicates, at most ${report.worstKill} after one kill`,
    `${report.inHand} mails were in hand at the kills`,
    `${cutOff.part} messages cut off in part, ${cutOff.whole} before their answer`,
    ...("outages" in report ? aboutSharing(report) : []),
    `${Math.round(tookMs / 1000)} s; ${faults.length === 0 ? "no faults" : `${faults.length} FAULTS:`}`,
    ...faults.slice(0, MOST_FAULTS_SHOWN),
  ].join("\n");
}

function aboutSharing({ outages, refusals, busiest }: SharedReport): string[] {
  return [
    `the database went away ${outages} times; 503 was said ${refusals.refused} times with nothing done, ${refusals.unsure} times unsure`,
    `at most ${busiest.second} mails left within a second, ${busiest.tenSeconds} within ten`,
  ];
}

if (import.meta.main) process.exit(await main());
