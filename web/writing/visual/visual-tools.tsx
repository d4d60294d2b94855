// The toolbar of the visual editor.
import { useEditorState, type Editor } from "@tiptap/react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Icon, type IconName } from "../../parts/icons/icon.tsx";
import { Menu } from "../../parts/overlays/menu.tsx";
import { visualTexts, writingTexts } from "../../texts/areas.ts";
import { VariableMenu } from "../variable-menu.tsx";
import type { Variable } from "../variables.ts";
import { behindChosen } from "./insert-after.ts";
import { canMove, moving } from "./move.ts";
import { setSpacing, spacingIn } from "./spacing.ts";
import { SPACINGS } from "./spaces.ts";
import { BLOCKS, insertBlock, setStyle, STYLES, styleOf, type BlockName } from "./blocks.ts";

type ToolsProps = {
  readonly onImage: () => void;
  readonly editor: Editor;
  readonly variables: readonly Variable[];
  readonly disabledReason: string | undefined;
};

export function VisualTools({ editor, variables, disabledReason, onImage }: ToolsProps) {
  const t = useTexts(visualTexts);
  const { variable } = useTexts(writingTexts);
  const insertVariable = (path: string, fallback: string) =>
    behindChosen(editor.chain().focus()).insertContent({ type: "variable", attrs: { path, fallback } }).run();
  const direct = (name: BlockName, run: () => void) => (
    <Button
      kind="quiet"
      small
      icon={BLOCKS.find((one) => one.name === name)?.icon}
      label={t.blocks[name]}
      disabledReason={disabledReason}
      onClick={run}
    />
  );
  return (
    <div className="inline visual-tools" role="toolbar" aria-label={t.insert}>
      <Words editor={editor} disabledReason={disabledReason} />
      <span className="sep" />
      <VariableMenu
        label={variable}
        variables={variables}
        disabledReason={disabledReason}
        insert={(_, path, fallback) => insertVariable(path, fallback)}
      />
      {direct("image", onImage)}
      {direct("button", () => insertBlock(editor, "button", t))}
      <MoreTools editor={editor} disabledReason={disabledReason} />
    </div>
  );
}

/** Rare blocks, and commands that also have keys. */
function MoreTools({ editor, disabledReason }: Omit<ToolsProps, "variables" | "onImage">) {
  const t = useTexts(visualTexts);
  const { undo, redo } = useTexts(writingTexts);
  const may = useEditorState({
    editor,
    selector: ({ editor: now }) => ({ up: canMove(now, -1), down: canMove(now, 1) }),
  });
  const blocks = BLOCKS.slice(2).map(({ name, icon }) => ({
    id: name,
    name: t.blocks[name],
    icon,
    disabledReason,
    run: () => insertBlock(editor, name, t),
  }));
  const mover = (way: "up" | "down", icon: IconName) => ({
    id: way,
    name: t.move[way],
    icon,
    disabledReason: disabledReason ?? (may[way] ? undefined : t.move.end[way]),
    run: () =>
      void editor
        .chain()
        .focus()
        .command(moving(way === "up" ? -1 : 1))
        .run(),
  });
  return (
    <Menu
      label={t.moreTools}
      entries={[
        { heading: t.insert, entries: blocks },
        { heading: t.moveBlock, entries: [mover("up", "moveUp"), mover("down", "moveDown")] },
        "line",
        { id: "undo", name: undo, icon: "undo", disabledReason, run: () => void editor.chain().focus().undo().run() },
        { id: "redo", name: redo, icon: "redo", disabledReason, run: () => void editor.chain().focus().redo().run() },
      ]}
    />
  );
}

function Words({ editor, disabledReason }: Omit<ToolsProps, "variables" | "onImage">) {
  const t = useTexts(visualTexts);
  const is = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      style: styleOf(now),
      spacing: spacingIn(now),
      bold: now.isActive("bold"),
      italic: now.isActive("italic"),
      link: now.isActive("link"),
    }),
  });
  const link = () => {
    const chain = editor.chain().focus();
    if (is.link) chain.extendMarkRange("link").unsetLink().run();
    else chain.setMark("link", { href: "" }).run();
  };
  return (
    <>
      <Menu
        label={t.words}
        className="btn quiet s style"
        entries={[
          ...STYLES.map((style) => ({
            id: style,
            name: t.styles[style],
            chosen: style === is.style,
            disabledReason,
            run: () => setStyle(editor, style),
          })),
          "line" as const,
          ...SPACINGS.map((spacing) => ({
            id: `space ${spacing}`,
            name: `${t.fields.spacing}: ${t.fields.spacings[spacing]}`,
            chosen: spacing === is.spacing,
            disabledReason,
            run: () => setSpacing(editor, spacing),
          })),
        ]}
      >
        {t.styles[is.style]}
        <Icon name="down" />
      </Menu>
      <Button
        kind="quiet"
        small
        aria-pressed={is.bold}
        disabledReason={disabledReason}
        aria-label={t.bold}
        title={t.bold}
        onClick={() => editor.chain().focus().toggleBold().run()}
      >
        <b>B</b>
      </Button>
      <Button
        kind="quiet"
        small
        aria-pressed={is.italic}
        disabledReason={disabledReason}
        aria-label={t.italic}
        title={t.italic}
        onClick={() => editor.chain().focus().toggleItalic().run()}
      >
        <i>I</i>
      </Button>
      <Button
        kind="quiet"
        small
        icon="link"
        label={t.link}
        aria-pressed={is.link}
        disabledReason={disabledReason}
        onClick={link}
      />
    </>
  );
}
