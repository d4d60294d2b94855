// The toolbar of the visual editor.
import { useEditorState, type Editor } from "@tiptap/react";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { Menu } from "../../parts/menu.tsx";
import { visualTexts, writingTexts } from "../../texts/areas.ts";
import { VariableMenu } from "../variable-menu.tsx";
import type { Variable } from "../variables.ts";
import { behindChosen } from "./insert-after.ts";
import { canMove, moving } from "./move.ts";
import { setSpacing, spacingIn } from "./spacing.ts";
import { SPACINGS } from "./spaces.ts";
import { BLOCKS, insertBlock, setStyle, STYLES, styleOf } from "./blocks.ts";

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
  return (
    <div className="tools" role="toolbar" aria-label={t.insert}>
      <span className="inline">
        <Words editor={editor} disabledReason={disabledReason} />
        <span className="sep" />
        <Movers editor={editor} disabledReason={disabledReason} />
      </span>
      <VariableMenu
        label={variable}
        shown={t.blocks.variable}
        variables={variables}
        disabledReason={disabledReason}
        insert={(_, path, fallback) => insertVariable(path, fallback)}
      />
      {BLOCKS.map(({ name, icon }) => (
        <Button
          key={name}
          kind="quiet"
          small
          icon={icon}
          className="tool"
          disabledReason={disabledReason}
          onClick={() => (name === "image" ? onImage() : insertBlock(editor, name, t))}
        >
          {t.blocks[name]}
        </Button>
      ))}
    </div>
  );
}

/** Move the block with the cursor, as Alt and the arrow keys do. */
function Movers({ editor, disabledReason }: Omit<ToolsProps, "variables" | "onImage">) {
  const t = useTexts(visualTexts);
  const may = useEditorState({
    editor,
    selector: ({ editor: now }) => ({ up: canMove(now, -1), down: canMove(now, 1) }),
  });
  const button = (way: "up" | "down", icon: IconName) => (
    <Button
      kind="quiet"
      small
      icon={icon}
      label={t.move[way]}
      disabledReason={disabledReason ?? (may[way] ? undefined : t.move.end[way])}
      onClick={() =>
        editor
          .chain()
          .focus()
          .command(moving(way === "up" ? -1 : 1))
          .run()
      }
    />
  );
  return (
    <>
      {button("up", "moveUp")}
      {button("down", "moveDown")}
    </>
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
