// A drawing of a workflow: its steps and transitions as a request has them, checked as a whole before anything is
// written.
import { AppError, type FieldError } from "../../../base/errors.ts";
import { templateSent } from "../../../content/templates/sent.ts";
import type { Reader } from "../../../store/store.ts";
import type { Configs, Definition, WorkflowStep, Transition } from "./definition.ts";
import { branchFaults, reachFaults, shapeFaults } from "./steps/graph.ts";
import { unmasked } from "./steps/masked-headers.ts";
import { segmentsNamedBy } from "./steps/named-segments.ts";
import type { StoredStep } from "./steps/step-queries.ts";
import { branchIn, readConfig, type TransitionInput } from "./steps/step-config.ts";
import type { StepInput } from "./steps/step-fields.ts";
import { refuseTooMuchCode } from "./texts.ts";
import { refuseClosedPort } from "./steps/webhook-config.ts";

/** `ref`: the name of the step in transitions of the same request. */
export type NamedStep = StepInput & { readonly ref?: string | null };

export type WorkflowDrawing = {
  readonly steps: readonly NamedStep[];
  readonly transitions: readonly TransitionInput[];
};

export type WorkflowDraft = Definition & {
  /** Faults that keep it from being saved. */
  readonly faults: readonly FieldError[];
  /** Gaps to fill before it is enabled. */
  readonly lacks: readonly FieldError[];
};

type DraftOptions = {
  readonly workspace: number;
  readonly webhookAllow: readonly string[];
  /** The stored steps, which a `ref` may name. */
  readonly stored: readonly StoredStep[];
};

/** Steps are called by their `ref`, and a trigger that is left out is `trigger`. Fields are paths in the request. */
export async function readDraft(reader: Reader, terms: DraftOptions, drawing: WorkflowDrawing): Promise<WorkflowDraft> {
  const faults: FieldError[] = [...(await faultsOf(async () => refuseTooMuchCode(drawing.steps)))];
  const lacks: FieldError[] = [];
  const steps: WorkflowStep[] = [];
  for (const [at, input] of drawing.steps.entries()) {
    const read = await readStep(reader, terms, input, at);
    faults.push(...read.faults);
    lacks.push(...read.lacks);
    steps.push(read.step);
  }
  if (!steps.some(({ type }) => type === "TRIGGER")) steps.push(TRIGGER);
  const ways = transitionsIn(drawing.transitions, steps);
  const definition = { steps, transitions: ways.transitions };
  faults.push(...ways.faults, ...shapeFaults(definition).map((fault) => placed(fault, ways.places)));
  // With a circle or a second trigger no further fault can be told.
  if (faults.length === 0) lacks.push(...reachFaults(definition), ...branchFaults(definition));
  return { ...definition, faults, lacks };
}

const TRIGGER: WorkflowStep = { id: "trigger", type: "TRIGGER", name: "Trigger", config: {} };

type ReadStep = {
  readonly step: WorkflowStep;
  readonly faults: readonly FieldError[];
  readonly lacks: readonly FieldError[];
};

async function readStep(reader: Reader, terms: DraftOptions, input: NamedStep, at: number): Promise<ReadStep> {
  const { type, name, ref, templateId } = input;
  const own = terms.stored.find(({ id }) => id === ref)?.config ?? null;
  const given = unmasked(type, { ...(templateId ? { templateId } : {}), ...input.config }, own);
  const path = `steps.${at}.config`;
  const unchecked = uncheckedStep(ref ?? `step ${at}`, { type, name, config: given });
  let config: object = unchecked.config;
  const faults = await faultsOf(async () => {
    config = readConfig(type, given, path);
    refuseClosedPort({ type, config }, `steps.${at}.`, terms.webhookAllow);
    await segmentsNamedBy(reader, terms.workspace, { type, config }, path);
  });
  const step = { ...unchecked, config } as WorkflowStep;
  if (type !== "SEND_EMAIL" || faults.length > 0) return { step, faults, lacks: [] };
  const template = await templateSent(reader, terms.workspace, (config as Configs["SEND_EMAIL"]).templateId);
  const field = `${path}.templateId`;
  if (!template)
    return { step, faults: [{ field, message: "There is no such template.", code: "not_found" }], lacks: [] };
  const sender = { field, message: "The template needs a from address.", code: "required" };
  return { step, faults, lacks: template.fromAddress ? [] : [sender] };
}

/** So that the transitions from a step can be checked whose configuration is not checked yet, or has a fault. */
export function uncheckedStep(id: string, { type, name, config: given }: StepInput): WorkflowStep {
  const config = given ?? {};
  if (type !== "CONDITION" || config["mode"] !== "multi") return { id, type, name, config } as WorkflowStep;
  const branches = Array.isArray(config["branches"]) ? (config["branches"] as readonly unknown[]) : [];
  return { id, type, name, config: { mode: "multi", field: "", branches: branches.filter(hasId) } } as WorkflowStep;
}

function hasId(branch: unknown): boolean {
  return typeof branch === "object" && branch !== null && "id" in branch && typeof branch.id === "string";
}

async function faultsOf(read: () => Promise<void>): Promise<readonly FieldError[]> {
  try {
    await read();
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.errors) throw error;
    return error.details.errors;
  }
}

type TransitionCheck = {
  readonly transitions: readonly Transition[];
  /** The place of each in the request. */
  readonly places: readonly number[];
  readonly faults: readonly FieldError[];
};

/** Transitions between steps, by their names in the request. */
export function transitionsIn(
  transitions: WorkflowDrawing["transitions"],
  steps: readonly WorkflowStep[],
): TransitionCheck {
  const names = steps.map(({ id }) => id);
  const twice = names.filter((name, at) => names.indexOf(name) < at);
  const faults = twice.map((ref) => ({ field: "steps", message: `Two steps are called "${ref}".`, code: "duplicate" }));
  const trigger = steps.find(({ type }) => type === "TRIGGER")?.id ?? "";
  const idOf = (ref: string): string => (ref === "trigger" && !names.includes(ref) ? trigger : ref);
  const places: number[] = [];
  const known = transitions.flatMap((one, at) => {
    const ends = { from: idOf(one.fromStepId), to: idOf(one.toStepId) };
    const missing = (["from", "to"] as const).filter((end) => !names.includes(ends[end]));
    for (const end of missing)
      faults.push({
        field: `transitions.${at}.${end}StepId`,
        message: `No step is called "${ends[end]}".`,
        code: "unknown_step",
      });
    if (missing.length > 0) return [];
    places.push(at);
    return [{ ...ends, branch: branchIn(one) }];
  });
  return { transitions: known, places, faults };
}

/** Moves a fault of the transitions between known steps to its place among all. */
function placed(fault: FieldError, places: readonly number[]): FieldError {
  const field = fault.field.replace(/^transitions\.(\d+)/, (_, at: string) => `transitions.${places[Number(at)]}`);
  return { ...fault, field };
}

/** The step, by its ref, that a fault is about; for a transition the one where it begins. Null = the workflow. */
export function stepAt({ field }: FieldError, drawing: WorkflowDrawing): string | null {
  const [place, at] = field.split(".");
  if (place === "steps" && at !== undefined) return drawing.steps[Number(at)]?.ref ?? null;
  if (place === "transitions" && at !== undefined) return drawing.transitions[Number(at)]?.fromStepId ?? null;
  return null;
}
