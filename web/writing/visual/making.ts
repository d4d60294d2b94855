// Between the visual editor and the value that is saved: a document becomes HTML a moment after the last key, and one
// from elsewhere takes the place of what is shown.
import { useCallback, useEffect, useRef } from "react";
import type { Editor } from "@tiptap/react";
import type { Saving } from "../saving/autosave.ts";
import type { Design } from "../written.ts";
import type { Look, Piece } from "./document.ts";
import { htmlOf } from "./html.ts";

export type Made = { readonly body: string; readonly design: Design };

type Making = {
  readonly look: Look;
  readonly onChange: (made: Made) => void;
  readonly hold: Saving<never, never>["hold"];
};

/** After the last key; then the HTML is made. */
const PAUSE_MS = 200;

/** The latest document wins: one of before never comes back over what was typed since. */
export function useMaking(latest: { readonly current: Making }) {
  const waiting = useRef<Piece | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const own = useRef(new WeakSet<object>());
  const make = useCallback(async () => {
    clearTimeout(timer.current);
    const document = waiting.current;
    if (!document) return;
    const body = await htmlOf(document, latest.current.look);
    if (document !== waiting.current) return;
    waiting.current = null;
    own.current.add(document);
    const { onChange, hold } = latest.current;
    onChange({ body, design: { kind: "visual", source: document as unknown as Design["source"] } });
    hold(null);
  }, [latest]);
  useEffect(() => () => quietly(make), [make]);
  return {
    take: (document: Piece) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(quietly, PAUSE_MS, make);
      waiting.current = document;
      latest.current.hold(make);
    },
    drop: () => {
      waiting.current = null;
      latest.current.hold(null);
    },
    isOwn: (source: object) => own.current.has(source),
  };
}

/** What cannot be made stays held, and is tried again when it is saved. */
function quietly(make: () => Promise<void>): void {
  make().catch(() => undefined);
}

/** A document from elsewhere: what somebody else saved, or an older version. */
export function useReplaced(
  editor: Editor | null,
  { source }: Design,
  { isOwn, drop }: ReturnType<typeof useMaking>,
): void {
  const shown = useRef(source);
  useEffect(() => {
    if (shown.current === source) return;
    shown.current = source;
    if (!editor || isOwn(source) || isSame(editor, source)) return;
    drop();
    editor.commands.setContent(source as object, { emitUpdate: false });
  }, [editor, source]);
}

function isSame({ schema, state }: Editor, source: Design["source"]): boolean {
  try {
    return schema.nodeFromJSON(source).eq(state.doc);
  } catch {
    return false;
  }
}
