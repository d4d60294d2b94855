// The canvas: steps that can be moved, connected and added. The list of steps has the same functions.
import {
  Background,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  type Connection,
  type Edge,
  type Node,
  type OnReconnect,
  Panel,
  useViewport,
} from "@xyflow/react";
import { useEffect, useMemo, useRef, type CSSProperties, type ReactNode } from "react";
import { exitsOf, inOrder, openExits, transitionAt, type Drawing, type Exit } from "../drawing.ts";
import { titleOf, type StepNames } from "../describe-step.ts";
import { canConnect } from "../edits.ts";
import { TransitionEdge } from "./edge.tsx";
import { edgesOf, endOf, placesOf, type CanvasPoint } from "./layout.ts";
import { EndNode, StepNode } from "./node.tsx";
import { exitKey, useDrawn } from "./on-canvas.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { TallyLine } from "./tally.tsx";
import "./canvas.css";
import "./flow.css";

const NODES = { step: StepNode, end: EndNode };
const EDGES = { transition: TransitionEdge };
/** Room for the controls and the tally below, and for the counts beside a step. */
const FIT = { padding: { top: "24px", right: "64px", bottom: "64px", left: "64px" }, maxZoom: 1 } as const;
/** Controls keep their size at a low zoom, up to this factor. */
const MAX_UNZOOM = 2.4;
const NO_POSITION: CanvasPoint = { x: 0, y: 0 };

export function Canvas({ children }: { readonly children?: ReactNode }) {
  return (
    <ReactFlowProvider>
      <Drawn>{children}</Drawn>
    </ReactFlowProvider>
  );
}

function Drawn({ children }: { readonly children?: ReactNode }) {
  const { drawing, words, disabledReason, connect } = useDrawn();
  const { nodes, edges } = useMemo(() => flowOf(drawing, words), [drawing, words]);
  useFitting();
  const unzoom = useStore(({ transform: [, , zoom] }) => Math.min(MAX_UNZOOM, Math.max(1, 1 / zoom)));
  const isLet = useRef(true);
  const reconnect: OnReconnect = (edge, { target }) => {
    isLet.current = false;
    connect(exitIn(edge), target);
  };
  return (
    <section className="canvas" aria-label={words.t.canvas} style={{ "--unzoom": unzoom } as CSSProperties}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODES}
        edgeTypes={EDGES}
        fitView
        fitViewOptions={FIT}
        minZoom={0.3}
        maxZoom={1.5}
        panOnScroll
        nodesDraggable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        nodesConnectable={disabledReason === undefined}
        edgesReconnectable={disabledReason === undefined}
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        proOptions={{ hideAttribution: true }}
        isValidConnection={({ source, target }) => canConnect(drawing, source, target)}
        onConnect={({ source, target }: Connection) => connect(freeExit(drawing, source), target)}
        onReconnectStart={() => (isLet.current = true)}
        onReconnect={reconnect}
        onReconnectEnd={(_, edge) => isLet.current && connect(exitIn(edge), null)}
      >
        <Background gap={20} size={1} />
        <Tools />
        {children}
      </ReactFlow>
    </section>
  );
}

/** Fits the view again after a change of the width. */
function useFitting(): void {
  const width = useStore((state) => state.width);
  const { fitView } = useReactFlow();
  useEffect(() => void fitView(FIT), [width, fitView]);
}

function exitIn({ data }: Edge): Exit {
  return data?.["exit"] as Exit;
}

/** The first exit without a transition, otherwise the first. */
function freeExit(drawing: Drawing, from: string): Exit {
  const step = drawing.steps.find(({ ref }) => ref === from);
  const exits = step ? exitsOf(step) : [];
  return exits.find((exit) => !transitionAt(drawing, exit)) ?? exits[0] ?? { from, branch: null };
}

/** Steps and transitions in the order of the flow, which the Tab key follows. */
function flowOf(unordered: Drawing, words: StepNames): { readonly nodes: Node[]; readonly edges: Edge[] } {
  const places = placesOf(unordered);
  const drawing = { ...unordered, steps: inOrder(unordered) };
  const nameOf = (ref: string) => {
    const step = drawing.steps.find((one) => one.ref === ref);
    return step ? titleOf(step, drawing, words) : words.t.end;
  };
  const at = (ref: string) => ({ position: places.get(ref) ?? NO_POSITION });
  const steps = drawing.steps.map(({ ref }) => ({ id: ref, type: "step", data: {}, ...at(ref) }));
  const ends = openExits(drawing).map((exit) => {
    const id = endOf(exit);
    return { id, type: "end", data: { exit: exitKey(exit) }, ...at(id) };
  });
  const drawn = edgesOf(drawing);
  const edges = drawn.map((edge, index) => {
    // Labels of transitions to the same step are stacked above it.
    const twin = drawn.slice(0, index).filter(({ to }) => to === edge.to).length;
    const { from, branch, to: target, isEnd } = edge;
    const exit: Exit = { from, branch };
    const ends = { source: from, target, reconnectable: isEnd ? false : ("target" as const) };
    const ariaLabel = words.t.leads(nameOf(from), nameOf(target));
    return { id: `transition ${exitKey(exit)}`, type: "transition", ariaLabel, ...ends, data: { exit, twin } };
  });
  return { nodes: [...steps, ...ends], edges };
}

/** Below the canvas: zoom, fit, list view, and the tally of executions. */
function Tools() {
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
        <Button small onClick={() => void fitView(FIT)}>
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
