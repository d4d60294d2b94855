// Postfix as the peer of what speaks SMTP: on loopback, its queue on the same disk, each mail synced before its 250. The same client drives both.
import { chmodSync } from "node:fs";
import { resolve } from "node:path";
import { findPostfix, startPostfix } from "../../test/support/postfix.ts";
import type { Figure } from "./report.ts";
import type { SmtpResult } from "./smtp-load.ts";
import { median, medianRatio } from "./statistics.ts";

const MOST_SESSIONS = 100;

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

export type Peer = AsyncDisposable & { readonly port: number };

/** Null, with a line that says so, where there is no Postfix that can be run (by root: it changes its user). */
export async function postfixIn(dir: string, then: Then, usr?: string): Promise<Peer | null> {
  const folder = findPostfix(usr === undefined ? undefined : [resolve(usr)]);
  if (folder === null) {
    console.error("No Postfix can be run here: Posthorn is measured alone.");
    return null;
  }
  // Its user has to get through to its queue.
  chmodSync(dir, 0o711);
  const { daemon, port } = await startPostfix(folder, {
    parent: dir,
    settings: SETTINGS[then],
    sessions: MOST_SESSIONS,
  });
  return { port, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() };
}

type Passes = readonly SmtpResult[];

/** What was measured in turn; the ratio is the median of the pairs' own. */
export function besidePostfix(sessions: number, ours: Passes, peer: Passes, ratioAtLeast?: number): Figure {
  const rates = (passes: Passes) => passes.map(({ perSecond }) => perSecond);
  return {
    name: `  beside Postfix, ${sessions} ${sessions === 1 ? "session" : "sessions"}`,
    unit: "mails/s",
    ours: median(rates(ours)),
    limit: median(rates(peer)),
    ratio: medianRatio(rates(ours), rates(peer)),
    ...(ratioAtLeast === undefined ? {} : { goal: { ratioAtLeast } }),
    note: `limit: Postfix; p50 ${p50Of(ours).toFixed(2)} ms, Postfix ${p50Of(peer).toFixed(2)} ms`,
  };
}

export function p50Of(passes: Passes): number {
  return median(passes.map(({ latencyMs }) => latencyMs.p50));
}
