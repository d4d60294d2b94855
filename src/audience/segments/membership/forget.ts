// Takes the addresses of people who are erased out of the conditions of segments.
import type { Tx } from "../../../store/store.ts";
import type { ErasedNames } from "../../../store/table.ts";
import { withoutAddresses } from "../condition/naming.ts";
import { segmentsWithAddresses, updateSegment } from "../queries.ts";
import { findMembers } from "./sweep.ts";

/** Filters then match no contact by the addresses. */
export async function forgetInSegments(tx: Tx, workspace: number, { emails }: ErasedNames): Promise<void> {
  for (const segment of await segmentsWithAddresses(tx, workspace)) {
    const condition = withoutAddresses(segment.condition, emails);
    if (Bun.deepEquals(condition, segment.condition)) continue;
    const changed = await updateSegment(tx, segment, { ...segment, condition });
    await findMembers(tx, changed, segment.state === "NEW" ? "NEW" : "CHANGED");
  }
}
