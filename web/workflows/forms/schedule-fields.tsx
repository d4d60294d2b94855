// The schedule of a trigger: simple fields or a cron expression, with its time zone and next runs.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { call } from "../../calls/api.ts";
import { useFormats } from "../../base/formats.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox } from "../../parts/fields/checkbox.tsx";
import { Field, useDisabledFields } from "../../parts/fields/form.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { useDebounced } from "../../base/use-debounced.ts";
import { useWorkspaceZone } from "../../calls/zone.ts";
import { allZones, isKnownZone, ownZone } from "../../base/zones.ts";
import type { Trigger } from "../drawing.ts";
import type { StepNames } from "../describe-step.ts";
import { cronOf, scheduleOf, WEEK, type Schedule } from "../schedule.ts";
import { PAUSE_MS } from "../use-validation.ts";
import { useKnown } from "./known.ts";

type ScheduleProps = {
  readonly config: Trigger["config"];
  readonly words: StepNames;
  readonly set: (config: Trigger["config"], merge?: string) => void;
  readonly faultOf: (field: string) => string | undefined;
};

const REPEATS = ["day", "workday", "week", "month", "cron"] as const;
const MONDAY_AT_NINE = "0 9 * * 1";

/** `zone`: the workspace's; null = the form asks for it. */
export function firstSchedule(zone: string | null): Trigger["config"] {
  return { cron: MONDAY_AT_NINE, timezone: zone ?? "", segmentId: "" };
}

export function ScheduleFields({ config, words, set, faultOf }: ScheduleProps) {
  const { t } = words;
  const { segments } = useKnown();
  const segmentId = String(config["segmentId"] ?? "");
  const cron = String(config["cron"] ?? "");
  const zone = String(config["timezone"] ?? "UTC");
  const parsed = scheduleOf(cron);
  // The expert mode stays on even if simple fields could express the schedule.
  const [isExpert, setExpert] = useState(parsed === null);
  const schedule = isExpert ? null : parsed;
  const faultAt = (field: string, needed: string) => faultOf(field) && (config[field] === "" ? needed : faultOf(field));
  const setCron = (next: string) => set({ ...config, cron: next }, "cron");
  return (
    <>
      <Select
        name="repeat"
        label={t.form.repeats}
        value={schedule?.repeat ?? "cron"}
        options={REPEATS.map((id) => ({ id, name: t.form.repeat[id] }))}
        onChange={(id) => {
          setExpert(id === "cron");
          const from = parsed ?? (scheduleOf(MONDAY_AT_NINE) as Schedule);
          if (id !== "cron") setCron(cronOf({ ...from, repeat: id as Schedule["repeat"] }));
        }}
      />
      {schedule ? (
        <WordFields schedule={schedule} words={words} set={(next) => setCron(cronOf(next))} />
      ) : (
        <Field
          name="cron"
          label={t.form.cron}
          help={t.form.cronHelp}
          value={cron}
          fault={faultOf("cron")}
          onChange={({ currentTarget: { value } }) => setCron(value)}
        />
      )}
      <ZoneField
        zone={zone}
        words={words}
        fault={faultAt("timezone", t.form.needsZone)}
        set={(timezone) => set({ ...config, timezone }, "timezone")}
      />
      <NextRuns cron={cron} zone={zone} words={words} />
      <Select
        name="segmentId"
        label={t.form.segment}
        value={segmentId}
        options={[
          ...(segmentId === "" ? [{ id: "", name: t.form.chooseSegment }] : []),
          ...segments.map(({ id, name }) => ({ id, name })),
        ]}
        fault={faultAt("segmentId", t.form.needsSegment)}
        onChange={(id) => set({ ...config, segmentId: id })}
      />
    </>
  );
}

type WordProps = {
  readonly schedule: Schedule;
  readonly words: StepNames;
  readonly set: (schedule: Schedule) => void;
};

/** A month without that day has no run. */
const MONTH_DAYS = Array.from({ length: 31 }, (_, at) => at + 1);

function WordFields({ schedule, words: { t }, set }: WordProps) {
  const { repeat, time, weekdays, monthDay } = schedule;
  const disabledReason = useDisabledFields();
  return (
    <>
      {repeat === "week" && (
        <fieldset className="field weekdays">
          <legend className="label">{t.form.weekday}</legend>
          {WEEK.map((day) => {
            const isOn = weekdays.includes(day);
            return (
              <Checkbox
                key={day}
                checked={isOn}
                disabled={disabledReason !== undefined || (isOn && weekdays.length === 1)}
                onChange={() =>
                  set({ ...schedule, weekdays: isOn ? weekdays.filter((one) => one !== day) : [...weekdays, day] })
                }
              >
                {t.form.weekdays[day]}
              </Checkbox>
            );
          })}
        </fieldset>
      )}
      {repeat === "month" && (
        <Select
          name="monthDay"
          label={t.form.monthDay}
          value={String(monthDay)}
          options={[
            ...MONTH_DAYS.map((day) => ({ id: String(day), name: String(day) })),
            { id: "last", name: t.form.lastDay },
          ]}
          onChange={(id) => set({ ...schedule, monthDay: id === "last" ? "last" : Number(id) })}
        />
      )}
      <Field
        name="time"
        type="time"
        label={t.form.time}
        value={time}
        onChange={({ currentTarget: { value } }) => value !== "" && set({ ...schedule, time: value })}
      />
    </>
  );
}

type ZoneProps = {
  readonly zone: string;
  readonly words: StepNames;
  readonly fault: string | undefined;
  readonly set: (zone: string) => void;
};

/** Shows the workspace's zone; asks for another one, or if the workspace has none. */
function ZoneField({ zone, words: { t }, fault, set }: ZoneProps) {
  const list = useId();
  const workspaceZone = useWorkspaceZone();
  const disabledReason = useDisabledFields();
  const [isOpen, open] = useState(false);
  if (zone === workspaceZone && !isOpen)
    return (
      <div className="field">
        <span className="help">{t.form.inZone(zone)}</span>
        {disabledReason === undefined && (
          <span>
            <Button small onClick={() => open(true)}>
              {t.form.otherZone}
            </Button>
          </span>
        )}
      </div>
    );
  const offered = workspaceZone ?? ownZone();
  const use = () => {
    set(offered);
    open(false);
  };
  return (
    <div className="stack tight">
      <Field
        name="timezone"
        label={t.form.timezone}
        list={list}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        value={zone}
        fault={fault}
        onChange={({ currentTarget: { value } }) => set(value)}
      />
      <datalist id={list}>
        {allZones().map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {workspaceZone === null && (
        <span className="help">
          {t.form.noZone} <Link to="/settings/workspace">{t.form.setZone}</Link>
        </span>
      )}
      {workspaceZone !== undefined && offered !== zone && disabledReason === undefined && (
        <span>
          <Button small onClick={use}>
            {workspaceZone === null ? t.form.useZone(offered) : t.form.workspaceZone(offered)}
          </Button>
        </span>
      )}
    </div>
  );
}

type RunsProps = { readonly cron: string; readonly zone: string; readonly words: StepNames };

/** Renders nothing for an invalid schedule: the field shows its error. */
function NextRuns({ cron, zone, words: { t } }: RunsProps) {
  const { planned } = useFormats();
  const asked = useDebounced(JSON.stringify({ cron, timezone: zone }), PAUSE_MS);
  const { data } = useQuery({
    queryKey: ["workflow schedule", asked],
    queryFn: () => call("POST /workflows/next-runs", { body: JSON.parse(asked) }),
    enabled: cron !== "" && zone !== "",
    gcTime: 0,
    placeholderData: keepPreviousData,
    throwOnError: false,
    retry: false,
  });
  if (!data || zone === "" || !isKnownZone(data.timezone)) return null;
  return (
    <section className="field" aria-label={t.form.nextRuns}>
      <span className="label">
        {t.form.nextRuns} <span>{data.timezone}</span>
      </span>
      <ul className="next-runs">
        {data.nextRuns.map((at) => (
          <li key={at}>
            <time dateTime={at}>{planned(new Date(at), data.timezone)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}
