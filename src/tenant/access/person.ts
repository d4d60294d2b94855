// What auth.ts asks of the team room (src/operator/team): which user a session cookie belongs to, and what they may do.
import type { Allowance } from "../../base/brakes/sliding-limit.ts";
import type { Permission } from "../../base/roles.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Caller } from "./caller.ts";
import type { KeyPermissions } from "./key-limits.ts";

/** What a route needs of a person. */
export type Needs = {
  /** Unless given, being signed in is enough, and no workspace is named. */
  readonly permission?: Permission;
  readonly proof?: true;
  /** The permissions of a key that are enough, besides `full`. */
  readonly enough?: readonly KeyPermissions[];
  /** The name of a call that changes something: what it is called in the audit log. */
  readonly action?: string;
};

export type PersonAdmission = { readonly caller: Caller; readonly allowance: Allowance };

export interface TeamAccess {
  /**
   * The person behind the cookie of a request, who may do what is needed in the workspace that the request names.
   * @throws AppError MISSING_AUTH, CROSS_SITE, SESSION_ENDED, WORKSPACE_NOT_FOUND, FORBIDDEN, PROOF_NEEDED
   */
  enter(request: Request, needs: Needs): Promise<PersonAdmission>;
  /** Whether it is the address of somebody in the workspace. `email` in lower case. */
  isMember(reader: Reader, workspace: number, email: string): Promise<boolean>;
  /** The name of the record in the path of a request, as it is now. */
  nameOfTarget(request: Request, workspace: number): Promise<string | null>;
  /** Puts an act in the audit log. */
  note(tx: Tx, act: PersonAction): Promise<void>;
}

/** `answer`: what the call answers, of which id and name are noted. `body`: of which the names of the fields are. */
export type PersonAction = {
  readonly caller: Caller;
  readonly action: string;
  readonly request: Request;
  readonly requestId: string;
  readonly answer: unknown;
  readonly body: unknown;
  /** Of the record in the path, before the call; null = there is none, or it has no name. */
  readonly targetName: string | null;
};
