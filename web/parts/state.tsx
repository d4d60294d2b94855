// The state of a thing: a mark of its own outline and a word. In rows a State, beside the name of a whole thing a Pill.
import type { ReactNode } from "react";
import { useTexts } from "../language.ts";
import { frameTexts } from "../texts/areas.ts";
import { StatusIcon, type StatusIconName, type Tone } from "./icon.tsx";

type Shown = { readonly icon: StatusIconName; readonly tone?: Tone };

/** What a mail or a campaign may be, in the words of the API. */
const STATES = {
  QUEUED: { icon: "queued" },
  SENDING: { icon: "sending", tone: "note" },
  SENT: { icon: "sent" },
  PERHAPS_DELIVERED: { icon: "waiting", tone: "warn" },
  DELIVERED: { icon: "delivered", tone: "ok" },
  BOUNCED: { icon: "bounced", tone: "bad" },
  FAILED: { icon: "failed", tone: "bad" },
  COMPLAINED: { icon: "complained", tone: "bad" },
  SKIPPED: { icon: "skipped" },
  CANCELLED: { icon: "cancelled" },
  HELD: { icon: "held", tone: "warn" },
  RECEIVED: { icon: "received", tone: "note" },
  DRAFT: { icon: "draft" },
  SCHEDULED: { icon: "scheduled" },
} as const satisfies Record<string, Shown>;

export type StateName = keyof typeof STATES;

type LabelProps = { readonly icon: StatusIconName; readonly tone?: Tone | undefined; readonly children: ReactNode };

/** Any mark with its word. */
export function Label({ icon, tone, children }: LabelProps) {
  return (
    <span className={tone ? `state ${tone}` : "state"}>
      <StatusIcon name={icon} />
      {children}
    </span>
  );
}

/** In rows. */
export function State({ is }: { readonly is: StateName }) {
  const t = useTexts(frameTexts);
  const { icon, tone }: Shown = STATES[is];
  return (
    <Label icon={icon} tone={tone}>
      {t.states[is]}
    </Label>
  );
}

/** Beside the name of a whole thing. */
export function Pill({ icon, tone, children }: LabelProps) {
  return (
    <span className={tone ? `pill ${tone}` : "pill"}>
      <StatusIcon name={icon} />
      {children}
    </span>
  );
}

/** A word that sets a thing apart from others of its kind. */
export function Tag({ children }: { readonly children: ReactNode }) {
  return <span className="tag">{children}</span>;
}

export function StatePill({ is }: { readonly is: StateName }) {
  const t = useTexts(frameTexts);
  const { icon, tone }: Shown = STATES[is];
  return (
    <Pill icon={icon} tone={tone}>
      {t.states[is]}
    </Pill>
  );
}
