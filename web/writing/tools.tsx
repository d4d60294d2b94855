// The row of tools above an editor, and how it is written.
import type { RefObject } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Seg } from "../parts/seg.tsx";
import { writingTexts } from "../texts/areas.ts";
import { BlocksMenu } from "./blocks/menu.tsx";
import type { EditorHandle } from "./editor-handle.ts";
import { VariableMenu } from "./variable-menu.tsx";
import type { Variable } from "./variables.ts";

export type Mode = "visual" | "code" | "text";

type ToolsProps = {
  readonly mode: Mode;
  readonly setMode: (mode: Mode) => void;
  readonly variables: readonly Variable[];
  readonly handle: RefObject<EditorHandle | null>;
  readonly off: string | undefined;
  readonly onImage: () => void;
};

export function Tools({ mode, setMode, variables, handle, off, onImage }: ToolsProps) {
  const t = useTexts(writingTexts);
  return (
    <div className="tools">
      {mode === "code" && <Button kind="quiet" small icon="image" label={t.image} off={off} onClick={onImage} />}
      {mode !== "visual" && (
        <VariableMenu
          label={t.variable}
          variables={variables}
          off={off}
          insert={(text) => handle.current?.insert(text)}
        />
      )}
      <Button kind="quiet" small icon="undo" label={t.undo} off={off} onClick={() => handle.current?.undo()} />
      <Button kind="quiet" small icon="redo" label={t.redo} off={off} onClick={() => handle.current?.redo()} />
      {mode !== "text" && <BlocksMenu handle={handle} off={off} />}
      <span className="push">
        <Seg
          label={t.mode}
          small
          value={mode}
          onChange={setMode}
          choices={[
            { value: "visual", content: t.modes.visual },
            { value: "code", content: t.modes.code },
            { value: "text", content: t.modes.text },
          ]}
        />
      </span>
    </div>
  );
}
