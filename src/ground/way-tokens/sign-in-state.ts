// The state of a sign-in for a way, and why it failed.
import type { TokenRefusal } from "./issuer.ts";

export type SignInState = {
  readonly state: "WAITING" | "DONE" | "FAILED";
  readonly problem: string | null;
  /** The problem as a code, for callers that word it differently; null = the service has words of its own. */
  readonly problemCode: SignInProblemCode | null;
};

const PROBLEMS = {
  CHANGED: "The sending route was changed since. Begin again.",
  OTHER_SESSION: "This sign-in was begun in another session. Begin again.",
  EXPIRED: "This sign-in has expired. Begin again.",
  DECLINED: "It was declined there.",
  OTHER_ANSWER: "The browser came back from another sign-in. Begin again.",
  NO_REFRESH_TOKEN: "The service gave no refresh token. At Microsoft, its scope has to name offline_access.",
} as const;
type SignInProblemCode = keyof typeof PROBLEMS;
export const SIGN_IN_PROBLEMS = Object.keys(PROBLEMS) as readonly SignInProblemCode[];

/** By the error codes of the services, and of redirect.ts. */
const REFUSALS: Readonly<Record<string, SignInProblemCode>> = {
  ...{ access_denied: "DECLINED", authorization_declined: "DECLINED", expired_token: "EXPIRED" },
  other_answer: "OTHER_ANSWER",
};

export const WAITING: SignInState = { state: "WAITING", problem: null, problemCode: null };
export const DONE: SignInState = { state: "DONE", problem: null, problemCode: null };

export function failed(problemCode: SignInProblemCode): SignInState {
  return { state: "FAILED", problem: PROBLEMS[problemCode], problemCode };
}

/** In our words for a known code, else in those of the service. */
export function failedBy({ code, problem }: TokenRefusal): SignInState {
  const known = REFUSALS[code];
  return known === undefined ? { state: "FAILED", problem, problemCode: null } : failed(known);
}
