// The dialog for a new workflow: one of six starters, or blank.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { greetingPath } from "../contact-fields.ts";
import { api, unwrap } from "../api.ts";
import { useTexts } from "../language.ts";
import { Field } from "../parts/form.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { queries } from "../queries.ts";
import { useDisabledReason } from "../session.ts";
import { useSenders } from "../settings/sender.ts";
import { startersTexts, workflowsTexts } from "../texts/areas.ts";
import { createWorkflow, useCreate } from "./calls.ts";
import { STARTERS } from "./starter-list.ts";
import { createFrom, mailsOf, type CreateHelpers, type StarterId } from "./starters.ts";

const BLANK = "blank";
type Choice = StarterId | typeof BLANK;

const CREATE_HELPERS: CreateHelpers = {
  template: async (body) => (await unwrap(api.POST("/templates", { body }))).id,
  segment: async (body) => (await unwrap(api.POST("/segments", { body }))).slug,
};

const EMPTY = { eventName: "signup", steps: [], transitions: [] };

export function NewWorkflow({ close }: { readonly close: () => void }) {
  const { starter: t } = useTexts(workflowsTexts);
  const words = useTexts(startersTexts);
  const navigate = useNavigate();
  const offSegment = useDisabledReason("campaigns.write");
  const [chosen, choose] = useState<Choice>("welcome");
  const [named, setName] = useState<string | null>(null);
  const senders = useSenders();
  const creating = useCreate(({ id }) => {
    void navigate({ to: "/workflows/$id", params: { id } });
  });
  const starter = STARTERS.find(({ id }) => id === chosen);
  const name = named ?? (starter ? words.each[starter.id].name : "");
  const create = () =>
    creating.mutate(async () => {
      if (!starter) return createWorkflow({ name, ...EMPTY });
      const creator = { name, from: senders?.[0] ?? null, greeting: await greetingPath() };
      const body = await createFrom(starter, words, creator, CREATE_HELPERS);
      void queries.invalidateQueries({ queryKey: ["templates"] });
      return createWorkflow(body);
    });
  return (
    <FormDialog
      title={t.title}
      wide
      close={close}
      sending={creating}
      unsaved={false}
      submit={t.action}
      onSubmit={create}
    >
      <p className="dim">{t.text}</p>
      <div className="starters" role="radiogroup" aria-label={t.title}>
        {STARTERS.map((one) => (
          <Card
            key={one.id}
            title={words.each[one.id].name}
            text={words.each[one.id].text}
            note={t.templates(Object.keys(mailsOf(one, words)).length, one.kind === "MARKETING")}
            disabledReason={one.segment ? offSegment : undefined}
            isChosen={one.id === chosen}
            choose={() => choose(one.id)}
          />
        ))}
        <Card title={t.blank} text={t.blankText} note="" isChosen={chosen === BLANK} choose={() => choose(BLANK)} />
      </div>
      <Field
        name="name"
        label={t.name}
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {starter?.kind === "MARKETING" && <p className="help">{t.marketing}</p>}
      {starter && senders && <p className="help">{senders[0] ? `${t.sender} ${senders[0]}.` : t.noSender}</p>}
    </FormDialog>
  );
}

type CardProps = {
  readonly title: string;
  readonly text: string;
  readonly note: string;
  readonly disabledReason?: string | undefined;
  readonly isChosen: boolean;
  readonly choose: () => void;
};

function Card({ title, text, note, disabledReason, isChosen, choose }: CardProps) {
  return (
    <button
      type="button"
      role="radio"
      className="starter"
      aria-checked={isChosen}
      aria-disabled={disabledReason !== undefined || undefined}
      onClick={() => disabledReason ?? choose()}
    >
      <Icon name="workflows" />
      <span>
        <b>{title}</b>
        <span className="dim small">{disabledReason ?? text}</span>
        {note && <span className="dim small">{note}</span>}
      </span>
    </button>
  );
}
