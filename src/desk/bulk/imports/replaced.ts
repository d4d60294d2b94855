// Contact data that an import would replace: the count and samples by key.
import { changedKeys, type Variables } from "../../../audience/contacts/data.ts";
import { shownAs, type SampleValue } from "../../../audience/csv/column-facts.ts";

export type CellReplacement = {
  readonly row: number;
  readonly email: string;
  readonly before: SampleValue;
  readonly after: SampleValue;
};
export type ReplacementSummary = { readonly count: number; readonly samples: readonly CellReplacement[] };

const SAMPLES = 3;
const NONE: ReplacementSummary = { count: 0, samples: [] };

/** The contact's address and the row in the file. */
type CsvRowRef = Pick<CellReplacement, "row" | "email">;

export class Replacements {
  readonly #byKey = new Map<string, { count: number; samples: CellReplacement[] }>();

  add(place: CsvRowRef, before: Variables, after: Variables): void {
    for (const key of changedKeys(before, after))
      if (isLost(before[key], after[key])) this.#note(key, place, [before[key], after[key]]);
  }

  #note(key: string, { row, email }: CsvRowRef, [before, after]: readonly [unknown, unknown]): void {
    const noted = this.#byKey.get(key) ?? { count: 0, samples: [] };
    this.#byKey.set(key, noted);
    noted.count++;
    if (noted.samples.length < SAMPLES)
      noted.samples.push({ row, email, before: shownAs(before), after: shownAs(after) });
  }

  /** The summary of a column, by its field; `fields`: of all columns. That of JSON has the keys without a column. */
  in(field: string | null, fields: readonly (string | null)[]): ReplacementSummary {
    if (field !== "data") return this.#byKey.get(field?.replace(/^data\./, "") ?? "") ?? NONE;
    const others = [...this.#byKey].flatMap(([key, noted]) => (fields.includes(`data.${key}`) ? [] : noted));
    return {
      count: others.reduce((sum, { count }) => sum + count, 0),
      samples: others.flatMap(({ samples }) => samples).slice(0, SAMPLES),
    };
  }
}

/** True if a previous value is lost; a list that has only grown has lost nothing. */
function isLost(before: unknown, after: unknown): boolean {
  if (before === undefined || before === null || before === "") return false;
  if (!Array.isArray(after)) return true;
  const kept = new Set(after.map((item) => JSON.stringify(item)));
  return (Array.isArray(before) ? before : [before]).some((item) => !kept.has(JSON.stringify(item)));
}
