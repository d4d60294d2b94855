// The differences between two versions as text: theirs beside mine.
import { useTexts } from "../base/language.ts";
import { savingTexts } from "../texts/areas.ts";
import { differencesBetween } from "./differences.ts";
import { useFieldName, useValueInWords } from "./in-words.ts";
import "./saving.css";

/** The maximum shown: a longer list is not read before the choice. */
const MOST_SHOWN = 12;

/** Values as text; null = empty. */
export type NamedDifference = {
  readonly id: string;
  readonly name: string;
  readonly theirs: string | null;
  readonly mine: string | null;
};

/** `mine`: the unsaved values, by the record's field names. */
export function Differences({ theirs, mine }: { readonly theirs: object; readonly mine: object }) {
  const fieldName = useFieldName();
  const inWords = useValueInWords();
  const rows = differencesBetween(theirs, mine).map((one) => ({
    id: one.path,
    name: fieldName(one.path),
    theirs: inWords(one.path, one.theirs),
    mine: inWords(one.path, one.mine),
  }));
  return rows.length > 0 && <DifferenceTable rows={rows} />;
}

export function DifferenceTable({ rows }: { readonly rows: readonly NamedDifference[] }) {
  const t = useTexts(savingTexts);
  return (
    <div className="differences">
      <table>
        <thead>
          <tr>
            <th scope="col">{t.columns.field}</th>
            <th scope="col">{t.columns.theirs}</th>
            <th scope="col">{t.columns.mine}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_SHOWN).map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.name}</th>
              <td data-of={t.columns.theirs}>{one.theirs ?? t.nothing}</td>
              <td data-of={t.columns.mine}>{one.mine ?? t.nothing}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_SHOWN && <p className="dim small">{t.more(rows.length - MOST_SHOWN)}</p>}
    </div>
  );
}
