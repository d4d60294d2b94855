// Errors from the server, shown below their line.
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { StateEffect, StateField, type EditorState, type Text } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";
import type { TextPosition } from "../content.ts";

export type CodeFault = { readonly place: TextPosition; readonly message: string };

const setFault = StateEffect.define<CodeFault | null>();

class FaultLine extends WidgetType {
  constructor(private readonly message: string) {
    super();
  }

  override eq(other: FaultLine): boolean {
    return other.message === this.message;
  }

  override toDOM(): HTMLElement {
    const line = document.createElement("div");
    line.className = "cm-fault";
    line.setAttribute("role", "alert");
    line.textContent = this.message;
    return line;
  }
}

/** Moves with its line until the server's next answer. */
export const faultLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, { effects, changes, state }) => {
    const update = effects.find((effect) => effect.is(setFault));
    if (!update) return shown.map(changes);
    return update.value ? Decoration.set(widget(state, update.value as CodeFault)) : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function widget({ doc }: EditorState, { place, message }: CodeFault) {
  const at = lineAt(doc, place).to;
  return [Decoration.widget({ widget: new FaultLine(message), block: true, side: 1 }).range(at)];
}

export function showFaultLine(view: EditorView, fault: CodeFault | null): void {
  const { doc } = view.state;
  const diagnostics = fault ? [diagnosticOf(doc, fault)] : [];
  view.dispatch(setDiagnostics(view.state, diagnostics), { effects: setFault.of(fault) });
}

function diagnosticOf(doc: Text, { place, message }: CodeFault): Diagnostic {
  const line = lineAt(doc, place);
  const from = Math.min(line.from + place.column - 1, line.to);
  return { from, to: Math.max(from, line.to), severity: "error", message };
}

function lineAt(doc: Text, { line }: TextPosition) {
  return doc.line(Math.min(Math.max(line, 1), doc.lines));
}
