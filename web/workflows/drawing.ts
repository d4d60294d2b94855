// A workflow as it is being drawn: steps by their refs, the ways between them, the trigger. Plain values; each edit
// makes a new drawing.
import type { components } from "../api.gen.ts";

type Schemas = components["schemas"];
export type Workflow = Schemas["WorkflowWithSteps"];
export type StepType = Workflow["steps"][number]["type"];
export type Config = Readonly<Record<string, unknown>>;

export type Step = {
  /** The id of a step that is saved. */
  readonly ref: string;
  readonly type: StepType;
  readonly name: string;
  readonly config: Config;
};

/** `branch` null: taken for every branch that no other way names. */
export type Way = { readonly from: string; readonly to: string; readonly branch: string | null };
/** Where a step is left, whether it leads anywhere or not. */
export type Exit = Pick<Way, "from" | "branch">;

export type Trigger = { readonly type: Workflow["triggerType"]; readonly config: Config };

export type Drawing = {
  readonly trigger: Trigger;
  readonly reentry: Workflow["reentry"];
  /** With `always`: one running execution of a person a key. */
  readonly entryKey: string | null;
  readonly steps: readonly Step[];
  readonly ways: readonly Way[];
};

type Stored = Pick<Schemas["WorkflowVersion"], "transitions"> & {
  readonly steps: readonly { id: string; type: StepType; name: string; config: unknown }[];
};

export function stepsAndWays({ steps, transitions }: Stored): Pick<Drawing, "steps" | "ways"> {
  return {
    steps: steps.map(({ id, type, name, config }) => ({
      ref: id,
      type,
      name,
      config: type === "TRIGGER" ? {} : plain(config as Config),
    })),
    ways: transitions.map(({ fromStepId: from, toStepId: to, condition }) => ({
      from,
      to,
      branch: condition?.branch ?? null,
    })),
  };
}

const ACTIONS: Readonly<Record<string, boolean | undefined>> = { subscribe: true, unsubscribe: false };

/**
 * Steps are answered in the spelling in which a client wrote them (docs/workflows.md, "Transitions"); here they have
 * one.
 */
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
  return { trigger: { type, config: triggerConfig as Config }, reentry, entryKey, ...stepsAndWays(workflow) };
}

/** As calls take it. */
export function bodyOf({ trigger, reentry, entryKey, steps, ways }: Drawing) {
  return {
    triggerType: trigger.type,
    triggerConfig: trigger.config,
    reentry,
    entryKey,
    steps: steps.map(({ ref, type, name, config }) => ({ ref, type, name, config })),
    transitions: ways.map(({ from, to, branch }) => ({
      fromStepId: from,
      toStepId: to,
      condition: branch === null ? null : { branch },
    })),
  };
}

export function triggerOf({ steps }: Drawing): Step {
  return steps.find(({ type }) => type === "TRIGGER") as Step;
}

type Branch = { readonly id: string; readonly name?: string | null };

/** The branches by which a step can be left; none = one way at most. */
export function branchesOf({ type, config }: Step): readonly string[] {
  if (type === "WAIT_FOR_EVENT") return ["event", "timeout"];
  if (type !== "CONDITION") return [];
  if (config["mode"] !== "multi") return ["yes", "no"];
  return [...((config["branches"] ?? []) as readonly Branch[]).map(({ id }) => id), "default"];
}

/** Every place at which a step can lead on, in order. */
export function exitsOf(step: Step): readonly Exit[] {
  if (step.type === "EXIT") return [];
  const branches = branchesOf(step);
  return (branches.length === 0 ? [null] : branches).map((branch) => ({ from: step.ref, branch }));
}

/** The way that is taken there. */
export function wayAt({ ways }: Drawing, { from, branch }: Exit): Way | undefined {
  const leaving = ways.filter((way) => way.from === from);
  return leaving.find((way) => way.branch === branch) ?? leaving.find((way) => way.branch === null);
}

export function openExits(drawing: Drawing): readonly Exit[] {
  return drawing.steps.flatMap(exitsOf).filter((exit) => !wayAt(drawing, exit));
}

/** The steps as one would tell them: each after those that lead to it, what nothing leads to at the end. */
export function inOrder(drawing: Drawing): readonly Step[] {
  const told = new Set<string>();
  const tell = (ref: string): void => {
    const step = drawing.steps.find((one) => one.ref === ref);
    if (!step || told.has(ref)) return;
    const before = drawing.ways.filter(({ to }) => to === ref);
    if (before.some(({ from }) => !told.has(from) && isReached(drawing, from))) return;
    told.add(ref);
    for (const exit of exitsOf(step)) tell(wayAt(drawing, exit)?.to ?? "");
  };
  tell(triggerOf(drawing).ref);
  const rest = drawing.steps.filter(({ ref }) => !told.has(ref));
  const byRef = new Map(drawing.steps.map((step) => [step.ref, step]));
  return [...[...told].map((ref) => byRef.get(ref) as Step), ...rest];
}

/** Whether anything leads there from the trigger. */
export function isReached(drawing: Drawing, ref: string): boolean {
  return following(drawing, triggerOf(drawing).ref).has(ref);
}

/** The step and all that can come after it. */
export function following({ ways }: Drawing, ref: string): ReadonlySet<string> {
  const reached = new Set([ref]);
  for (const one of reached) for (const { from, to } of ways) if (from === one) reached.add(to);
  return reached;
}
