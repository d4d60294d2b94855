// What an import would replace of the data that contacts have: how much, by key, and the first of it.
import { changedKeys, type Variables } from "../data.ts";
import { shownAs, type Shown } from "../csv/column-facts.ts";

export type Replacement = {
  readonly row: number;
  readonly email: string;
  readonly before: Shown;
  readonly after: Shown;
};
export type Replaced = { readonly count: number; readonly samples: readonly Replacement[] };

const SAMPLES = 3;
const NONE: Replaced = { count: 0, samples: [] };

/** Of whom it is, and what the file says in which row. */
type Place = Pick<Replacement, "row" | "email">;

export class Replacements {
  readonly #byKey = new Map<string, { count: number; samples: Replacement[] }>();

  add(place: Place, before: Variables, after: Variables): void {
    for (const key of changedKeys(before, after))
      if (isLost(before[key], after[key])) this.#note(key, place, [before[key], after[key]]);
  }

  #note(key: string, { row, email }: Place, [before, after]: readonly [unknown, unknown]): void {
    const noted = this.#byKey.get(key) ?? { count: 0, samples: [] };
    this.#byKey.set(key, noted);
    noted.count++;
    if (noted.samples.length < SAMPLES)
      noted.samples.push({ row, email, before: shownAs(before), after: shownAs(after) });
  }

  /** Of a column, by the field that it becomes; `fields`: of all columns. That of JSON has the keys without a column. */
  in(field: string | null, fields: readonly (string | null)[]): Replaced {
    if (field !== "data") return this.#byKey.get(field?.replace(/^data\./, "") ?? "") ?? NONE;
    const others = [...this.#byKey].flatMap(([key, noted]) => (fields.includes(`data.${key}`) ? [] : noted));
    return {
      count: others.reduce((sum, { count }) => sum + count, 0),
      samples: others.flatMap(({ samples }) => samples).slice(0, SAMPLES),
    };
  }
}

/** Whether something was there that is there no more; a list that has grown has lost nothing. */
function isLost(before: unknown, after: unknown): boolean {
  if (before === undefined || before === null || before === "") return false;
  if (!Array.isArray(after)) return true;
  const kept = new Set(after.map((item) => JSON.stringify(item)));
  return (Array.isArray(before) ? before : [before]).some((item) => !kept.has(JSON.stringify(item)));
}
