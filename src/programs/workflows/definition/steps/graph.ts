// Validates the graph of steps and transitions.
import type { FieldError } from "../../../../base/errors.ts";
import { branchesOf, triggerStepOf, type Definition, type WorkflowStep, type Transition } from "../definition.ts";

/**
 * Faults that not even a draft may have: a second trigger, a transition to the trigger, a circle, an unknown branch, a
 * branch taken twice.
 */
export function shapeFaults({ steps, transitions }: Definition): FieldError[] {
  const second = steps.findLastIndex(({ type }) => type === "TRIGGER");
  if (second > steps.findIndex(({ type }) => type === "TRIGGER"))
    return [{ field: `steps.${second}.type`, message: "A workflow has one TRIGGER.", code: "duplicate" }];
  const byId = new Map(steps.map((step) => [step.id, step]));
  const taken = new Set<string>();
  const faults = transitions.flatMap((transition, at) => {
    const fault = faultOf(transition, taken, byId);
    taken.add(exitOf(transition));
    return fault ? [{ ...fault, field: `transitions.${at}.${fault.field}` }] : [];
  });
  if (faults.length > 0) return faults;
  const leaving = byStart(transitions);
  const following = new Map(steps.map(({ id }) => [id, reachableFrom(id, leaving)]));
  const circle = transitions.findIndex(({ from, to }) => following.get(to)?.has(from));
  if (circle === -1) return [];
  return [{ field: `transitions.${circle}.toStepId`, message: "The steps form a circle.", code: "circle" }];
}

function exitOf({ from, branch }: Transition): string {
  return JSON.stringify([from, branch]);
}

function faultOf(
  transition: Transition,
  taken: ReadonlySet<string>,
  steps: ReadonlyMap<string, WorkflowStep>,
): FieldError | null {
  const { from, to, branch } = transition;
  const source = steps.get(from) as WorkflowStep;
  if (steps.get(to)?.type === "TRIGGER")
    return { field: "toStepId", message: "Nothing leads to the trigger.", code: "invalid" };
  if (source.type === "EXIT")
    return { field: "fromStepId", message: "The workflow ends with this step.", code: "invalid" };
  const branches = branchesOf(source);
  if (branch !== null && !branches.includes(branch)) {
    const known = branches.length === 0 ? "The step has no branches." : `The step's branches: ${branches.join(", ")}.`;
    return { field: "condition.branch", message: known, code: "unknown_branch" };
  }
  if (!taken.has(exitOf(transition))) return null;
  const message =
    branch === null ? "The step leads somewhere already." : `The branch ${branch} leads somewhere already.`;
  return { field: branch === null ? "fromStepId" : "condition.branch", message, code: "duplicate" };
}

/** Faults that only an enabled workflow must not have: unreachable steps. */
export function reachFaults(definition: Definition): FieldError[] {
  const { steps, transitions } = definition;
  const reached = reachableFrom(triggerStepOf(definition).id, byStart(transitions));
  return steps.flatMap(({ id, name }, at) =>
    reached.has(id)
      ? []
      : [{ field: `steps.${at}`, message: `Nothing leads to the step "${name}".`, code: "unreachable" }],
  );
}

/**
 * Faults that only an enabled workflow must not have: a condition that leads on by its first branches, without a
 * transition for the others.
 */
export function branchFaults({ steps, transitions }: Definition): FieldError[] {
  const leaving = byStart(transitions);
  return steps.flatMap((step, at) => {
    const branches = (leaving.get(step.id) ?? []).map(({ branch }) => branch);
    const otherwise = step.type === "CONDITION" ? branchesOf(step).at(-1) : undefined;
    if (otherwise === undefined || branches.length === 0) return [];
    if (branches.includes(otherwise) || branches.includes(null)) return [];
    const message = `Nothing follows the branch ${otherwise} of "${step.name}": lead it to a step, such as an EXIT.`;
    return [{ field: `steps.${at}`, message, code: "missing_branch" }];
  });
}

type TransitionsByStart = ReadonlyMap<string, readonly Transition[]>;

function byStart(transitions: readonly Transition[]): TransitionsByStart {
  return Map.groupBy(transitions, ({ from }) => from);
}

/** A step and all that can come after it. */
function reachableFrom(start: string, leaving: TransitionsByStart): ReadonlySet<string> {
  const reached = new Set([start]);
  // A set that grows while it is walked is walked to its end.
  for (const id of reached) {
    for (const { to } of leaving.get(id) ?? []) reached.add(to);
  }
  return reached;
}
