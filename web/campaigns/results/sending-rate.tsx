// The current sending rate, and when the rest will have been sent.
import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../../formats.ts";
import { useTexts } from "../../language.ts";
import { queueQuery } from "../../overview/calls.ts";
import { Number } from "../../parts/number.tsx";
import { accountTexts } from "../../texts/areas.ts";
import type { Statistics } from "./calls.ts";
import { PARTS } from "./parts.ts";

const SECOND_MS = 1_000;

export function SendingRate({ statistics }: { readonly statistics: Statistics }) {
  const t = useTexts(accountTexts);
  const { number, span } = useFormats();
  const { data } = useQuery(queueQuery);
  const left = PARTS.onWay.count(statistics);
  const rate = data?.ratePerSecond ?? 0;
  return (
    <div className="push inline pace">
      <Number value={number(Math.round(rate * 10) / 10)} label={t.aSecond} />
      <Number value={rate > 0 && left > 0 ? span((left / rate) * SECOND_MS) : "–"} label={t.toGo} />
    </div>
  );
}
