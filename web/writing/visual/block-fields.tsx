// The fields of the selected block.
import { useId } from "react";
import { useTexts } from "../../base/language.ts";
import { Checkbox } from "../../parts/fields/checkbox.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { visualTexts } from "../../texts/areas.ts";
import type { Variable } from "../variables.ts";
import { COMPARISONS, type Comparison } from "./document.ts";
import { BACKGROUNDS, BUTTON_LOOKS, isColour, RATIOS, SPACINGS } from "./spaces.ts";
import { needsValue } from "./condition-text.ts";
import type { Attrs } from "./custom-node.ts";

export const WITH_SETTINGS = [
  "variable",
  "image",
  "button",
  "condition",
  "loop",
  "rawHtml",
  "columns",
  "box",
  "horizontalRule",
] as const;
export type SettingsBlock = (typeof WITH_SETTINGS)[number];
export type SelectedBlock = {
  readonly name: SettingsBlock | "link";
  readonly at: number;
  readonly attrs: Attrs;
  /** The number of columns in it. */
  readonly count: number;
};

type FieldsProps = {
  readonly chosen: SelectedBlock;
  readonly set: (change: Attrs) => void;
  readonly variables: readonly Variable[];
};

export function Fields({ chosen: { name, attrs, count }, set, variables }: FieldsProps) {
  const t = useTexts(visualTexts).fields;
  const choice = (key: string, values: readonly string[], names: Readonly<Record<string, string>>, label: string) => (
    <Choice
      key={key}
      label={label}
      value={String(attrs[key] || values[0])}
      values={values}
      names={names}
      set={(value) => set({ [key]: value === values[0] ? "" : value })}
    />
  );
  const spacing = choice("spacing", SPACINGS, t.spacings, t.spacing);
  const background = <BackgroundField key="background" value={String(attrs["background"] ?? "")} set={set} />;
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
  if (name === "horizontalRule") return spacing;
  if (name === "box") return [background, spacing];
  if (name === "columns") return [choice("ratio", RATIOS[count] ?? [], {}, t.ratio), background, spacing];
  if (name === "condition") return <Condition attrs={attrs} set={set} paths={paths} />;
  const align = <Align key="align" value={String(attrs["align"])} set={(align) => set({ align })} />;
  if (name === "button")
    return [
      field("href", t.href, { placeholder: t.hrefHelp }),
      align,
      choice("look", BUTTON_LOOKS, t.looks, t.look),
      spacing,
    ];
  return [
    field("src", t.src),
    field("alt", t.alt, { disabledReason: attrs["decorative"] ? t.isDecorative : undefined }),
    <Checkbox
      key="decorative"
      checked={Boolean(attrs["decorative"])}
      onChange={({ target }) => set(target.checked ? { decorative: "yes", alt: "" } : { decorative: "" })}
    >
      {t.decorative}
    </Checkbox>,
    field("width", t.width, { isShort: true }),
    field("href", t.imageLink),
    align,
    spacing,
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

type ChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
  /** Values without a name are shown as they are. */
  readonly names: Readonly<Record<string, string>>;
  readonly set: (value: string) => void;
};

function Choice({ label, value, values, names, set }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field short">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input" value={value} onChange={({ target }) => set(target.value)}>
        {values.map((one) => (
          <option key={one} value={one}>
            {names[one] ?? one}
          </option>
        ))}
      </select>
    </div>
  );
}

type BackgroundProps = { readonly value: string; readonly set: (change: Attrs) => void };

/** A colour of the brand, or a custom one. */
function BackgroundField({ value, set }: BackgroundProps) {
  const t = useTexts(visualTexts).fields;
  const isOwn = isColour(value);
  return (
    <>
      <Choice
        label={t.background}
        value={isOwn ? "own" : value}
        values={BACKGROUNDS}
        names={t.backgrounds}
        set={(background) => set({ background: background === "own" ? FIRST_OWN : background })}
      />
      {isOwn && (
        <input
          type="color"
          className="own-colour"
          aria-label={t.backgrounds.own}
          value={value}
          onChange={({ target }) => set({ background: target.value })}
        />
      )}
    </>
  );
}

const FIRST_OWN = "#ece6d8";

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
  readonly disabledReason?: string | undefined;
};

function ColourField({ label, value, set, placeholder, offers, isLong, isShort, disabledReason }: ColourFieldProps) {
  const id = useId();
  const disabled = disabledReason !== undefined;
  const common = { id, value, placeholder, disabled, title: disabledReason, className: "input" };
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
