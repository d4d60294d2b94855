// The preview of an import: the outcome of its rows, and the button to start.
import type { ComponentProps } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button, DisabledReason } from "../../parts/button.tsx";
import { Checkbox } from "../../parts/fields/checkbox.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import type { ImportCheck } from "../calls.ts";
import { ExtrasFields } from "./extras.tsx";
import { MarketingQuestion, type Question } from "./marketing-question.tsx";

type ImportPreviewProps = {
  readonly check: ImportCheck | undefined;
  readonly isLooking: boolean;
  readonly hasAddress: boolean;
  /** Null if the file has the answer for all its rows. */
  readonly question: Question | null;
  readonly resubscribe: { readonly is: boolean; readonly set: (is: boolean) => void };
  readonly extras: ComponentProps<typeof ExtrasFields>;
  readonly isStarting: boolean;
  readonly start: () => void;
};

const PARTS = ["created", "updated", "unchanged", "repeated", "failed"] as const;

const SUBSCRIPTION_STATUSES = ["subscribed", "pending", "unsubscribed", "suppressed"] as const;

export function ImportPreview({
  check,
  isLooking,
  hasAddress,
  question,
  resubscribe,
  extras,
  isStarting,
  start,
}: ImportPreviewProps) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const mayNot = useDisabledReason("people.bulk");
  const count = check ? check.rows - check.failed : 0;
  const isOpen = question !== null && question.marketing === null;
  const isUnsaid = question?.marketing === "yes" && question.consent.trim() === "";
  const hasFlag =
    check?.columns.some(({ field, isConsent }) => field === "subscribed" || isConsent) === true ||
    check?.standing === "subscribed" ||
    check?.files?.some(({ standing }) => standing === "subscribed") === true;
  const open = isOpen ? t.import.marketing.open : isUnsaid ? t.import.marketing.unsaid : undefined;
  const disabledReason =
    mayNot ??
    (!hasAddress
      ? t.import.noAddress
      : check === undefined || isLooking
        ? t.import.looking
        : count === 0
          ? t.import.nothing
          : open);
  return (
    <section className="panel" aria-label={t.import.trial} aria-busy={isLooking || undefined}>
      <header>
        <h2>{t.import.trial}</h2>
        <span className="dim row-text">{t.import.nothingYet}</span>
      </header>
      <div className="pad stack l">
        {question && <MarketingQuestion {...question} />}
        {check?.warnings
          ?.filter(({ field, reason }) => field !== "file" && reason !== "plain_key")
          .map(({ field, message, reason }) => (
            <Banner tone="warn" key={`${field} ${reason ?? ""}`}>
              {t.import.warnings(field.replace(/^data\./, ""), message, reason)}
            </Banner>
          ))}
        {check && !isOpen && (
          <dl className="facts closing">
            {PARTS.filter((part) => part !== "repeated" || check.repeated > 0).map((part) => (
              <div key={part}>
                <dt>{t.import.parts[part]}</dt>
                <dd>{number(check[part])}</dd>
              </div>
            ))}
            <div className="closed">
              <dt>
                <b>{check.isComplete ? t.import.rows : t.import.rowsSoFar}</b>
              </dt>
              <dd>
                <b>{number(check.rows)}</b>
              </dd>
            </div>
          </dl>
        )}
        {check && !isOpen && (
          <dl className="facts statuses" aria-label={t.import.after}>
            <div>
              <dt className="dim">{t.import.after}</dt>
              <dd />
            </div>
            {SUBSCRIPTION_STATUSES.filter((one) => one !== "pending" || check.statuses.pending > 0).map((one) => (
              <div key={one}>
                <dt>{t.import.statuses[one]}</dt>
                <dd>{number(check.statuses[one])}</dd>
              </div>
            ))}
          </dl>
        )}
        {hasFlag && (
          <div className="stack tight">
            <Checkbox checked={!resubscribe.is} onChange={() => resubscribe.set(!resubscribe.is)}>
              {t.import.leaveUnsubscribed}
            </Checkbox>
            {resubscribe.is && check && check.resubscribed > 0 && (
              <DisabledReason>{t.import.resubscribed(check.resubscribed, number(check.resubscribed))}</DisabledReason>
            )}
          </div>
        )}
        <ExtrasFields {...extras} />
        <Button kind="first" wide disabledReason={disabledReason} busy={isStarting} onClick={start}>
          {check?.isComplete === false ? t.import.actAll : t.import.action(count, number(count))}
        </Button>
        {disabledReason !== undefined && <DisabledReason>{disabledReason}</DisabledReason>}
      </div>
    </section>
  );
}
