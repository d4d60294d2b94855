// Merges contacts that are selected in the list.
import { useTexts } from "../../base/language.ts";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import type { Contact } from "../calls.ts";
import { useMerge } from "./calls.ts";
import { Comparison, useChoice } from "./comparison.tsx";

type MergeChosenProps = {
  readonly contacts: readonly Contact[];
  readonly close: () => void;
  readonly done: () => void;
};

export function MergeChosen({ contacts, close, done }: MergeChosenProps) {
  const { duplicates: t } = useTexts(peopleTexts);
  const choice = useChoice(contacts);
  const merging = useMerge();
  const run = () =>
    merging.mutate(choice.merge, {
      onSuccess: () => {
        close();
        done();
      },
    });
  return (
    <Question
      wide
      title={t.mergeChosen}
      text={t.consent}
      close={close}
      action={t.merge}
      busy={merging.isPending}
      run={run}
    >
      <Comparison contacts={contacts} choice={choice} />
    </Question>
  );
}
