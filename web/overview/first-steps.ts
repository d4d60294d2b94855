// The first steps of each role, in order: what its people can do themselves.
import type { Role } from "../session.ts";
import type { FirstSteps } from "./calls.ts";

export type StepName = keyof FirstSteps;

const STEPS_OF: Readonly<Record<Role, readonly StepName[]>> = {
  OWNER: ["named", "domainVerified", "mailSent", "bouncesSetUp", "contacts", "team"],
  ADMIN: ["named", "domainVerified", "mailSent", "contacts", "team"],
  DEVELOPER: ["domainVerified", "mailSent", "template", "webhook"],
  MARKETER: ["contacts", "brand", "campaign"],
  EDITOR: ["brand", "template", "campaign"],
  SUPPORT: [],
};

/** A workspace that has a name asks for none. */
export function stepsOf(role: Role, steps: FirstSteps): readonly StepName[] {
  return STEPS_OF[role].filter((step) => step !== "named" || !steps.named);
}

/** Support has none: it is shown how to find an email until there is one. */
export function remain(role: Role, steps: FirstSteps): boolean {
  return role === "SUPPORT" ? !steps.mailSent : stepsOf(role, steps).some((step) => !steps[step]);
}
