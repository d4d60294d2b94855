// What steps and transitions are looked over for, however many there are.
import { expect, test } from "bun:test";
import type { Definition, WorkflowStep } from "../../src/programs/workflows/definition/definition.ts";
import { shapeFaults } from "../../src/programs/workflows/definition/steps/graph.ts";
import { expectCpuBelow } from "../support/cpu-time.ts";

/** A hundred conditions of twenty branches, each of which leads to one of the twenty-one after it. */
function crowded(): Definition {
  const branches = Array.from({ length: 20 }, (_, at) => ({ id: `b${at}`, operator: "exists" as const }));
  const steps = Array.from({ length: 100 }, (_, at): WorkflowStep => {
    const config = { mode: "multi" as const, field: "data.a", branches };
    return { id: `s${at}`, type: "CONDITION", name: "If", config };
  });
  const transitions = steps.flatMap(({ id }, at) =>
    [...branches.map((branch) => branch.id), "default"].flatMap((branch, ahead) => {
      const to = steps[at + ahead + 1];
      return to ? [{ from: id, to: to.id, branch }] : [];
    }),
  );
  return { steps, transitions };
}

test("thousands of transitions are looked over in milliseconds", async () => {
  const definition = crowded();
  await expectCpuBelow(100, () => expect(shapeFaults(definition)).toEqual([]));
});
