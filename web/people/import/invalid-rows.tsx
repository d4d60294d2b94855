// The invalid rows of a file with line and reason; also as a download.
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import type { people } from "../../texts/en/people.ts";
import { peopleTexts } from "../../texts/areas.ts";
import type { ImportCheck } from "../calls.ts";
import { saveFile } from "../../base/save-file.ts";
import { csvOf } from "../export.ts";

type PeopleWords = typeof people;
type InvalidRow = { readonly row: number; readonly file?: string; readonly email: string; readonly error: string };

const SHOWN = 8;

type InvalidRowsProps = {
  readonly check: ImportCheck | undefined;
  /** A new preview is loading: `check` may belong to earlier choices. */
  readonly isLooking: boolean;
  readonly name: string;
};

export function InvalidRows({ check, isLooking, name }: InvalidRowsProps) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const failed = check?.failed ?? 0;
  const isRead = check !== undefined && !isLooking && failed === 0;
  return (
    <section className="panel" aria-label={t.import.badTitle}>
      <header>
        {failed > 0 && <StatusIcon name="warn" tone="warn" />}
        {isRead && check.isComplete && <StatusIcon name="check" tone="ok" />}
        <h2>{failed > 0 ? t.import.bad(failed, number(failed)) : t.import.noneBad}</h2>
        {failed > 0 && <SaveErrors errors={check?.errors ?? []} name={name} />}
      </header>
      {failed > 0 && <RowLines errors={check?.errors ?? []} failed={failed} />}
      {failed === 0 && (
        <p className="pad dim row-text">
          {isRead ? (check.isComplete ? t.import.allRead : t.import.rowsSoFar) : t.import.looking}
        </p>
      )}
    </section>
  );
}

export function RowLines({ errors, failed }: { readonly errors: readonly InvalidRow[]; readonly failed: number }) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const shown = errors.slice(0, SHOWN);
  return (
    <ul className="rows bad-rows">
      <li className="head" aria-hidden="true">
        <span className="end">{t.import.line}</span>
        <span>{t.import.stands}</span>
        <span>{t.import.whyNot}</span>
      </li>
      {shown.map(({ row, file, email, error }, at) => (
        <li className="line" key={at}>
          <span className="end dim">{number(row)}</span>
          <code className="cut">{email || "–"}</code>
          <span>
            {reasonFor(email, error, t.import)}
            {file !== undefined && <span className="dim"> ({file.slice(file.lastIndexOf("/") + 1)})</span>}
          </span>
        </li>
      ))}
      {failed > shown.length && (
        <li className="line">
          <span />
          <span className="dim">{t.import.moreBad(number(failed - shown.length))}</span>
          <span />
        </li>
      )}
    </ul>
  );
}

/** The fault of an email address, if it can be named. */
function reasonFor(cell: string, error: string, { errors, faults }: PeopleWords["import"]): string {
  if (!/not an email address/.test(error)) return errors[error] ?? error;
  if (cell.trim() === "") return faults.empty;
  if (!cell.includes("@")) return faults.noAt;
  if (/\s/.test(cell.trim())) return faults.space;
  if (/@$/.test(cell)) return faults.nothingAfter;
  if (/\.\./.test(cell)) return faults.dots;
  return faults.other;
}

export function SaveErrors({ errors, name }: { readonly errors: readonly InvalidRow[]; readonly name: string }) {
  const t = useTexts(peopleTexts);
  const save = () => {
    const lines = errors.map(({ row, file = "", email, error }) => [row, email, error, file] as const);
    saveFile(`errors-${name.replace(/\.(zip|xlsx)$/, ".csv")}`, csvOf([["row", "email", "error", "file"], ...lines]));
  };
  return (
    <span className="push">
      <Button small kind="quiet" icon="get" onClick={save}>
        {t.import.asFile}
      </Button>
    </span>
  );
}
