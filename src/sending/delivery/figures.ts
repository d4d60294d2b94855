// The figures that the send loop counts and measures.
import { counter, counterBy, histogram, SECONDS } from "../../base/metrics/metric.ts";
import type { Metrics } from "../../base/metrics/metrics.ts";

export const CLAIMED = counter("posthorn_mails_claimed_total", "Emails taken from the queue to be handed over.");
export const HANDOVERS = counterBy(
  "posthorn_handovers_total",
  "What attempts to hand an email over came to: sent, deferred, bounced, failed, unanswered, or unreachable, where no attempt is used up.",
  ["outcome", "transport", "kind"],
);
export const HANDOVER_SECONDS = histogram(
  "posthorn_handover_duration_seconds",
  "From the turn to be rendered to the answer of the next hop.",
  [...SECONDS, 30, 60],
  "outcome",
);

/** Counters that alerts watch begin at 0, so that the first refusal shows as a change. */
export function beginAtZero(
  metrics: Metrics,
  ways: readonly { readonly options: { readonly transport: string } }[],
): void {
  for (const { options } of ways)
    for (const outcome of ["sent", "bounced", "failed"])
      metrics.count({ metric: HANDOVERS, by: 0, labels: [outcome, options.transport, "transactional"] });
}
