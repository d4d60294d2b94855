// The SQL of segments and their members.
import { list, sql } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";

export type SegmentRow = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly type: "STATIC" | "DYNAMIC";
  /** JSON text; null for STATIC. */
  readonly condition: string | null;
  readonly track_membership: 0 | 1;
  readonly member_count: number;
  /** NEW: members are being found for the first time. CHANGED: found again, for another condition. */
  readonly state: "NEW" | "CHANGED" | "CURRENT";
  readonly time_bound: 0 | 1;
  readonly swept_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

const COLUMNS = sql`seq, id, workspace, name, slug, description, type, condition, track_membership, member_count, state,
  time_bound, swept_at, created_at, updated_at`;

export function segmentsNamed(reader: Reader, workspace: number, ids: readonly string[]): Promise<SegmentRow[]> {
  return reader.all<SegmentRow>`
    select ${COLUMNS} from segments where workspace = ${workspace} and id in (${list(ids)}) order by seq`;
}
