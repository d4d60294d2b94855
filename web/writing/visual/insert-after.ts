// Typing with a selected block adds a paragraph after it instead of replacing it.
import { Extension, type ChainedCommands } from "@tiptap/core";
import { NodeSelection, Plugin, TextSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

export const behindBlocks = Extension.create({
  name: "behindBlocks",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleTextInput: (view, _from, _to, text) => typeAfter(view, text),
        handlePaste: (view) => {
          moveAfter(view);
          return false;
        },
        handleDOMEvents: {
          compositionstart: (view) => {
            moveAfter(view);
            return false;
          },
          // Input by dictation or a virtual keyboard.
          beforeinput: (view, event) => {
            if (event.inputType !== "insertText" || !event.data || !typeAfter(view, event.data)) return false;
            event.preventDefault();
            return true;
          },
          mousedown: (view, event) => event.target === view.dom && clickBelow(view, event),
        },
      },
    }),
  ],
});

/** Moves the cursor after a selected block first. */
export function behindChosen(chain: ChainedCommands): ChainedCommands {
  return chain.command(({ tr, dispatch }) => {
    if (dispatch && tr.selection instanceof NodeSelection) leave(tr);
    return true;
  });
}

function typeAfter(view: EditorView, text: string): boolean {
  if (!(view.state.selection instanceof NodeSelection)) return false;
  view.dispatch(leave(view.state.tr).insertText(text).scrollIntoView());
  return true;
}

function moveAfter(view: EditorView): void {
  if (view.state.selection instanceof NodeSelection) view.dispatch(leave(view.state.tr));
}

/** Moves the cursor after the selection: after a variable in the same line, after a block into a paragraph. */
function leave(tr: Transaction): Transaction {
  const { $to, to } = tr.selection;
  if ($to.parent.inlineContent) return tr.setSelection(TextSelection.create(tr.doc, to));
  const paragraph = tr.doc.type.schema.nodes["paragraph"];
  // From a block in a column, it leaves all columns.
  for (let depth = $to.depth; paragraph && depth >= 0; depth--) {
    const [parent, index] = [$to.node(depth), $to.indexAfter(depth)];
    const at = depth === $to.depth ? to : $to.after(depth + 1);
    const next = parent.maybeChild(index);
    if (next?.type === paragraph && next.content.size === 0)
      return tr.setSelection(TextSelection.create(tr.doc, at + 1));
    if (!parent.canReplaceWith(index, index, paragraph)) continue;
    return tr.insert(at, paragraph.create()).setSelection(TextSelection.create(tr.doc, at + 1));
  }
  return tr;
}

type Click = Pick<MouseEvent, "button" | "clientY" | "preventDefault">;

/** A click below the last block adds a paragraph, unless that is a paragraph. Returns true if it did. */
export function clickBelow(view: EditorView, event: Click): boolean {
  const last = view.dom.lastElementChild;
  const isBelow = last !== null && event.clientY > last.getBoundingClientRect().bottom;
  if (event.button !== 0 || !view.editable || !isBelow) return false;
  const made = withParagraphAtEnd(view.state);
  if (!made) return false;
  event.preventDefault();
  view.dispatch(made);
  view.focus();
  return true;
}

function withParagraphAtEnd({ tr, doc, schema }: EditorState): Transaction | null {
  const paragraph = schema.nodes["paragraph"];
  if (!paragraph || doc.lastChild?.type === paragraph) return null;
  const at = doc.content.size;
  const made = tr.insert(at, paragraph.create());
  return made.setSelection(TextSelection.create(made.doc, at + 1));
}
