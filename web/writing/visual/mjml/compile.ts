// Between the visual editor and the saved value: compiles after the last keystroke, and loads documents of other
// sources.
import { useCallback, useEffect, useRef } from "react";
import type { Editor } from "@tiptap/react";
import type { Autosave } from "../../saving/autosave.ts";
import type { Design } from "../../content.ts";
import type { MailColours, Piece } from "../document.ts";
import { htmlOf } from "./html.ts";

export type CompiledMail = { readonly body: string; readonly design: Design };

type Compilation = {
  readonly look: MailColours;
  readonly onChange: (made: CompiledMail) => void;
  readonly hold: Autosave<never, never>["hold"];
};

/** Pause after the last keystroke. */
const PAUSE_MS = 200;

/** The latest document replaces earlier ones that are still compiling. */
export function useMaking(latest: { readonly current: Compilation }) {
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
  useEffect(() => () => withoutUpdate(make), [make]);
  return {
    take: (document: Piece) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(withoutUpdate, PAUSE_MS, make);
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

/** After an error the document is kept and compiled again on save. */
function withoutUpdate(make: () => Promise<void>): void {
  make().catch(() => undefined);
}

/** Shows a document that the editor has not made: of another user or an older version. */
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
