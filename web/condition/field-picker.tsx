// Picks the field of a filter: contact fields, data, emails, events, topics or segments. Unknown names can be typed.
import { useFormats } from "../base/formats.ts";
import type { FilterNode } from "./draft.ts";
import type { KnownNames } from "./known-names.ts";
import { SearchPicker, type RankedChoice, type Section } from "./picker.tsx";
import { ACTIVITIES, subjectOf } from "./subjects.ts";
import { fieldName, type ConditionNames } from "./describe.ts";

const PERSON = ["email", "subscribed", "status", "paused", "createdAt", "updatedAt"] as const;
/** The most choices of a section; search finds the rest. */
const MAX_SHOWN = 100;

type FieldPickerProps = {
  readonly filter: FilterNode;
  readonly known: KnownNames;
  readonly words: ConditionNames;
  readonly invalid: boolean;
  readonly onChange: (field: string) => void;
};

export function FieldPicker({ filter, known, words, invalid, onChange }: FieldPickerProps) {
  const { t } = words;
  const { percent } = useFormats();
  const sections = sectionsOf(known, words, (share) => t.share(percent(share / 100)));
  return (
    <SearchPicker
      label={t.field}
      value={filter.field}
      shown={filter.field === "" ? t.chooseField : fieldName(subjectOf(filter), words)}
      open={filter.field === ""}
      invalid={invalid}
      search={t.searchFields}
      nothing={t.nothingFound}
      sectionsFor={(typed) => matching(sections, typed.trim(), words)}
      onChange={onChange}
    />
  );
}

function sectionsOf(
  { fields, events, segments, topics }: KnownNames,
  { t }: ConditionNames,
  share: (coverage: number) => string,
) {
  const ofData = fields.filter(({ field }) => field.startsWith("data."));
  const names = t.sections;
  const sections: readonly Section[] = [
    { id: "person", name: names.person, choices: PERSON.map((field) => ({ id: field, name: t.fields[field] })) },
    {
      id: "data",
      name: names.data,
      choices: ofData.map(({ field, coverage }) => ({ id: field, name: field.slice(5), note: share(coverage) })),
    },
    { id: "mail", name: names.mail, choices: ACTIVITIES.map((one) => ({ id: `email.${one}`, name: t.mails[one] })) },
    { id: "event", name: names.event, choices: events.map((name) => ({ id: `event.${name}`, name })) },
    { id: "topic", name: names.topic, choices: topics.map(({ id, name }) => ({ id: `topic.${id}`, name })) },
    { id: "segment", name: names.segment, choices: segments.map(({ id, name }) => ({ id: `segment.${id}`, name })) },
  ];
  return sections;
}

function matching(sections: readonly Section[], typed: string, { t }: ConditionNames): readonly Section[] {
  const query = typed.toLowerCase();
  const fits = ({ id, name }: RankedChoice) => name.toLowerCase().includes(query) || id.toLowerCase().includes(query);
  const known = sections.map((section) => ({ ...section, choices: section.choices.filter(fits).slice(0, MAX_SHOWN) }));
  return [...known, ownName(sections, typed, t)].filter(({ choices }) => choices.length > 0);
}

/** Offers a typed name that is unknown: its data and events may arrive later. */
function ownName(sections: readonly Section[], typed: string, t: ConditionNames["t"]): Section {
  const isKnown = sections.some(({ choices }) => choices.some(({ name }) => name === typed));
  const choices = [
    { id: `data.${typed}`, name: t.newData(typed), isNew: "last" as const },
    { id: `event.${typed}`, name: t.newEvent(typed), isNew: "last" as const },
  ];
  return { id: "unseen", name: t.sections.unseen, choices: typed === "" || isKnown ? [] : choices };
}
