// The code editor: HTML with Liquid. It never reformats its content.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { closePercentBrace } from "@codemirror/lang-liquid";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { faultLine } from "./fault-line.ts";
import { theme } from "./theme.ts";

/** Options that can change while the editor is open. */
export const language = new Compartment();
export const writable = new Compartment();

export type ViewOptions = {
  readonly doc: string;
  readonly label: string;
  readonly phrases: Readonly<Record<string, string>>;
  readonly language: Extension;
  readonly onChange: (doc: string) => void;
  /** Receives dropped or pasted files; true = they were handled. */
  readonly onFiles: (files: readonly File[]) => boolean;
};

export function openView(parent: HTMLElement, options: ViewOptions): EditorView {
  const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
  const extensions: Extension[] = [
    [EditorView.cspNonce.of(nonce), EditorState.phrases.of(options.phrases), theme],
    [lineNumbers(), history(), drawSelection(), highlightActiveLine(), highlightSelectionMatches()],
    [EditorView.lineWrapping, bracketMatching(), closeBrackets(), closePercentBrace, indentUnit.of("  ")],
    [autocompletion(), search({ top: true }), faultLine],
    language.of(options.language),
    writable.of([]),
    // Tab moves the focus to the next element; ⌘] and ⌘[ indent.
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap]),
    EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
    EditorView.updateListener.of((update) => update.docChanged && options.onChange(update.state.doc.toString())),
    EditorView.domEventHandlers({
      beforeinput: (event, view) => typesOverText(event, view),
      drop: (event) => options.onFiles([...(event.dataTransfer?.files ?? [])]),
      paste: (event) => options.onFiles([...(event.clipboardData?.files ?? [])]),
    }),
  ];
  return new EditorView({ parent, state: EditorState.create({ doc: options.doc, extensions }) });
}

/** Replaces the whole text; undo restores it. */
export function replaceAll(view: EditorView, doc: string): void {
  if (view.state.doc.toString() === doc) return;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: doc } });
}

export function insertText(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true });
  view.focus();
}

/** Typing a bracket or quote with a selection wraps it. */
const PAIRED = /^[[\](){}'"<>%]$/;

/**
 * Typing over highlighted text, browsers may keep its look as style attributes, which the page's CSP refuses: so the
 * editor replaces the text itself.
 */
function typesOverText(event: InputEvent, view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  const { data, inputType, isComposing } = event;
  if (inputType !== "insertText" || isComposing || from === to || PAIRED.test(data ?? "")) return false;
  view.dispatch(view.state.replaceSelection(data ?? ""), { userEvent: "input.type", scrollIntoView: true });
  return true;
}
