// Below the canvas: nearer and farther, all of it, the same as a list; and the sum of everybody who was started.
import { Panel, useReactFlow, useViewport } from "@xyflow/react";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { useDrawn } from "./on-canvas.ts";
import { TallyLine } from "./tally.tsx";

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
