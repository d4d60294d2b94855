// Moves a block among its neighbours: by Alt and the arrow keys, and by buttons.
import { Extension, type Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection, TextSelection, type EditorState, type Transaction } from "@tiptap/pm/state";

export type Direction = -1 | 1;

/** Nodes that contain stacked blocks. */
export const HOLDERS = ["doc", "column", "condition", "loop", "box"];

type BlockPosition = { readonly block: Node; readonly at: number; readonly holder: Node; readonly index: number };

/** The selected block, or the innermost one with the cursor; for a list, the whole list. */
function placeIn({ selection }: EditorState): BlockPosition | null {
  const { $from } = selection;
  if (selection instanceof NodeSelection && selection.node.isBlock && HOLDERS.includes($from.parent.type.name))
    return { block: selection.node, at: selection.from, holder: $from.parent, index: $from.index() };
  for (let depth = $from.depth; depth > 0; depth--) {
    const holder = $from.node(depth - 1);
    if (HOLDERS.includes(holder.type.name))
      return { block: $from.node(depth), at: $from.before(depth), holder, index: $from.index(depth - 1) };
  }
  return null;
}

export function canMove({ state }: Editor, way: Direction): boolean {
  const place = placeIn(state);
  return place !== null && place.holder.maybeChild(place.index + way) != null;
}

type EditorCommand = { readonly state: EditorState; readonly tr: Transaction; readonly dispatch?: unknown };

/** A command of the editor. The cursor keeps its place in the block. */
export const moving =
  (way: Direction) =>
  ({ state, tr, dispatch }: EditorCommand): boolean => {
    const place = placeIn(state);
    const neighbour = place?.holder.maybeChild(place.index + way);
    if (!place || !neighbour) return false;
    if (!dispatch) return true;
    const { block, at } = place;
    const to = at + way * neighbour.nodeSize;
    tr.delete(at, at + block.nodeSize).insert(to, block);
    const { selection } = state;
    const moved = (position: number) => Math.min(position - at, block.nodeSize) + to;
    tr.setSelection(
      selection instanceof NodeSelection
        ? NodeSelection.create(tr.doc, moved(selection.from))
        : TextSelection.create(tr.doc, moved(selection.from), moved(selection.to)),
    );
    tr.scrollIntoView();
    return true;
  };

export const movedByKeys = Extension.create({
  name: "movedByKeys",
  addKeyboardShortcuts() {
    return {
      "Alt-ArrowUp": () => this.editor.commands.command(moving(-1)),
      "Alt-ArrowDown": () => this.editor.commands.command(moving(1)),
    };
  },
});
