// What the buttons around an editor can ask of it.
export type EditorHandle = {
  /** At the cursor. */
  readonly insert: (text: string) => void;
  readonly focus: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
};
