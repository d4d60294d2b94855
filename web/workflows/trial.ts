// A drawing tried with somebody: the server walks them through it, and nothing is sent.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, Fault, unwrap } from "../api.ts";
import type { components } from "../api.gen.ts";
import type { Person } from "../writing/preview/people.ts";
import { exitKey } from "./canvas/on-canvas.ts";
import { useRested } from "./checked.ts";
import { bodyOf, exitsOf, wayAt, type Drawing, type Workflow } from "./drawing.ts";

type Simulation = components["schemas"]["WorkflowSimulation"];
export type TriedStep = Simulation["steps"][number];

export type Choices = {
  readonly person: Person | null;
  /** How waits end, by step. */
  readonly branches: Readonly<Record<string, "event" | "timeout">>;
  readonly event: Readonly<Record<string, unknown>>;
};

export const NO_CHOICES: Choices = { person: null, branches: {}, event: {} };

export type Trial = {
  readonly found: Simulation | undefined;
  readonly fault: Fault | null;
  readonly lit: ReadonlySet<string> | null;
  readonly stepAt: (ref: string) => TriedStep | undefined;
};

type Tried = Pick<Workflow, "id" | "enabled">;

/** Anew once it is turned on or off: nobody starts in one that is off. */
export function useTrial({ id, enabled }: Tried, drawing: Drawing, { person, branches, event }: Choices): Trial {
  const { steps, transitions, reentry, entryKey } = bodyOf(drawing);
  const body = useRested(
    JSON.stringify({ contactId: person?.id ?? "", branches, event, reentry, entryKey, steps, transitions }),
  );
  const { data, error } = useQuery({
    queryKey: ["workflow trial", id, enabled, body],
    queryFn: () =>
      unwrap(api.POST("/workflows/{id}/simulate", { params: { path: { id } }, body: JSON.parse(body) as never })),
    enabled: person !== null && body.includes(person.id),
    gcTime: 0,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  const found = person === null ? undefined : data;
  return {
    found,
    fault: person !== null && error instanceof Fault ? error : null,
    lit: found ? litBy(found, drawing) : null,
    stepAt: (ref) => found?.steps.find(({ stepId }) => stepId === ref),
  };
}

function litBy({ steps, status }: Simulation, drawing: Drawing): ReadonlySet<string> {
  const lit = new Set(steps.map(({ stepId }) => stepId));
  for (const [at, { stepId, output }] of steps.entries()) {
    const step = drawing.steps.find(({ ref }) => ref === stepId);
    const isLast = at === steps.length - 1;
    if (!step || exitsOf(step).length === 0 || (isLast && status !== "COMPLETED")) continue;
    const branch = typeof output["branch"] === "string" && exitsOf(step).length > 1 ? output["branch"] : null;
    const exit = wayAt(drawing, { from: stepId, branch }) ?? { from: stepId, branch };
    lit.add(exitKey(exit));
    if (!wayAt(drawing, exit)) lit.add(`end ${exitKey(exit)}`);
  }
  return lit;
}
