// Copies an account of another product into a workspace, page by page.
import { iso, type Clock } from "../../base/clock.ts";
import { SourceError, type SourceCalls } from "./calls.ts";
import { StrangeAnswerError } from "./fields.ts";
import { writeMembers, writePeople, writeSuppressions } from "./people.ts";
import type { MoveServer, OpenMove } from "./server.ts";
import { listIn } from "./lists.ts";
import type { MoveSource, SourcePage, SourcePart, SourceRecord } from "./source.ts";
import type { MoveState } from "./record.ts";
import { noteGap } from "./state.ts";
import { writeSegments, writeTemplates, writeTopics } from "./things.ts";

export type MovePlace = {
  readonly source: MoveSource;
  readonly calls: SourceCalls;
  readonly server: MoveServer;
  readonly clock: Clock;
  /**
   * Records that are written together: each import is one in the list of imports. Also the most pages, as some are
   * empty.
   */
  readonly enough: number;
  /** Called after each page. */
  readonly tell?: (part: string, total: number | undefined) => void;
};

/**
 * Reads some pages and writes them: a state that is later than `begun`, or finished. After an end at any moment the
 * same pages are written again, which changes nothing.
 * @throws SourceError, or Error in words of the server
 */
export async function moveOn(place: MovePlace, begun: MoveState): Promise<MoveState> {
  const state = structuredClone(begun);
  const part = place.source.parts[state.part];
  if (part === undefined) state.finishedAt = iso(place.clock.nowMs());
  else await somePages(place, part, state);
  return state;
}

async function somePages(place: MovePlace, part: SourcePart, state: MoveState): Promise<void> {
  const records: SourceRecord[] = [];
  let pages = 0;
  let next: string | null = state.at;
  do {
    try {
      const page = await pageAt(place, part, next, state);
      pages++;
      records.push(...page.records);
      place.tell?.(part.name, page.total);
      next = page.next;
    } catch (error) {
      // Writes what was read; the next step meets the fault again.
      if (next === state.at) throw error;
      break;
    }
  } while (next !== null && records.length < place.enough && pages < place.enough);
  await write({ server: place.server, state }, records);
  if (next === null) state.part++;
  state.at = next ?? "";
}

/** Notices if the product has one page of a list again and again. @throws SourceError if the answer is strange */
async function pageAt(
  { source, calls }: MovePlace,
  part: SourcePart,
  at: string,
  state: MoveState,
): Promise<SourcePage> {
  try {
    const page = await part.page(calls, at);
    const seen = page.records.length === 0 ? "" : String(Bun.hash(JSON.stringify([listIn(at), page.records])));
    if (page.next === at || (seen !== "" && seen === state.seen && at !== ""))
      throw new StrangeAnswerError("The next page is the same again.");
    state.seen = seen;
    return page;
  } catch (error) {
    if (!(error instanceof StrangeAnswerError)) throw error;
    throw new SourceError("baseUrl", `${source.title}, ${part.name}: ${error.message} Is its address right?`);
  }
}

async function write(move: OpenMove, records: readonly SourceRecord[]): Promise<void> {
  const of = <Kind extends SourceRecord["kind"]>(kind: Kind) =>
    records.filter((one): one is Extract<SourceRecord, { kind: Kind }> => one.kind === kind);
  await writeTopics(move, of("topic"));
  await writeSegments(move, of("segment"));
  await writeSuppressions(move, of("suppression"));
  await writePeople(move, of("person"));
  await writeMembers(move, of("member"));
  await writeTemplates(move, of("template"));
  for (const gap of of("gap")) {
    move.state.counts[gap.what].refused++;
    noteGap(move.state, gap, gap.example);
  }
}
