// The commands of an editor for buttons outside of it.
import type { DescribedImage } from "../images/describe.tsx";
import type { Block, BlockContent } from "./blocks/calls.ts";

export type EditorHandle = {
  /** Inserts at the cursor. */
  readonly insert: (text: string) => void;
  readonly insertImage: (image: DescribedImage) => void;
  readonly insertBlock: (block: Pick<Block, "body" | "design">) => void;
  /** The selected content for a new block; null without a selection. */
  readonly chosen: () => Promise<BlockContent | null>;
  readonly focus: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
};
