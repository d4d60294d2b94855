// Whether steps and transitions make a workflow (interface-gaps.md §6 "An enabled workflow is validated whole").
import type { FieldError } from "../errors.ts";
import { branchesOf, type Definition, type Step, type Transition } from "./definition.ts";

/** What can never be, also in a draft: a circle, a way into the trigger, a branch that is none or is taken twice. */
export function shapeFaults({ steps, transitions }: Definition): FieldError[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const faults = transitions.flatMap((transition, at) => {
    const fault = faultOf(transition, transitions.slice(0, at), byId);
    return fault ? [{ ...fault, field: `transitions.${at}.${fault.field}` }] : [];
  });
  if (faults.length > 0) return faults;
  const circle = transitions.findIndex(({ from, to }) => reachableFrom(to, transitions).has(from));
  if (circle === -1) return [];
  return [{ field: `transitions.${circle}.toStepId`, message: "The steps lead round in a circle.", code: "circle" }];
}

function faultOf(
  { from, to, branch }: Transition,
  earlier: readonly Transition[],
  steps: ReadonlyMap<string, Step>,
): FieldError | null {
  const source = steps.get(from) as Step;
  if (steps.get(to)?.type === "TRIGGER")
    return { field: "toStepId", message: "Nothing leads to the trigger.", code: "invalid" };
  if (source.type === "EXIT")
    return { field: "fromStepId", message: "The workflow ends with this step.", code: "invalid" };
  const branches = branchesOf(source);
  if (branch !== null && !branches.includes(branch)) {
    const known = branches.length === 0 ? "The step has no branches." : `The step's branches: ${branches.join(", ")}.`;
    return { field: "condition.branch", message: known, code: "unknown_branch" };
  }
  if (!earlier.some((other) => other.from === from && other.branch === branch)) return null;
  const message =
    branch === null ? "The step leads somewhere already." : `The branch ${branch} leads somewhere already.`;
  return { field: branch === null ? "fromStepId" : "condition.branch", message, code: "duplicate" };
}

/** What an enabled workflow must not have: a second trigger, or steps that nothing leads to. */
export function wholeFaults({ steps, transitions }: Definition): FieldError[] {
  const triggers = steps.filter(({ type }) => type === "TRIGGER");
  const [trigger] = triggers;
  if (!trigger || triggers.length > 1)
    return [{ field: "steps", message: "An enabled workflow has exactly one TRIGGER.", code: "invalid" }];
  const reached = reachableFrom(trigger.id, transitions);
  return steps.flatMap(({ id, name }, at) =>
    reached.has(id)
      ? []
      : [{ field: `steps.${at}`, message: `Nothing leads to the step "${name}".`, code: "unreachable" }],
  );
}

/** A step and all that can come after it. */
function reachableFrom(start: string, transitions: readonly Transition[]): ReadonlySet<string> {
  const reached = new Set([start]);
  // A set that grows while it is walked is walked to its end.
  for (const id of reached) {
    for (const { from, to } of transitions) if (from === id) reached.add(to);
  }
  return reached;
}
