// Appearance settings, kept in this browser.
import { chooseRowHeight, rowHeight, type RowHeight } from "../base/row-height.ts";
import { chooseScheme, scheme, type Scheme } from "../base/scheme.ts";
import { chooseLanguage, LANGUAGES, useLanguage, useTexts, type Language } from "../base/language.ts";
import { Icon, type IconName } from "../parts/icons/icon.tsx";
import { Section } from "../parts/section.tsx";
import { SegmentedControl, type SegmentedChoice } from "../parts/fields/segmented-control.tsx";
import { useSignal } from "../base/signal.ts";
import { frameTexts, meTexts } from "../texts/areas.ts";

const SCHEMES: readonly (readonly [Scheme, IconName])[] = [
  ["system", "half"],
  ["light", "sun"],
  ["dark", "moon"],
];
const ROWS = ["compact", "roomy"] as const;

export function Appearance() {
  const t = useTexts(meTexts);
  const frame = useTexts(frameTexts);
  const languages = (Object.keys(LANGUAGES) as Language[]).map((value) => ({ value, content: LANGUAGES[value] }));
  const schemes = SCHEMES.map(([value, icon]) => ({
    value,
    content: <Named icon={icon}>{frame.schemes[value]}</Named>,
  }));
  const heights = ROWS.map((value) => ({ value, content: t.rows[value] }));
  return (
    <Section title={t.appearance.title} text={t.appearance.text}>
      <SegmentedChoice<Language>
        label={frame.language}
        choices={languages}
        value={useLanguage()}
        onChange={(one) => void chooseLanguage(one)}
      />
      <SegmentedChoice<Scheme>
        label={frame.scheme}
        choices={schemes}
        value={useSignal(scheme)}
        onChange={chooseScheme}
      />
      <SegmentedChoice<RowHeight>
        label={t.rows.label}
        choices={heights}
        value={useSignal(rowHeight)}
        onChange={chooseRowHeight}
      />
    </Section>
  );
}

function Named({ icon, children }: { readonly icon: IconName; readonly children: string }) {
  return (
    <>
      <Icon name={icon} />
      {children}
    </>
  );
}

type OneProps<Value extends string> = {
  readonly label: string;
  readonly choices: readonly SegmentedChoice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

function SegmentedChoice<Value extends string>(one: OneProps<Value>) {
  return (
    <div className="field">
      <span className="label">{one.label}</span>
      <SegmentedControl {...one} />
    </div>
  );
}
