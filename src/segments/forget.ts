// Conditions of segments that name an erased person: the address goes, and the filter matches nobody by it from then on.
import type { Tx } from "../store/store.ts";
import { withoutAddress } from "./condition/naming.ts";
import { findMembers } from "./membership/sweep.ts";
import { segmentsSaying, updateSegment } from "./queries.ts";

export async function forgetInSegments(tx: Tx, workspace: number, email: string): Promise<void> {
  for (const segment of await segmentsSaying(tx, workspace, email)) {
    const condition = segment.condition && withoutAddress(segment.condition, email);
    if (Bun.deepEquals(condition, segment.condition)) continue;
    const changed = await updateSegment(tx, segment, { ...segment, condition });
    await findMembers(tx, changed, segment.state === "NEW" ? "NEW" : "CHANGED");
  }
}
