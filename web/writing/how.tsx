// Whether a new mail is written in blocks or as code.
import { useTexts } from "../language.ts";
import { SegmentedField } from "../parts/segmented-field.tsx";
import { writingTexts } from "../texts/areas.ts";
import type { How } from "./first.ts";

export function HowChoice({ how, choose }: { readonly how: How; readonly choose: (how: How) => void }) {
  const { how: t, modes } = useTexts(writingTexts);
  const choices = (["visual", "code"] as const).map((value) => ({ value, content: modes[value] }));
  return <SegmentedField label={t.label} help={t.help[how]} value={how} onChange={choose} choices={choices} />;
}
