// A status: an icon with its own outline and a word. Beside the name of a resource it is a pill.
import type { ReactNode } from "react";
import { useTexts } from "../base/language.ts";
import { frameTexts } from "../texts/areas.ts";
import { StatusIcon, type StatusIconName, type Tone } from "./icons/icon.tsx";

type StateLook = { readonly icon: StatusIconName; readonly tone?: Tone };

/** The statuses of the API. */
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
} as const satisfies Record<string, StateLook>;

export type StateName = keyof typeof STATES;

type LabelProps = {
  readonly icon: StatusIconName;
  readonly tone?: Tone | undefined;
  /** For the status beside a resource's name. */
  readonly pill?: boolean | undefined;
  readonly children: ReactNode;
};

/** An icon with its word. */
export function Label({ icon, tone, pill, children }: LabelProps) {
  return (
    <span className={[pill ? "pill" : "state", tone].filter(Boolean).join(" ")}>
      <StatusIcon name={icon} />
      {children}
    </span>
  );
}

export function State({ is, pill }: { readonly is: StateName; readonly pill?: boolean | undefined }) {
  const t = useTexts(frameTexts);
  return (
    <Label {...STATES[is]} pill={pill}>
      {t.states[is]}
    </Label>
  );
}

export function Tag({ children }: { readonly children: ReactNode }) {
  return <span className="tag">{children}</span>;
}
