// What can be done to everybody who is chosen: how many they are, and the way back where there is one.
import { useState } from "react";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useDisabledReason } from "../session.ts";
import { peopleTexts } from "../texts/areas.ts";
import { standingOf } from "./calls.ts";
import type { Chosen } from "./chosen.ts";
import { selectionOf, type Filters } from "./filters.ts";
import { Membership } from "./membership.tsx";
import { useBulk, type Operation } from "./use-bulk.ts";

type BulkProps = { readonly chosen: Chosen; readonly total: number | undefined; readonly filters: Filters };

/** The most that one call takes. */
const MOST_CHOSEN = 1_000;

export function Bulk({ chosen, total, filters }: BulkProps) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const disabledReason = useDisabledReason("people.bulk");
  const [asked, ask] = useState<Operation | null>(null);
  const count = chosen.count(total);
  const some = [...chosen.some.values()];
  const { run, isRunning } = useBulk(chosen.none);
  const isTooMany = !chosen.isAll && count > MOST_CHOSEN ? t.bulk.tooMany(number(MOST_CHOSEN)) : undefined;
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
      <b>{t.bulk.chosen(count, number(count))}</b>
      {!chosen.isAll && total !== undefined && total > count && (
        <Button small kind="quiet" onClick={chosen.all}>
          {t.bulk.all(number(total))}
        </Button>
      )}
      <span className="inline">
        {button("subscribe")}
        {button("unsubscribe")}
        <Membership chosen={chosen} />
        {button("delete")}
      </span>
      {asked && (
        <Dialog
          isOpen
          title={t.bulk.ask[asked](number(count))}
          onClose={() => ask(null)}
          actions={
            <>
              <Button onClick={() => ask(null)}>{t.cancel}</Button>
              <Button kind={asked === "delete" ? "risk" : "first"} onClick={() => start(asked)}>
                {t.bulk.action[asked]}
              </Button>
            </>
          }
        >
          <p>{t.bulk.means[asked]}</p>
        </Dialog>
      )}
    </div>
  );
}

function isSuppressed({ suppressed }: { readonly suppressed: string | null }): boolean {
  return suppressed !== null;
}

/** Those whom the operation changes. */
function undoable(operation: Operation, some: Parameters<typeof standingOf>[0][]): readonly string[] {
  const before = { subscribe: "UNSUBSCRIBED", unsubscribe: "SUBSCRIBED", delete: null }[operation];
  return some.filter((one) => standingOf(one) === before).map(({ id }) => id);
}
