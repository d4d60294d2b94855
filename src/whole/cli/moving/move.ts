// Copies an account of another product into a workspace, page by page.
import { iso, type Clock } from "../../../base/clock.ts";
import { grouped } from "../progress.ts";
import type { SourceCalls } from "./calls.ts";
import { StrangeAnswerError } from "./fields.ts";
import { writeMembers, writePeople, writeSuppressions } from "./people.ts";
import type { MoveServer } from "./server.ts";
import type { MoveSource, SourcePage, SourcePart, SourceRecord } from "./source.ts";
import { noteGap, type MoveState } from "./state.ts";
import { writeSegments, writeTemplates, writeTopics } from "./things.ts";

export type MovePlace = {
  readonly source: MoveSource;
  readonly calls: SourceCalls;
  readonly server: MoveServer;
  readonly clock: Clock;
  readonly keep: (state: MoveState) => void;
  /** A line about how far it is. */
  readonly tell: (line: string) => void;
};

/**
 * Goes on from `begun`. Each page is written before the state says so: after an end at any moment it is written again,
 * which changes nothing. Answers the state of the finished move.
 * @throws Error in words for a person, of the product or of the server
 */
export async function move(place: MovePlace, begun: MoveState): Promise<MoveState> {
  let state = begun;
  while (state.finishedAt === null) {
    const next = structuredClone(state);
    const part = place.source.parts[state.part];
    if (part === undefined) next.finishedAt = iso(place.clock.nowMs());
    else await onePage(place, part, next);
    place.keep(next);
    state = next;
  }
  return state;
}

async function onePage(place: MovePlace, part: SourcePart, state: MoveState): Promise<void> {
  const { records, next, total } = await pageAt(place, part, state.at);
  await write(place.server, state, records);
  if (next === null) state.part++;
  state.at = next ?? "";
  const read = Object.values(state.counts).reduce((sum, one) => sum + one.read, 0);
  place.tell(`${part.name}${total === undefined ? "" : ` (${grouped(total)} there)`}: ${grouped(read)} read in all`);
}

/** @throws Error if the answer is strange */
async function pageAt({ source, calls }: MovePlace, part: SourcePart, at: string): Promise<SourcePage> {
  try {
    const page = await part.page(calls, at);
    if (page.next !== null && page.next === at) throw new StrangeAnswerError("The next page is the same again.");
    return page;
  } catch (error) {
    if (!(error instanceof StrangeAnswerError)) throw error;
    throw new Error(`${source.title}, ${part.name}: ${error.message} Is --base-url right?`, { cause: error });
  }
}

async function write(server: MoveServer, state: MoveState, records: readonly SourceRecord[]): Promise<void> {
  const of = <Kind extends SourceRecord["kind"]>(kind: Kind) =>
    records.filter((one): one is Extract<SourceRecord, { kind: Kind }> => one.kind === kind);
  await writeTopics(server, state, of("topic"));
  await writeSegments(server, state, of("segment"));
  await writeSuppressions(server, state, of("suppression"));
  await writePeople(server, state, of("person"));
  await writeMembers(server, state, of("member"));
  await writeTemplates(server, state, of("template"));
  for (const gap of of("gap")) {
    state.counts[gap.what].refused++;
    noteGap(state, gap, gap.example);
  }
}
