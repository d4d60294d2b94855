// The list of forms with what they brought in the last thirty days, newest first, searchable by name.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { compact } from "../compact.ts";
import { useFormats } from "../formats.ts";
import { ListScreen } from "../frame/list-screen.tsx";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/form.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { useDisabledReason } from "../session.ts";
import { formsTexts } from "../texts/areas.ts";
import { useTopicNamed } from "../topics/calls.ts";
import { formsQuery, useCreate, type ListedForm } from "./calls.ts";
import "./styles.ts";

const route = getRouteApi("/frame/forms");
const CREATE = {
  method: "POST",
  path: "/forms",
  body: { name: "Newsletter", consent: { wording: { en: "Send me news." } } },
} as const;

export function Forms() {
  const t = useTexts(formsTexts);
  const { make: makes, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const disabledReason = useDisabledReason("campaigns.write");
  const { data: all, ...asked } = useQuery(formsQuery);
  const words = (search.search ?? "").toLowerCase();
  const { topic } = search;
  return (
    <ListScreen
      texts={t}
      call={{ path: "/forms" }}
      make={() => void navigate({ search: { ...search, make: true } })}
      disabledReason={disabledReason}
      example={CREATE}
      verb={{ id: "new form", icon: "form" }}
      search={search.search}
      find={(next) => void navigate({ search: compact({ search: next, topic }), replace: true })}
      isNarrowed={topic !== undefined}
      narrow={
        topic !== undefined && <Offered topic={topic} drop={() => void navigate({ search: {}, replace: true })} />
      }
      className="forms"
      columns={[null, t.name, { end: t.seen }, { end: t.sent }, { end: t.confirmed }]}
      items={all?.filter(
        ({ name, key, topics }) =>
          `${name}\n${key}`.toLowerCase().includes(words) && (topic === undefined || topics.includes(topic)),
      )}
      of={asked}
      row={(form) => <Row key={form.id} form={form} />}
    >
      {makes && disabledReason === undefined && <NewForm close={() => void navigate({ search, replace: true })} />}
    </ListScreen>
  );
}

function Offered({ topic, drop }: { readonly topic: string; readonly drop: () => void }) {
  const t = useTexts(formsTexts);
  const topicNamed = useTopicNamed();
  return (
    <Button icon="x" onClick={drop}>
      {t.offering(topicNamed(topic))}
    </Button>
  );
}

function Row({ form }: { readonly form: ListedForm }) {
  const { id, name, key: address, enabled, counts } = form;
  const t = useTexts(formsTexts);
  const { number } = useFormats();
  return (
    <Link className="line" to="/forms/$id" params={{ id }}>
      <Icon name="form" />
      <span className="cut">
        <b>{name}</b> <span className="dim">{enabled ? `/f/${address}` : t.closed}</span>
      </span>
      {(["seen", "sent", "confirmed"] as const).map((what) => (
        <span className={what === "confirmed" ? "end" : "dim end"} key={what}>
          <span className="narrow-only dim">{t[what]} </span>
          {what === "confirmed" ? <b>{number(counts[what])}</b> : number(counts[what])}
        </span>
      ))}
    </Link>
  );
}

function NewForm({ close }: { readonly close: () => void }) {
  const t = useTexts(formsTexts);
  const navigate = useNavigate();
  const creating = useCreate(({ id }) => void navigate({ to: "/forms/$id", params: { id }, replace: true }));
  return (
    <FormDialog
      title={t.make}
      close={close}
      sending={creating}
      submit={t.create}
      onSubmit={({ name = "" }) => creating.mutate({ name: name.trim() })}
    >
      <Field name="name" label={t.name} help={t.nameHelp} maxLength={100} autoComplete="off" autoFocus />
    </FormDialog>
  );
}
