// DELAY, WAIT_FOR_EVENT and EXIT.
import { useId } from "react";
import { Field } from "../../parts/fields/form.tsx";
import { SegmentedField } from "../../parts/fields/segmented-field.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { toSeconds, toSpan, type DelayUnit, type StepNames } from "../describe-step.ts";
import { useKnown } from "./known.ts";
import type { StepFieldsProps } from "./fields-props.ts";

const UNITS = ["minutes", "hours", "days"] as const;
/** The most used built-in events. */
const OWN_EVENTS = [
  "email.open",
  "email.click",
  "email.bounce",
  "email.received",
  "contact.subscribed",
  "contact.unsubscribed",
  "contact.paused",
  "contact.resumed",
  "topic.joined",
  "topic.left",
];

type SpanProps = {
  readonly label: string;
  readonly amount: number;
  readonly unit: DelayUnit;
  readonly words: StepNames;
  readonly fault: string | undefined;
  readonly set: (amount: number, unit: DelayUnit) => void;
};

export function SpanField({ label, amount, unit, words: { t }, fault, set }: SpanProps) {
  return (
    <div className="span-field">
      <Field
        name="amount"
        label={label}
        type="number"
        min={1}
        value={Number.isFinite(amount) && amount > 0 ? amount : ""}
        fault={fault}
        onChange={({ currentTarget }) => set(Number(currentTarget.value), unit)}
      />
      <Select
        name="unit"
        label={t.form.unit}
        value={unit}
        options={UNITS.map((id) => ({ id, name: t.unitNames[id] }))}
        onChange={(id) => set(amount, id as DelayUnit)}
      />
    </div>
  );
}

export function DelayFields({ step, words, set, faultOf }: StepFieldsProps) {
  const { amount, unit } = step.config as { readonly amount: number; readonly unit: DelayUnit };
  return (
    <SpanField
      label={words.t.form.amount}
      amount={amount}
      unit={unit}
      words={words}
      fault={faultOf("amount")}
      set={(more, of) => set({ amount: more, unit: of }, "span")}
    />
  );
}

type EventFieldProps = {
  readonly value: string;
  readonly words: StepNames;
  readonly fault: string | undefined;
  readonly set: (name: string) => void;
};

/** Suggests event names; others can be typed. */
export function EventField({ value, words: { t }, fault, set }: EventFieldProps) {
  const list = useId();
  const { events } = useKnown();
  const names = [...new Set([...events, ...OWN_EVENTS])];
  return (
    <>
      <Field
        name="eventName"
        label={t.form.event}
        list={list}
        maxLength={255}
        autoComplete="off"
        value={value}
        fault={fault}
        help={t.form.eventHelp}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

const THREE_DAYS = 259_200;

export function WaitFields({ step, words, set, faultOf }: StepFieldsProps) {
  const { t } = words;
  const { eventName, timeout } = step.config as { readonly eventName: string; readonly timeout?: number };
  const span = timeout === undefined ? null : toSpan(timeout);
  return (
    <>
      <EventField
        value={eventName}
        words={words}
        fault={faultOf("eventName")}
        set={(name) => set({ ...step.config, eventName: name }, "event")}
      />
      <SegmentedField
        label={t.form.limit}
        value={span ? "some" : "none"}
        onChange={(limit) => set(limit === "some" ? { eventName, timeout: THREE_DAYS } : { eventName })}
        choices={[
          { value: "some", content: t.form.limitSome },
          { value: "none", content: t.form.limitNone },
        ]}
      />
      {span && (
        <SpanField
          label={t.form.amount}
          {...span}
          words={words}
          fault={faultOf("timeout")}
          set={(amount, unit) => set({ eventName, timeout: toSeconds(amount, unit) }, "span")}
        />
      )}
    </>
  );
}

export function ExitFields({ step, words: { t }, set, faultOf }: StepFieldsProps) {
  return (
    <Field
      name="reason"
      label={t.form.reason}
      help={t.form.reasonHelp}
      value={String(step.config["reason"] ?? "")}
      fault={faultOf("reason")}
      onChange={({ currentTarget: { value } }) => set(value === "" ? {} : { reason: value }, "reason")}
    />
  );
}
