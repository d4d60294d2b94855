// A workflow in the editor: steps by ref, transitions, trigger. Immutable; each edit returns a new drawing.
import type { Schemas } from "../calls/schemas.ts";

export type Workflow = Schemas["WorkflowWithSteps"];
export type StepType = Workflow["steps"][number]["type"];
export type Config = Readonly<Record<string, unknown>>;

export type DrawnStep = {
  /** The id of a saved step, or a temporary one. */
  readonly ref: string;
  readonly type: StepType;
  readonly name: string;
  readonly config: Config;
};

/** `branch`: null = all branches without a transition of their own. */
export type Transition = { readonly from: string; readonly to: string; readonly branch: string | null };
/** An exit of a step, connected or not. */
export type Exit = Pick<Transition, "from" | "branch">;

export type Trigger = {
  readonly type: Workflow["triggerType"];
  readonly config: Config;
  /** The settings of the other types, in case the type is chosen again. */
  readonly others?: Readonly<Partial<Record<Workflow["triggerType"], Config>>>;
};

export type Drawing = {
  readonly trigger: Trigger;
  readonly reentry: Workflow["reentry"];
  /** With `always`: at most one running execution per person and key. */
  readonly entryKey: string | null;
  readonly steps: readonly DrawnStep[];
  readonly transitions: readonly Transition[];
};

type WorkflowRecord = Pick<Schemas["WorkflowVersion"], "transitions"> & {
  readonly steps: readonly { id: string; type: StepType; name: string; config: unknown }[];
};

export function stepsAndTransitions({ steps, transitions }: WorkflowRecord): Pick<Drawing, "steps" | "transitions"> {
  return {
    steps: steps.map(({ id, type, name, config }) => ({
      ref: id,
      type,
      name,
      config: type === "TRIGGER" ? {} : plain(config as Config),
    })),
    transitions: transitions.map(({ fromStepId: from, toStepId: to, condition }) => ({
      from,
      to,
      branch: condition?.branch ?? null,
    })),
  };
}

const ACTIONS: Readonly<Record<string, boolean | undefined>> = { subscribe: true, unsubscribe: false };

/** Saved steps may have older spellings of their fields (docs/workflows.md, "Transitions"): here each field has one. */
function plain({ recipient, updates, subscriptionAction, ...config }: Config): Config {
  const to = (recipient as { readonly customEmail?: string } | undefined)?.customEmail;
  const subscribed = ACTIONS[String(subscriptionAction)];
  const { field } = config;
  return {
    ...config,
    ...(typeof field === "string" ? { field: field.replace(/^workflow\./, "event.") } : {}),
    ...(to === undefined ? {} : { to }),
    ...(updates === undefined ? {} : { data: updates }),
    ...(subscribed === undefined ? {} : { subscribed }),
  };
}

export function drawingOf(workflow: Workflow): Drawing {
  const { triggerType: type, triggerConfig, reentry, entryKey } = workflow;
  return { trigger: { type, config: triggerConfig as Config }, reentry, entryKey, ...stepsAndTransitions(workflow) };
}

/** The steps in the body for the API. */
type BodyStep = Schemas["ReplaceWorkflowRequest"]["steps"][number];

export function bodyOf({ trigger, reentry, entryKey, steps, transitions }: Drawing) {
  return {
    triggerType: trigger.type,
    triggerConfig: trigger.config,
    reentry,
    entryKey,
    // Incomplete steps are sent as they are: the server names their faults.
    steps: steps.map(({ ref, type, name, config }) => ({
      ref,
      type,
      name,
      config,
    })) as (BodyStep & { readonly ref: string })[],
    transitions: transitions.map(({ from, to, branch }) => ({
      fromStepId: from,
      toStepId: to,
      condition: branch === null ? null : { branch },
    })),
  };
}

export function triggerOf({ steps }: Drawing): DrawnStep {
  return steps.find(({ type }) => type === "TRIGGER") as DrawnStep;
}

type Branch = { readonly id: string; readonly name?: string | null };

/** The branches of a step; none = at most one transition. */
export function branchesOf({ type, config }: DrawnStep): readonly string[] {
  if (type === "WAIT_FOR_EVENT") return ["event", "timeout"];
  if (type !== "CONDITION") return [];
  if (config["mode"] !== "multi") return ["yes", "no"];
  return [...((config["branches"] ?? []) as readonly Branch[]).map(({ id }) => id), "default"];
}

/** All exits of a step, in order. */
export function exitsOf(step: DrawnStep): readonly Exit[] {
  if (step.type === "EXIT") return [];
  const branches = branchesOf(step);
  return (branches.length === 0 ? [null] : branches).map((branch) => ({ from: step.ref, branch }));
}

/** The transition from an exit. */
export function transitionAt({ transitions }: Drawing, { from, branch }: Exit): Transition | undefined {
  const leaving = transitions.filter((transition) => transition.from === from);
  return (
    leaving.find((transition) => transition.branch === branch) ??
    leaving.find((transition) => transition.branch === null)
  );
}

export function openExits(drawing: Drawing): readonly Exit[] {
  return drawing.steps.flatMap(exitsOf).filter((exit) => !transitionAt(drawing, exit));
}

/** The steps in topological order; unreachable ones last. */
export function inOrder(drawing: Drawing): readonly DrawnStep[] {
  const listed = new Set<string>();
  const tell = (ref: string): void => {
    const step = drawing.steps.find((one) => one.ref === ref);
    if (!step || listed.has(ref)) return;
    const before = drawing.transitions.filter(({ to }) => to === ref);
    if (before.some(({ from }) => !listed.has(from) && isReached(drawing, from))) return;
    listed.add(ref);
    for (const exit of exitsOf(step)) tell(transitionAt(drawing, exit)?.to ?? "");
  };
  tell(triggerOf(drawing).ref);
  const rest = drawing.steps.filter(({ ref }) => !listed.has(ref));
  const byRef = new Map(drawing.steps.map((step) => [step.ref, step]));
  return [...[...listed].map((ref) => byRef.get(ref) as DrawnStep), ...rest];
}

/** Whether the step can be reached from the trigger. */
export function isReached(drawing: Drawing, ref: string): boolean {
  return withFollowing(drawing, triggerOf(drawing).ref).has(ref);
}

/** The step and all steps that can follow it. */
export function withFollowing({ transitions }: Drawing, ref: string): ReadonlySet<string> {
  const reached = new Set([ref]);
  for (const one of reached) for (const { from, to } of transitions) if (from === one) reached.add(to);
  return reached;
}
