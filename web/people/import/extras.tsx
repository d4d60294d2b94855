// Options of an import: fill only empty fields, add all contacts to a segment, tag them.
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../base/language.ts";
import { Checkbox } from "../../parts/fields/checkbox.tsx";
import { Field } from "../../parts/fields/form.tsx";
import { SearchPicker } from "../../condition/picker.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import { segmentsQuery } from "../calls.ts";
import type { Extras } from "./calls.ts";

type ExtrasProps = { readonly extras: Extras; readonly set: (extras: Extras) => void };

const MAX_CHARS = 100;

export function ExtrasFields({ extras, set }: ExtrasProps) {
  const { extras: words } = useTexts(peopleTexts).import;
  return (
    <fieldset className="stack import-extras">
      <legend className="hidden-text">{words.title}</legend>
      <Checkbox checked={extras.onlyEmpty} onChange={() => set({ ...extras, onlyEmpty: !extras.onlyEmpty })}>
        {words.onlyEmpty}
      </Checkbox>
      <div className="field">
        <span className="label">{words.segment}</span>
        <SegmentField segment={extras.segment} choose={(segment) => set({ ...extras, segment })} />
      </div>
      <Field
        name="tag"
        label={words.tag}
        note={words.optional}
        help={words.tagHelp}
        maxLength={MAX_CHARS}
        value={extras.tag}
        autoComplete="off"
        onChange={(event) => set({ ...extras, tag: event.target.value })}
      />
    </fieldset>
  );
}

type SegmentFieldProps = {
  readonly segment: Extras["segment"];
  readonly choose: (segment: Extras["segment"]) => void;
};

const NONE = "-";
const NEW = "new ";

/** A static segment: an existing one, or a new one by its name. */
function SegmentField({ segment, choose }: SegmentFieldProps) {
  const { extras: words } = useTexts(peopleTexts).import;
  const { data: segments = [] } = useQuery(segmentsQuery);
  const known = segments.filter(({ type }) => type === "STATIC");
  const sectionsFor = (typed: string) => {
    const query = typed.trim().toLowerCase();
    const found = known.filter(({ name }) => name.toLowerCase().includes(query));
    const isNew = query !== "" && !segments.some(({ name }) => name.toLowerCase() === query);
    const none = query === "" ? [{ id: NONE, name: words.none }] : [];
    return [
      {
        id: "new",
        name: words.newSegment,
        choices: isNew ? [{ id: NEW + typed.trim(), name: typed.trim(), isNew: true as const }] : [],
      },
      { id: "known", name: words.segments, choices: [...none, ...found.map(({ id, name }) => ({ id, name }))] },
    ].filter(({ choices }) => choices.length > 0);
  };
  const pick = (id: string) => {
    if (id === NONE) choose(null);
    else if (id.startsWith(NEW)) choose({ id: null, name: id.slice(NEW.length) });
    else choose({ id, name: known.find((one) => one.id === id)?.name ?? "" });
  };
  return (
    <SearchPicker
      label={words.segment}
      value={segment === null ? NONE : (segment.id ?? NEW + segment.name)}
      shown={segment?.name ?? words.none}
      search={words.find}
      nothing={words.noSegment}
      sectionsFor={sectionsFor}
      onChange={pick}
    />
  );
}
