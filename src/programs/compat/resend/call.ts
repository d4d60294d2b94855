// The services that calls of Resend's API need, and the calls that delete.
import type { Access } from "../../../tenant/access/auth.ts";
import type { CatchUp } from "../../../tenant/events/dispatch.ts";
import type { CompatCall, CompatRequest, OwnCalls } from "../own-calls.ts";

export type CallDeps = Access & { readonly ours: OwnCalls; readonly catchUp: CatchUp };

type Deletion = Pick<CompatCall, "path" | "own"> & { readonly object: string };

/** `found`: what the path names by something else than its id. */
export function deletion(ours: OwnCalls, { object, path, own }: Deletion, found = inPath): CompatCall {
  const work = async (asked: CompatRequest) => {
    const { id } = await found(asked);
    await ours.ask(own, asked, { params: { id } });
    return { object, id, deleted: true };
  };
  return { method: "DELETE", path, own, work };
}

async function inPath({ params: { id = "" } }: CompatRequest): Promise<{ readonly id: string }> {
  return { id };
}
