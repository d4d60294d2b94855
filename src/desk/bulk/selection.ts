// The contacts that a filter selects for an export or a bulk job. The filter may name a segment.
import type { SelectionQuery, Selection } from "../../audience/contacts/search/selection-queries.ts";
import { contactsIn } from "../../audience/segments/members.ts";
import { sayingOf } from "../../audience/topics/choice.ts";
import { topicsOf } from "../../audience/topics/queries.ts";
import type { Clock } from "../../base/clock.ts";
import { invalidField } from "../../base/errors.ts";
import type { Reader, Store } from "../../store/store.ts";
import type { CatchUp } from "../../tenant/events/dispatch.ts";

/** `catchUp`: called before a segment's members are read. */
export type SelectionServices = { readonly store: Store; readonly clock: Clock; readonly catchUp: CatchUp };

/** @throws AppError SEGMENT_NOT_FOUND; VALIDATION_ERROR for a topic that does not exist */
export async function selectedBy(
  reader: Reader,
  workspace: number,
  filter: Selection,
  nowMs: number,
): Promise<SelectionQuery> {
  const { segmentId = null } = filter;
  const keys = filter.topic ? (await topicsOf(reader, workspace)).map(({ key }) => key) : [];
  const saying = sayingOf(filter, keys, (field, ...why) => invalidField(`filter.${field}`, ...why));
  return {
    filter,
    saying,
    inSegment: segmentId === null ? null : await contactsIn(reader, workspace, segmentId, nowMs),
  };
}
