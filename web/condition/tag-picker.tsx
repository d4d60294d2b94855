// Narrows a filter for email events to emails with a tag. Unknown tags can be typed.
import { useKnownTags } from "../labels/known-tags.ts";
import { isTag } from "../labels/labels.ts";
import type { FilterNode } from "./draft.ts";
import { SearchPicker, type RankedChoice, type Section } from "./picker.tsx";
import type { ConditionNames } from "./describe.ts";

type TagPickerProps = {
  readonly filter: FilterNode;
  readonly words: ConditionNames;
  readonly onChange: (filter: FilterNode) => void;
};

/** The id of "any tag": a tag cannot have this name. */
const ANY = "=";
/** The most tags in the list; search finds the rest. */
const MOST_SHOWN = 100;

export function TagPicker({ filter: { tag, ...filter }, words: { t }, onChange }: TagPickerProps) {
  const known = useKnownTags();
  const sectionsFor = (typed: string): readonly Section[] => {
    const query = typed.trim();
    const found = known.filter((one) => one.toLowerCase().includes(query.toLowerCase())).slice(0, MOST_SHOWN);
    const choices: readonly RankedChoice[] = [
      ...found.map((one) => ({ id: one, name: one })),
      ...(isTag(query) && !known.includes(query) ? [{ id: query, name: query, isNew: "last" as const }] : []),
    ];
    const all = query === "" ? [{ id: ANY, name: t.anyTag }, ...choices] : choices;
    return all.length === 0 ? [] : [{ id: "tags", name: t.tags, choices: all }];
  };
  return (
    <SearchPicker
      label={t.tag}
      value={tag ?? ANY}
      shown={tag === undefined ? t.anyTag : t.tagNamed(tag)}
      search={t.searchTags}
      nothing={t.noTag}
      sectionsFor={sectionsFor}
      onChange={(chosen) => onChange(chosen === ANY ? filter : { ...filter, tag: chosen })}
    />
  );
}
