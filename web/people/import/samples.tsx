// Sample cells of a column, and their values after the import.
import { useTexts } from "../../base/language.ts";
import { peopleTexts } from "../../texts/areas.ts";
import type { ImportCheck } from "../calls.ts";
import type { FileHead } from "./file/file-head.ts";

type SamplesProps = {
  readonly head: FileHead;
  readonly at: number;
  /** The column as the server reads it. */
  readonly facts: ImportCheck["columns"][number] | undefined;
  readonly isData: boolean;
};

export function Samples({ head, at, facts, isData }: SamplesProps) {
  const t = useTexts(peopleTexts).import;
  const examples = facts?.examples ?? [...new Set(head.samples.flatMap((cells) => cells[at] || []))];
  const shown = examples.map((example, index) => {
    const value = isData ? facts?.values[index] : example;
    return { example, value, isSame: value === undefined || String(value) === example };
  });
  const hasChanges = shown.some(({ isSame }) => !isSame);
  return (
    <span className="dim examples">
      {shown.map(({ example, value, isSame }) => (
        <span className={hasChanges ? "cut" : ""} key={`${facts ? "read" : "raw"} ${example}`}>
          {example}
          {!isSame && (
            <>
              {" → "}
              <span className={value === null ? "warn-text" : "becomes-value"}>
                {value === null ? t.left : typeof value === "boolean" ? t.flags[value ? "yes" : "no"] : String(value)}
              </span>
            </>
          )}
        </span>
      ))}
    </span>
  );
}
