// The visual editor: blocks on a sheet, their settings below it, and HTML made of them after each change.
import { EditorContent, useEditor, type Editor } from "@tiptap/react";
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from "react";
import { useTexts } from "../../language.ts";
import { visualTexts } from "../../texts/visual.ts";
import type { EditorHandle } from "../editor-handle.ts";
import type { Variable } from "../variables.ts";
import type { Design } from "../written.ts";
import { chosenPart, putBlock } from "./chosen.ts";
import type { Look, Piece } from "./document.ts";
import { htmlOf } from "./html.ts";
import { InsertMenu } from "./insert-menu.tsx";
import { nodesFor } from "./nodes.ts";
import { Settings } from "./settings.tsx";
import { VisualTools } from "./visual-tools.tsx";
import "./visual.css";

export type Made = { readonly body: string; readonly design: Design };

type VisualProps = {
  readonly design: Design;
  readonly onChange: (made: Made) => void;
  readonly variables: readonly Variable[];
  readonly look: Look;
  readonly off: string | undefined;
  readonly onFiles: (files: readonly File[]) => boolean;
  readonly handle: Ref<EditorHandle>;
  /** Somebody wants an image. */
  readonly onImage: () => void;
};

/** Pixels that a mail has for a picture. */
const WIDEST = 552;
/** After the last key; then the HTML is made. */
const PAUSE_MS = 200;

export function Visual(props: VisualProps) {
  const { design, variables, off, handle } = props;
  const t = useTexts(visualTexts);
  const [slashAt, openSlash] = useState<HTMLElement | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const make = useMaking(latest);
  const editor = useEditor(
    {
      extensions: nodesFor(t),
      content: design.source as object,
      injectCSS: false,
      editable: off === undefined,
      editorProps: {
        attributes: { "aria-label": t.document, role: "textbox", "aria-multiline": "true", class: "doc" },
        handleTextInput: (view, from, to, text) => {
          if (text !== "/" || from !== to || view.state.doc.resolve(from).parent.content.size > 0) return false;
          openSlash(view.domAtPos(from).node as HTMLElement);
          return true;
        },
        transformPastedHTML: wordsAlone,
        handlePaste: (_, event) => taken(latest.current, event.clipboardData),
        handleDrop: (_, event) => taken(latest.current, event.dataTransfer),
      },
      onUpdate: ({ editor: changed }) => {
        noteDocument(changed);
        make(changed.getJSON() as Piece);
      },
    },
    [t],
  );
  useEffect(() => {
    editor?.setEditable(off === undefined);
  }, [editor, off]);
  useReplaced(editor, design);
  useImperativeHandle(handle, () => handleOf(editor, () => latest.current.look), [editor]);
  if (!editor) return null;
  return (
    <>
      <VisualTools editor={editor} variables={variables} off={off} onImage={props.onImage} />
      <div className="sheet-of-mail" ref={(sheet) => colour(sheet, props.look)}>
        <EditorContent editor={editor} />
      </div>
      {slashAt && <InsertMenu editor={editor} at={slashAt} close={() => openSlash(null)} onImage={props.onImage} />}
      <Settings editor={editor} variables={variables} off={off} />
    </>
  );
}

/** Looks, handlers and scripts that are pasted would be refused by the page's policy, and reported; here they are not even read. */
function wordsAlone(html: string): string {
  return html
    .replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, "")
    .replace(/\s(?:style|on\w+)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi, "");
}

/** Buttons are as in the mail. */
function colour(sheet: HTMLElement | null, { accent, onAccent }: Look): void {
  sheet?.style.setProperty("--accent", accent);
  sheet?.style.setProperty("--on-accent", onAccent);
}

function taken({ onFiles }: VisualProps, data: DataTransfer | null): boolean {
  const files = [...(data?.files ?? [])];
  return files.length > 0 && onFiles(files);
}

/** The latest document wins; one that is waiting when the editor goes is made at once. */
function useMaking(latest: { readonly current: VisualProps }) {
  const life = useRef<{ timer?: ReturnType<typeof setTimeout>; waiting: Piece | null; turn: number }>({
    waiting: null,
    turn: 0,
  });
  const made = async () => {
    const { waiting } = life.current;
    if (!waiting) return;
    life.current.waiting = null;
    const turn = ++life.current.turn;
    const body = await htmlOf(waiting, latest.current.look);
    if (turn !== life.current.turn) return;
    latest.current.onChange({ body, design: { kind: "visual", source: waiting as unknown as Design["source"] } });
  };
  useEffect(() => () => (clearTimeout(life.current.timer), void made()), []);
  return (document: Piece) => {
    clearTimeout(life.current.timer);
    life.current.waiting = document;
    life.current.timer = setTimeout(() => void made(), PAUSE_MS);
  };
}

/** A document from elsewhere: what somebody else saved, or an older version. */
function useReplaced(editor: Editor | null, design: Design): void {
  const first = useRef(true);
  const said = JSON.stringify(design.source);
  useEffect(() => {
    if (first.current) first.current = false;
    else if (editor && !isKnown(editor, said))
      editor.commands.setContent(design.source as object, { emitUpdate: false });
  }, [editor, said]);
}

/** What this editor made: it may be a little behind. */
const known = new WeakMap<Editor, string[]>();
const MOST_KNOWN = 50;

function isKnown(editor: Editor, said: string): boolean {
  return JSON.stringify(editor.getJSON()) === said || (known.get(editor) ?? []).includes(said);
}

function noteDocument(editor: Editor): void {
  const past = known.get(editor) ?? [];
  known.set(editor, [...past, JSON.stringify(editor.getJSON())].slice(-MOST_KNOWN));
}

function handleOf(editor: Editor | null, look: () => Look): EditorHandle {
  return {
    insert: (text) => void editor?.chain().focus().insertContent(text).run(),
    insertImage: ({ url, width }) =>
      void editor
        ?.chain()
        .focus()
        .insertContent({ type: "image", attrs: { src: url, width: String(Math.min(width, WIDEST)) } })
        .run(),
    insertBlock: (block) => editor && putBlock(editor, block),
    chosen: async () => editor && chosenPart(editor, look()),
    focus: () => void editor?.commands.focus(),
    undo: () => void editor?.commands.undo(),
    redo: () => void editor?.commands.redo(),
  };
}
