// Below the canvas: nearer and farther, all of it, the same as a list; and the sum of everybody who was started.
import { Panel, useReactFlow, useViewport } from "@xyflow/react";
import { Link } from "@tanstack/react-router";
import { Button, ButtonLink } from "../parts/button.tsx";
import { useDrawn } from "./on-canvas.ts";

type Fit = { readonly padding: number; readonly maxZoom: number };

export function Tools({ fit }: { readonly fit: Fit }) {
  const { id, words, search } = useDrawn();
  const { t, number } = words;
  const { zoomIn, zoomOut, zoomTo, fitView } = useReactFlow();
  const { zoom } = useViewport();
  return (
    <>
      <Panel position="bottom-left" className="canvas-tools">
        <span className="pair">
          <Button small icon="minus" label={t.smaller} onClick={() => void zoomOut()} />
          <Button small title={t.whole} onClick={() => void zoomTo(1)}>
            {number(Math.round(zoom * 100))} %
          </Button>
          <Button small icon="plus" label={t.larger} onClick={() => void zoomIn()} />
        </span>
        <Button small onClick={() => void fitView(fit)}>
          {t.fit}
        </Button>
        <ButtonLink small to="/workflows/$id" params={{ id }} search={{ ...search, view: "list" }}>
          {t.asList}
        </ButtonLink>
      </Panel>
      <Panel position="bottom-right" className="tally">
        <TallyLine />
      </Panel>
    </>
  );
}

/** Started = inside + ended + failed + stopped: each opens. */
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
    <span title={counts.isAtLeast ? t.atLeastWhy : undefined}>
      <b>
        {counts.isAtLeast ? t.atLeast(number(started)) : number(started)} {t.started}
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
