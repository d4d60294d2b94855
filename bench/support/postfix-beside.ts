// Postfix as the peer of what speaks SMTP: on loopback, its queue on the same disk, each mail synced before its 250.
// The same client drives both.
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { findPostfix, startPostfix } from "../../test/support/postfix.ts";
import type { Figure } from "./report.ts";
import type { SmtpResult } from "./smtp-load.ts";
import { median, medianRatio } from "./statistics.ts";

const MOST_SESSIONS = 100;
const TICKS_A_SECOND = 100;

/** Of `runBench`. */
export const POSTFIX_OPTION = {
  value: "DIR",
  help: "the /usr that Postfix is in (default: as .ci/run takes it apart, or installed)",
} as const;

/** What it does with mails that it has taken. */
export type Then = "keeps them" | "reads and discards them";

// It would hold clients back until what is in its queue has left.
const SETTINGS: Readonly<Record<Then, string>> = {
  "keeps them": "in_flow_delay = 0\nsmtpd_client_restrictions = check_client_access static:HOLD",
  "reads and discards them": "in_flow_delay = 0\ndefault_transport = discard:",
};

export type Peer = AsyncDisposable & { readonly port: number; readonly cpuSeconds: () => number };

/** Null, with a line that says so, where there is no Postfix that can be run (by root: it changes its user). */
export async function postfixIn(dir: string, then: Then, usr?: string): Promise<Peer | null> {
  const folder = findPostfix(usr === undefined ? undefined : [resolve(usr)]);
  if (folder === null) {
    console.error("No Postfix can be run here: Posthorn is measured alone.");
    return null;
  }
  // Its user has to get through to its queue.
  chmodSync(dir, 0o711);
  const options = { parent: dir, settings: SETTINGS[then], sessions: MOST_SESSIONS };
  const { daemon, port } = await startPostfix(folder, options);
  return {
    port,
    cpuSeconds: () => groupCpuSeconds(daemon.pid),
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}

export type Pass = SmtpResult & { readonly cpuSeconds: number };

/** With the processor time that the server took meanwhile. */
export async function timed(cpuSeconds: () => number, work: () => Promise<SmtpResult>): Promise<Pass> {
  const before = cpuSeconds();
  const result = await work();
  return { ...result, cpuSeconds: cpuSeconds() - before };
}

/**
 * What was measured in turn; ratios are medians of the pairs' own. On a busy machine the processor time says more than
 * the rate: many processes are given more of it than one.
 */
export function besidePostfix(
  sessions: number,
  ours: readonly Pass[],
  peer: readonly Pass[],
  ratioAtLeast?: number,
): Figure[] {
  const rates = (passes: readonly Pass[]) => passes.map(({ perSecond }) => perSecond);
  const costs = (passes: readonly Pass[]) => passes.map(({ cpuSeconds, mails }) => (cpuSeconds * 1_000_000) / mails);
  return [
    {
      name: `  beside Postfix, ${sessions} ${sessions === 1 ? "session" : "sessions"}`,
      unit: "mails/s",
      ours: median(rates(ours)),
      limit: median(rates(peer)),
      ratio: medianRatio(rates(ours), rates(peer)),
      ...(ratioAtLeast === undefined ? {} : { goal: { ratioAtLeast } }),
      note: `limit: Postfix; p50 ${p50Of(ours).toFixed(2)} ms, Postfix ${p50Of(peer).toFixed(2)} ms`,
    },
    {
      name: "  processor time of a thousand",
      unit: "ms",
      ours: median(costs(ours)),
      limit: median(costs(peer)),
      ratio: medianRatio(costs(peer), costs(ours)),
    },
  ];
}

export function p50Of(passes: readonly SmtpResult[]): number {
  return median(passes.map(({ latencyMs }) => latencyMs.p50));
}

/** Of all processes of a group, and of those that have ended in it. */
function groupCpuSeconds(group: number): number {
  const ticks = readdirSync("/proc").map((name) => (/^\d+$/.test(name) ? ticksOf(name, group) : 0));
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_A_SECOND;
}

function ticksOf(pid: string, group: number): number {
  try {
    const [, , ofGroup, ...rest] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    // Its own, and those of its children that have ended.
    return Number(ofGroup) === group ? rest.slice(8, 12).reduce((sum, one) => sum + Number(one), 0) : 0;
  } catch {
    // It has ended.
    return 0;
  }
}
