// Notes on statistics: what they exclude or estimate.
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { overviewTexts } from "../../texts/areas.ts";
import type { MailStatistics } from "../calls.ts";

type CountNotesProps = {
  readonly statistics: Pick<MailStatistics, "from" | "countedFrom" | "isEstimate">;
  readonly className?: string;
};

export function CountNotes({ statistics, className = "disabled-reason" }: CountNotesProps) {
  const t = useTexts(overviewTexts).mail;
  const { day } = useFormats();
  const { from, countedFrom, isEstimate } = statistics;
  const notes = [
    ...(countedFrom !== null && countedFrom > from ? [t.countedFrom(day(new Date(countedFrom)))] : []),
    ...(isEstimate ? [t.isEstimate] : []),
  ];
  return notes.length > 0 && <p className={className}>{notes.join(" ")}</p>;
}
