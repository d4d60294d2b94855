// The settings of the selected block, below the text: Tab enters them, Escape returns.
import { NodeSelection } from "@tiptap/pm/state";
import { useEditorState, type Editor } from "@tiptap/react";
import type { KeyboardEvent } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { visualTexts } from "../../texts/areas.ts";
import type { Variable } from "../variables.ts";
import { Fields, WITH_SETTINGS, type SelectedBlock, type SettingsBlock } from "./block-fields.tsx";
import type { Piece } from "./document.ts";
import type { Attrs } from "./custom-node.ts";

/** The selected or innermost node that has settings. */
function chosenIn(editor: Editor): SelectedBlock | null {
  const { selection } = editor.state;
  const known = (name: string): name is SettingsBlock => (WITH_SETTINGS as readonly string[]).includes(name);
  if (selection instanceof NodeSelection && known(selection.node.type.name))
    return {
      ...{ name: selection.node.type.name, at: selection.from },
      ...{ attrs: selection.node.attrs, count: selection.node.childCount },
    };
  if (editor.isActive("link"))
    return { name: "link", at: selection.from, attrs: editor.getAttributes("link"), count: 0 };
  for (let depth = selection.$from.depth; depth > 0; depth--) {
    const node = selection.$from.node(depth);
    const { name } = node.type;
    if (known(name)) return { name, at: selection.$from.before(depth), attrs: node.attrs, count: node.childCount };
  }
  return null;
}

type SettingsProps = {
  readonly editor: Editor;
  readonly variables: readonly Variable[];
  readonly disabledReason: string | undefined;
};

export function Settings({ editor, variables, disabledReason }: SettingsProps) {
  const t = useTexts(visualTexts);
  const chosen = useEditorState({ editor, selector: ({ editor: now }) => chosenIn(now) });
  if (!chosen || disabledReason !== undefined) return null;
  const name = chosen.name === "link" ? t.link : t.blocks[chosen.name];
  const set = (change: Attrs) => changeBlock(editor, chosen, change);
  const back = (event: KeyboardEvent) => event.key === "Escape" && editor.commands.focus();
  return (
    <section className="block-settings" aria-label={t.settingsOf(name)} onKeyDown={back}>
      <h3>{name}</h3>
      <Fields chosen={chosen} set={set} variables={variables} />
      <span className="push inline">
        {chosen.name === "columns" && (
          <Button small onClick={() => resize(editor, chosen)}>
            {chosen.count === 2 ? t.addColumn : t.dropColumn}
          </Button>
        )}
        {(chosen.name === "condition" || chosen.name === "loop" || chosen.name === "box") && (
          <Button small onClick={() => unwrap(editor, chosen.at)}>
            {t.unwrap}
          </Button>
        )}
        <Button kind="quiet" small icon="trash" label={t.remove} onClick={() => remove(editor, chosen)} />
      </span>
    </section>
  );
}

function changeBlock(editor: Editor, { name, at }: SelectedBlock, change: Attrs): void {
  if (name === "link") return void editor.chain().extendMarkRange("link").updateAttributes("link", change).run();
  editor.commands.command(({ tr }) => {
    const node = tr.doc.nodeAt(at);
    if (!node) return false;
    const isWhole = tr.selection instanceof NodeSelection && tr.selection.from === at;
    tr.setNodeMarkup(at, undefined, { ...node.attrs, ...change });
    if (isWhole) tr.setSelection(NodeSelection.create(tr.doc, at));
    return true;
  });
}

function remove(editor: Editor, { name, at }: SelectedBlock): void {
  if (name === "link") return void editor.chain().focus().extendMarkRange("link").unsetLink().run();
  const size = editor.state.doc.nodeAt(at)?.nodeSize ?? 0;
  editor
    .chain()
    .focus()
    .deleteRange({ from: at, to: at + size })
    .run();
}

/** Two columns become three, or three become two: the blocks of the last one are added to the second. */
function resize(editor: Editor, { at }: SelectedBlock): void {
  const node = editor.state.doc.nodeAt(at)?.toJSON() as Piece | undefined;
  if (!node) return;
  const [first, second, third] = node.content ?? [];
  const empty = { type: "column", content: [{ type: "paragraph" }] };
  const content = third
    ? [first, { ...second, content: [...(second?.content ?? []), ...(third.content ?? [])] }]
    : [first, second, empty];
  const size = editor.state.doc.nodeAt(at)?.nodeSize ?? 0;
  const changed = { ...node, attrs: { ...node.attrs, ratio: "" }, content };
  editor
    .chain()
    .focus()
    .insertContentAt({ from: at, to: at + size }, changed as object)
    .setNodeSelection(at)
    .run();
}

function unwrap(editor: Editor, at: number): void {
  const node = editor.state.doc.nodeAt(at);
  if (node)
    editor
      .chain()
      .focus()
      .insertContentAt({ from: at, to: at + node.nodeSize }, node.content.toJSON())
      .run();
}
