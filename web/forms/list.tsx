// The list of forms with their counts of the last thirty days, newest first, searchable by name.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { compact } from "../base/compact.ts";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Line } from "../lists/line.tsx";
import { ListScreen } from "../lists/list-screen.tsx";
import { Field } from "../parts/fields/form.tsx";
import { FormDialog } from "../parts/fields/form-dialog.tsx";
import { useDisabledReason } from "../calls/session.ts";
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
  const topicNamed = useTopicNamed();
  const show = (next: { search?: string | undefined; topic?: string | undefined }) =>
    void navigate({ search: compact(next), replace: true });
  return (
    <ListScreen
      texts={t}
      call={{ path: "/forms" }}
      make={{
        id: "new form",
        icon: "form",
        run: () => void navigate({ search: { ...search, make: true } }),
        disabledReason,
      }}
      example={CREATE}
      search={{
        value: search.search,
        onChange: (next) => show({ search: next, topic }),
        tokens:
          topic === undefined
            ? []
            : [{ name: "topic", text: t.offering(topicNamed(topic)), drop: () => show({ search: search.search }) }],
      }}
      isNarrowed={topic !== undefined}
      clear={() => show({})}
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

function Row({ form }: { readonly form: ListedForm }) {
  const { id, name, key: address, enabled, counts } = form;
  const t = useTexts(formsTexts);
  const { number } = useFormats();
  return (
    <Line
      icon="form"
      name={name}
      more={enabled ? `/f/${address}` : t.closed}
      link={{ to: "/forms/$id", params: { id } }}
    >
      {(["seen", "sent", "confirmed"] as const).map((what) => (
        <span className="end" key={what} data-label={t[what]}>
          {number(counts[what])}
        </span>
      ))}
    </Line>
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
