// Actions on a template: duplicate, and delete after showing its uses.
import { useNavigate } from "@tanstack/react-router";
import { useChangesAction } from "../audit/changes-action.tsx";
import { useTexts } from "../base/language.ts";
import { Question } from "../parts/fields/form-dialog.tsx";
import { ResourceActions } from "../parts/overlays/resource-actions.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { templatesTexts } from "../texts/areas.ts";
import { useDuplicate, useDelete, type Template } from "./calls.ts";
import { Uses, useUses } from "./used-by.tsx";

type ActionsProps = {
  readonly template: Template;
  readonly disabledReason: string | undefined;
  /** Saves unsaved changes first. */
  readonly flush: () => Promise<void>;
};

export function TemplateActions({ template, disabledReason, flush }: ActionsProps) {
  const t = useTexts(templatesTexts);
  const navigate = useNavigate();
  const copying = useDuplicate(({ id, name }) => {
    showToast(t.copied(name));
    void navigate({ to: "/templates/$id", params: { id } });
  });
  const copy = () => void flush().then(() => copying.mutate(template.id));
  const changes = useChangesAction(template);
  const remove = (close: () => void) => <DeleteQuestion template={template} close={close} />;
  return (
    <ResourceActions
      label={t.what(template.name)}
      className="btn quiet only"
      kind="template"
      disabledReason={disabledReason}
      actions={[
        { id: "duplicate", name: t.duplicate, icon: "copy", run: copy },
        changes,
        "line",
        { id: "delete", name: t.remove, icon: "trash", risk: true, dialog: remove },
      ]}
    />
  );
}

function DeleteQuestion({ template, close }: { readonly template: Template; readonly close: () => void }) {
  const t = useTexts(templatesTexts);
  const navigate = useNavigate();
  const { data: uses } = useUses(template.id);
  const removing = useDelete(({ name }) => {
    close();
    showToast(t.removed(name));
    void navigate({ to: "/templates" });
  });
  const inUse = uses !== undefined && uses.workflows.length > 0;
  return (
    <Question
      title={t.removeTitle(template.name)}
      close={close}
      action={t.removeNow}
      risk
      disabledReason={inUse ? t.inUse : undefined}
      busy={removing.isPending}
      fault={removing.error}
      run={() => removing.mutate(template)}
      text={inUse ? t.inUse : t.removeText}
    >
      {uses && <Uses uses={uses} />}
    </Question>
  );
}
