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

/** Records that are written together. */
const ENOUGH = 500;

/**
 * Goes on from `begun`. Pages are written before the state says so: after an end at any moment they are written again,
 * which changes nothing. Answers the state of the finished move.
 * @throws Error in words for a person, of the product or of the server
 */
export async function move(place: MovePlace, begun: MoveState): Promise<MoveState> {
  const pageAt = pageReader(place);
  let state = begun;
  while (state.finishedAt === null) {
    const next = structuredClone(state);
    const part = place.source.parts[state.part];
    if (part === undefined) next.finishedAt = iso(place.clock.nowMs());
    else await somePages(place, part, pageAt, next);
    place.keep(next);
    state = next;
  }
  return state;
}

/** Small pages are written together, since each import is one in the list of imports. */
async function somePages(place: MovePlace, part: SourcePart, pageAt: PageReader, state: MoveState): Promise<void> {
  const records: SourceRecord[] = [];
  let next: string | null = state.at;
  do {
    try {
      const page = await pageAt(part, next);
      records.push(...page.records);
      place.tell(`${part.name}${page.total === undefined ? "" : ` (${grouped(page.total)} there)`}`);
      next = page.next;
    } catch (error) {
      // What was read is written first, and the fault met again.
      if (next === state.at) throw error;
      break;
    }
  } while (next !== null && records.length < ENOUGH);
  await write(place.server, state, records);
  if (next === null) state.part++;
  state.at = next ?? "";
}

/** @throws Error if the answer is strange */
type PageReader = (part: SourcePart, at: string) => Promise<SourcePage>;

/** Notices if the product has one page again and again. */
function pageReader({ source, calls }: MovePlace): PageReader {
  let previous = "";
  return async (part, at) => {
    try {
      const page = await part.page(calls, at);
      const text = page.records.length === 0 ? "" : JSON.stringify(page.records);
      if (page.next === at || (text !== "" && text === previous && at !== ""))
        throw new StrangeAnswerError("The next page is the same again.");
      previous = text;
      return page;
    } catch (error) {
      if (!(error instanceof StrangeAnswerError)) throw error;
      throw new Error(`${source.title}, ${part.name}: ${error.message} Is --base-url right?`, { cause: error });
    }
  };
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
