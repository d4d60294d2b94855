// The field for a column of a file: an existing one, or a new one typed by name.
import { useTexts } from "../../base/language.ts";
import { SearchPicker, type RankedChoice } from "../../condition/picker.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import { keyFor } from "./file/file-head.ts";

type TargetFieldProps = {
  readonly column: string;
  /** "" = left out. */
  readonly field: string;
  /** Existing `data.<key>`, and `topic:<key>` of the workspace's topics. */
  readonly known: readonly string[];
  readonly choose: (field: string) => void;
};

/** The id of an ignored column; an empty id means no choice yet. */
const IGNORED = "-";
/** Keys that could be mistaken for built-in fields. */
const RESERVED = /^data\.(id|e-?mail|subscribed|unsubscribeUrl|subscribeUrl|manageUrl)$/i;
const NAMES = ["data.name", "data.firstName", "data.lastName"];

export function TargetField({ column, field, known, choose }: TargetFieldProps) {
  const t = useTexts(peopleTexts).import;
  const own = keyFor(column);
  const fields = [...new Set(["email", "subscribed", ...(own ? [own] : []), ...NAMES, ...known])].filter(
    (one) => !RESERVED.test(one),
  );
  const choices: readonly RankedChoice[] = [
    { id: IGNORED, name: t.leaveOut },
    ...fields.map((id) => ({ id, name: id, note: t.fields[id] })),
  ];
  const sectionsFor = (typed: string) => {
    const query = typed.trim().toLowerCase();
    const found = choices.filter(({ name }) => name.toLowerCase().includes(query));
    const newKey = keyFor(typed);
    const isNew = newKey !== "" && !RESERVED.test(newKey) && !choices.some(({ id }) => id === newKey);
    return [
      { id: "new", name: t.newField, choices: isNew ? [{ id: newKey, name: newKey, isNew: true as const }] : [] },
      { id: "known", name: t.knownFields, choices: found },
    ].filter((section) => section.choices.length > 0);
  };
  return (
    <SearchPicker
      label={t.becomes(column)}
      value={field || IGNORED}
      shown={field || t.leaveOut}
      search={t.searchFields}
      nothing={t.noField}
      sectionsFor={sectionsFor}
      onChange={(id) => choose(id === IGNORED ? "" : id)}
    />
  );
}
