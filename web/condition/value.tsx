// What a filter compares with, by what the filter is about; a value of the data is of a kind of its own.
import { kindOfKey } from "./known.ts";
import type { FilterNode } from "./draft.ts";
import { Pick } from "./pick.tsx";
import { isDay, subjectOf, takesNoValue, takesSpan, type ValueKind } from "./subjects.ts";
import { Day, Flag, NumberField, Span, Status, Text, type ValueProps } from "./value-fields.tsx";

export function ValueFields(props: ValueProps) {
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
