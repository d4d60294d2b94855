// The number of things that need attention, beside Overview in the navigation.
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../base/language.ts";
import { frameTexts } from "../texts/areas.ts";
import { overviewQuery } from "./calls.ts";

export function AttentionBadge() {
  const t = useTexts(frameTexts);
  const { data } = useQuery({ ...overviewQuery, throwOnError: false });
  const count = data?.attention.length ?? 0;
  if (count === 0) return null;
  return (
    <span className="count" title={t.needsAttention(count)}>
      {count}
    </span>
  );
}
