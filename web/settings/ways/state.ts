// The state of a way out, as one word.
import type { StatusIconName, Tone } from "../../parts/icons/icon.tsx";
import type { SendingRoute } from "./calls.ts";

type HealthLook = { readonly icon: StatusIconName; readonly tone?: Tone };

export const LOOKS = {
  PROBLEM: { icon: "failed", tone: "bad" },
  PAUSED: { icon: "held", tone: "warn" },
  UNUSED: { icon: "off" },
  OPEN: { icon: "failed", tone: "bad" },
  HALF_OPEN: { icon: "waiting", tone: "warn" },
  STALLED: { icon: "waiting", tone: "warn" },
  UNKNOWN: { icon: "queued" },
  CLOSED: { icon: "on", tone: "ok" },
} as const satisfies Record<string, HealthLook>;

export function stateOf({ problem, pausedAt, state }: SendingRoute): keyof typeof LOOKS {
  if (problem !== null) return "PROBLEM";
  if (pausedAt !== null) return "PAUSED";
  if (state === null) return "UNUSED";
  if (state.isStalled) return "STALLED";
  if (state.circuit !== "CLOSED") return state.circuit;
  return state.state === "UNKNOWN" ? "UNKNOWN" : "CLOSED";
}
