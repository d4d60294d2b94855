// What was found out about a mail from outside: whose it is, and whether it harms.
import { useTexts } from "../language.ts";
import type { StatusIconName, Tone } from "../parts/icon.tsx";
import { Label } from "../parts/state.tsx";
import { mailTexts } from "../texts/areas.ts";
import type { WholeMail } from "./mails.ts";

const CHECKS = ["spf", "dkim", "dmarc", "spam", "virus"] as const;

const SHOWN = {
  PASS: { icon: "delivered", tone: "ok" },
  FAIL: { icon: "failed", tone: "bad" },
  GRAY: { icon: "info", tone: "dim" },
  PROCESSING_FAILED: { icon: "info", tone: "dim" },
} as const satisfies Readonly<Record<string, { readonly icon: StatusIconName; readonly tone: Tone }>>;

/** Null unless it came from outside. */
export function verdictsOf({ timeline }: WholeMail): Readonly<Record<string, unknown>> | null {
  return timeline.find(({ what }) => what === "email.received")?.detail ?? null;
}

export function Verdicts({ told }: { readonly told: Readonly<Record<string, unknown>> }) {
  const t = useTexts(mailTexts);
  return (
    <span className="verdicts">
      {CHECKS.map((check) => {
        const verdict = String(told[`${check}Verdict`]) as keyof typeof SHOWN;
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
