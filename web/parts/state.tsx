// The state of a thing: a mark of its own outline and a word. In rows a State, beside the name of a whole thing a Pill.
import type { ReactNode } from "react";
import { useTexts } from "../language.ts";
import { frameTexts } from "../texts/areas.ts";
import { Mark, type MarkName, type Tone } from "./icon.tsx";

type Shown = { readonly mark: MarkName; readonly tone?: Tone };

/** What a mail or a campaign may be, in the words of the API. */
const STATES = {
  QUEUED: { mark: "queued" },
  SENDING: { mark: "sending", tone: "note" },
  SENT: { mark: "sent" },
  PERHAPS_DELIVERED: { mark: "waiting", tone: "warn" },
  DELIVERED: { mark: "delivered", tone: "ok" },
  BOUNCED: { mark: "bounced", tone: "bad" },
  FAILED: { mark: "failed", tone: "bad" },
  COMPLAINED: { mark: "complained", tone: "bad" },
  SKIPPED: { mark: "skipped" },
  CANCELLED: { mark: "cancelled" },
  HELD: { mark: "held", tone: "warn" },
  RECEIVED: { mark: "received", tone: "note" },
  DRAFT: { mark: "draft" },
  SCHEDULED: { mark: "scheduled" },
} as const satisfies Record<string, Shown>;

export type StateName = keyof typeof STATES;

type LabelProps = { readonly mark: MarkName; readonly tone?: Tone | undefined; readonly children: ReactNode };

/** Any mark with its word. */
export function Label({ mark, tone, children }: LabelProps) {
  return (
    <span className={tone ? `state ${tone}` : "state"}>
      <Mark name={mark} />
      {children}
    </span>
  );
}

/** In rows. */
export function State({ is }: { readonly is: StateName }) {
  const t = useTexts(frameTexts);
  const { mark, tone }: Shown = STATES[is];
  return (
    <Label mark={mark} tone={tone}>
      {t.states[is]}
    </Label>
  );
}

/** Beside the name of a whole thing. */
export function Pill({ mark, tone, children }: LabelProps) {
  return (
    <span className={tone ? `pill ${tone}` : "pill"}>
      <Mark name={mark} />
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
  const { mark, tone }: Shown = STATES[is];
  return (
    <Pill mark={mark} tone={tone}>
      {t.states[is]}
    </Pill>
  );
}
