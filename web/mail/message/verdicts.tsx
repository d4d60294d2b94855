// Authentication and scan results of an incoming email.
import { useTexts } from "../../base/language.ts";
import type { StatusIconName, Tone } from "../../parts/icons/icon.tsx";
import { Label } from "../../parts/state.tsx";
import { mailTexts } from "../../texts/areas.ts";
import type { WholeMail } from "../calls.ts";

const CHECKS = ["spf", "dkim", "dmarc", "spam", "virus"] as const;

const SHOWN = {
  PASS: { icon: "delivered", tone: "ok" },
  FAIL: { icon: "failed", tone: "bad" },
  GRAY: { icon: "info", tone: "dim" },
  PROCESSING_FAILED: { icon: "info", tone: "dim" },
} as const satisfies Readonly<Record<string, { readonly icon: StatusIconName; readonly tone: Tone }>>;

/** Null for an outgoing email. */
export function verdictsOf({ timeline }: WholeMail): Readonly<Record<string, unknown>> | null {
  return timeline.find(({ what }) => what === "email.received")?.detail ?? null;
}

export function Verdicts({ verdicts }: { readonly verdicts: Readonly<Record<string, unknown>> }) {
  const t = useTexts(mailTexts);
  return (
    <span className="verdicts">
      {CHECKS.map((check) => {
        const verdict = String(verdicts[`${check}Verdict`]) as keyof typeof SHOWN;
        const { icon, tone } = SHOWN[verdict] ?? SHOWN.PROCESSING_FAILED;
        return (
          <Label key={check} icon={icon} tone={tone}>
            <span>
              {t.checks[check]} <span className="dim">{t.verdicts[verdict] ?? t.verdicts.PROCESSING_FAILED}</span>
            </span>
          </Label>
        );
      })}
    </span>
  );
}
