// The files of an archive: the status that each gives its people, and the outcome of its rows.
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Panel } from "../../parts/layout.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import type { ImportCheck } from "../calls.ts";

type ImportFilesProps = { readonly files: NonNullable<ImportCheck["files"]> };
type CheckedFile = ImportFilesProps["files"][number];

export function ImportFiles({ files }: ImportFilesProps) {
  const t = useTexts(peopleTexts).import;
  return (
    <Panel title={t.files.title} actions={<span className="dim row-text">{t.files.worst}</span>}>
      <ul className="rows import-files">
        <li className="head" aria-hidden="true">
          <span>{t.list.heads.file}</span>
          <span>{t.files.takenFor}</span>
          <span>{t.files.rows}</span>
        </li>
        {files.map((file, at) => (
          <li className="line" key={at}>
            <span className="cut" title={file.name}>
              {file.name.slice(file.name.lastIndexOf("/") + 1)}
            </span>
            <span className={file.leftOut ? "warn-text" : undefined}>
              {file.leftOut ? t.files.leftOut[file.leftOut] : t.files.standings[file.standing ?? "mixed"]}
            </span>
            <span className="dim">{file.leftOut === null && <Outcome of={file} />}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Outcome({ of: { created, updated, unchanged, repeated, failed } }: { readonly of: CheckedFile }) {
  const { list, files } = useTexts(peopleTexts).import;
  const { number } = useFormats();
  const parts = [
    [created, list.added],
    [updated + unchanged, list.existed],
    [repeated, files.repeated],
    [failed, list.invalid],
  ] as const;
  const said = parts.flatMap(([count, words]) => (count > 0 ? words(number(count)) : []));
  return said.length > 0 ? said.join(", ") : number(0);
}
