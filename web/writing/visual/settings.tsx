// The settings of the selected block, below the sheet: Tab enters, Escape returns.
import { NodeSelection } from "@tiptap/pm/state";
import { useEditorState, type Editor } from "@tiptap/react";
import { useId, type KeyboardEvent } from "react";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { SegmentedControl } from "../../parts/segmented-control.tsx";
import { visualTexts } from "../../texts/areas.ts";
import type { Variable } from "../variables.ts";
import { COMPARISONS, type Comparison } from "./document.ts";
import { needsValue } from "./condition-text.ts";
import type { Attrs } from "./custom-node.ts";

const WITH_SETTINGS = ["variable", "image", "button", "condition", "loop", "rawHtml", "columns"] as const;
type Name = (typeof WITH_SETTINGS)[number];
type Chosen = { readonly name: Name | "link"; readonly at: number; readonly attrs: Attrs };

/** The selected or innermost node that has settings. */
function chosenIn(editor: Editor): Chosen | null {
  const { selection } = editor.state;
  const known = (name: string): name is Name => (WITH_SETTINGS as readonly string[]).includes(name);
  if (selection instanceof NodeSelection && known(selection.node.type.name))
    return { name: selection.node.type.name, at: selection.from, attrs: selection.node.attrs };
  if (editor.isActive("link")) return { name: "link", at: selection.from, attrs: editor.getAttributes("link") };
  for (let depth = selection.$from.depth; depth > 0; depth--) {
    const node = selection.$from.node(depth);
    if (known(node.type.name)) return { name: node.type.name, at: selection.$from.before(depth), attrs: node.attrs };
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
        {(chosen.name === "condition" || chosen.name === "loop") && (
          <Button small onClick={() => unwrap(editor, chosen.at)}>
            {t.unwrap}
          </Button>
        )}
        <Button kind="quiet" small icon="trash" label={t.remove} onClick={() => remove(editor, chosen)} />
      </span>
    </section>
  );
}

function changeBlock(editor: Editor, { name, at }: Chosen, change: Attrs): void {
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

function remove(editor: Editor, { name, at }: Chosen): void {
  if (name === "link") return void editor.chain().focus().extendMarkRange("link").unsetLink().run();
  const size = editor.state.doc.nodeAt(at)?.nodeSize ?? 0;
  editor
    .chain()
    .focus()
    .deleteRange({ from: at, to: at + size })
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

type FieldsProps = {
  readonly chosen: Chosen;
  readonly set: (change: Attrs) => void;
  readonly variables: readonly Variable[];
};

function Fields({ chosen: { name, attrs }, set, variables }: FieldsProps) {
  const t = useTexts(visualTexts).fields;
  const field = (key: string, label: string, more: Partial<ColourFieldProps> = {}) => (
    <ColourField
      key={key}
      label={label}
      value={String(attrs[key] ?? "")}
      set={(value) => set({ [key]: value })}
      {...more}
    />
  );
  const paths = variables.map(({ path }) => path);
  if (name === "link") return field("href", t.linkHref, { placeholder: t.hrefHelp });
  if (name === "variable") return [field("path", t.path, { offers: paths }), field("fallback", t.fallback)];
  if (name === "loop") return [field("list", t.list, { offers: paths }), field("item", t.item)];
  if (name === "rawHtml") return field("html", t.html, { isLong: true });
  if (name === "columns") return null;
  if (name === "condition") return <Condition attrs={attrs} set={set} paths={paths} />;
  const align = <Align key="align" value={String(attrs["align"])} set={(align) => set({ align })} />;
  if (name === "button") return [field("href", t.href, { placeholder: t.hrefHelp }), align];
  return [
    field("src", t.src),
    field("alt", t.alt),
    field("width", t.width, { isShort: true }),
    field("href", t.imageLink),
    align,
  ];
}

type ConditionProps = {
  readonly attrs: Attrs;
  readonly set: (change: Attrs) => void;
  readonly paths: readonly string[];
};

function Condition({ attrs, set, paths }: ConditionProps) {
  const t = useTexts(visualTexts);
  const id = useId();
  const comparison = String(attrs["comparison"]) as Comparison;
  return (
    <>
      <ColourField label={t.fields.path} value={String(attrs["path"])} set={(path) => set({ path })} offers={paths} />
      <div className="field">
        <label htmlFor={id}>{t.fields.comparison}</label>
        <select
          id={id}
          className="input"
          value={comparison}
          onChange={({ target }) => set({ comparison: target.value })}
        >
          {COMPARISONS.map((one) => (
            <option key={one} value={one}>
              {t.comparisons[one]}
            </option>
          ))}
        </select>
      </div>
      {needsValue(comparison) && (
        <ColourField label={t.fields.value} value={String(attrs["value"])} set={(value) => set({ value })} />
      )}
    </>
  );
}

const ALIGNS = ["left", "center", "right"] as const;

function Align({ value, set }: { readonly value: string; readonly set: (align: string) => void }) {
  const t = useTexts(visualTexts).fields;
  const choices = ALIGNS.map((align) => ({ value: align, content: t.aligns[align] }));
  return (
    <SegmentedControl
      label={t.align}
      small
      value={ALIGNS.find((one) => one === value) ?? "left"}
      onChange={set}
      choices={choices}
    />
  );
}

type ColourFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly placeholder?: string;
  readonly offers?: readonly string[];
  readonly isLong?: boolean;
  readonly isShort?: boolean;
};

function ColourField({ label, value, set, placeholder, offers, isLong, isShort }: ColourFieldProps) {
  const id = useId();
  const common = { id, value, placeholder, className: "input" };
  return (
    <div className={isLong ? "field long" : isShort ? "field short" : "field"}>
      <label htmlFor={id}>{label}</label>
      {isLong ? (
        <textarea {...common} rows={6} spellCheck={false} onChange={({ target }) => set(target.value)} />
      ) : (
        <input {...common} list={offers && `${id}-offers`} onChange={({ target }) => set(target.value)} />
      )}
      {offers && (
        <datalist id={`${id}-offers`}>
          {offers.map((offer) => (
            <option key={offer} value={offer} />
          ))}
        </datalist>
      )}
    </div>
  );
}
