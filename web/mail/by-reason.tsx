// What has failed, by its reason: each number opens those mails, and a second time all again.
import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { mailTexts } from "../texts/areas.ts";
import type { Filters } from "./filters.ts";
import { reasonsQuery } from "./mails.ts";
import { haveReasons } from "./reasons.ts";
import "./by-reason.css";

type ByReasonProps = { readonly filters: Filters; readonly narrow: (filters: Filters) => void };

export function ByReason({ filters, narrow }: ByReasonProps) {
  const t = useTexts(mailTexts);
  const { number } = useFormats();
  const { data } = useQuery({ ...reasonsQuery(filters), enabled: haveReasons(filters.status) });
  const { reason: chosen, ...rest } = filters;
  if (!data || !haveReasons(filters.status)) return null;
  if (data.reasons.length < 2 && chosen === undefined) return null;
  return (
    <div className="by-reason" role="group" aria-label={t.byReason}>
      {data.reasons.map(({ reason, count }) => (
        <button
          key={reason}
          type="button"
          className="tok"
          aria-pressed={reason === chosen}
          onClick={() => narrow(reason === chosen ? rest : { ...rest, reason })}
        >
          {t.reasons[reason].brief} <span className="n">{number(count)}</span>
        </button>
      ))}
      {data.isLowerBound && <span className="dim small">{t.ofNewest}</span>}
    </div>
  );
}
