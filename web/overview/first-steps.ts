// The first steps in order.
import type { Steps } from "./calls.ts";

export type StepName = keyof Steps;

export const STEPS: readonly StepName[] = ["mailSent", "domainVerified", "bouncesSetUp", "contacts", "team"];
