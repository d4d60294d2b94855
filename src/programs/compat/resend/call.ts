// What a call of Resend's API is that is one of ours.
import type { Access } from "../../../tenant/access/auth.ts";
import type { CatchUp } from "../../../tenant/events/dispatch.ts";
import type { CompatRequest, OwnCalls } from "../own-calls.ts";

/** What these calls stand on. */
export type CallDeps = Access & { readonly ours: OwnCalls; readonly catchUp: CatchUp };

/** `own`: the call of ours that it is, so that it needs the same. */
export type ResendCall = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly own: string;
  readonly work: (asked: CompatRequest) => Promise<object>;
};
