// The first steps in their order, and where each of them is taken.
import type { Steps } from "./calls.ts";

export type StepName = keyof Steps;

export const STEPS: readonly StepName[] = ["mailSent", "domainVerified", "bouncesSetUp", "contacts", "team"];
