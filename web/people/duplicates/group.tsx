// Contacts that may be one person, side by side: who stays, and whose value counts where they differ.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Time } from "../../parts/time.tsx";
import { useDisabledReason } from "../../session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import type { Contact } from "../calls.ts";
import { textOf } from "../person/values.ts";
import { SubscriptionLabel } from "../subscription-label.tsx";
import { useDismiss, useMerge, type DuplicateGroup } from "./calls.ts";

type Data = Readonly<Record<string, unknown>>;
const dataOf = ({ data }: Contact) => data as Data;

export function Group({ group }: { readonly group: DuplicateGroup }) {
  const { duplicates: t } = useTexts(peopleTexts);
  const contacts = group.contacts as readonly Contact[];
  const [stays, setStays] = useState(contacts[0]?.id ?? "");
  const [values, setValues] = useState<Record<string, string>>({});
  const mayMerge = useDisabledReason("people.bulk");
  const mayDismiss = useDisabledReason("people.write");
  const merging = useMerge();
  const dismissing = useDismiss();
  const keys = differingIn(contacts);
  const others = contacts.filter(({ id }) => id !== stays);
  const title = t.reasons[group.reason];
  const pending = contacts.some(({ status }) => status === "PENDING") ? t.pending : undefined;
  const merge = () => merging.mutate({ into: stays, from: others.map(({ id }) => id), values });
  return (
    <section className="panel duplicate" aria-label={`${title} ${contacts[0]?.email ?? ""}`}>
      <header>
        <h2>{title}</h2>
      </header>
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
                <td key={contact.id}>
                  <SubscriptionLabel contact={contact} />
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">{t.since}</th>
              {contacts.map(({ id, createdAt }) => (
                <td key={id} className="dim">
                  <Time at={createdAt} as="brief" />
                </td>
              ))}
            </tr>
            {keys.map((name) => (
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
      <div className="foot">
        <span className="dim stay">{t.consent}</span>
        <span className="inline push">
          <Button
            small
            disabledReason={mayDismiss}
            busy={dismissing.isPending}
            onClick={() => dismissing.mutate(contacts.map(({ id }) => id))}
          >
            {t.dismiss}
          </Button>
          <Button small kind="first" disabledReason={mayMerge ?? pending} busy={merging.isPending} onClick={merge}>
            {t.merge}
          </Button>
        </span>
      </div>
    </section>
  );
}

type ValuesProps = {
  readonly name: string;
  readonly contacts: readonly Contact[];
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
};

/** A key of the data where they differ: one value of it counts. */
function Values({ name, contacts, chosen, choose }: ValuesProps) {
  const { duplicates: t } = useTexts(peopleTexts);
  return (
    <tr>
      <th scope="row" className="cut">
        {name}
      </th>
      {contacts.map((contact) => {
        const value = dataOf(contact)[name];
        const text = value === undefined ? t.nothing : textOf(value);
        return (
          <td key={contact.id}>
            <label className="choice">
              <input
                type="radio"
                name={`${name} ${contacts[0]?.id}`}
                checked={chosen === contact.id}
                onChange={() => choose(contact.id)}
                aria-label={t.valueOf(name, text, contact.email)}
              />
              <span className={value === undefined ? "dim" : ""}>{text}</span>
            </label>
          </td>
        );
      })}
    </tr>
  );
}

function differingIn(contacts: readonly Contact[]): string[] {
  const keys = [...new Set(contacts.flatMap((contact) => Object.keys(dataOf(contact))))];
  return keys.filter((key) => new Set(contacts.map((contact) => JSON.stringify(dataOf(contact)[key]))).size > 1);
}

/** Whose value counts unless somebody chooses: as the server has it. */
function kept(contacts: readonly Contact[], stays: string, key: string): string | undefined {
  const order = contacts.toSorted((one, other) => Number(other.id === stays) - Number(one.id === stays));
  return order.find((contact) => !["", null, undefined].includes(dataOf(contact)[key] as string))?.id;
}
