// One filter: what it is about, how it compares, with what, and how many people are left after it.
import { useId, useRef, type RefObject } from "react";
import { Button } from "../parts/button.tsx";
import { StatusIcon } from "../parts/icon.tsx";
import { FieldRefusal } from "../parts/refusal.tsx";
import type { FilterNode } from "./draft.ts";
import { remove, replace, withField, withOperator } from "./edits.ts";
import { useEditing, useFault } from "./editing.ts";
import { FieldPick } from "./field-pick.tsx";
import { Left, leftNear } from "./left.tsx";
import { Pick } from "./pick.tsx";
import { FITTING, subjectOf, type Operator, isDay, takesNoValue, takesSpan, type ValueKind } from "./subjects.ts";
import { operatorName, said } from "./words.ts";
import { kindOfKey } from "./known.ts";
import { Day, Flag, NumberField, Span, Status, Text, type ValueProps } from "./value-fields.tsx";

export function FilterRow({ filter, isLight }: { readonly filter: FilterNode; readonly isLight: boolean }) {
  const { draft, change, known, words } = useEditing();
  const { t } = words;
  const faultId = useId();
  const row = useRef<HTMLDivElement>(null);
  const fault = useFault(filter);
  const subject = subjectOf(filter);
  const set = (next: FilterNode, merge?: string) => change(replace(draft, next), merge);
  const invalid = fault !== undefined;
  const sentence = filter.field === "" ? t.unfilled : said(filter, words);
  return (
    <div
      ref={row}
      className={isLight ? "f light" : "f"}
      role="group"
      aria-label={t.filterLabel(sentence)}
      aria-describedby={fault ? faultId : undefined}
    >
      <div className="say">
        <FieldPick
          filter={filter}
          known={known}
          words={words}
          invalid={invalid}
          onChange={(field) => {
            set(withField(filter, field));
            goOn(row);
          }}
        />
        {filter.field !== "" && (
          <Pick
            label={t.operator}
            value={filter.operator}
            shown={operatorName(filter.operator, subject, words)}
            choices={FITTING[subject.kind].map((id) => ({ id, name: operatorName(id, subject, words) }))}
            onChange={(operator) => set(withOperator(filter, operator as Operator))}
          />
        )}
        <ValueFields
          filter={filter}
          known={known}
          words={words}
          invalid={invalid}
          onChange={(next) => set(next, `value ${filter.id}`)}
        />
      </div>
      <Left node={filter} />
      <Button
        kind="quiet"
        small
        icon="x"
        label={t.remove(sentence)}
        onClick={(event) => {
          leftNear(event.currentTarget);
          change(remove(draft, filter.id));
        }}
      />
      {fault && (
        <span className="fault" id={faultId}>
          <StatusIcon name="failed" tone="bad" />
          <FieldRefusal fault={fault} />
        </span>
      )}
    </div>
  );
}

/** To what is to be filled in next, else to the comparison. The list gives the focus back in the next frame. */
function goOn(row: RefObject<HTMLElement | null>): void {
  const move = () => {
    const [, comparison] = row.current?.querySelectorAll<HTMLElement>(".say .select") ?? [];
    (row.current?.querySelector<HTMLElement>(".say input.input") ?? comparison)?.focus();
  };
  requestAnimationFrame(() => requestAnimationFrame(move));
}

/** What a filter compares with, by what the filter is about; a value of the data is of a kind of its own. */
function ValueFields(props: ValueProps) {
  const { filter } = props;
  const { kind } = subjectOf(filter);
  if (filter.field === "" || takesNoValue(filter.operator)) return null;
  if (takesSpan(filter.operator)) return <Span {...props} />;
  if (kind === "subscribed") return <Flag {...props} />;
  if (kind === "status") return <Status {...props} />;
  if (kind === "time") return <Day {...props} />;
  return kind === "data" ? <OfData {...props} /> : <Text {...props} />;
}

const FIRST: Readonly<Record<ValueKind, FilterNode["value"]>> = {
  text: undefined,
  number: undefined,
  flag: true,
  date: undefined,
};

function kindOf({ value, valueKind }: FilterNode, ofKey: ValueKind | null): ValueKind {
  if (valueKind) return valueKind;
  if (value === undefined) return ofKey ?? "text";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "flag";
  return ofKey === "date" && isDay(value) ? "date" : "text";
}

/** The kind is in sight where it is not that of the key. */
function OfData(props: ValueProps) {
  const { filter, known, words, onChange } = props;
  const { t } = words;
  const ofKey = kindOfKey(known, filter);
  const kind = kindOf(filter, ofKey);
  const isPlain = kind === ofKey || (kind === "text" && ofKey === "date");
  const own = { ...props, onChange: (next: FilterNode) => onChange({ valueKind: kind, ...next }) };
  return (
    <>
      {!isPlain && (
        <Pick
          label={t.valueKind}
          value={kind}
          shown={t.valueKinds[kind]}
          choices={(["text", "number", "flag", "date"] as const).map((id) => ({ id, name: t.valueKinds[id] }))}
          onChange={(id) => onChange({ ...filter, valueKind: id as ValueKind, value: FIRST[id as ValueKind] })}
        />
      )}
      {kind === "number" && <NumberField {...own} label={t.value} />}
      {kind === "flag" && <Flag {...own} />}
      {kind === "date" && <Day {...own} />}
      {kind === "text" && <Text {...own} />}
    </>
  );
}
