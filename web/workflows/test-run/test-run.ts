// A test run: the server simulates the workflow for a person, and nothing is sent.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call, Fault } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import type { Person } from "../../writing/preview/people.ts";
import { exitKey } from "../canvas/on-canvas.ts";
import { useDebounced } from "../../base/use-debounced.ts";
import { PAUSE_MS } from "../use-validation.ts";
import { bodyOf, exitsOf, transitionAt, type Drawing, type Workflow } from "../drawing.ts";

type Simulation = components["schemas"]["WorkflowSimulation"];
export type TestedStep = Simulation["steps"][number];

export type Choices = {
  readonly person: Person | null;
  /** The branch that each wait takes, by step. */
  readonly branches: Readonly<Record<string, "event" | "timeout">>;
  /** The data of the event; null = the person's last event. */
  readonly event: Readonly<Record<string, unknown>> | null;
};

export const NO_CHOICES: Choices = { person: null, branches: {}, event: null };

export type TestRun = {
  readonly found: Simulation | undefined;
  readonly fault: Fault | null;
  readonly highlighted: ReadonlySet<string> | null;
  readonly stepAt: (ref: string) => TestedStep | undefined;
};

type TestResult = Pick<Workflow, "id" | "enabled">;

/** Runs again after the workflow is turned on or off. */
export function useTestRun(
  { id, enabled }: TestResult,
  drawing: Drawing,
  { person, branches, event }: Choices,
): TestRun {
  const body = useDebounced(
    JSON.stringify({ contactId: person?.id ?? "", branches, event, ...bodyOf(drawing) }),
    PAUSE_MS,
  );
  const { data, error } = useQuery({
    queryKey: ["workflow trial", id, enabled, body],
    queryFn: () => call("POST /workflows/{id}/simulate", { id, body: JSON.parse(body) }),
    enabled: person !== null && body.includes(person.id),
    gcTime: 0,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  const found = person === null ? undefined : data;
  return {
    found,
    fault: person !== null && error instanceof Fault ? error : null,
    highlighted: found ? passedIn(found, drawing) : null,
    stepAt: (ref) => found?.steps.find(({ stepId }) => stepId === ref),
  };
}

function passedIn({ steps, status }: Simulation, drawing: Drawing): ReadonlySet<string> {
  const highlighted = new Set(steps.map(({ stepId }) => stepId));
  for (const [at, { stepId, output }] of steps.entries()) {
    const step = drawing.steps.find(({ ref }) => ref === stepId);
    const isLast = at === steps.length - 1;
    if (!step || exitsOf(step).length === 0 || (isLast && status !== "COMPLETED")) continue;
    const branch = typeof output["branch"] === "string" && exitsOf(step).length > 1 ? output["branch"] : null;
    const exit = transitionAt(drawing, { from: stepId, branch }) ?? { from: stepId, branch };
    highlighted.add(exitKey(exit));
    if (!transitionAt(drawing, exit)) highlighted.add(`end ${exitKey(exit)}`);
  }
  return highlighted;
}
