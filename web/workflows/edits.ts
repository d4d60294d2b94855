// What can be done to a drawing. Steps that are taken out leave no gap where one way led on.
import {
  branchesOf,
  exitsOf,
  following,
  wayAt,
  type Config,
  type Drawing,
  type Exit,
  type Step,
  type StepType,
} from "./drawing.ts";

/** What a new step begins with. */
const FIRST: Readonly<Record<Exclude<StepType, "TRIGGER">, Config>> = {
  SEND_EMAIL: {},
  DELAY: { amount: 1, unit: "days" },
  WAIT_FOR_EVENT: { eventName: "", timeout: 259_200 },
  CONDITION: { field: "", operator: "equals", value: "" },
  UPDATE_CONTACT: { data: {} },
  WEBHOOK: { url: "" },
  EXIT: {},
};

export type NewStep = Pick<Step, "name"> & { readonly type: Exclude<StepType, "TRIGGER"> };

export const MOST_STEPS = 100;

/** The ref lasts until the step is saved under an id of the server. */
export function newStep({ type, name }: NewStep): Step {
  return { ref: crypto.randomUUID(), type, name, config: FIRST[type] };
}

/** Puts a step where another is left; what came next comes after it. */
export function insert(drawing: Drawing, exit: Exit, step: Step): Drawing {
  const next = wayAt(drawing, exit);
  const [onward] = exitsOf(step);
  const placed = leadTo({ ...drawing, steps: [...drawing.steps, step] }, exit, step.ref);
  return next && onward ? { ...placed, ways: [...placed.ways, { ...onward, to: next.to }] } : placed;
}

/** Where that exit leads; null = nowhere, so that the workflow ends there. */
export function leadTo(drawing: Drawing, { from, branch }: Exit, to: string | null): Drawing {
  const catchAll = drawing.ways.find((way) => way.from === from && way.branch === null);
  const others = drawing.ways.filter((way) => way.from !== from || (way.branch !== branch && way !== catchAll));
  // What was led on together is led on branch by branch.
  const step = drawing.steps.find(({ ref }) => ref === from);
  const apart =
    catchAll && step
      ? exitsOf(step)
          .filter((exit) => exit.branch !== branch && wayAt(drawing, exit) === catchAll)
          .map((exit) => ({ ...exit, to: catchAll.to }))
      : [];
  return { ...drawing, ways: [...others, ...apart, ...(to === null ? [] : [{ from, to, branch }])] };
}

/** Whether it can lead there: nothing leads to the trigger, or in a circle. */
export function mayLeadTo(drawing: Drawing, from: string, to: string): boolean {
  const target = drawing.steps.find(({ ref }) => ref === to);
  return target !== undefined && target.type !== "TRIGGER" && !following(drawing, to).has(from);
}

/** Takes a step out; those who came to it go where it led, if it led to one place. */
export function remove(drawing: Drawing, ref: string): Drawing {
  const onward = [...new Set(drawing.ways.filter(({ from }) => from === ref).map(({ to }) => to))];
  const next = onward.length === 1 ? onward[0] : undefined;
  return {
    ...drawing,
    steps: drawing.steps.filter((step) => step.ref !== ref),
    ways: drawing.ways
      .filter(({ from }) => from !== ref)
      .flatMap((way) => (way.to !== ref ? [way] : next === undefined ? [] : [{ ...way, to: next }])),
  };
}

/** Ways by branches that the step no longer has go. */
export function change(drawing: Drawing, ref: string, changed: Partial<Pick<Step, "name" | "config">>): Drawing {
  const steps = drawing.steps.map((step) => (step.ref === ref ? { ...step, ...changed } : step));
  const step = steps.find((one) => one.ref === ref);
  if (!step) return drawing;
  const branches = branchesOf(step);
  const stays = ({ from, branch }: Exit) => from !== ref || branch === null || branches.includes(branch);
  return { ...drawing, steps, ways: drawing.ways.filter(stays) };
}
