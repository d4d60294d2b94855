// Contacts side by side: which one stays, and whose value is kept where they differ.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Time } from "../../parts/time.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import type { Contact } from "../calls.ts";
import { textOf } from "../person/values.ts";
import { SubscriptionLabel } from "../subscription-label.tsx";
import "./duplicates.css";

type Data = Readonly<Record<string, unknown>>;
const dataOf = ({ data }: Contact) => data as Data;

export type PersonChoice = ReturnType<typeof useChoice>;

/** By default the first contact stays. */
export function useChoice(contacts: readonly Contact[]) {
  const [stays, setStays] = useState(contacts[0]?.id ?? "");
  const [values, setValues] = useState<Record<string, string>>({});
  const from = contacts.flatMap(({ id }) => (id === stays ? [] : id));
  return { stays, setStays, values, setValues, merge: { into: stays, from, values } };
}

type ComparisonProps = { readonly contacts: readonly Contact[]; readonly choice: PersonChoice };

export function Comparison({ contacts, choice }: ComparisonProps) {
  const { duplicates: t } = useTexts(peopleTexts);
  const { stays, setStays, values, setValues } = choice;
  const { asked, taken } = keysOf(contacts);
  return (
    <>
      <div className="scroll-x" tabIndex={0} role="group" aria-label={t.compare}>
        <table className="side-by-side">
          <thead>
            <tr>
              <td />
              {contacts.map((contact) => (
                <th key={contact.id} scope="col">
                  <label className="choice">
                    <input
                      type="radio"
                      name={`stays ${contacts[0]?.id}`}
                      checked={contact.id === stays}
                      onChange={() => setStays(contact.id)}
                      aria-label={t.staysAs(contact.email)}
                    />
                    <span>{contact.id === stays ? t.stays : t.goes}</span>
                  </label>
                  <Link to="/people/$id" params={{ id: contact.id }} className="cut plain-link">
                    {contact.email}
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{t.marketing}</th>
              {contacts.map((contact) => (
                <td key={contact.id} data-of={contact.email}>
                  <SubscriptionLabel contact={contact} />
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">{t.since}</th>
              {contacts.map(({ id, email, createdAt }) => (
                <td key={id} className="dim" data-of={email}>
                  <Time at={createdAt} as="brief" />
                </td>
              ))}
            </tr>
            {asked.map((name) => (
              <Values
                key={name}
                name={name}
                contacts={contacts}
                chosen={values[name] ?? kept(contacts, stays, name)}
                choose={(id) => setValues({ ...values, [name]: id })}
              />
            ))}
          </tbody>
        </table>
      </div>
      {taken.length > 0 && (
        <p className="dim small pad taken">
          {t.taken(taken.map(({ key, value }) => `${key}: ${textOf(value)}`).join(" · "))}
        </p>
      )}
    </>
  );
}

type ValuesProps = {
  readonly name: string;
  readonly contacts: readonly Contact[];
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
};

/** A data key with different values: one of them is kept. */
function Values({ name, contacts, chosen, choose }: ValuesProps) {
  const { duplicates: t } = useTexts(peopleTexts);
  return (
    <tr>
      <th scope="row" className="cut">
        {name}
      </th>
      {contacts.map((contact) => {
        const value = dataOf(contact)[name];
        // An empty value is no choice: the other contact's value is kept.
        if (isNothing(value))
          return (
            <td key={contact.id} className="dim" data-of={contact.email}>
              {t.nothing}
            </td>
          );
        const text = textOf(value);
        return (
          <td key={contact.id} data-of={contact.email}>
            <label className="choice">
              <input
                type="radio"
                name={`${name} ${contacts[0]?.id}`}
                checked={chosen === contact.id}
                onChange={() => choose(contact.id)}
                aria-label={t.valueOf(name, text, contact.email)}
              />
              <span>{text}</span>
            </label>
          </td>
        );
      })}
    </tr>
  );
}

const isNothing = (value: unknown) => value === "" || value === null || value === undefined;

/**
 * `asked`: keys with different values. `taken`: keys with one value that some contacts do not have; it is kept without
 * a choice.
 */
function keysOf(contacts: readonly Contact[]) {
  const keys = [...new Set(contacts.flatMap((contact) => Object.keys(dataOf(contact))))];
  const all = keys.map((key) => {
    const values = contacts.map((contact) => dataOf(contact)[key]).filter((value) => !isNothing(value));
    const different = new Set(values.map((value) => JSON.stringify(value))).size;
    return { key, value: values[0], different, isEverywhere: values.length === contacts.length };
  });
  return {
    asked: all.filter(({ different }) => different > 1).map(({ key }) => key),
    taken: all.filter(({ different, isEverywhere }) => different === 1 && !isEverywhere),
  };
}

/** The contact whose value is kept by default; the same rule as on the server. */
function kept(contacts: readonly Contact[], stays: string, key: string): string | undefined {
  const order = contacts.toSorted((one, other) => Number(other.id === stays) - Number(one.id === stays));
  return order.find((contact) => !isNothing(dataOf(contact)[key]))?.id;
}
