// Chooses what a filter is about: of the person, their data, their mail, events, segments. A name never seen can be
// written.
import { useFormats } from "../formats.ts";
import type { FilterNode } from "./draft.ts";
import type { Known } from "./known.ts";
import { SearchPick, type Choice, type Section } from "./pick.tsx";
import { ACTIVITIES, subjectOf } from "./subjects.ts";
import { fieldName, type Words } from "./words.ts";

const PERSON = ["email", "subscribed", "status", "createdAt", "updatedAt"] as const;
/** What is shown of a long list; words find the rest. */
const MOST = 100;

type FieldPickProps = {
  readonly filter: FilterNode;
  readonly known: Known;
  readonly words: Words;
  readonly invalid: boolean;
  readonly onChange: (field: string) => void;
};

export function FieldPick({ filter, known, words, invalid, onChange }: FieldPickProps) {
  const { t } = words;
  const { percent } = useFormats();
  const sections = sectionsOf(known, words, (share) => t.share(percent(share / 100)));
  return (
    <SearchPick
      label={t.field}
      value={filter.field}
      shown={filter.field === "" ? t.chooseField : fieldName(subjectOf(filter), words)}
      open={filter.field === ""}
      invalid={invalid}
      search={t.searchFields}
      nothing={t.nothingFound}
      sectionsFor={(typed) => found(sections, typed.trim(), words)}
      onChange={onChange}
    />
  );
}

function sectionsOf({ fields, events, segments }: Known, { t }: Words, share: (coverage: number) => string) {
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
    { id: "segment", name: names.segment, choices: segments.map(({ id, name }) => ({ id: `segment.${id}`, name })) },
  ];
  return sections;
}

function found(sections: readonly Section[], typed: string, { t }: Words): readonly Section[] {
  const sought = typed.toLowerCase();
  const fits = ({ id, name }: Choice) => name.toLowerCase().includes(sought) || id.toLowerCase().includes(sought);
  const known = sections.map((section) => ({ ...section, choices: section.choices.filter(fits).slice(0, MOST) }));
  return [...known, unseen(sections, typed, t)].filter(({ choices }) => choices.length > 0);
}

/** Data and events may come later than the condition that asks for them. */
function unseen(sections: readonly Section[], typed: string, t: Words["t"]): Section {
  const isKnown = sections.some(({ choices }) => choices.some(({ name }) => name === typed));
  const choices = [
    { id: `data.${typed}`, name: t.newData(typed) },
    { id: `event.${typed}`, name: t.newEvent(typed) },
  ];
  return { id: "unseen", name: t.sections.unseen, choices: typed === "" || isKnown ? [] : choices };
}
