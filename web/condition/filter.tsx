// One filter: field, operator, value, and how many people remain after it.
import { useId, useRef, type RefObject } from "react";
import { Button } from "../parts/button.tsx";
import { StatusIcon } from "../parts/icons/icon.tsx";
import { FieldRefusal } from "../parts/refusal.tsx";
import type { FilterNode } from "./draft.ts";
import { remove, replace, withField, withOperator } from "./edits.ts";
import { useEditing, useFault } from "./editing.ts";
import { FieldPicker } from "./field-picker.tsx";
import { Remaining, focusNearby } from "./remaining.tsx";
import { Picker } from "./picker.tsx";
import { TagPicker } from "./tag-picker.tsx";
import {
  operatorsFor,
  subjectOf,
  type FilterOperator,
  isDay,
  isTime,
  takesNoValue,
  takesSpan,
  type ValueKind,
} from "./subjects.ts";
import { operatorName, describe } from "./describe.ts";
import { kindOfKey, typeOfKey } from "./known-names.ts";
import {
  ChoiceField,
  DayField,
  FlagField,
  NumberField,
  SpanField,
  StatusField,
  TextValueField,
  type ValueProps,
} from "./value-fields.tsx";

export function FilterRow({ filter, isLight }: { readonly filter: FilterNode; readonly isLight: boolean }) {
  const { draft, change, known, words } = useEditing();
  const { t } = words;
  const faultId = useId();
  const row = useRef<HTMLDivElement>(null);
  const fault = useFault(filter);
  const subject = subjectOf(filter);
  const set = (next: FilterNode, merge?: string) => change(replace(draft, next), merge);
  const invalid = fault !== undefined;
  const type = filter.valueKind ?? typeOfKey(known, filter);
  const isOfTime = subject.kind === "time" || (subject.kind === "data" && (type === "date" || isTime(filter.value)));
  const fitting = operatorsFor(subject, type);
  // An operator from the API that does not fit stays visible.
  const operators = fitting.includes(filter.operator) ? fitting : [...fitting, filter.operator];
  const topic = subject.kind === "topic" ? known.topics.find(({ id }) => id === subject.key) : undefined;
  const sentence = filter.field === "" ? t.unfilled : describe(filter, words);
  return (
    <div
      ref={row}
      className={isLight ? "f light" : "f"}
      role="group"
      aria-label={t.filterLabel(sentence)}
      aria-describedby={fault ? faultId : undefined}
    >
      <div className="say">
        <FieldPicker
          filter={filter}
          known={known}
          words={words}
          invalid={invalid}
          onChange={(field) => {
            const next = withField(filter, field);
            const offered = operatorsFor(subjectOf(next), typeOfKey(known, next));
            set(offered.includes(next.operator) ? next : withOperator(next, offered[0] ?? next.operator));
            focusNext(row);
          }}
        />
        {filter.field !== "" && (
          <Picker
            label={t.operator}
            value={filter.operator}
            shown={operatorName(filter.operator, isOfTime, words)}
            choices={operators.map((id) => ({ id, name: operatorName(id, isOfTime, words) }))}
            onChange={(operator) => set(withOperator(filter, operator as FilterOperator))}
          />
        )}
        <ValueFields
          filter={filter}
          known={known}
          words={words}
          invalid={invalid}
          onChange={(next) => set(next, `value ${filter.id}`)}
        />
        {subject.kind === "mail" && <TagPicker filter={filter} words={words} onChange={set} />}
      </div>
      <Remaining node={filter} />
      <Button
        kind="quiet"
        small
        icon="x"
        label={t.remove(sentence)}
        onClick={(event) => {
          focusNearby(event.currentTarget);
          change(remove(draft, filter.id));
        }}
      />
      {topic && <span className="about-choice help">{t.choiceMeans[topic.default]}</span>}
      {fault && (
        <span className="fault" id={faultId}>
          <StatusIcon name="failed" tone="bad" />
          <FieldRefusal fault={fault} />
        </span>
      )}
    </div>
  );
}

/** Focuses the input of the value, else the operator, after the list has returned the focus. */
function focusNext(row: RefObject<HTMLElement | null>): void {
  const move = () => {
    const [, comparison] = row.current?.querySelectorAll<HTMLElement>(".say .select") ?? [];
    (row.current?.querySelector<HTMLElement>(".say input.input") ?? comparison)?.focus();
  };
  requestAnimationFrame(() => requestAnimationFrame(move));
}

/** The input for the value, by subject; for data, by the value's type. */
function ValueFields(props: ValueProps) {
  const { filter } = props;
  const { kind } = subjectOf(filter);
  if (filter.field === "" || takesNoValue(filter.operator)) return null;
  if (takesSpan(filter.operator)) return <SpanField {...props} />;
  if (kind === "subscribed" || kind === "paused") return <FlagField {...props} />;
  if (kind === "status") return <StatusField {...props} />;
  if (kind === "topic") return <ChoiceField {...props} />;
  if (kind === "time") return <DayField {...props} />;
  return kind === "data" ? <OfData {...props} /> : <TextValueField {...props} />;
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

/** Sets the type, and replaces an operator that does not fit it. */
function withKind(filter: FilterNode, valueKind: ValueKind): FilterNode {
  const next = { ...filter, valueKind, value: FIRST[valueKind] };
  const fitting = operatorsFor(subjectOf(filter), valueKind);
  return fitting.includes(next.operator) ? next : withOperator(next, fitting[0] ?? next.operator);
}

/** A data value. Its type is shown if it differs from the key's usual one. */
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
        <Picker
          label={t.valueKind}
          value={kind}
          shown={t.valueKinds[kind]}
          choices={(["text", "number", "flag", "date"] as const).map((id) => ({ id, name: t.valueKinds[id] }))}
          onChange={(id) => onChange(withKind(filter, id as ValueKind))}
        />
      )}
      {kind === "number" && <NumberField {...own} label={t.value} />}
      {kind === "flag" && <FlagField {...own} />}
      {kind === "date" && <DayField {...own} />}
      {kind === "text" && <TextValueField {...own} />}
    </>
  );
}
