// One template: written and looked at, its settings, what uses it, how a program sends it.
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CopyActions, useScreen } from "../frame/bar.tsx";
import { useTexts } from "../language.ts";
import { Icon } from "../parts/icon.tsx";
import { Tag } from "../parts/state.tsx";
import { useDisabledReason } from "../session.ts";
import { templatesTexts } from "../texts/areas.ts";
import { useAutosave } from "../writing/saving/autosave.ts";
import { Conflict, SavingState } from "../writing/saving/state.tsx";
import { Versions } from "../writing/versions/versions.tsx";
import type { Written } from "../writing/written.ts";
import { Writing } from "../writing/writing.tsx";
import { TemplateActions } from "./actions.tsx";
import { CallIt } from "./call-it.tsx";
import { changeOf, changeTemplate, loadTemplate, templateQuery, writtenOf, type Template } from "./calls.ts";
import { TABS, type Tab } from "./route.ts";
import { Sender, senderName } from "./sender.tsx";
import { TemplateSettings } from "./settings.tsx";
import { SendToMe } from "./test.tsx";
import { UsedBy } from "./used-by.tsx";
import "./template.css";

const route = getRouteApi("/frame/templates/$id");

export function TemplateScreen() {
  const { id } = route.useParams();
  return <One key={id} id={id} />;
}

function One({ id }: { readonly id: string }) {
  const t = useTexts(templatesTexts);
  const { data: template } = useSuspenseQuery(templateQuery(id));
  const { tab = "write" } = route.useSearch();
  const disabledReason = useDisabledReason("templates.write");
  useScreen(template.name, { path: `/templates/${id}` });
  const saving = useAutosave<Written, Template>({
    row: template,
    valueOf: writtenOf,
    save: (value, ifUpdatedAt) => changeTemplate(id, { ...changeOf(value), ...(ifUpdatedAt ? { ifUpdatedAt } : {}) }),
    load: () => loadTemplate(id),
  });
  return (
    <>
      <header className="bar template-head">
        <span className="trail wide-only">
          <Link to="/templates">{t.title}</Link>
          <Icon name="right" />
        </span>
        <h1 className="cut">{template.name}</h1>
        <Tag>{t.types[template.type]}</Tag>
        <Tabs tab={tab} />
        <div className="actions">
          {disabledReason === undefined && <SavingState saving={saving} row={template} />}
          <CopyActions />
          <TemplateActions template={template} disabledReason={disabledReason} flush={saving.flush} />
        </div>
      </header>
      <Conflict saving={saving} />
      {tab === "write" && (
        <Writing
          value={saving.value}
          onChange={saving.set}
          hold={saving.hold}
          kind={template.type}
          fault={saving.fault}
          disabledReason={disabledReason}
          from={<Sender template={template} />}
          sender={senderName(template)}
          foot={<Versions of="templates" id={id} row={template} disabledReason={disabledReason} flush={saving.flush} />}
          actions={<SendToMe template={template} flush={saving.flush} />}
        />
      )}
      {tab === "settings" && (
        <TemplateSettings template={template} disabledReason={disabledReason} flush={saving.flush} />
      )}
      {tab === "used" && <UsedBy template={template} />}
      {tab === "call" && <CallIt template={template} value={saving.value} />}
    </>
  );
}

function Tabs({ tab }: { readonly tab: Tab }) {
  const t = useTexts(templatesTexts);
  return (
    <nav className="tabs" aria-label={t.parts}>
      {TABS.map((name) => (
        <Link
          key={name}
          to="."
          search={name === "write" ? {} : { tab: name }}
          aria-current={name === tab ? "page" : "false"}
          activeOptions={{ exact: true }}
          replace
        >
          {t.tabs[name]}
        </Link>
      ))}
    </nav>
  );
}
