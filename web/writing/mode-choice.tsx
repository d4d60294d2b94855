// Chooses visual or code for a new email.
import { useTexts } from "../base/language.ts";
import { SegmentedField } from "../parts/fields/segmented-field.tsx";
import { writingTexts } from "../texts/areas.ts";
import type { WritingMode } from "./starter-content.ts";

export function ModeChoice({
  how,
  choose,
}: {
  readonly how: WritingMode;
  readonly choose: (how: WritingMode) => void;
}) {
  const { how: t, modes } = useTexts(writingTexts);
  const choices = (["visual", "code"] as const).map((value) => ({ value, content: modes[value] }));
  return <SegmentedField label={t.label} help={t.help[how]} value={how} onChange={choose} choices={choices} />;
}
