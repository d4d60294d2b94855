// What a workflow is made of: steps, and transitions between them (interface-gaps.md §6).
import type { Comparison } from "../comparisons/comparison.ts";
import type { Unit } from "../segments/filter.ts";

export type ConditionConfig =
  | (Comparison & { readonly mode?: "binary"; readonly field: string })
  | {
      readonly mode: "multi";
      readonly field: string;
      /** `name` is for people. */
      readonly branches: readonly (Comparison & { readonly id: string; readonly name?: string | null })[];
    };

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
  readonly SEND_EMAIL: { readonly templateId: string; readonly to?: string };
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

export type Trigger = { readonly type: TriggerType; readonly config: Readonly<Record<string, unknown>> };

/** `id` is the public one. */
export type Step = {
  readonly [Type in StepType]: {
    readonly id: string;
    readonly type: Type;
    readonly name: string;
    readonly config: Configs[Type];
  };
}[StepType];

/** `branch` null: taken whatever the step has decided, unless another transition names that. */
export type Transition = { readonly from: string; readonly to: string; readonly branch: string | null };

export type Definition = { readonly steps: readonly Step[]; readonly transitions: readonly Transition[] };

/** The branches by which a step can be left; none = there is only one way. */
export function branchesOf(step: Pick<Step, "type" | "config">): readonly string[] {
  if (step.type === "WAIT_FOR_EVENT") return ["event", "timeout"];
  if (step.type !== "CONDITION") return [];
  const config = step.config as ConditionConfig;
  return config.mode === "multi" ? [...config.branches.map(({ id }) => id), "default"] : ["yes", "no"];
}

/** The branch by which a step is linked to the next unless a transition says otherwise: `yes`, `event`, the first; null without branches. */
export function mainBranchOf(step: Pick<Step, "type" | "config">): string | null {
  return branchesOf(step)[0] ?? null;
}

/** The step after `from` when it is left by `branch`, or null if the workflow ends there. */
export function stepAfter({ steps, transitions }: Definition, from: string, branch: string | null): Step | null {
  const ways = transitions.filter((transition) => transition.from === from);
  const way = ways.find((one) => branch !== null && one.branch === branch) ?? ways.find((one) => one.branch === null);
  return steps.find(({ id }) => id === way?.to) ?? null;
}
