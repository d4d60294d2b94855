// The parts of a workflow: a trigger, steps, and transitions between them.
import type { Labels } from "../../../base/labels.ts";
import type { Comparison } from "../../../audience/comparisons/comparison.ts";
import type { Condition } from "../../../audience/segments/condition/check.ts";
import type { Unit } from "../../../audience/segments/condition/filter.ts";

/** Compares one field. */
export type ConditionComparison =
  | (Comparison & { readonly mode?: "binary"; readonly field: string })
  | {
      readonly mode: "multi";
      readonly field: string;
      /** `name` is for people. */
      readonly branches: readonly (Comparison & { readonly id: string; readonly name?: string | null })[];
    };

/** A condition on the contact, as of a segment. */
export type ContactCondition = { readonly mode?: never; readonly condition: Condition };

export type ConditionConfig = ConditionComparison | ContactCondition;

export function isAsking(config: ConditionConfig): config is ContactCondition {
  return "condition" in config;
}

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export type WebhookConfig = {
  readonly url: string;
  readonly method: (typeof METHODS)[number];
  readonly headers?: Readonly<Record<string, string>>;
  /** Any JSON; undefined = the default payload. */
  readonly body?: unknown;
  readonly onFailure?: "continue" | "stop";
};

export type Configs = {
  readonly TRIGGER: Readonly<Record<string, never>>;
  readonly SEND_EMAIL: Partial<Labels> & {
    readonly templateId: string;
    readonly to?: string;
    /** The key of its topic; undefined = that of the template. */
    readonly topic?: string;
  };
  readonly DELAY: { readonly amount: number; readonly unit: Unit };
  readonly WAIT_FOR_EVENT: { readonly eventName: string; /** Seconds. */ readonly timeout?: number };
  readonly CONDITION: ConditionConfig;
  readonly UPDATE_CONTACT: { readonly data?: Readonly<Record<string, unknown>>; readonly subscribed?: boolean };
  readonly WEBHOOK: WebhookConfig;
  readonly EXIT: { readonly reason?: string };
};

export type StepType = keyof Configs;

export const STEP_TYPES: readonly StepType[] = [
  "TRIGGER",
  "SEND_EMAIL",
  "DELAY",
  "WAIT_FOR_EVENT",
  "CONDITION",
  "UPDATE_CONTACT",
  "WEBHOOK",
  "EXIT",
];

export const TRIGGER_TYPES = ["EVENT", "MANUAL", "SCHEDULE"] as const;
export type TriggerType = (typeof TRIGGER_TYPES)[number];

/** When a schedule fires: a cron expression of five parts, in UTC unless a time zone is given. */
export type CronTimes = { readonly cron: string; readonly timezone?: string };
export type ScheduleConfig = CronTimes & { readonly segmentId: string };

export type Trigger =
  | { readonly type: "EVENT"; readonly config: { readonly eventName: string } }
  | { readonly type: "MANUAL"; readonly config: Readonly<Record<string, never>> }
  | { readonly type: "SCHEDULE"; readonly config: ScheduleConfig };

/** A contact enters once, again after each end, or with each event. */
export const REENTRIES = ["never", "after-end", "always"] as const;
export type Reentry = (typeof REENTRIES)[number];

export type ReentryRule = {
  readonly reentry: Reentry;
  /**
   * With `always`: a template; each key has one running execution per contact, whose waits take events with that key.
   * Null = none.
   */
  readonly entryKey: string | null;
};

/** A field that was written in another spelling (spelling.ts). */
export type SpellingField = "recipient" | "updates" | "subscriptionAction" | "workflow";

/** `id` is the public one. */
export type StepOf<Type extends StepType> = {
  readonly id: string;
  readonly type: Type;
  readonly name: string;
  readonly config: Configs[Type];
  /** The fields of the configuration in another spelling; absent = none. */
  readonly spelling?: readonly SpellingField[];
};
export type WorkflowStep = { readonly [Type in StepType]: StepOf<Type> }[StepType];

/** `branch` null: taken for every branch that no other transition names. */
export type Transition = { readonly from: string; readonly to: string; readonly branch: string | null };

export type Definition = { readonly steps: readonly WorkflowStep[]; readonly transitions: readonly Transition[] };

/** The branches by which a step can be left; none = one transition at most. */
export function branchesOf({ type, config }: WorkflowStep): readonly string[] {
  if (type === "WAIT_FOR_EVENT") return ["event", "timeout"];
  if (type !== "CONDITION") return [];
  return config.mode === "multi" ? [...config.branches.map(({ id }) => id), "default"] : ["yes", "no"];
}

/**
 * The branches that lead to the next step unless transitions override it: the main one by its name, `yes`, `event` or
 * the first, and every other one by null, so that a transition that names one takes it over.
 */
export function branchesOnward(step: WorkflowStep): readonly (string | null)[] {
  return [...branchesOf(step).slice(0, 1), null];
}

/** The step after `from` when it is left by `branch`, or null if the workflow ends there. */
export function stepAfter(
  { steps, transitions }: Definition,
  from: string,
  branch: string | null,
): WorkflowStep | null {
  const leaving = transitions.filter((transition) => transition.from === from);
  const named = leaving.find((one) => branch !== null && one.branch === branch);
  const taken = named ?? leaving.find((one) => one.branch === null);
  return steps.find(({ id }) => id === taken?.to) ?? null;
}

export function triggerStepOf({ steps }: Definition): WorkflowStep {
  return steps.find(({ type }) => type === "TRIGGER") as WorkflowStep;
}
