// The first steps of each role, in order: only steps that the role may take.
import type { Role } from "../../calls/session.ts";
import type { FirstSteps } from "../calls.ts";

export type StepName = keyof FirstSteps;

const STEPS_OF: Readonly<Record<Role, readonly StepName[]>> = {
  OWNER: ["named", "domainVerified", "mailSent", "bouncesSetUp", "contacts", "team"],
  ADMIN: ["named", "domainVerified", "mailSent", "contacts", "team"],
  DEVELOPER: ["domainVerified", "mailSent", "template", "webhook"],
  MARKETER: ["contacts", "brand", "campaign"],
  EDITOR: ["brand", "template", "campaign"],
  SUPPORT: [],
};

/** The step "named" is left out once the workspace has a name. */
export function stepsOf(role: Role, steps: FirstSteps): readonly StepName[] {
  return STEPS_OF[role].filter((step) => step !== "named" || !steps.named);
}

/** SUPPORT has no steps: until the first email it is shown how to find one. */
export function remain(role: Role, steps: FirstSteps): boolean {
  return role === "SUPPORT" ? !steps.mailSent : stepsOf(role, steps).some((step) => !steps[step]);
}
