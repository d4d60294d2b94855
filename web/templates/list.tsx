// The list of templates, newest first, searchable by name and subject.
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useTexts } from "../base/language.ts";
import { Line } from "../lists/line.tsx";
import { ListScreen } from "../lists/list-screen.tsx";
import { ListTabs } from "../lists/tabs.tsx";
import { Tag } from "../parts/state.tsx";
import { Time } from "../parts/time.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { templatesTexts } from "../texts/areas.ts";
import { useTemplates, type Template, useCreate } from "./calls.ts";
import type { TemplatesSearch } from "./search.ts";
import { Field } from "../parts/fields/form.tsx";
import { FormDialog } from "../parts/fields/form-dialog.tsx";
import { SegmentedField } from "../parts/fields/segmented-field.tsx";
import type { WritingMode } from "../writing/starter-content.ts";
import { ModeChoice } from "../writing/mode-choice.tsx";
import { useFirst } from "./first.ts";
import "./templates.css";

const route = getRouteApi("/frame/templates");
const CREATE = {
  method: "POST",
  path: "/templates",
  body: { name: "Receipt", type: "TRANSACTIONAL", subject: "Your receipt", body: "<p>Thank you, {{ name }}.</p>" },
} as const;

const ANY_TYPE = "any";

export function Templates() {
  const t = useTexts(templatesTexts);
  const { make: makes, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const disabledReason = useDisabledReason("templates.write");
  const { all, total, ...pages } = useTemplates(search);
  const narrow = (change: { search?: string | undefined; type?: TemplatesSearch["type"] | undefined }) =>
    void navigate({ search: { ...search, ...change } as TemplatesSearch, replace: true });
  return (
    <ListScreen
      texts={t}
      call={{ path: "/templates", query: search }}
      make={{
        id: "new template",
        icon: "templates",
        run: () => void navigate({ search: { ...search, make: true } }),
        disabledReason,
      }}
      example={CREATE}
      search={{ value: search.search, onChange: (words) => narrow({ search: words }) }}
      isNarrowed={search.type !== undefined}
      clear={() => void navigate({ search: {}, replace: true })}
      tabs={
        <ListTabs
          label={t.type}
          value={search.type ?? ANY_TYPE}
          onChange={(type) => narrow({ type: type === ANY_TYPE ? undefined : type })}
          tabs={[
            { value: ANY_TYPE, name: t.any },
            { value: "TRANSACTIONAL", name: t.types.TRANSACTIONAL },
            { value: "MARKETING", name: t.types.MARKETING },
          ]}
        />
      }
      className="templates"
      columns={[null, t.name, t.subject, t.type, { end: t.changed }]}
      items={all}
      of={pages}
      row={(template) => <Row key={template.id} {...template} />}
      total={total}
      pages={pages}
    >
      {makes && disabledReason === undefined && <NewTemplate close={() => void navigate({ search, replace: true })} />}
    </ListScreen>
  );
}

function Row({ id, name, subject, type, updatedAt }: Template) {
  const { types } = useTexts(templatesTexts);
  return (
    <Line icon="templates" name={name} link={{ to: "/templates/$id", params: { id } }}>
      <span className="dim cut">{subject}</span>
      <span className="wide-only">
        <Tag>{types[type]}</Tag>
      </span>
      <span className="dim small end when">
        <Time at={updatedAt} as="brief" />
      </span>
    </Line>
  );
}

/** The dialog for a new template. */
function NewTemplate({ close }: { readonly close: () => void }) {
  const t = useTexts(templatesTexts);
  const navigate = useNavigate();
  const [how, setHow] = useState<WritingMode>("visual");
  const [type, setType] = useState<Template["type"]>("TRANSACTIONAL");
  const creating = useCreate(({ id }) => {
    void navigate({ to: "/templates/$id", params: { id }, replace: true });
  });
  const first = useFirst();
  const make = async (name: string) => creating.mutate(await first({ name, type, how }));
  return (
    <FormDialog
      title={t.make}
      close={close}
      sending={creating}
      submit={t.make}
      onSubmit={({ name = "" }) => void make(name.trim())}
    >
      <Field name="name" label={t.name} autoFocus />
      <SegmentedField
        label={t.type}
        help={t.typeHelp[type]}
        value={type}
        onChange={setType}
        choices={(["TRANSACTIONAL", "MARKETING"] as const).map((value) => ({ value, content: t.types[value] }))}
      />
      <Suspense>
        <ModeChoice how={how} choose={setHow} />
      </Suspense>
    </FormDialog>
  );
}
