// All executions as a sum with links for its parts.
import { Link } from "@tanstack/react-router";
import type { WorkflowSearch } from "../search.ts";
import { useDrawn } from "./on-canvas.ts";

/** Started = inside + ended + failed + stopped. */
export function TallyLine() {
  const { id, counts, words } = useDrawn();
  const { t, number } = words;
  if (!counts) return null;
  const { started, inside, ended, failed, cancelled } = counts.executions;
  const part = (shown: string, word: string, search: WorkflowSearch) => (
    <>
      <Link className="opens" to="/workflows/$id" params={{ id }} search={search}>
        {shown}
      </Link>{" "}
      {word}
    </>
  );
  return (
    <span title={counts.isLowerBound ? t.atLeastWhy : undefined}>
      <b>
        {part(counts.isLowerBound ? t.atLeast(number(started)) : number(started), t.started, {
          tab: "people",
          of: "started",
        })}
      </b>
      {" = "}
      {part(number(inside), t.inside, { tab: "people" })}
      {" + "}
      {part(number(ended), t.ended, { tab: "past" })}
      {" + "}
      {part(number(failed), t.failed, { tab: "past", of: "failed" })}
      {cancelled > 0 && (
        <>
          {" + "}
          {part(number(cancelled), t.cancelled, { tab: "past", of: "cancelled" })}
        </>
      )}
    </span>
  );
}
