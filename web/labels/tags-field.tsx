// A field for tags: a space, a comma, a semicolon or Enter ends a tag.
import { useId, useRef, useState, type ChangeEvent, type KeyboardEvent } from "react";
import { useTexts } from "../base/language.ts";
import { FieldNote, useDisabledFields, useFieldFault } from "../parts/fields/form.tsx";
import { Icon } from "../parts/icons/icon.tsx";
import { labelsTexts } from "../texts/areas.ts";
import { useKnownTags } from "./known-tags.ts";
import { isTag, MOST_TAGS, tagsIn } from "./labels.ts";
import "../parts/fields/filter-field.css";
import "./tags-field.css";

type TagsFieldProps = {
  readonly value: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
  /** Replaces "Tags". */
  readonly label?: string;
  readonly note?: string;
  readonly help?: string;
  readonly most?: number;
};

export function TagsField({ value, onChange, label, note, help, most = MOST_TAGS }: TagsFieldProps) {
  const t = useTexts(labelsTexts);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const disabledReason = useDisabledFields();
  const isFixed = disabledReason !== undefined;
  const known = useKnownTags();
  const unfit = value.find((tag) => !isTag(tag));
  const own = unfit !== undefined ? t.unfit(unfit) : value.length > most ? t.tooMany(most) : undefined;
  const message = useFieldFault("tags", own);
  const below = message !== undefined || (disabledReason ?? help) !== undefined;
  const say = (tags: readonly string[]) => {
    onChange([...new Set(tags)]);
    // Marks the form as changed: setting tags fires no input event.
    field.current?.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const take = (typed: string) => {
    setText("");
    if (tagsIn(typed).length > 0) say([...value, ...tagsIn(typed)]);
  };
  const typed = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const isChosen = (nativeEvent as InputEvent).inputType === "insertReplacementText";
    if (isChosen || /[\s,;]/.test(target.value)) take(target.value);
    else setText(target.value);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Backspace" && text === "" && value.length > 0) say(value.slice(0, -1));
    if (event.key !== "Enter" || text === "") return;
    event.preventDefault();
    take(text);
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        {label ?? t.tags} {note && <span>{note}</span>}
      </label>
      <div className="input filter-field tags">
        {value.length > 0 && (
          <span className="tokens">
            {value.map((tag) => (
              <button
                type="button"
                className={isTag(tag) ? "tok" : "tok unfit"}
                key={tag}
                aria-label={isFixed ? undefined : t.withoutTag(tag)}
                disabled={isFixed}
                onClick={() => {
                  say(value.filter((one) => one !== tag));
                  field.current?.focus();
                }}
              >
                <span className="cut">{tag}</span>
                {!isFixed && <Icon name="x" />}
              </button>
            ))}
          </span>
        )}
        <input
          ref={field}
          id={id}
          type="text"
          list={`${id}-known`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          disabled={isFixed}
          placeholder={value.length === 0 && !isFixed ? "receipt" : undefined}
          aria-invalid={message !== undefined || undefined}
          aria-describedby={below ? `${id}-below` : undefined}
          value={text}
          onChange={typed}
          onKeyDown={pressed}
          onBlur={() => take(text)}
        />
        <datalist id={`${id}-known`}>
          {known.map((tag) => value.includes(tag) || <option key={tag} value={tag} />)}
        </datalist>
      </div>
      <FieldNote id={id} message={message} help={disabledReason ?? help} />
    </div>
  );
}
