// Actions on all selected people: their number, and Undo where possible.
import { useState } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { subscriptionStatus } from "../calls.ts";
import type { PeopleSelection } from "./selection.ts";
import { exportChosen, exportPeople } from "../export.ts";
import { selectionOf, type PeopleFilters } from "../filters.ts";
import { MergeChosen } from "../duplicates/merge-chosen.tsx";
import { SegmentMenu } from "./segment-menu.tsx";
import { useBulk, type Operation } from "./use-bulk.ts";
import { TopicMenu } from "./topic-menu.tsx";

type BulkActionsProps = {
  readonly chosen: PeopleSelection;
  readonly total: number | undefined;
  readonly totalText: string | undefined;
  readonly filters: PeopleFilters;
};

/** The API's limit for one call. */
const MAX_SELECTED = 1_000;
/** The API's limit for one merge: the contact that stays, and ten others. */
const MAX_MERGED = 11;

export function BulkActions({ chosen, total, totalText, filters }: BulkActionsProps) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const disabledReason = useDisabledReason("people.bulk");
  const [asked, ask] = useState<Operation | null>(null);
  const [isMerging, setMerging] = useState(false);
  const count = chosen.count(total);
  const countText = (chosen.isAll && totalText) || number(count);
  const some = [...chosen.some.values()];
  const { run, isRunning } = useBulk(chosen.none);
  const isTooMany = !chosen.isAll && count > MAX_SELECTED ? t.bulk.tooMany(number(MAX_SELECTED)) : undefined;
  const selection = chosen.isAll ? { filter: selectionOf(filters) } : { contactIds: some.map(({ id }) => id) };
  const start = (operation: Operation) => {
    ask(null);
    run({ operation, selection, undo: chosen.isAll ? [] : undoable(operation, some) });
  };
  const mustAsk = (operation: Operation) =>
    operation === "delete" || chosen.isAll || (operation === "subscribe" && some.some(isSuppressed));
  const button = (operation: Operation) => (
    <Button
      small
      kind={operation === "delete" ? "risk" : undefined}
      disabledReason={disabledReason ?? isTooMany}
      busy={isRunning}
      onClick={() => (mustAsk(operation) ? ask(operation) : start(operation))}
    >
      {t.bulk.open[operation]}
    </Button>
  );
  return (
    <div className="people-bulk" role="region" aria-label={t.bulk.title}>
      <Button small kind="quiet" icon="x" label={t.bulk.none} onClick={chosen.none} />
      <b>{t.bulk.chosen(count, countText)}</b>
      {!chosen.isAll && total !== undefined && total > count && (
        <Button small kind="quiet" onClick={chosen.all}>
          {t.bulk.all(totalText ?? number(total))}
        </Button>
      )}
      <span className="inline">
        {button("subscribe")}
        {button("unsubscribe")}
        <TopicMenu
          count={countText}
          disabledReason={disabledReason ?? isTooMany}
          isRunning={isRunning}
          change={(topic) => run({ operation: "topics", selection, topic })}
        />
        <SegmentMenu
          whom={chosen.isAll ? { filter: selectionOf(filters) } : { emails: some.map(({ email }) => email) }}
          count={countText}
          tooMany={isTooMany}
          done={chosen.none}
        />
        <Button
          small
          disabledReason={disabledReason ?? isTooMany}
          onClick={() => void (chosen.isAll ? exportPeople(filters) : exportChosen(some.map(({ id }) => id)))}
        >
          {t.export}
        </Button>
        {!chosen.isAll && some.length > 1 && (
          <Button
            small
            disabledReason={disabledReason ?? (some.length > MAX_MERGED ? t.duplicates.tooMany : undefined)}
            onClick={() => setMerging(true)}
          >
            {t.duplicates.openChosen}
          </Button>
        )}
        {button("delete")}
      </span>
      {isMerging && <MergeChosen contacts={some} close={() => setMerging(false)} done={chosen.none} />}
      {asked && (
        <Question
          title={t.bulk.ask[asked](countText)}
          text={t.bulk.means[asked]}
          close={() => ask(null)}
          action={t.bulk.action[asked]}
          risk={asked === "delete"}
          run={() => start(asked)}
        />
      )}
    </div>
  );
}

function isSuppressed({ suppressed }: { readonly suppressed: string | null }): boolean {
  return suppressed !== null;
}

/** The people whom the operation changes: only their change is undone. */
function undoable(operation: Operation, some: Parameters<typeof subscriptionStatus>[0][]): readonly string[] {
  const before = { subscribe: "UNSUBSCRIBED", unsubscribe: "SUBSCRIBED", delete: null }[operation];
  return some.filter((one) => subscriptionStatus(one) === before).map(({ id }) => id);
}
