// What the numbers of statistics leave out, or have only about.
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { overviewTexts } from "../texts/areas.ts";
import type { Statistics } from "./calls.ts";

type CountedProps = {
  readonly statistics: Pick<Statistics, "from" | "countedFrom" | "isEstimate">;
  readonly className?: string;
};

export function Counted({ statistics, className = "disabled-reason" }: CountedProps) {
  const t = useTexts(overviewTexts).mail;
  const { day } = useFormats();
  const { from, countedFrom, isEstimate } = statistics;
  const said = [
    ...(countedFrom !== null && countedFrom > from ? [t.countedFrom(day(new Date(countedFrom)))] : []),
    ...(isEstimate ? [t.isEstimate] : []),
  ];
  return said.length > 0 && <p className={className}>{said.join(" ")}</p>;
}
