// The same for as long as it is the same need.
import type { Need } from "./calls.ts";

export function keyOf(need: Need): string {
  const id =
    need.kind === "WAY_REFUSES"
      ? `${need.domainId} ${need.way}`
      : need.kind === "DOMAIN_FAILING" || need.kind === "WARMUP_HALTED"
        ? need.domainId
        : need.kind === "DOMAIN_CHANGED"
          ? `${need.domainId} ${need.what} ${need.problem}`
          : need.kind === "SEEN_FROM_OUTSIDE"
            ? `${need.aspect} ${need.subject} ${need.by}`
            : "campaignId" in need
              ? need.campaignId
              : need.kind === "PROVIDER_PAUSED"
                ? need.brakeId
                : need.kind === "RATE_HIGH"
                  ? need.what
                  : "webhookId" in need
                    ? need.webhookId
                    : need.kind === "NOTE"
                      ? need.noteId
                      : "";
  return `${need.kind} ${id}`;
}
