// Actions on a form: open its page, close or open it, duplicate, delete.
import { useNavigate } from "@tanstack/react-router";
import { useChangesAction } from "../audit/changes-action.tsx";
import { useTexts } from "../base/language.ts";
import { Question } from "../parts/fields/form-dialog.tsx";
import { ResourceActions } from "../parts/overlays/resource-actions.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { formsTexts } from "../texts/areas.ts";
import { useChange, useCreate, useDelete, type SignUpForm } from "./calls.ts";
import { bodyOf, draftOf } from "./draft.ts";

type ActionsProps = { readonly form: SignUpForm; readonly disabledReason: string | undefined };

export function FormActions({ form, disabledReason }: ActionsProps) {
  const t = useTexts(formsTexts);
  const navigate = useNavigate();
  const copying = useCreate(({ id, name }) => {
    showToast(t.copied(name));
    void navigate({ to: "/forms/$id", params: { id } });
  });
  const switching = useChange(form, ({ enabled }) => showToast(enabled ? t.opened : t.isClosed));
  const copy = () => {
    const { key: _, ...body } = bodyOf(draftOf(form));
    copying.mutate({ ...body, name: t.copyOf(form.name) });
  };
  const changes = useChangesAction(form);
  const remove = (close: () => void) => <DeleteQuestion form={form} close={close} />;
  return (
    <ResourceActions
      label={t.actions(form.name)}
      className="btn only"
      kind="form"
      disabledReason={disabledReason}
      actions={[
        {
          id: "open",
          name: t.open,
          icon: "out",
          reads: true,
          run: () => void window.open(form.url, "_blank", "noopener"),
        },
        {
          id: "switch",
          name: form.enabled ? t.close : t.reopen,
          icon: form.enabled ? "pause" : "play",
          run: () => switching.mutate({ enabled: !form.enabled }),
        },
        { id: "duplicate", name: t.duplicate, icon: "copy", run: copy },
        changes,
        "line",
        { id: "delete", name: t.remove, icon: "trash", risk: true, dialog: remove },
      ]}
    />
  );
}

function DeleteQuestion({ form, close }: { readonly form: SignUpForm; readonly close: () => void }) {
  const t = useTexts(formsTexts);
  const navigate = useNavigate();
  const removing = useDelete(() => {
    showToast(t.removed(form.name));
    void navigate({ to: "/forms" });
  });
  return (
    <Question
      title={t.removeTitle(form.name)}
      close={close}
      action={t.removeNow}
      risk
      busy={removing.isPending}
      run={() => removing.mutate(form.id)}
      text={t.removeText}
    />
  );
}
