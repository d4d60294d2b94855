// The blocks that can be inserted.
import type { Editor } from "@tiptap/react";
import type { IconName } from "../../parts/icons/icon.tsx";
import type { visual } from "../../texts/en/visual.ts";
import { behindChosen } from "./insert-after.ts";

type VisualWords = typeof visual;

export const BLOCKS = [
  { name: "image", icon: "image" },
  { name: "button", icon: "button" },
  { name: "columns", icon: "columns" },
  { name: "box", icon: "box" },
  { name: "horizontalRule", icon: "divider" },
  { name: "condition", icon: "branch" },
  { name: "loop", icon: "loop" },
  { name: "rawHtml", icon: "code" },
] as const satisfies readonly { readonly name: string; readonly icon: IconName }[];
export type BlockName = (typeof BLOCKS)[number]["name"];

const EMPTY = { type: "paragraph" };

/** Wraps the selection in a section, a condition or a loop; inserts anything else at the cursor. */
export function insertBlock(editor: Editor, name: BlockName, t: VisualWords): void {
  const isAround = name === "condition" || name === "loop" || name === "box";
  if (isAround && !editor.state.selection.empty && editor.can().wrapIn(name))
    return void editor.chain().focus().wrapIn(name).run();
  // Inserts after a selected block instead of replacing it.
  const chain = behindChosen(editor.chain().focus());
  if (name === "horizontalRule") return void chain.setHorizontalRule().run();
  if (isAround) return void chain.insertContent({ type: name, content: [EMPTY] }).run();
  const column = { type: "column", content: [EMPTY] };
  const content = {
    image: { type: "image" },
    button: { type: "button", content: [{ type: "text", text: t.buttonText }] },
    columns: { type: "columns", content: [column, column] },
    rawHtml: { type: "rawHtml" },
  }[name];
  chain.insertContent(content).run();
}

export const STYLES = ["paragraph", "h1", "h2", "h3", "bulletList", "orderedList"] as const;
export type Style = (typeof STYLES)[number];

export function setStyle(editor: Editor, style: Style): void {
  const chain = editor.chain().focus();
  if (style === "bulletList") return void chain.toggleBulletList().run();
  if (style === "orderedList") return void chain.toggleOrderedList().run();
  if (style === "paragraph") return void chain.setParagraph().run();
  chain.setHeading({ level: Number(style.slice(1)) as 1 | 2 | 3 }).run();
}

export function styleOf(editor: Editor): Style {
  if (editor.isActive("bulletList")) return "bulletList";
  if (editor.isActive("orderedList")) return "orderedList";
  return (
    ([1, 2, 3] as const)
      .map((level) => (editor.isActive("heading", { level }) ? (`h${level}` as const) : null))
      .find(Boolean) ?? "paragraph"
  );
}
