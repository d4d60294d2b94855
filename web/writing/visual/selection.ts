// The selected blocks, and insertion of saved ones.
import { NodeSelection } from "@tiptap/pm/state";
import type { Editor } from "@tiptap/react";
import type { Block, BlockContent } from "../blocks/calls.ts";
import { behindChosen } from "./insert-after.ts";
import type { MailColours, Piece } from "./document.ts";
import { htmlOf } from "./mjml/html.ts";

/** The selected blocks, otherwise the block with the cursor. */
function piecesIn({ state }: Editor): readonly Piece[] {
  const { selection, doc } = state;
  if (selection instanceof NodeSelection && selection.node.isBlock) return [selection.node.toJSON() as Piece];
  const [from, to] = [selection.$from.index(0), selection.$to.indexAfter(0)];
  const pieces: Piece[] = [];
  for (let at = from; at < Math.max(to, from + 1) && at < doc.childCount; at++)
    pieces.push(doc.child(at).toJSON() as Piece);
  return pieces;
}

export async function chosenPart(editor: Editor, look: MailColours): Promise<BlockContent | null> {
  const content = piecesIn(editor);
  if (content.length === 0) return null;
  // Without the frame of an email, which is not part of a block.
  const html = await htmlOf({ type: "doc", content }, { ...look, logo: null, footer: "" });
  const body = (/<body\b[^>]*>([\s\S]*)<\/body>/i.exec(html)?.[1] ?? html).trim();
  return { body, design: { kind: "visual", source: { type: "doc", content } } };
}

/** Inserts blocks if it has a visual design, otherwise one block of HTML. */
export function putBlock(editor: Editor, { body, design }: Pick<Block, "body" | "design">): void {
  const source =
    design?.kind === "visual" && typeof design.source === "object" ? (design.source as unknown as Piece) : null;
  const content = source?.content ?? [{ type: "rawHtml", attrs: { html: body } }];
  behindChosen(editor.chain().focus())
    .insertContent(content as object[])
    .run();
}
