// The code editor component, loaded when code is first shown.
import { useEffect, useImperativeHandle, useRef, type Ref } from "react";
import { redo, undo } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { DescribedImage } from "../../images/describe.tsx";
import { useTexts } from "../../base/language.ts";
import { writingTexts } from "../../texts/areas.ts";
import type { EditorHandle } from "../editor-handle.ts";
import type { Variable } from "../variables.ts";
import { languageFor } from "./completion.ts";
import { showFaultLine, type CodeFault } from "./fault-line.ts";
import { insertText, language, openView, replaceAll, writable } from "./view.ts";

export type CodeProps = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  readonly variables: readonly Variable[];
  readonly fault: CodeFault | null;
  readonly disabledReason: string | undefined;
  readonly onFiles: (files: readonly File[]) => boolean;
  readonly handle: Ref<EditorHandle>;
};

export function Code(props: CodeProps) {
  const { value, variables, fault, disabledReason, handle } = props;
  const t = useTexts(writingTexts);
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const sent = useRef<string[]>([]);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const opened = openView(place.current as HTMLElement, {
      doc: latest.current.value,
      label: latest.current.label,
      phrases: t.codePhrases,
      language: languageFor(latest.current.variables, t),
      onChange: (doc) => {
        sent.current.push(doc);
        latest.current.onChange(doc);
      },
      onFiles: (files) => files.length > 0 && latest.current.onFiles(files),
    });
    view.current = opened;
    return () => opened.destroy();
  }, [t]);
  useEffect(() => {
    view.current?.dispatch({ effects: language.reconfigure(languageFor(variables, t)) });
  }, [variables, t]);
  useEffect(() => {
    const fixed = disabledReason === undefined ? [] : [EditorState.readOnly.of(true), EditorView.editable.of(false)];
    view.current?.dispatch({ effects: writable.reconfigure(fixed) });
  }, [disabledReason]);
  useEffect(() => {
    // The editor's own changes come back as `value`; it may have newer ones by then, so they are not applied.
    const own = sent.current.indexOf(value);
    if (own >= 0) sent.current.splice(0, own + 1);
    else if (view.current) replaceAll(view.current, value);
  }, [value]);
  const faultKey = fault && `${fault.place.line}:${fault.place.column} ${fault.message}`;
  useEffect(() => {
    if (view.current) showFaultLine(view.current, fault);
  }, [faultKey]);
  useImperativeHandle(handle, () => handleOf(view));
  return <div className="code-editor" ref={place} />;
}

function handleOf(view: { readonly current: EditorView | null }): EditorHandle {
  const action = (run: (view: EditorView) => void) => () => view.current && run(view.current);
  return {
    insert: (text) => view.current && insertText(view.current, text),
    insertImage: (image) => view.current && insertText(view.current, tagOf(image)),
    insertBlock: ({ body }) => view.current && insertText(view.current, body),
    chosen: async () => {
      const { state } = view.current ?? {};
      const { from = 0, to = 0 } = state?.selection.main ?? {};
      return state && from < to ? { body: state.sliceDoc(from, to), design: null } : null;
    },
    focus: action((opened) => opened.focus()),
    undo: action(undo),
    redo: action(redo),
  };
}

/** The width of most emails in pixels. */
const WIDEST = 600;

/** A decorative image has an empty alt text. */
function tagOf({ url, width, alt }: DescribedImage): string {
  const words = alt.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
  return `<img src="${url}" alt="${words}" width="${Math.min(width, WIDEST)}" style="max-width: 100%; height: auto">`;
}
