// The dialog for a new workflow: one of six starters, or blank. Choosing one creates it.
import { useNavigate } from "@tanstack/react-router";
import { greetingPath } from "../../calls/contact-fields.ts";
import { call } from "../../calls/api.ts";
import { compact } from "../../base/compact.ts";
import { formsQuery } from "../../forms/calls.ts";
import { eventOf } from "../../forms/starting.ts";
import { useTexts } from "../../base/language.ts";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { queries } from "../../calls/queries.ts";
import { useDisabledReason } from "../../calls/session.ts";
import { loadSenders, useSenders } from "../../settings/sender.ts";
import { startersTexts, workflowsTexts } from "../../texts/areas.ts";
import { createWorkflow, useCreate } from "../calls.ts";
import { STARTERS, SUBSCRIBED } from "./starter-list.ts";
import { createFrom, mailsOf, type CreateHelpers, type Starter } from "./starters.ts";

const CREATE_HELPERS: CreateHelpers = {
  template: async (body) => (await call("POST /templates", { body })).id,
  segment: async (body) => (await call("POST /segments", { body })).slug,
};

const EMPTY = { steps: [], transitions: [] };

/** The event of a form; null without a form. */
async function eventOfForm(id: string | undefined): Promise<string | null> {
  const form = id === undefined ? undefined : (await queries.fetchQuery(formsQuery)).data.find((one) => one.id === id);
  return form ? eventOf(form) : null;
}

type NewWorkflowProps = {
  /** The form whose sign-ups start the workflow. */
  readonly form?: string | undefined;
  readonly close: () => void;
};

export function NewWorkflow({ form, close }: NewWorkflowProps) {
  const { starter: t } = useTexts(workflowsTexts);
  const words = useTexts(startersTexts);
  const navigate = useNavigate();
  const offSegment = useDisabledReason("campaigns.write");
  const senders = useSenders();
  const creating = useCreate(({ id, steps, triggerConfig }) => {
    const trigger = steps.find(({ type }) => type === "TRIGGER")?.id;
    // Opens the trigger's step to choose a form, unless one was given.
    const step = "eventName" in triggerConfig && triggerConfig.eventName === SUBSCRIBED ? trigger : undefined;
    void navigate({ to: "/workflows/$id", params: { id }, search: compact({ step }) });
  });
  const create = (starter: Starter | null) => {
    if (creating.isPending) return;
    creating.mutate(async () => {
      const startedBy = await eventOfForm(form);
      if (!starter) return createWorkflow({ name: t.title, ...EMPTY, eventName: startedBy ?? SUBSCRIBED });
      const { name } = words.each[starter.id];
      const [from = null] = await loadSenders();
      const creator = { name, from, greeting: await greetingPath(), startedBy };
      const body = await createFrom(starter, words, creator, CREATE_HELPERS);
      void queries.invalidateQueries({ queryKey: ["templates"] });
      return createWorkflow(body);
    });
  };
  return (
    <Dialog title={t.title} wide isOpen onClose={close}>
      <div className="stack l" aria-busy={creating.isPending || undefined}>
        {creating.error !== null && <FaultBanner fault={creating.error} />}
        <p className="dim">{t.text}</p>
        <div className="starters" role="group" aria-label={t.title}>
          {STARTERS.filter(({ isForSignUps }) => form === undefined || isForSignUps).map((one) => (
            <Card
              key={one.id}
              title={words.each[one.id].name}
              text={words.each[one.id].text}
              note={t.templates(Object.keys(mailsOf(one, words)).length, one.kind === "MARKETING")}
              disabledReason={one.segment ? offSegment : undefined}
              choose={() => create(one)}
            />
          ))}
          <Card title={t.blank} text={t.blankText} note="" choose={() => create(null)} />
        </div>
        <p className="help">{t.marketing}</p>
        {senders && <p className="help">{senders[0] ? `${t.sender} ${senders[0]}.` : t.noSender}</p>}
      </div>
    </Dialog>
  );
}

type CardProps = {
  readonly title: string;
  readonly text: string;
  readonly note: string;
  readonly disabledReason?: string | undefined;
  readonly choose: () => void;
};

function Card({ title, text, note, disabledReason, choose }: CardProps) {
  return (
    <button
      type="button"
      className="starter"
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
