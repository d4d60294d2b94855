// What is answered of a walk through a workflow: its texts rendered, cut where they are too much.
import type { Variables } from "../contacts/data.ts";
import type { Part, Rendered, RenderedPart } from "../emails/rendering/parts.ts";
import type { Step } from "./definition.ts";

type SimulatedStep = {
  readonly stepId: string;
  readonly name: string;
  readonly type: Step["type"];
  readonly status: "COMPLETED" | "SKIPPED" | "FAILED";
  /** When it would come by, if all begins now. */
  readonly at: string;
  readonly output: Variables;
};

type Simulation = {
  readonly contact: { readonly id: string; readonly email: string };
  /** Null = an event would start it now; else why not. */
  readonly obstacle: string | null;
  readonly status: "COMPLETED" | "EXITED" | "FAILED";
  readonly reason: string | null;
  readonly steps: readonly SimulatedStep[];
};

export type Shown = {
  readonly status?: SimulatedStep["status"];
  readonly output: Variables;
  readonly end?: { readonly status: "EXITED" | "FAILED"; readonly reason: string };
};

/** What a step says is shown once it is rendered. */
export type ToRender = { readonly part: Part; readonly show: (rendered: RenderedPart) => Shown };

export type WalkedStep = Pick<SimulatedStep, "stepId" | "name" | "type" | "at"> & { readonly shown: Shown | ToRender };

/** A way through a workflow, with its texts still to be rendered: nothing waits for that while the store is read. */
export type Walked = {
  readonly contact: Simulation["contact"];
  readonly obstacle: string | null;
  readonly steps: readonly WalkedStep[];
  /** The way goes on: its texts are too large to be shown. */
  readonly isCut: boolean;
};

/** Of the texts before they are rendered, and of what is shown. */
export const MAX_CHARS = 4 * 1024 * 1024;
const TOO_LARGE =
  "The simulation ends here: what its mails and webhooks say is too large, or takes too long to render.";

/** What of the way is to be rendered; `simulationOf` takes what it becomes. */
export function partsOf({ steps }: Walked): Part[] {
  return steps.flatMap(({ shown }) => ("part" in shown ? shown.part : []));
}

/** Ends early with FAILED where its texts take too long to render, or are too much to show. */
export function simulationOf({ contact, obstacle, steps: walked, isCut }: Walked, { parts }: Rendered): Simulation {
  const steps: SimulatedStep[] = [];
  const begun = { contact, obstacle, steps };
  const rendered = parts.values();
  let chars = 0;
  for (const { shown, ...step } of walked) {
    const part = "part" in shown ? rendered.next().value : undefined;
    if (chars > MAX_CHARS || ("part" in shown && !part)) return { ...begun, status: "FAILED", reason: TOO_LARGE };
    const { status = "COMPLETED", output, end } = "part" in shown ? shown.show(part as RenderedPart) : shown;
    steps.push({ ...step, status, output });
    chars += JSON.stringify(output).length;
    if (end) return { ...begun, ...end };
  }
  return isCut ? { ...begun, status: "FAILED", reason: TOO_LARGE } : { ...begun, status: "COMPLETED", reason: null };
}
