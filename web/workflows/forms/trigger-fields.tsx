// The trigger: an event, a manual start, or a schedule for a segment.
import { useEffect } from "react";
import { Field } from "../../parts/fields/form.tsx";
import { SegmentedField } from "../../parts/fields/segmented-field.tsx";
import type { Drawing, Trigger } from "../drawing.ts";
import { useWorkspaceZone } from "../../calls/zone.ts";
import type { StepNames } from "../describe-step.ts";
import { firstSchedule, ScheduleFields } from "./schedule-fields.tsx";
import { FormChoice } from "./form-choice.tsx";
import { EventField } from "./simple-fields.tsx";

type TriggerProps = {
  readonly drawing: Drawing;
  readonly words: StepNames;
  readonly set: (drawing: Drawing, merge?: string) => void;
  readonly faultOf: (field: string) => string | undefined;
};

function firstOf(type: Trigger["type"], zone: string | null): Trigger["config"] {
  if (type === "EVENT") return { eventName: "" };
  return type === "MANUAL" ? {} : firstSchedule(zone);
}

export function TriggerFields({ drawing, words, set, faultOf }: TriggerProps) {
  const { t } = words;
  const { type, config, others } = drawing.trigger;
  const zone = useWorkspaceZone() ?? null;
  const say = (next: Trigger["config"], merge?: string) =>
    set({ ...drawing, trigger: { ...drawing.trigger, config: next } }, merge);
  // If the schedule was chosen before the workspace was loaded, its zone is set now.
  useEffect(() => {
    if (zone !== null && type === "SCHEDULE" && config["timezone"] === "") say({ ...config, timezone: zone });
  }, [zone]);
  const become = (next: Trigger["type"]) => {
    if (next === type) return;
    const trigger = {
      type: next,
      config: others?.[next] ?? firstOf(next, zone),
      others: { ...others, [type]: config },
    };
    set({ ...drawing, trigger });
  };
  return (
    <>
      <SegmentedField
        label={t.form.startedBy}
        value={type}
        onChange={become}
        choices={(["EVENT", "MANUAL", "SCHEDULE"] as const).map((value) => ({
          value,
          content: t.form.triggers[value],
        }))}
      />
      {type === "EVENT" && (
        <>
          <EventField
            value={String(config["eventName"] ?? "")}
            words={words}
            fault={faultOf("eventName")}
            set={(eventName) => say({ eventName }, "trigger event")}
          />
          <FormChoice
            eventName={String(config["eventName"] ?? "")}
            words={words}
            set={(eventName) => say({ eventName })}
          />
        </>
      )}
      {type === "MANUAL" && <p className="help">{t.form.manualHelp}</p>}
      {type === "SCHEDULE" && <ScheduleFields config={config} words={words} faultOf={faultOf} set={say} />}
      <SegmentedField
        label={t.form.reentry}
        value={drawing.reentry}
        onChange={(reentry) => set({ ...drawing, reentry, entryKey: reentry === "always" ? drawing.entryKey : null })}
        choices={(["never", "after-end", "always"] as const).map((value) => ({
          value,
          content: t.form.reentries[value],
        }))}
        help={t.form.reentryHelp[drawing.reentry]}
      />
      {drawing.reentry === "always" && (
        <Field
          name="entryKey"
          label={t.form.entryKey}
          help={t.form.entryKeyHelp}
          placeholder="{{ event.order }}"
          value={drawing.entryKey ?? ""}
          fault={faultOf("entryKey")}
          onChange={({ currentTarget: { value } }) =>
            set({ ...drawing, entryKey: value === "" ? null : value }, "entry key")
          }
        />
      )}
    </>
  );
}
