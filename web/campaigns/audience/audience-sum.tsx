// The audience as a sum: matched − each reason = will receive. Each number opens its people.
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useTexts } from "../../base/language.ts";
import type { StatusIconName } from "../../parts/icons/icon.tsx";
import { Number } from "../../parts/number.tsx";
import { campaignsTexts } from "../../texts/areas.ts";
import { AUDIENCE_PARTS, type AudienceNumbers, type AudiencePart } from "./audience-calls.ts";

const MARKS: Partial<Record<AudiencePart, StatusIconName>> = {
  unsubscribed: "unsub",
  pending: "waiting",
  suppressed: "cancelled",
  topic: "unsub",
  paused: "held",
};

type SumProps = {
  readonly numbers: AudienceNumbers;
  /** Numbers without links: in a dialog, or for a resend, whose people cannot be listed. */
  readonly isPlain?: boolean;
};

export function AudienceSum({ numbers, isPlain = false }: SumProps) {
  const { audience: t } = useTexts(campaignsTexts);
  const { matched, willReceive, excluded, approximate } = numbers;
  const values: Readonly<Record<AudiencePart, number>> = { matched, willReceive, ...excluded };
  return (
    <div className="sum" title={approximate ? t.approximate : undefined}>
      {AUDIENCE_PARTS.filter((part) => (part !== "topic" && part !== "paused") || excluded[part] > 0).map(
        (part, at) => (
          <Fragment key={part}>
            {at > 0 && <span className="op">{part === "willReceive" ? "=" : "−"}</span>}
            <Number
              value={values[part]}
              label={t[part]}
              {...(MARKS[part] ? { icon: MARKS[part] } : {})}
              {...(isPlain ? {} : { open: (shown: string) => <OpenPart part={part}>{shown}</OpenPart> })}
            />
          </Fragment>
        ),
      )}
      {approximate && <span className="dim small">{t.approximate}</span>}
    </div>
  );
}

function OpenPart({ part, children }: { readonly part: AudiencePart; readonly children: string }) {
  return (
    <Link
      className="opens"
      to="."
      search={(before: object) => ({ ...before, tab: "audience" as const, part })}
      resetScroll={false}
    >
      {children}
    </Link>
  );
}
