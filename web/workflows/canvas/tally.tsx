// Everybody who was started, as a sum whose parts open.
import { Link } from "@tanstack/react-router";
import { useDrawn } from "./on-canvas.ts";

/** Started = inside + ended + failed + stopped; each opens. */
export function TallyLine() {
  const { id, counts, words } = useDrawn();
  const { t, number } = words;
  if (!counts) return null;
  const { started, inside, ended, failed, cancelled } = counts.executions;
  const part = (count: number, word: string, search: object) => (
    <>
      <Link className="opens" to="/workflows/$id" params={{ id }} search={search}>
        {number(count)}
      </Link>{" "}
      {word}
    </>
  );
  return (
    <span title={counts.isLowerBound ? t.atLeastWhy : undefined}>
      <b>
        {counts.isLowerBound ? t.atLeast(number(started)) : number(started)} {t.started}
      </b>
      {" = "}
      {part(inside, t.inside, { tab: "people" })}
      {" + "}
      {part(ended, t.ended, { tab: "past", status: "COMPLETED" })}
      {" + "}
      {part(failed, t.failed, { tab: "past", status: "FAILED" })}
      {cancelled > 0 && (
        <>
          {" + "}
          {part(cancelled, t.cancelled, { tab: "past", status: "CANCELLED" })}
        </>
      )}
    </span>
  );
}
