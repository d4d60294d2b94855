// The interface between auth.ts and the team room (src/operator/team): the user of a session cookie, and their
// permissions.
import type { Allowance } from "../../base/brakes/sliding-limit.ts";
import type { Permission } from "../../base/roles.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Caller } from "./caller.ts";
import type { KeyPermissions } from "./key-limits.ts";

/** The needs of a route from a person. */
export type Needs = {
  /** Without it, being signed in is enough, and no workspace is named. */
  readonly permission?: Permission;
  readonly proof?: true;
  /** The permissions of a key that suffice, besides `full`. */
  readonly enough?: readonly KeyPermissions[];
  /** The name in the audit log of a call that changes something. */
  readonly action?: string;
};

export type PersonAdmission = { readonly caller: Caller; readonly allowance: Allowance };

export interface TeamAccess {
  /**
   * The person behind the cookie of a request, with the needed permission in the workspace that the request names.
   * @throws AppError MISSING_AUTH, CROSS_SITE, SESSION_ENDED, WORKSPACE_NOT_FOUND, FORBIDDEN, PROOF_NEEDED
   */
  enter(request: Request, needs: Needs): Promise<PersonAdmission>;
  /** Whether the address belongs to a member of the workspace. `email` in lower case. */
  isMember(reader: Reader, workspace: number, email: string): Promise<boolean>;
  /** The present name of the record in the path of a request. */
  nameOfTarget(request: Request, workspace: number): Promise<string | null>;
  /** Puts an act in the audit log. */
  note(tx: Tx, act: PersonAction): Promise<void>;
}

/**
 * `answer`: the answer of the call, of which id and name are noted. `body`: its body, of which the names of the fields
 * are.
 */
export type PersonAction = {
  readonly caller: Caller;
  readonly action: string;
  readonly request: Request;
  readonly requestId: string;
  readonly answer: unknown;
  readonly body: unknown;
  /** The name of the record in the path, before the call; null = none, or it has no name. */
  readonly targetName: string | null;
};
