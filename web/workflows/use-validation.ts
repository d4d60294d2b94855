// Validates an unsaved drawing on the server once editing pauses; faults by step.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call, Fault as Refused } from "../calls/api.ts";
import type { components } from "../api.gen.ts";
import { useTexts } from "../base/language.ts";
import { refusalsTexts } from "../texts/refusals.ts";
import { useDebounced } from "../base/use-debounced.ts";
import { bodyOf, type Drawing } from "./drawing.ts";

type WorkflowFaults = components["schemas"]["WorkflowFaults"];
/** A warning; it does not prevent saving. */
type Risk = WorkflowFaults["risks"][number];

export type Validation = {
  /** By step. Faults of the trigger or of the whole workflow are at the trigger. */
  readonly byStep: ReadonlyMap<string, readonly string[]>;
  /** Faults of a step without a field. */
  readonly besides: (step: string) => readonly string[];
  /** The fault of a field; for `body.*`, the first fault inside. */
  readonly faultOf: (step: string, field: string) => string | undefined;
  /** The workflow cannot be saved. */
  readonly isFaulty: boolean;
  /** The workflow cannot be turned on. */
  readonly isLacking: boolean;
};

export const PAUSE_MS = 300;
/** Faults that forms show beside their field. */
const AT_FIELDS =
  /^(steps\.\d+\.(name|config\.(templateId|to|tags|tags\.\d+|metadata|metadata\..*|amount|eventName|timeout|field|value|operator|branches\.\d+\.(value|operator)|data|data\..*|condition\.groups\..*|reason|url|headers|headers\..*|body|body\..*))|(triggerConfig\.)?(eventName|cron|timezone|segmentId)|entryKey)$/;

/** A body that is not a workflow is refused (4xx); its faults are shown in the same way. */
async function validate(id: string, drawing: Drawing): Promise<WorkflowFaults> {
  try {
    return await call("POST /workflows/{id}/check", { id, body: bodyOf(drawing) });
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

function isAt(path: string, field: string): boolean {
  return path.endsWith(".*") ? field.startsWith(path.slice(0, -1)) : path === field;
}

export function useValidation(id: string, drawing: Drawing): Validation {
  const debounced = useDebounced(drawing, PAUSE_MS);
  const { fields } = useTexts(refusalsTexts);
  const body = bodyOf(debounced);
  const { data } = useQuery({
    queryKey: ["workflow check", id, JSON.stringify(body)],
    queryFn: async () => ({ ...(await validate(id, debounced)), drawing: debounced }),
    staleTime: Infinity,
    gcTime: 0,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  const faults = data?.faults ?? [];
  const messageOf = ({ field, code, message }: Risk) =>
    fields[`${field.replace(/\d+\./g, "")}.${code}`] ?? fields[code] ?? message;
  const trigger = drawing.steps.find(({ type }) => type === "TRIGGER")?.ref ?? "";
  const groups = Map.groupBy<string, Risk>([...faults, ...(data?.risks ?? [])], ({ ref }) => ref ?? trigger);
  return {
    byStep: new Map([...groups].map(([ref, some]) => [ref, some.map(messageOf)])),
    besides: (step) => (groups.get(step) ?? []).filter(({ field }) => !AT_FIELDS.test(field)).map(messageOf),
    faultOf: (step, field) => {
      const at = data?.drawing.steps.findIndex(({ ref }) => ref === step);
      const paths =
        step === trigger
          ? [`triggerConfig.${field}`, field]
          : [`steps.${at}.config${field && `.${field}`}`, `steps.${at}.${field}`];
      const fault = faults.find((one) => paths.some((path) => isAt(path, one.field)));
      return fault && messageOf(fault);
    },
    isFaulty: faults.some(({ canSave }) => !canSave),
    isLacking: faults.length > 0,
  };
}

/** Events that a step waits for, that have never happened, and that no form will emit. */
export async function silentEvents(id: string, drawing: Drawing): Promise<readonly string[]> {
  const { risks } = await validate(id, drawing);
  return risks.flatMap(({ code, ref }) => (code === "never_happened" ? (eventAt(drawing, ref) ?? []) : []));
}

/** `ref`: null = the trigger. */
function eventAt({ steps, trigger }: Drawing, ref: string | null): string | undefined {
  const step = steps.find((one) => one.ref === ref);
  const config: Readonly<Record<string, unknown>> = (step && step.type !== "TRIGGER" ? step : trigger).config;
  return typeof config["eventName"] === "string" ? config["eventName"] : undefined;
}
