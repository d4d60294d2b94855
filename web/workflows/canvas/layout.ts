// The positions of steps, top to bottom, computed by dagre. An end node is added where the workflow ends.
import { Graph, layout } from "@dagrejs/dagre";
import { exitsOf, openExits, transitionAt, type Drawing, type Exit } from "../drawing.ts";

export const STEP = { width: 256, height: 64 } as const;
export const END = { width: 96, height: 32 } as const;
const BETWEEN = { ranksep: 88, nodesep: 56 };

export type CanvasPoint = { readonly x: number; readonly y: number };
export type LayoutEdge = Exit & { readonly to: string; readonly isEnd: boolean };

export function endOf({ from, branch }: Exit): string {
  return `end ${from} ${branch ?? ""}`;
}

/** All edges: the transitions, and the edges to end nodes; in the order of branches. */
export function edgesOf(drawing: Drawing): readonly LayoutEdge[] {
  return drawing.steps.flatMap((step) => {
    const exits = exitsOf(step);
    const whole = drawing.transitions.find((transition) => transition.from === step.ref && transition.branch === null);
    const named = exits.filter((exit) => transitionAt(drawing, exit)?.branch !== null || !transitionAt(drawing, exit));
    const edges = named.map((exit) => {
      const transition = transitionAt(drawing, exit);
      return { ...exit, to: transition?.to ?? endOf(exit), isEnd: !transition };
    });
    return whole ? [...edges, { ...whole, isEnd: false }] : edges;
  });
}

/** The top left corner of each step. */
export function placesOf(drawing: Drawing): ReadonlyMap<string, CanvasPoint> {
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", ...BETWEEN, marginx: 24, marginy: 20 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { ref, type } of drawing.steps)
    graph.setNode(ref, { ...(type === "EXIT" ? { ...END, width: 176 } : STEP) });
  for (const exit of openExits(drawing)) graph.setNode(endOf(exit), { ...END });
  const edges = edgesOf(drawing);
  for (const { from, to } of edges) graph.setEdge(from, to);
  // Without joins no edges can cross, and the first branch stays on the left.
  const isTree = new Set(edges.map(({ to }) => to)).size === edges.length;
  layout(graph, { disableOptimalOrderHeuristic: isTree });
  return new Map(
    graph.nodes().map((name: string) => {
      const { x, y, width, height } = graph.node(name) as Record<"x" | "y" | "width" | "height", number>;
      return [name, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
}
