// The dialog to choose the recipients of test emails: members of the workspace, and other addresses.
import { useState } from "react";
import { Fault } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { FormDialog } from "../parts/fields/form-dialog.tsx";
import { DisabledFields, Field } from "../parts/fields/form.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { useDisabledReason, useMe } from "../calls/session.ts";
import { useMembers } from "../team/data.ts";
import { writingTexts } from "../texts/areas.ts";
import type { Person } from "../writing/preview/people.ts";
import "./choose-testers.css";

/** The same limit as on the server. */
const MAX_TESTERS = 10;

type ChooseProps = {
  readonly testers: readonly string[];
  readonly person: Person | null;
  readonly sending: { readonly error: unknown; readonly isPending: boolean };
  readonly send: (testers: readonly string[]) => void;
  readonly close: () => void;
};

export function ChooseTesters({ testers, person, sending, send, close }: ChooseProps) {
  const { test: t } = useTexts(writingTexts);
  const { email: own } = useMe();
  const { all, ...asked } = useMembers();
  const membersOnly = useDisabledReason("mail.send");
  const [fault, setFault] = useState<string>();
  const submit = ({ others = "" }: Readonly<Record<string, string>>, form: HTMLFormElement) => {
    const typed = others.split(/[\s,;]+/).filter((address) => address !== "");
    const chosen = new Set([...new FormData(form).getAll("member").map(String), ...typed]);
    setFault(chosen.size === 0 ? t.nobody : chosen.size > MAX_TESTERS ? t.tooMany(MAX_TESTERS) : undefined);
    if (chosen.size > 0 && chosen.size <= MAX_TESTERS) send([...chosen]);
  };
  const isRefused = sending.error instanceof Fault && sending.error.errors.length > 0;
  const members = all?.toSorted((one, other) => Number(other.email === own) - Number(one.email === own));
  return (
    <FormDialog title={t.title} unsaved={false} close={close} sending={sending} submit={t.send} onSubmit={submit}>
      <p className="dim row-text">{`${t.help} ${person ? t.shownAs(person.name) : t.shownOwn}`}</p>
      {members ? (
        <fieldset className="testers">
          <legend className="label">{t.members}</legend>
          {members.map(({ id, name, email }) => (
            <Checkbox key={id} name="member" value={email} defaultChecked={testers.includes(email)}>
              {name} <span className="dim">{email}</span>
            </Checkbox>
          ))}
        </fieldset>
      ) : (
        <Skeleton of={asked} rows={3} columns={1} />
      )}
      {members && (
        <DisabledFields reason={membersOnly}>
          <Field
            name="others"
            label={t.others}
            help={t.othersHelp}
            fault={fault ?? (isRefused ? t.noAddress : undefined)}
            defaultValue={testers.filter((tester) => members.every(({ email }) => email !== tester)).join(", ")}
          />
        </DisabledFields>
      )}
    </FormDialog>
  );
}
