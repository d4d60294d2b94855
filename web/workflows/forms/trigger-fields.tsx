// The trigger: an event, a manual start, or a schedule for a segment.
import { Field } from "../../parts/form.tsx";
import { SegmentedField } from "../../parts/segmented-field.tsx";
import { Select } from "../../parts/select.tsx";
import type { Drawing, Trigger } from "../drawing.ts";
import { useZone } from "../../workspace/zone.ts";
import type { StepNames } from "../describe-step.ts";
import { useKnown } from "./known.ts";
import { EventField } from "./simple-fields.tsx";

type TriggerProps = {
  readonly drawing: Drawing;
  readonly words: StepNames;
  readonly set: (drawing: Drawing, merge?: string) => void;
  readonly faultOf: (field: string) => string | undefined;
};

/** The default time zone is UTC. */
function firstOf(type: Trigger["type"], timezone: string): Trigger["config"] {
  if (type === "EVENT") return { eventName: "" };
  if (type === "MANUAL") return {};
  return { cron: "0 9 * * 1", ...(timezone === "UTC" ? {} : { timezone }), segmentId: "" };
}

export function TriggerFields({ drawing, words, set, faultOf }: TriggerProps) {
  const { t } = words;
  const { type, config } = drawing.trigger;
  const zone = useZone();
  const say = (next: Trigger["config"], merge?: string) => set({ ...drawing, trigger: { type, config: next } }, merge);
  return (
    <>
      <SegmentedField
        label={t.form.startedBy}
        value={type}
        onChange={(next) => set({ ...drawing, trigger: { type: next, config: firstOf(next, zone) } })}
        choices={(["EVENT", "MANUAL", "SCHEDULE"] as const).map((value) => ({
          value,
          content: t.form.triggers[value],
        }))}
      />
      {type === "EVENT" && (
        <EventField
          value={String(config["eventName"] ?? "")}
          words={words}
          fault={faultOf("eventName")}
          set={(eventName) => say({ eventName }, "trigger event")}
        />
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

type ScheduleProps = Pick<TriggerProps, "words" | "faultOf"> & {
  readonly config: Trigger["config"];
  readonly set: (config: Trigger["config"], merge?: string) => void;
};

function ScheduleFields({ config, words: { t }, set, faultOf }: ScheduleProps) {
  const { segments } = useKnown();
  const segmentId = String(config["segmentId"] ?? "");
  return (
    <>
      <Field
        name="cron"
        label={t.form.cron}
        help={t.form.cronHelp}
        value={String(config["cron"] ?? "")}
        fault={faultOf("cron")}
        onChange={({ currentTarget: { value } }) => set({ ...config, cron: value }, "cron")}
      />
      <Field
        name="timezone"
        label={t.form.timezone}
        placeholder="UTC"
        value={String(config["timezone"] ?? "")}
        fault={faultOf("timezone")}
        onChange={({ currentTarget: { value } }) => {
          const { timezone: _, ...rest } = config;
          set(value === "" ? rest : { ...rest, timezone: value }, "timezone");
        }}
      />
      <Select
        name="segmentId"
        label={t.form.segment}
        value={segmentId}
        options={[
          ...(segmentId === "" ? [{ id: "", name: t.form.chooseSegment }] : []),
          ...segments.map(({ id, name }) => ({ id, name })),
        ]}
        onChange={(id) => set({ ...config, segmentId: id })}
      />
    </>
  );
}
