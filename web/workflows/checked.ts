// What the server says of a drawing that is not saved: its faults, by step. Asked whenever the drawing has come to
// rest.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, Fault as Refused, unwrap } from "../api.ts";
import type { components } from "../api.gen.ts";
import { useTexts } from "../language.ts";
import { refusalsTexts } from "../texts/refusals.ts";
import { bodyOf, type Drawing } from "./drawing.ts";

type Answer = components["schemas"]["WorkflowFaults"];
/** It keeps the workflow from nothing. */
type Risk = Answer["risks"][number];

export type Checked = {
  /** By step; of the trigger and the whole at the trigger. */
  readonly byStep: ReadonlyMap<string, readonly string[]>;
  /** Of a step, but for what stands at its fields. */
  readonly besides: (step: string) => readonly string[];
  /** Of a field of a step's configuration, or of the trigger's. */
  readonly faultOf: (step: string, field: string) => string | undefined;
  /** It may not be saved so. */
  readonly isFaulty: boolean;
  /** It may not be turned on so. */
  readonly isLacking: boolean;
};

const PAUSE_MS = 300;
/** Those that forms show where they are. */
const AT_FIELDS =
  /^(steps\.\d+\.(name|config\.(templateId|to|amount|eventName|timeout|field|value|operator|branches\.\d+\.(value|operator)|data|data\..*|condition\.groups\..*|reason|url|body))|(triggerConfig\.)?(eventName|cron|timezone)|entryKey)$/;

export function useRested<Value>(value: Value, pauseMs = PAUSE_MS): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setRested, pauseMs, value);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return rested;
}

/** What has not even the form of a workflow is refused, and told in the same way. */
async function checkOf(id: string, drawing: Drawing): Promise<Answer> {
  const asked = { params: { path: { id } }, body: bodyOf(drawing) as never };
  try {
    return await unwrap(api.POST("/workflows/{id}/check", asked));
  } catch (error) {
    if (!(error instanceof Refused) || error.errors.length === 0) throw error;
    const faults = error.errors.map(({ field, message, code = "" }) => ({
      field,
      message,
      code,
      canSave: false,
      ref: drawing.steps[Number(/^steps\.(\d+)/.exec(field)?.[1])]?.ref ?? null,
    }));
    return { faults, risks: [] };
  }
}

export function useChecked(id: string, drawing: Drawing): Checked {
  const rested = useRested(drawing);
  const { fields } = useTexts(refusalsTexts);
  const body = bodyOf(rested);
  const { data } = useQuery({
    queryKey: ["workflow check", id, JSON.stringify(body)],
    queryFn: async () => ({ ...(await checkOf(id, rested)), drawing: rested }),
    staleTime: Infinity,
    gcTime: 0,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  const faults = data?.faults ?? [];
  const said = ({ field, code, message }: Risk) =>
    fields[`${field.replace(/\d+\./g, "")}.${code}`] ?? fields[code] ?? message;
  const trigger = drawing.steps.find(({ type }) => type === "TRIGGER")?.ref ?? "";
  const groups = Map.groupBy<string, Risk>([...faults, ...(data?.risks ?? [])], ({ ref }) => ref ?? trigger);
  return {
    byStep: new Map([...groups].map(([ref, some]) => [ref, some.map(said)])),
    besides: (step) => (groups.get(step) ?? []).filter(({ field }) => !AT_FIELDS.test(field)).map(said),
    faultOf: (step, field) => {
      const at = data?.drawing.steps.findIndex(({ ref }) => ref === step);
      const paths =
        step === trigger
          ? [`triggerConfig.${field}`, field]
          : [`steps.${at}.config${field && `.${field}`}`, `steps.${at}.${field}`];
      const fault = faults.find((one) => paths.includes(one.field));
      return fault && said(fault);
    },
    isFaulty: faults.some(({ canSave }) => !canSave),
    isLacking: faults.length > 0,
  };
}
