// Edits of a drawing. Removing a step with a single target joins its neighbours.
import {
  branchesOf,
  exitsOf,
  withFollowing,
  transitionAt,
  type Config,
  type Drawing,
  type Exit,
  type DrawnStep,
  type StepType,
} from "./drawing.ts";

/** The defaults of a new step. */
const FIRST: Readonly<Record<Exclude<StepType, "TRIGGER">, Config>> = {
  SEND_EMAIL: {},
  DELAY: { amount: 1, unit: "days" },
  WAIT_FOR_EVENT: { eventName: "", timeout: 259_200 },
  CONDITION: { field: "", operator: "equals", value: "" },
  UPDATE_CONTACT: { data: {} },
  WEBHOOK: { url: "" },
  EXIT: {},
};

export type NewStep = Pick<DrawnStep, "name"> & { readonly type: Exclude<StepType, "TRIGGER"> };

export const MAX_STEPS = 100;

/** The ref is temporary until the server assigns an id. */
export function newStep({ type, name }: NewStep): DrawnStep {
  return { ref: crypto.randomUUID(), type, name, config: FIRST[type] };
}

/** Inserts a step at an exit. */
export function insert(drawing: Drawing, exit: Exit, step: DrawnStep): Drawing {
  const next = transitionAt(drawing, exit);
  const [onward] = exitsOf(step);
  const placed = connect({ ...drawing, steps: [...drawing.steps, step] }, exit, step.ref);
  return next && onward ? { ...placed, transitions: [...placed.transitions, { ...onward, to: next.to }] } : placed;
}

/** Connects an exit; null = the workflow ends there. */
export function connect(drawing: Drawing, { from, branch }: Exit, to: string | null): Drawing {
  const catchAll = drawing.transitions.find((transition) => transition.from === from && transition.branch === null);
  const others = drawing.transitions.filter(
    (transition) => transition.from !== from || (transition.branch !== branch && transition !== catchAll),
  );
  // A transition for all branches is split into one per branch.
  const step = drawing.steps.find(({ ref }) => ref === from);
  const apart =
    catchAll && step
      ? exitsOf(step)
          .filter((exit) => exit.branch !== branch && transitionAt(drawing, exit) === catchAll)
          .map((exit) => ({ ...exit, to: catchAll.to }))
      : [];
  return { ...drawing, transitions: [...others, ...apart, ...(to === null ? [] : [{ from, to, branch }])] };
}

/** A step cannot lead to the trigger, and cycles are not allowed. */
export function canConnect(drawing: Drawing, from: string, to: string): boolean {
  const target = drawing.steps.find(({ ref }) => ref === to);
  return target !== undefined && target.type !== "TRIGGER" && !withFollowing(drawing, to).has(from);
}

/** Removes a step; its neighbours are joined if it had a single target. */
export function remove(drawing: Drawing, ref: string): Drawing {
  const onward = [...new Set(drawing.transitions.filter(({ from }) => from === ref).map(({ to }) => to))];
  const next = onward.length === 1 ? onward[0] : undefined;
  return {
    ...drawing,
    steps: drawing.steps.filter((step) => step.ref !== ref),
    transitions: drawing.transitions
      .filter(({ from }) => from !== ref)
      .flatMap((transition) =>
        transition.to !== ref ? [transition] : next === undefined ? [] : [{ ...transition, to: next }],
      ),
  };
}

/** Removes transitions of branches that no longer exist. */
export function change(drawing: Drawing, ref: string, changed: Partial<Pick<DrawnStep, "name" | "config">>): Drawing {
  const steps = drawing.steps.map((step) => (step.ref === ref ? { ...step, ...changed } : step));
  const step = steps.find((one) => one.ref === ref);
  if (!step) return drawing;
  const branches = branchesOf(step);
  const stays = ({ from, branch }: Exit) => from !== ref || branch === null || branches.includes(branch);
  return { ...drawing, steps, transitions: drawing.transitions.filter(stays) };
}
