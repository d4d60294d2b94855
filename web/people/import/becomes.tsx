// What a column of a file becomes: one of the fields that are known, or a new one by a name that is typed.
import { SearchPick, type Choice } from "../../condition/pick.tsx";
import { useTexts } from "../../language.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { keyFor } from "./head.ts";
import "../../condition/condition.css";

type BecomesProps = {
  readonly column: string;
  /** "" = left out. */
  readonly field: string;
  /** `data.<key>` that people have. */
  readonly known: readonly string[];
  readonly choose: (field: string) => void;
};

/** An id for a column that is left out: the empty one means that nothing is chosen. */
const LEFT_OUT = "-";
/** Beside the field itself, a key of this name would only be taken for it. */
const MEANT_OTHERWISE = /^data\.(id|e-?mail|subscribed|unsubscribeUrl|subscribeUrl|manageUrl)$/i;
/** By these the pages say who somebody is, before anybody has them. */
const NAMES = ["data.name", "data.firstName", "data.lastName"];

export function Becomes({ column, field, known, choose }: BecomesProps) {
  const t = useTexts(peopleTexts).import;
  const own = keyFor(column);
  const fields = [...new Set(["email", "subscribed", ...(own ? [own] : []), ...NAMES, ...known])].filter(
    (one) => !MEANT_OTHERWISE.test(one),
  );
  const choices: readonly Choice[] = [
    { id: LEFT_OUT, name: t.leaveOut },
    ...fields.map((id) => ({ id, name: id, note: t.fields[id] })),
  ];
  const sectionsFor = (typed: string) => {
    const sought = typed.trim().toLowerCase();
    const found = choices.filter(({ name }) => name.toLowerCase().includes(sought));
    const made = keyFor(typed);
    const isNew = made !== "" && !MEANT_OTHERWISE.test(made) && !choices.some(({ id }) => id === made);
    return [
      { id: "known", name: t.knownFields, choices: found },
      { id: "new", name: t.newField, choices: isNew ? [{ id: made, name: made }] : [] },
    ].filter((section) => section.choices.length > 0);
  };
  return (
    <SearchPick
      label={t.becomes(column)}
      value={field || LEFT_OUT}
      shown={field || t.leaveOut}
      search={t.searchFields}
      nothing={t.noField}
      sectionsFor={sectionsFor}
      onChange={(id) => choose(id === LEFT_OUT ? "" : id)}
    />
  );
}
