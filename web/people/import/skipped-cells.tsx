// Cells that do not fit the format of their column, by line: the rows are imported without them.
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import type { ImportCheck } from "../calls.ts";

type SkippedCellsProps = { readonly cells: ImportCheck["skippedCells"]; readonly count: number };

const SHOWN = 8;

export function SkippedCells({ cells, count }: SkippedCellsProps) {
  const t = useTexts(peopleTexts).import;
  const { number } = useFormats();
  const shown = cells.slice(0, SHOWN);
  return (
    <section className="panel" aria-label={t.skipped.title}>
      <header>
        <StatusIcon name="warn" tone="warn" />
        <h2>{t.skipped.count(count, number(count))}</h2>
      </header>
      <p className="pad dim row-text">{t.skipped.means}</p>
      <ul className="rows bad-rows">
        <li className="head" aria-hidden="true">
          <span className="end">{t.line}</span>
          <span>{t.skipped.cell}</span>
          <span>{t.whyNot}</span>
        </li>
        {shown.map(({ row, field, type, cell }) => (
          <li className="line" key={`${row} ${field}`}>
            <span className="end dim">{number(row)}</span>
            <code className="cut">{cell}</code>
            <span>{t.skipped.why(field, t.formats[type].name)}</span>
          </li>
        ))}
        {count > shown.length && (
          <li className="line">
            <span />
            <span className="dim">{t.skipped.more(number(count - shown.length))}</span>
            <span />
          </li>
        )}
      </ul>
    </section>
  );
}
