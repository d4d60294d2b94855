// A person's data, edited in place: Enter saves, Escape cancels.
import { useState, type KeyboardEvent } from "react";
import { Chips, isList } from "../../parts/chips.tsx";
import { useTexts } from "../../base/language.ts";
import { useFormats } from "../../base/formats.ts";
import { Button } from "../../parts/button.tsx";
import { isMoment, Time } from "../../parts/time.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import type { Contact } from "../calls.ts";
import { useChange } from "./change.ts";
import { parseValue, textOf } from "./values.ts";

export function ContactData({ contact }: { readonly contact: Contact }) {
  const t = useTexts(peopleTexts);
  const formats = useFormats();
  const disabledReason = useDisabledReason("people.write");
  const change = useChange(contact);
  const [opened, editOf] = useState<{ readonly key: string; readonly seen: Contact } | null>(null);
  const [addedTo, addTo] = useState<Contact | null>(null);
  const entries = Object.entries(contact.data as Readonly<Record<string, unknown>>);
  const open = opened?.key;
  const inWords = (value: unknown) =>
    isList(value) ? value.join(" ") : isMoment(value) ? formats.exact(new Date(value)) : textOf(value);
  const edit = (key: string | null) => editOf(key === null ? null : { key, seen: contact });
  const save = (key: string, value: unknown, seen: Contact) => {
    edit(null);
    change.data(key, value, seen);
  };
  return (
    <div className="card-part">
      <h2>{t.data.title}</h2>
      <dl className="facts data-facts">
        {entries.map(([key, value]) => (
          <div key={key}>
            <dt className="cut" title={key}>
              {key}
            </dt>
            <dd>
              {open === key ? (
                <Editor
                  name={key}
                  value={(opened?.seen.data as Readonly<Record<string, unknown>>)[key]}
                  save={(next) => save(key, next, opened?.seen ?? contact)}
                  close={() => edit(null)}
                />
              ) : (
                <button
                  type="button"
                  className={typeof value === "object" && !isList(value) ? "datum mono" : "datum"}
                  aria-label={t.data.edit(key, inWords(value))}
                  aria-disabled={disabledReason !== undefined || undefined}
                  title={disabledReason}
                  onClick={() => disabledReason === undefined && edit(key)}
                >
                  {isList(value) && value.length > 0 ? (
                    <Chips of={value} />
                  ) : isMoment(value) ? (
                    <Time at={value} as="exact" />
                  ) : (
                    textOf(value)
                  )}
                </button>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {entries.length === 0 && <p className="dim row-text">{t.data.none}</p>}
      {addedTo ? (
        <NewField
          known={entries.map(([key]) => key)}
          save={(key, value) => {
            addTo(null);
            save(key, value, addedTo);
          }}
          close={() => addTo(null)}
        />
      ) : (
        <span>
          <Button small kind="quiet" icon="plus" disabledReason={disabledReason} onClick={() => addTo(contact)}>
            {t.data.add}
          </Button>
        </span>
      )}
    </div>
  );
}

type EditorProps = {
  readonly name: string;
  readonly value: unknown;
  /** Undefined deletes the key. */
  readonly save: (value: unknown) => void;
  readonly close: () => void;
};

function Editor({ name, value, save, close }: EditorProps) {
  const t = useTexts(peopleTexts);
  const [text, write] = useState(textOf(value));
  const settle = () => (text === textOf(value) ? close() : save(parseValue(text, value)));
  return (
    <span className="editor">
      <input
        className="input"
        aria-label={name}
        autoFocus
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => onAnswer(event, settle, close)}
      />
      <Button small icon="check" label={t.save} onClick={settle} />
      <Button small kind="quiet" icon="trash" label={t.data.remove(name)} onClick={() => save(undefined)} />
    </span>
  );
}

type NewFieldProps = {
  readonly known: readonly string[];
  readonly save: (key: string, value: unknown) => void;
  readonly close: () => void;
};

function NewField({ known, save, close }: NewFieldProps) {
  const t = useTexts(peopleTexts);
  const [key, nameIt] = useState("");
  const [text, write] = useState("");
  const isKnown = known.includes(key.trim());
  const disabledReason = key.trim() === "" ? t.data.noName : isKnown ? t.data.taken : undefined;
  const settle = () => disabledReason === undefined && save(key.trim(), parseValue(text, undefined));
  const pressed = (event: KeyboardEvent) => onAnswer(event, settle, close);
  return (
    <span className="editor new">
      <input
        className="input"
        aria-label={t.data.key}
        placeholder={t.data.key}
        autoFocus
        value={key}
        onChange={(event) => nameIt(event.target.value)}
        onKeyDown={pressed}
      />
      <input
        className="input"
        aria-label={t.data.value}
        placeholder={t.data.value}
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={pressed}
      />
      <Button small icon="check" label={t.save} disabledReason={disabledReason} onClick={settle} />
      <Button small kind="quiet" icon="x" label={t.cancel} onClick={close} />
    </span>
  );
}

function onAnswer(event: KeyboardEvent, settle: () => void, close: () => void): void {
  if (event.key === "Enter") settle();
  if (event.key !== "Escape") return;
  event.stopPropagation();
  close();
}
