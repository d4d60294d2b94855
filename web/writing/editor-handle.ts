// What buttons can ask of an editor.
import type { DescribedImage } from "../images/describe.tsx";
import type { Block, BlockContent } from "./blocks/calls.ts";

export type EditorHandle = {
  /** At the cursor. */
  readonly insert: (text: string) => void;
  readonly insertImage: (image: DescribedImage) => void;
  readonly insertBlock: (block: Pick<Block, "body" | "design">) => void;
  /** What could be saved as a block; null: nothing is chosen. */
  readonly chosen: () => Promise<BlockContent | null>;
  readonly focus: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
};
