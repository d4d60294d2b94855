// Actions on a workflow: rename, duplicate, stop all executions, delete.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../calls/api.ts";
import { useFormats } from "../base/formats.ts";
import { useChangesAction } from "../audit/changes-action.tsx";
import { useTexts } from "../base/language.ts";
import { Field } from "../parts/fields/form.tsx";
import { FormDialog, Question } from "../parts/fields/form-dialog.tsx";
import { ResourceActions } from "../parts/overlays/resource-actions.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { queries } from "../calls/queries.ts";
import { workflowsTexts } from "../texts/areas.ts";
import { useChange, useDuplicate, useRemoving } from "./calls.ts";
import type { Workflow } from "./drawing.ts";

type ActionsProps = {
  readonly workflow: Workflow;
  readonly inside: number;
  readonly disabledReason: string | undefined;
  readonly showVersions: () => void;
};

export function WorkflowActions({ workflow, inside, disabledReason, showVersions }: ActionsProps) {
  const t = useTexts(workflowsTexts);
  const navigate = useNavigate();
  const copying = useDuplicate(({ id, name }) => {
    showToast(t.copied(name));
    void navigate({ to: "/workflows/$id", params: { id } });
  });
  const changes = useChangesAction(workflow);
  const stop = (close: () => void) => <StopAllQuestion workflow={workflow} inside={inside} close={close} />;
  const why = disabledReason ?? (inside === 0 ? t.people.none : undefined);
  const remove = (close: () => void) => <DeleteQuestion workflow={workflow} close={close} />;
  return (
    <ResourceActions
      label={t.what(workflow.name)}
      className="btn quiet only"
      kind="workflow"
      actions={[
        {
          id: "rename",
          name: t.rename,
          icon: "pencil",
          disabledReason,
          dialog: (close) => <RenameDialog workflow={workflow} close={close} />,
        },
        {
          id: "duplicate",
          name: t.duplicate,
          icon: "copy",
          disabledReason,
          run: () => copying.mutate(workflow.id),
        },
        { id: "versions", name: t.versions, icon: "clock", run: showVersions },
        changes,
        "line",
        { id: "stop", name: t.stopAll, icon: "pause", risk: true, disabledReason: why, dialog: stop },
        { id: "delete", name: t.remove, icon: "trash", risk: true, disabledReason, dialog: remove },
      ]}
    />
  );
}

type DialogProps = { readonly workflow: Workflow; readonly close: () => void };

function RenameDialog({ workflow, close }: DialogProps) {
  const t = useTexts(workflowsTexts);
  const [seen] = useState(workflow);
  const { name, description } = seen;
  const { mutate, isPending, error } = useChange(seen);
  return (
    <FormDialog
      title={t.rename}
      close={close}
      sending={{ error, isPending }}
      unsaved={false}
      submit={t.save}
      onSubmit={(values) =>
        mutate({ name: values["name"] ?? "", description: values["description"] || null }, { onSuccess: close })
      }
    >
      <Field name="name" label={t.heads.name} defaultValue={name} maxLength={100} autoFocus />
      <Field name="description" label={t.description} defaultValue={description ?? ""} maxLength={500} />
    </FormDialog>
  );
}

function StopAllQuestion({ workflow: { id }, inside, close }: DialogProps & { readonly inside: number }) {
  const t = useTexts(workflowsTexts);
  const { number } = useFormats();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call("POST /workflows/{id}/executions/cancel-all", { id }),
    onSuccess: ({ cancelled }) => {
      void queries.invalidateQueries({ queryKey: ["workflows"] });
      showToast(t.stopped(cancelled, number(cancelled)));
      close();
    },
    meta: { inForm: true },
  });
  return (
    <Question
      title={t.stopAllTitle(inside, number(inside))}
      close={close}
      action={t.stopAllAct}
      risk
      busy={isPending}
      fault={error}
      run={() => mutate()}
      text={t.stopAllText}
    />
  );
}

function DeleteQuestion({ workflow: { id, name }, close }: DialogProps) {
  const t = useTexts(workflowsTexts);
  const navigate = useNavigate();
  const { mutate, isPending, error } = useRemoving(() => {
    close();
    showToast(t.removed(name));
    void navigate({ to: "/workflows" });
  });
  return (
    <Question
      title={t.removeTitle(name)}
      close={close}
      action={t.removeAct}
      risk
      busy={isPending}
      fault={error}
      run={() => mutate(id)}
      text={t.removeText}
    />
  );
}
