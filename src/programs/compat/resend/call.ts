// A call of Resend's API that maps to one of ours.
import type { Access } from "../../../tenant/access/auth.ts";
import type { CatchUp } from "../../../tenant/events/dispatch.ts";
import type { CompatRequest, OwnCalls } from "../own-calls.ts";

/** The services that these calls need. */
export type CallDeps = Access & { readonly ours: OwnCalls; readonly catchUp: CatchUp };

/** `own`: the call of ours that it maps to, with the same needs. */
export type ResendCall = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly own: string;
  readonly work: (asked: CompatRequest) => Promise<object>;
};
