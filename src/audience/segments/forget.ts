// Erases people's addresses from the conditions of segments, whose filters then match no contact by them.
import type { Tx } from "../../store/store.ts";
import { withoutAddresses } from "./condition/naming.ts";
import { findMembers } from "./membership/sweep.ts";
import { segmentsWithAddresses, updateSegment } from "./queries.ts";

export async function forgetInSegments(tx: Tx, workspace: number, emails: readonly string[]): Promise<void> {
  for (const segment of await segmentsWithAddresses(tx, workspace)) {
    const condition = withoutAddresses(segment.condition, emails);
    if (Bun.deepEquals(condition, segment.condition)) continue;
    const changed = await updateSegment(tx, segment, { ...segment, condition });
    await findMembers(tx, changed, segment.state === "NEW" ? "NEW" : "CHANGED");
  }
}
