// The dry run: what would become of the rows, in a sum that is the file. Then the button.
import { useFormats } from "../../formats.ts";
import { useTexts } from "../../language.ts";
import { Button, OffWhy } from "../../parts/button.tsx";
import { Tick } from "../../parts/tick.tsx";
import { useOff } from "../../session.ts";
import { peopleTexts } from "../../texts/people.ts";
import type { Check } from "../calls.ts";

type TrialProps = {
  readonly check: Check | undefined;
  readonly isLooking: boolean;
  readonly hasAddress: boolean;
  readonly hasFlag: boolean;
  readonly resubscribe: { readonly is: boolean; readonly set: (is: boolean) => void };
  readonly isStarting: boolean;
  readonly start: () => void;
};

const PARTS = ["created", "updated", "unchanged", "repeated", "failed"] as const;

export function Trial({ check, isLooking, hasAddress, hasFlag, resubscribe, isStarting, start }: TrialProps) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const mayNot = useOff("people.bulk");
  const count = check ? check.rows - check.failed : 0;
  const off =
    mayNot ??
    (!hasAddress
      ? t.import.noAddress
      : check === undefined || isLooking
        ? t.import.looking
        : count === 0
          ? t.import.nothing
          : undefined);
  return (
    <section className="panel" aria-label={t.import.trial} aria-busy={isLooking || undefined}>
      <header>
        <h2>{t.import.trial}</h2>
        <span className="dim row-text">{t.import.nothingYet}</span>
      </header>
      <div className="pad stack l">
        {check && (
          <dl className="facts closing">
            {PARTS.filter((part) => part !== "repeated" || check.repeated > 0).map((part) => (
              <div key={part}>
                <dt>{t.import.parts[part]}</dt>
                <dd>{number(check[part])}</dd>
              </div>
            ))}
            <div className="closed">
              <dt>
                <b>{check.isWhole ? t.import.rows : t.import.rowsSoFar}</b>
              </dt>
              <dd>
                <b>{number(check.rows)}</b>
              </dd>
            </div>
          </dl>
        )}
        {hasFlag && (
          <div className="stack tight">
            <Tick checked={!resubscribe.is} onChange={() => resubscribe.set(!resubscribe.is)}>
              {t.import.leaveUnsubscribed}
            </Tick>
            {resubscribe.is && check && check.resubscribed > 0 && (
              <OffWhy>{t.import.resubscribed(check.resubscribed, number(check.resubscribed))}</OffWhy>
            )}
          </div>
        )}
        <Button kind="first" wide off={off} busy={isStarting} onClick={start}>
          {check?.isWhole === false ? t.import.actAll : t.import.act(count, number(count))}
        </Button>
        {off !== undefined && <OffWhy>{off}</OffWhy>}
      </div>
    </section>
  );
}
