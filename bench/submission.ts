// `bun bench/submission.ts`: how many mails are submitted by SMTP in a second, durably stored, and how long a large one
// makes others wait.
//
// Beside it, by turns, the SMTP library that forgets what it takes, and Postfix. Neither server has TLS, and nothing
// leaves: our rate is next to nothing, and Postfix keeps what it takes in its queue `hold`. Sessions are open, and ours
// logged in, before the time begins.
import type { Bench } from "./support/bench.ts";
import { Child } from "./support/child.ts";
import { cpuSeconds } from "./support/in-turn.ts";
import { besidePostfix, POSTFIX_OPTION, postfixIn, timed, type Pass } from "./support/postfix-beside.ts";
import { probed } from "./support/health-probe.ts";
import type { Figure } from "./support/report.ts";
import { runBench } from "./support/run-bench.ts";
import { freePort, ServerProcess } from "./support/server-process.ts";
import type { SmtpResult, SmtpTask } from "./support/smtp-load.ts";
import { median, medianRatio } from "./support/statistics.ts";

const MAIL_BYTES = 5 * 1024;
const GOALS = [
  { sessions: 1, perSecond: 1_000, timesPostfix: 1.2 },
  { sessions: 10, perSecond: 2_400, timesPostfix: 1.6 },
  { sessions: 50, perSecond: 3_300, timesPostfix: 2.5 },
];
const WARM_UP_MAILS = 500;
const LARGE_BYTES = 10 * 1024 * 1024;
const LARGE_MAILS = 10;
const LONGEST_STALL_MS = 50;

async function figures({ command, dir, passes, seconds }: Bench, usr?: string): Promise<Figure[]> {
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
  await using postfix = await postfixIn(dir, "keeps them", usr);
  const measured: Figure[] = [];
  const common = { seconds, mailBytes: MAIL_BYTES };
  await load.ask({ ...common, port, key: server.key, sessions: 1, mails: WARM_UP_MAILS } satisfies SmtpTask);
  for (const { sessions, perSecond, timesPostfix } of GOALS) {
    const ours: Pass[] = [];
    const limits: SmtpResult[] = [];
    const peers: Pass[] = [];
    for (let pass = 0; pass < passes; pass++) {
      const at = (port: number, key: string | null) =>
        load.ask<SmtpResult>({ ...common, port, key, sessions } satisfies SmtpTask);
      limits.push(await at(barePort, null));
      ours.push(
        await timed(
          () => cpuSeconds(server),
          () => at(port, server.key),
        ),
      );
      if (postfix) peers.push(await timed(postfix.cpuSeconds, () => at(postfix.port, null)));
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
    if (postfix) measured.push(...besidePostfix(sessions, ours, peers, timesPostfix));
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

await runBench({
  options: { quick: { help: "one short pass" }, postfix: POSTFIX_OPTION },
  measure: (ground, { quick, postfix }) =>
    figures({ ...ground, ...(quick ? { passes: 1, seconds: 1 } : { passes: 5, seconds: 2 }) }, postfix),
});
