// The preview of a condition before it is saved: the number of people, its decrease with each filter, some examples,
// and the number who would get marketing mail. In a large workspace a sample is evaluated first; if all contacts would
// take too long, the answer is an estimate ("about").
import { iso } from "../../base/clock.ts";
import { isNameable, isReserved } from "../contacts/data.ts";
import { C_PRESENT, type Contact } from "../contacts/queries.ts";
import { keptCount } from "../contacts/count-queries.ts";
import { invalidField } from "../../base/errors.ts";
import { flatten, sql, type Sql } from "../../store/sql.ts";
import type { Reader, Store } from "../../store/store.ts";
import { isOfSuppressedDomain } from "../suppressions/domain-queries.ts";
import type { Condition } from "./condition/check.ts";
import { conditionSql } from "./condition/condition.ts";
import { columnNamed, fallingOf } from "./condition/falling.ts";
import { matchingPage } from "./membership/queries.ts";
import {
  lookedAt,
  numbersOf,
  tally,
  type PreviewTerms as Counted,
  type SampleRange,
  type PreviewTally,
} from "./preview-queries.ts";
import { readingNow } from "./references.ts";

export type PreviewInput = {
  /** The number of people shown. */
  readonly sample?: number | null | undefined;
  readonly perFilter?: boolean | null | undefined;
  /** Variables, by their names in mails. */
  readonly missing?: readonly string[] | null | undefined;
};

export const MAX_SAMPLE = 20;
export const MAX_MISSING = 50;

export type SegmentPreview = {
  readonly matched: number;
  readonly willReceive: number;
  readonly excluded: {
    readonly unsubscribed: number;
    readonly pending: number;
    readonly suppressed: number;
    readonly topic: number;
    readonly paused: number;
  };
  /** Estimated from a sample. */
  readonly approximate: boolean;
  /** All contacts of the workspace. */
  readonly contacts: number;
  readonly perFilter?: readonly { readonly at: string; readonly remaining: number }[];
  readonly missing?: readonly { readonly name: string; readonly contacts: number }[];
  readonly sample?: readonly Contact[];
};

/** The people to preview: all who match a condition, filter by filter, or an expression on contacts `c`. */
export type PreviewAudience = { readonly condition: Condition } | { readonly matching: Sql };

const BUDGET_MS = 250;
/** Contacts evaluated in any case, fewer if each takes longer. */
const SAMPLED_CONTACTS = 10_000;
const LEAST_SAMPLED_CONTACTS = 500;
const SAMPLED_VALUES = 80_000;

type PreviewQuery = {
  readonly workspace: number;
  readonly nowMs: number;
  readonly whom: PreviewAudience;
  /** True for recipients of the given topic's mail, on contacts `c`. */
  readonly topic?: Sql | null;
  readonly input: PreviewInput;
};

/** `found`: true for the contacts `c` of the preview. */
type PreviewSql = Counted & { readonly found: Sql };

/** To be read in the workspace's turn. @throws AppError as readingNow; VALIDATION_ERROR on `missing.<n>` */
export async function previewOf(
  reader: Reader,
  { clock }: Pick<Store, "clock">,
  asked: PreviewQuery,
): Promise<SegmentPreview> {
  const { workspace, input } = asked;
  const startedMs = clock.monotonicMs();
  const judged = await judgedBy(reader, asked);
  const total = await keptCount(reader, workspace, null);
  const every = Math.max(1, Math.ceil(total / sampleSize(judged)));
  const looked = { workspace, every, total, ...(await numbersOf(reader, workspace)) };
  const some = await lookAtSample(reader, judged, looked, input);
  const spentMs = clock.monotonicMs() - startedMs;
  if (every === 1) return told(judged, some, input);
  if (spentMs * (every + 1) > BUDGET_MS) return told(judged, some, input, total);
  return told(judged, await lookAtSample(reader, judged, { ...looked, every: 1 }, input), input);
}

async function judgedBy(
  reader: Reader,
  { workspace, nowMs, whom, topic = null, input }: PreviewQuery,
): Promise<PreviewSql> {
  const lacking = (input.missing ?? []).map((name, index) => lacks(reader, name, index));
  const domains = await isOfSuppressedDomain(reader, workspace, nowMs);
  const now = iso(nowMs);
  if ("condition" in whom) {
    const reading = await readingNow(reader, workspace, whom.condition, nowMs);
    return {
      ...fallingOf(whom.condition, reading),
      topic,
      domains,
      now,
      lacking,
      found: conditionSql(whom.condition, reading),
    };
  }
  const name = columnNamed("f", 0);
  const verdicts = [{ at: "", verdict: whom.matching, name }];
  return {
    verdicts,
    steps: [],
    matches: sql`${name} = 1`,
    topic,
    domains,
    now,
    lacking,
    found: sql`(${whom.matching}) and ${C_PRESENT}`,
  };
}

/** Missing or empty; the variables of every mail are never missing. */
function lacks(reader: Reader, name: string, index: number): Sql {
  const path = name.split(".");
  if (!path.every(isNameable)) throw invalidField(`missing.${index}`, "Expected the name of a variable.");
  if (isReserved(path[0] as string)) return sql`1 = 0`;
  const { isNull, text } = reader.dialect.jsonAt(sql`c.data_queried`, path);
  return sql`(${isNull} or coalesce(${text} = ${""}, 1 = 0))`;
}

function sampleSize({ verdicts, lacking }: PreviewSql): number {
  const values = [...verdicts.map(({ verdict }) => verdict), ...lacking].map(
    (part) => 1 + flatten(part, () => "").values.length,
  );
  const size = SAMPLED_VALUES / values.reduce((sum, one) => sum + one, 1);
  return Math.min(SAMPLED_CONTACTS, Math.max(LEAST_SAMPLED_CONTACTS, Math.floor(size)));
}

async function lookAtSample(reader: Reader, judged: PreviewSql, looked: SampleRange, { sample }: PreviewInput) {
  const counts = await tally(reader, looked, judged);
  const limit = Math.min(sample ?? 0, counts.matched);
  return { counts, people: limit === 0 ? [] : await examples(reader, judged, looked, limit) };
}

/** The newest of the found contacts. */
function examples(reader: Reader, judged: PreviewSql, looked: SampleRange, limit: number): Promise<Contact[]> {
  return matchingPage(reader, looked.workspace, sql`${lookedAt(looked)} and ${judged.found}`, { limit, offset: 0 });
}

type PreviewResult = { readonly counts: PreviewTally; readonly people: readonly Contact[] };

/** `total`: of the workspace, if only a sample was evaluated. */
function told(
  { steps }: PreviewSql,
  { counts, people }: PreviewResult,
  input: PreviewInput,
  total?: number,
): SegmentPreview {
  const factor = total === undefined ? 1 : total / Math.max(1, counts.people);
  const scaled = (count: number) => Math.round(count * factor);
  const { sample, perFilter, missing } = input;
  const excluded = {
    unsubscribed: scaled(counts.unsubscribed),
    pending: scaled(counts.pending),
    suppressed: scaled(counts.suppressed),
    topic: scaled(counts.topic),
    paused: scaled(counts.paused),
  };
  const { matched, unsubscribed, pending, suppressed, topic, paused } = counts;
  const willReceive = scaled(matched - unsubscribed - pending - suppressed - topic - paused);
  return {
    matched: Object.values(excluded).reduce((sum, one) => sum + one, willReceive),
    willReceive,
    excluded,
    approximate: total !== undefined,
    contacts: total ?? counts.people,
    ...(perFilter
      ? { perFilter: steps.map(({ at }, index) => ({ at, remaining: scaled(counts.remaining[index] ?? 0) })) }
      : {}),
    ...(missing
      ? { missing: missing.map((name, index) => ({ name, contacts: scaled(counts.lacking[index] ?? 0) })) }
      : {}),
    ...(sample ? { sample: people } : {}),
  };
}
