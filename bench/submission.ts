// `bun bench/submission.ts`: how many mails are handed in by SMTP in a second, durable, and how long a large one makes others wait.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Child } from "./child.ts";
import { probed } from "./health-probe.ts";
import { machine } from "./machine.ts";
import { isMet, machineLine, ratioOf, table, type Figure } from "./report.ts";
import { freePort, ServerProcess } from "./server-process.ts";
import type { SmtpResult, SmtpTask } from "./smtp-load.ts";
import { median, medianRatio } from "./statistics.ts";

const HELP = `bun bench/submission.ts [--quick] [--binary dist/posthorn] [--dir DIR] [--json]

  --quick    one short pass
  --binary   the server is this program instead of src/main.ts
  --dir      where to put data: a real disk (default: data/ in the project)
  --json     figures as JSON`;

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean" },
    binary: { type: "string" },
    dir: { type: "string" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});
const root = resolve(import.meta.dir, "..");
const MAIL_BYTES = 5 * 1024;
const GOALS = [
  { sessions: 1, perSecond: 1_000 },
  { sessions: 10, perSecond: 2_400 },
  { sessions: 50, perSecond: 3_300 },
];
const LARGE_BYTES = 10 * 1024 * 1024;
const LARGE_MAILS = 10;
const LONGEST_STALL_MS = 50;

async function figures(dir: string): Promise<Figure[]> {
  const { passes, seconds } = options.quick ? { passes: 1, seconds: 1 } : { passes: 5, seconds: 2 };
  const command = options.binary ? [resolve(options.binary)] : [process.execPath, join(root, "src/main.ts")];
  const port = await freePort();
  // What is accepted is measured, not what leaves.
  await using server = await ServerProcess.start(command, dir, {
    POSTHORN_SMTP_SUBMISSION_PORT: String(port),
    POSTHORN_SMTP_INSECURE_LOOPBACK: "true",
    POSTHORN_DELIVERY_RATE_PER_SECOND: "0.01",
  });
  await using load = new Child("smtp-load.ts");
  await using bare = new Child("bare-smtp.ts");
  const barePort = await bare.ask<number>(null);
  const measured: Figure[] = [];
  const common = { seconds, mailBytes: MAIL_BYTES };
  for (const { sessions, perSecond } of GOALS) {
    const ours: SmtpResult[] = [];
    const limits: SmtpResult[] = [];
    for (let pass = 0; pass < passes; pass++) {
      limits.push(await load.ask({ ...common, port: barePort, key: null, sessions } satisfies SmtpTask));
      ours.push(await load.ask({ ...common, port, key: server.key, sessions } satisfies SmtpTask));
    }
    const rates = (results: readonly SmtpResult[]) => results.map((result) => result.perSecond);
    measured.push({
      name: `accepted, ${MAIL_BYTES / 1024} KB, ${sessions} ${sessions === 1 ? "session" : "sessions"}`,
      unit: "mails/s",
      ours: median(rates(ours)),
      limit: median(rates(limits)),
      ratio: medianRatio(rates(ours), rates(limits)),
      goal: { atLeast: perSecond },
      note: `limit: the library, nothing kept; p99 ${median(ours.map(({ latencyMs }) => latencyMs.p99)).toFixed(1)} ms`,
    });
  }
  const large = { ...common, port, key: server.key, sessions: 1, mailBytes: LARGE_BYTES, mails: LARGE_MAILS };
  await load.ask({ ...large, mails: 1 } satisfies SmtpTask);
  const { delayMs } = await probed(server.url, () => load.ask<SmtpResult>(large satisfies SmtpTask));
  measured.push({
    name: `longest wait of others, ${LARGE_MAILS} mails of 10 MB`,
    unit: "ms",
    ours: delayMs.max,
    goal: { atMost: LONGEST_STALL_MS },
    note: `p99 ${delayMs.p99.toFixed(1)} ms`,
  });
  return [...measured, { name: "memory afterwards, peak", unit: "MB", ours: server.memory.peakMb }];
}

async function main(): Promise<void> {
  if (options.help) return console.log(HELP);
  const parent = resolve(options.dir ?? join(root, "data"));
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, "bench-"));
  try {
    const facts = machine(dir);
    const measured = await figures(dir);
    const withRatios = measured.map((figure) => ({ ...figure, ratio: ratioOf(figure), met: isMet(figure) }));
    if (options.json) console.log(JSON.stringify({ machine: facts, figures: withRatios }, null, 2));
    else console.log(`${machineLine(facts)}\n\n${table(measured)}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

await main();
