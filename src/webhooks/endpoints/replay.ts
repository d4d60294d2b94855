// Replays: what happened in a period is sent to an endpoint again, or for the first time if it was off then.
import { DAY_MS } from "../../clock.ts";
import { AppError, invalidField, refuse } from "../../errors.ts";
import { momentIn } from "../../http/moment-in.ts";
import { uuidAt } from "../../ids.ts";
import { json } from "../../store/columns.ts";
import { cursorOf, keyInCursor } from "../../store/page.ts";
import type { Store } from "../../store/store.ts";
import { MOST_ATTEMPTS } from "./delivery.ts";
import { findEndpoint } from "./endpoint.ts";
import { isMeantByTags, patternFaults, typesOf } from "./patterns.ts";
import { eventsBetween, replayEvents, type Kept } from "./replay-queries.ts";
import { WEBHOOK_DUE } from "../sending/queue.ts";

/** So long are events kept for endpoints. */
export const KEPT_DAYS = 30;

const LIST = "webhook-replay";
/** Looked through in one transaction. */
const EVENTS_A_BATCH = 500;
/** One call does no more, so that it ends. */
const MOST_LOOKED_THROUGH = 10_000;

type Period = {
  readonly since: string;
  readonly until?: string | null | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly all?: boolean | null | undefined;
  readonly cursor?: string | null | undefined;
};
type Asked = { readonly workspace: number; readonly id: string };

/** `cursor`: of the rest; null = this was all. */
type Replayed = { readonly replayed: number; readonly cursor: string | null };

/**
 * Oldest first, some in each transaction.
 * @throws AppError WEBHOOK_NOT_FOUND; WEBHOOK_STATE while the endpoint is off; VALIDATION_ERROR
 */
export async function replay(store: Store, nowMs: number, { workspace, id }: Asked, period: Period): Promise<Replayed> {
  const { since, until, types, all, cursor } = period;
  const again = { maxAttempts: MOST_ATTEMPTS, all: all ?? false };
  const askedMs = momentIn("since", since, invalidField);
  const sinceMs = Math.max(askedMs, nowMs - KEPT_DAYS * DAY_MS);
  const untilMs = until == null ? nowMs + 1 : momentIn("until", until, invalidField);
  if (until != null && untilMs <= askedMs)
    throw invalidField("until", "The period ends before it begins.", "invalid_period");
  let after = cursor == null ? uuidAt(sinceMs) : keyInCursor(LIST, "string", cursor);
  let [seen, replayed] = [0, 0];
  while (seen < MOST_LOOKED_THROUGH) {
    const batch = await store.write(async (tx) => {
      const endpoint = await findEndpoint(tx, workspace, id);
      if (!endpoint.enabled) throw new AppError("WEBHOOK_STATE", "The webhook is off: switch it on first.");
      refuse(patternFaults("types", types ?? [], endpoint.format));
      const wanted = new Set(typesOf(types ?? endpoint.events, endpoint.format));
      const stretch = { workspace, after, before: uuidAt(untilMs) };
      const found = await eventsBetween(tx, stretch, { limit: EVENTS_A_BATCH, withTags: endpoint.tags.length > 0 });
      const chosen = found.filter((one) => isWanted(one, wanted, endpoint.tags)).map(({ seq }) => seq);
      const sent = chosen.length === 0 ? 0 : await replayEvents(tx, endpoint.seq, chosen, again);
      if (sent > 0) tx.signal(WEBHOOK_DUE);
      return { found, sent };
    });
    seen += batch.found.length;
    replayed += batch.sent;
    if (batch.found.length < EVENTS_A_BATCH) return { replayed, cursor: null };
    after = batch.found.at(-1)?.id ?? after;
  }
  return { replayed, cursor: cursorOf(LIST, after) };
}

function isWanted({ type, isTest, data }: Kept, types: ReadonlySet<string>, tags: readonly string[]): boolean {
  return isTest === 0 && types.has(type) && (data === null || isMeantByTags(tags, type, json(data)));
}
