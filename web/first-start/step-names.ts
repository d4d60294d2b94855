// The steps of a first start that follow the first owner, in order.

export const STEPS = ["address", "way", "domain", "next"] as const;
export type FirstStartStep = (typeof STEPS)[number];

/** The step in the URL; the first step is not named there. */
export function stepIn(text: unknown): FirstStartStep | undefined {
  return STEPS.find((step, at) => at > 0 && step === text);
}

export function stepAfter(step: FirstStartStep): FirstStartStep {
  return STEPS[STEPS.indexOf(step) + 1] ?? "next";
}
