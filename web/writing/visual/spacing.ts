// The space below texts and dividers, which are not custom nodes.
import { Extension, type Editor } from "@tiptap/core";
import { HOLDERS } from "./move.ts";

const TEXTS = ["paragraph", "heading", "bulletList", "orderedList"];

export const spaced = Extension.create({
  name: "spaced",
  addGlobalAttributes: () => [
    {
      types: [...TEXTS, "horizontalRule"],
      attributes: {
        spacing: {
          default: "",
          parseHTML: (element) => element.getAttribute("data-spacing") ?? "",
          renderHTML: ({ spacing }) => (spacing ? { "data-spacing": String(spacing) } : {}),
        },
      },
    },
  ],
});

/** The selected texts, or the one with the cursor; for a list, the whole list. */
function textsIn({ state }: Editor): readonly { readonly at: number; readonly spacing: string }[] {
  const found: { at: number; spacing: string }[] = [];
  state.doc.nodesBetween(state.selection.from, state.selection.to, (node, at, parent) => {
    if (!TEXTS.includes(node.type.name) || !HOLDERS.includes(parent?.type.name ?? "")) return true;
    found.push({ at, spacing: String(node.attrs["spacing"] ?? "") });
    return false;
  });
  return found;
}

/** Null if no text is selected. */
export function spacingIn(editor: Editor): string | null {
  return textsIn(editor)[0]?.spacing ?? null;
}

export function setSpacing(editor: Editor, spacing: string): void {
  editor
    .chain()
    .focus()
    .command(({ tr }) => {
      for (const { at } of textsIn(editor)) tr.setNodeAttribute(at, "spacing", spacing);
      return true;
    })
    .run();
}
