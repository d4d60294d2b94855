// One template: editor, settings, uses and API call.
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useId } from "react";
import { CopyActions, ResourceBar, ResourceTabs } from "../parts/bar.tsx";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Tag } from "../parts/state.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { KeptInFiles } from "../saving/kept-in-files.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { templatesTexts } from "../texts/areas.ts";
import { SendTest } from "../test-emails/send-test.tsx";
import { Conflict, SavingState } from "../writing/saving/saving-state.tsx";
import { Versions } from "../writing/versions/versions.tsx";
import { Writing } from "../writing/writing.tsx";
import { TemplateActions } from "./actions.tsx";
import { ApiCall } from "./api-call.tsx";
import { templateQuery, usePublish, useTemplateAutosave, type Template } from "./calls.ts";
import { TABS } from "./search.ts";
import { Sender, senderName } from "./sender.tsx";
import { TemplateSettings, useSaveSettings } from "./settings.tsx";
import { UsedBy } from "./used-by.tsx";
import { call } from "../calls/api.ts";
import "./template.css";

const route = getRouteApi("/frame/templates/$id");

export function TemplateScreen() {
  const { id } = route.useParams();
  return <LoadedTemplate key={id} id={id} />;
}

function LoadedTemplate({ id }: { readonly id: string }) {
  const t = useTexts(templatesTexts);
  const { data: template } = useSuspenseQuery(templateQuery(id));
  const { tab = "write" } = route.useSearch();
  const disabledReason = useDisabledReason("templates.write");
  const saving = useTemplateAutosave(template);
  const settings = useSaveSettings(saving.flush);
  const form = useId();
  return (
    <>
      <ResourceBar
        back={<Link to="/templates">{t.title}</Link>}
        title={template.name}
        call={{ path: `/templates/${id}` }}
        actions={
          <>
            {tab !== "settings" && disabledReason === undefined && <SavingState saving={saving} row={template} />}
            <CopyActions />
            {tab !== "settings" && template.publishManually && (
              <Publish template={template} disabledReason={disabledReason} flush={saving.flush} />
            )}
            {tab === "settings" && (
              <Button kind="first" type="submit" form={form} disabledReason={disabledReason} busy={settings.isPending}>
                {t.save}
              </Button>
            )}
            <TemplateActions template={template} disabledReason={disabledReason} flush={saving.flush} />
          </>
        }
      >
        <Tag>{t.types[template.type]}</Tag>
        {template.hasUnpublishedChanges && <Tag>{t.unpublished}</Tag>}
        <ResourceTabs label={t.parts} names={TABS} texts={t.tabs} open={tab} first="write" />
      </ResourceBar>
      <Conflict saving={saving} />
      <KeptInFiles kind="templates" id={id} />
      {tab === "write" && (
        <Writing
          name={template.name}
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
        <TemplateSettings id={form} template={template} disabledReason={disabledReason} saving={settings} />
      )}
      {tab === "used" && <UsedBy template={template} />}
      {tab === "call" && <ApiCall template={template} value={saving.value} />}
    </>
  );
}

type PublishProps = {
  readonly template: Template;
  readonly disabledReason: string | undefined;
  readonly flush: () => Promise<void>;
};

function Publish({ template: { id, hasUnpublishedChanges }, disabledReason, flush }: PublishProps) {
  const t = useTexts(templatesTexts);
  const publishing = usePublish(id, flush, () => showToast(t.published));
  return (
    <Button
      kind="first"
      disabledReason={disabledReason ?? (hasUnpublishedChanges ? undefined : t.isPublished)}
      busy={publishing.isPending}
      onClick={() => publishing.mutate()}
    >
      {t.publish}
    </Button>
  );
}

type TestProps = { readonly template: Template; readonly flush: () => Promise<void> };

function SendToMe({ template: { id, from }, flush }: TestProps) {
  const t = useTexts(templatesTexts);
  const denied = useDisabledReason("templates.write");
  return (
    <SendTest
      small
      flush={flush}
      disabledReason={denied ?? (from === null ? t.needsSender : undefined)}
      send={async (body) => (await call("POST /templates/{id}/test", { id, body })).data.email}
    />
  );
}
