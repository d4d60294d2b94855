// Replays: the events of a period are sent to an endpoint again, or for the first time if it was off then.
import { DAY_MS } from "../../../base/clock.ts";
import { AppError, invalidField, refuse } from "../../../base/errors.ts";
import { momentIn } from "../../../http/body/moment-in.ts";
import { uuidAt } from "../../../base/ids.ts";
import { json } from "../../../store/columns.ts";
import { cursorOf, keyInCursor } from "../../../store/page.ts";
import type { Reader, Store, Tx } from "../../../store/store.ts";
import { MOST_ATTEMPTS } from "./delivery.ts";
import { findEndpoint } from "./endpoint.ts";
import { isMeantByTags, patternFaults, typesOf } from "./patterns.ts";
import type { Endpoint } from "./queries.ts";
import { eventsBetween, replayEvents, type EndpointEventRow } from "./replay-queries.ts";
import { WEBHOOK_DUE } from "../sending/queue.ts";

/** How long events are kept for endpoints. */
export const KEPT_DAYS = 30;

const LIST = "webhook-replay";
/** The number of events per read. */
const EVENTS_A_BATCH = 500;
/** The limit of one call, so that it ends. */
const MOST_LOOKED_THROUGH = 10_000;
/** The limit of one transaction, which others wait for. */
const MOST_SENT = 1_000;

type Period = {
  readonly since: string;
  readonly until?: string | null | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly all?: boolean | null | undefined;
  readonly cursor?: string | null | undefined;
};
type EndpointRef = { readonly workspace: number; readonly id: string };

/** `cursor`: of the rest; null = this was all. */
type EventReplayBatch = { readonly events: readonly number[]; readonly cursor: string | null };
type EventReplayResult = { readonly replayed: number; readonly cursor: string | null };

/**
 * The events that a replay sends, oldest first.
 * @throws AppError WEBHOOK_NOT_FOUND; WEBHOOK_STATE while the endpoint is off; VALIDATION_ERROR
 */
export async function eventsToReplay(
  store: Store,
  nowMs: number,
  { workspace, id }: EndpointRef,
  period: Period,
): Promise<EventReplayBatch> {
  const { since, until, types, cursor } = period;
  const askedMs = momentIn("since", since, invalidField);
  const sinceMs = Math.max(askedMs, nowMs - KEPT_DAYS * DAY_MS);
  const untilMs = until == null ? nowMs + 1 : momentIn("until", until, invalidField);
  if (until != null && untilMs <= askedMs)
    throw invalidField("until", "The period ends before it begins.", "invalid_period");
  const { events: named, tags, format } = await store.read((reader) => findOpen(reader, workspace, id));
  refuse(patternFaults("types", types ?? [], format));
  const wanted = new Set(typesOf(types ?? named, format));
  const events: number[] = [];
  let after = cursor == null ? uuidAt(sinceMs) : keyInCursor(LIST, "string", cursor);
  for (let seen = 0; seen < MOST_LOOKED_THROUGH && events.length < MOST_SENT; seen += EVENTS_A_BATCH) {
    const stretch = { workspace, after, before: uuidAt(untilMs) };
    const batch = await store.read((reader) =>
      eventsBetween(reader, stretch, { limit: EVENTS_A_BATCH, withTags: tags.length > 0 }),
    );
    events.push(...batch.filter((one) => isWanted(one, wanted, tags)).map(({ seq }) => seq));
    if (batch.length < EVENTS_A_BATCH) return { events, cursor: null };
    after = batch.at(-1)?.id ?? after;
  }
  return { events, cursor: cursorOf(LIST, after) };
}

/** @throws AppError WEBHOOK_NOT_FOUND; WEBHOOK_STATE while the endpoint is off */
export async function replay(
  tx: Tx,
  { workspace, id }: EndpointRef,
  { events, cursor }: EventReplayBatch,
  all: boolean,
): Promise<EventReplayResult> {
  const { seq } = await findOpen(tx, workspace, id);
  const again = { maxAttempts: MOST_ATTEMPTS, all };
  const replayed = events.length === 0 ? 0 : await replayEvents(tx, seq, events, again);
  if (replayed > 0) tx.signal(WEBHOOK_DUE);
  return { replayed, cursor };
}

async function findOpen(reader: Reader, workspace: number, id: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(reader, workspace, id);
  if (!endpoint.enabled) throw new AppError("WEBHOOK_STATE", "The webhook is off: switch it on first.");
  return endpoint;
}

function isWanted(
  { type, isTest, data }: EndpointEventRow,
  types: ReadonlySet<string>,
  tags: readonly string[],
): boolean {
  return isTest === 0 && types.has(type) && (data === null || isMeantByTags(tags, type, json(data)));
}
