// Asks whether new people may receive marketing email if the file does not have their consent.
import { useTexts } from "../../base/language.ts";
import { Field } from "../../parts/fields/form.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import type { MarketingConsent } from "./calls.ts";

export type Question = {
  readonly marketing: MarketingConsent | null;
  readonly setMarketing: (marketing: MarketingConsent) => void;
  readonly consent: string;
  readonly setConsent: (consent: string) => void;
};

export function MarketingQuestion({ marketing, setMarketing, consent, setConsent }: Question) {
  const { marketing: words } = useTexts(peopleTexts).import;
  const choices = (["yes", "no", "confirm"] as const).map((value) => ({ value, content: words.answers[value] }));
  return (
    <div className="stack">
      <h3>{words.title}</h3>
      <p className="dim row-text">{words.why}</p>
      <SegmentedControl label={words.title} choices={choices} value={marketing} onChange={setMarketing} />
      {marketing !== null && <p className="row-text">{words.means[marketing]}</p>}
      {marketing === "yes" && (
        <Field
          name="consent"
          label={words.consent}
          help={words.consentHelp}
          maxLength={500}
          value={consent}
          onChange={(event) => setConsent(event.target.value)}
        />
      )}
    </div>
  );
}
