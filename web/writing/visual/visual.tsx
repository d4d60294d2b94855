// The visual editor: blocks on a sheet with their settings, compiled to HTML after each change.
import { EditorContent, useEditor, type Editor } from "@tiptap/react";
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from "react";
import { createPortal } from "react-dom";
import { useUpload } from "../../images/calls.ts";
import { useTexts } from "../../base/language.ts";
import { visualTexts } from "../../texts/areas.ts";
import type { EditorHandle } from "../editor-handle.ts";
import type { Variable } from "../variables.ts";
import type { WritingProps } from "../writing-props.ts";
import type { Design } from "../content.ts";
import { behindChosen, clickBelow } from "./insert-after.ts";
import { chosenPart, putBlock } from "./selection.ts";
import type { MailColours, Piece } from "./document.ts";
import { InsertMenu } from "./insert-menu.tsx";
import { useMaking, useReplaced, type CompiledMail } from "./mjml/compile.ts";
import { inkOn } from "./spaces.ts";
import { nodesFor } from "./nodes.ts";
import { takePaste } from "./paste/paste.ts";
import { cleanPasted } from "./paste/pasted.ts";
import { Settings } from "./settings.tsx";
import { VisualTools } from "./visual-tools.tsx";
import "./tools.css";
import "./visual.css";

type VisualProps = {
  readonly design: Design;
  readonly onChange: (made: CompiledMail) => void;
  /** Announces a change before it is compiled to HTML; see `Autosave`. */
  readonly hold: WritingProps["hold"];
  readonly variables: readonly Variable[];
  readonly look: MailColours;
  readonly disabledReason: string | undefined;
  readonly onFiles: (files: readonly File[]) => boolean;
  readonly handle: Ref<EditorHandle>;
  /** Opens the choice of an image. */
  readonly onImage: () => void;
  /** The element for the toolbar, in the row of tools above. */
  readonly toolsPlace: HTMLElement | null;
};

/** The maximum width of an image in pixels. */
const WIDEST = 552;

export function Visual(props: VisualProps) {
  const { design, variables, disabledReason, handle } = props;
  const t = useTexts(visualTexts);
  const [slashAt, openSlash] = useState<HTMLElement | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const making = useMaking(latest);
  const uploading = useUpload(() => undefined);
  const editor = useEditor(
    {
      extensions: nodesFor(t),
      content: design.source as object,
      injectCSS: false,
      editable: disabledReason === undefined,
      editorProps: {
        attributes: { "aria-label": t.document, role: "textbox", "aria-multiline": "true", class: "doc" },
        handleTextInput: (view, from, to, text) => {
          if (text !== "/" || from !== to || view.state.doc.resolve(from).parent.content.size > 0) return false;
          openSlash(view.domAtPos(from).node as HTMLElement);
          return true;
        },
        transformPastedHTML: (html) => cleanPasted(html),
        handlePaste: (view, event) =>
          takePaste(view, event.clipboardData, {
            onFiles: latest.current.onFiles,
            upload: uploading.mutateAsync,
            lost: t.lostPictures,
          }),
        handleDrop: (_, event) => takeFiles(latest.current, event.dataTransfer),
      },
      onUpdate: ({ editor: changed }) => making.take(changed.getJSON() as Piece),
    },
    [t],
  );
  useEffect(() => {
    // Without an update event, because the document does not change.
    editor?.setEditable(disabledReason === undefined, false);
  }, [editor, disabledReason]);
  useReplaced(editor, design, making);
  useImperativeHandle(handle, () => handleOf(editor, () => latest.current.look), [editor]);
  if (!editor) return null;
  return (
    <>
      {props.toolsPlace &&
        createPortal(
          <VisualTools editor={editor} variables={variables} disabledReason={disabledReason} onImage={props.onImage} />,
          props.toolsPlace,
        )}
      <div
        className="sheet-of-mail"
        ref={(sheet) => colour(sheet, props.look)}
        onMouseDown={(event) => !editor.view.dom.contains(event.target as Node) && clickBelow(editor.view, event)}
      >
        <EditorContent editor={editor} />
      </div>
      {slashAt && <InsertMenu editor={editor} at={slashAt} close={() => openSlash(null)} onImage={props.onImage} />}
      <Settings editor={editor} variables={variables} disabledReason={disabledReason} />
    </>
  );
}

/** The sheet has the colours of the email. */
function colour(sheet: HTMLElement | null, { accent, onAccent, ground, ink, paper }: MailColours): void {
  const colours = {
    ...{ accent, "on-accent": onAccent, "mail-ground": ground, "mail-ink": ink, "mail-paper": paper },
    "ink-on-ground": inkOn(ground, [ink, onAccent]),
    "ink-on-accent": inkOn(accent, [onAccent, ink]),
  };
  for (const [name, value] of Object.entries(colours)) sheet?.style.setProperty(`--${name}`, value);
}

function takeFiles({ onFiles }: VisualProps, data: DataTransfer | null): boolean {
  const files = [...(data?.files ?? [])];
  return files.length > 0 && onFiles(files);
}

function handleOf(editor: Editor | null, look: () => MailColours): EditorHandle {
  return {
    insert: (text) => void (editor && behindChosen(editor.chain().focus()).insertContent(text).run()),
    insertImage: ({ url, width, alt, isDecorative }) => {
      if (!editor) return;
      const said = { alt, decorative: isDecorative ? "yes" : "" };
      const image = { type: "image", attrs: { src: url, width: String(Math.min(width, WIDEST)), ...said } };
      behindChosen(behindChosen(editor.chain().focus()).insertContent(image)).run();
    },
    insertBlock: (block) => editor && putBlock(editor, block),
    chosen: async () => editor && chosenPart(editor, look()),
    focus: () => void editor?.commands.focus(),
    undo: () => void editor?.commands.undo(),
    redo: () => void editor?.commands.redo(),
  };
}
