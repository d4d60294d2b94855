// The toolbar above an editor, and the mode switch.
import type { RefObject } from "react";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";
import { writingTexts } from "../texts/areas.ts";
import { BlocksMenu } from "./blocks/menu.tsx";
import type { EditorHandle } from "./editor-handle.ts";
import { VariableMenu } from "./variable-menu.tsx";
import type { Variable } from "./variables.ts";

export type EditorMode = "visual" | "code" | "text";

type ToolsProps = {
  readonly mode: EditorMode;
  readonly setMode: (mode: EditorMode) => void;
  readonly variables: readonly Variable[];
  readonly handle: RefObject<EditorHandle | null>;
  readonly disabledReason: string | undefined;
  readonly onImage: () => void;
  /** Receives the element for the visual editor's toolbar. */
  readonly setPlace: (place: HTMLElement | null) => void;
};

export function Tools({ mode, setMode, variables, handle, disabledReason, onImage, setPlace }: ToolsProps) {
  const t = useTexts(writingTexts);
  return (
    <div className="tools">
      {mode === "visual" ? (
        // The visual editor renders its own toolbar here.
        <div className="own-tools" ref={setPlace} />
      ) : (
        <span className="inline">
          {mode === "code" && (
            <Button kind="quiet" small icon="image" label={t.image} disabledReason={disabledReason} onClick={onImage} />
          )}
          <VariableMenu
            label={t.variable}
            variables={variables}
            disabledReason={disabledReason}
            insert={(text) => handle.current?.insert(text)}
          />
          <Button
            kind="quiet"
            small
            icon="undo"
            label={t.undo}
            disabledReason={disabledReason}
            onClick={() => handle.current?.undo()}
          />
          <Button
            kind="quiet"
            small
            icon="redo"
            label={t.redo}
            disabledReason={disabledReason}
            onClick={() => handle.current?.redo()}
          />
        </span>
      )}
      <span className="push inline">
        {mode !== "text" && <BlocksMenu handle={handle} disabledReason={disabledReason} />}
        <SegmentedControl
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
