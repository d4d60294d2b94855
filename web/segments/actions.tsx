// Actions on a segment: rename, duplicate, delete.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChangesAction } from "../audit/changes-action.tsx";
import { useTexts } from "../base/language.ts";
import { Field } from "../parts/fields/form.tsx";
import { FormDialog, Question } from "../parts/fields/form-dialog.tsx";
import { ResourceActions } from "../parts/overlays/resource-actions.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { segmentsTexts } from "../texts/areas.ts";
import { useChange, useCreate, useDelete, usesQuery, type Segment } from "./calls.ts";
import { isUsed, UsesList } from "./uses.tsx";

type ActionsProps = { readonly segment: Segment; readonly disabledReason: string | undefined };

export function SegmentActions({ segment, disabledReason }: ActionsProps) {
  const t = useTexts(segmentsTexts);
  const navigate = useNavigate();
  const copying = useCreate(({ id, name }) => {
    showToast(t.copied(name));
    void navigate({ to: "/segments/$id", params: { id } });
  });
  const copy = () => {
    const { name, type, condition, description, trackMembership } = segment;
    copying.mutate({ name: t.copyOf(name), type, condition, description, trackMembership });
  };
  const rename = (close: () => void) => <RenameDialog segment={segment} close={close} />;
  const changes = useChangesAction(segment);
  const remove = (close: () => void) => <DeleteQuestion segment={segment} close={close} />;
  return (
    <ResourceActions
      label={t.actions(segment.name)}
      className="btn only"
      kind="segment"
      disabledReason={disabledReason}
      actions={[
        { id: "rename", name: t.rename, icon: "pencil", dialog: rename },
        { id: "duplicate", name: t.duplicate, icon: "copy", run: copy },
        changes,
        "line",
        { id: "delete", name: t.remove, icon: "trash", risk: true, dialog: remove },
      ]}
    />
  );
}

type DialogProps = { readonly segment: Segment; readonly close: () => void };

function RenameDialog({ segment: now, close }: DialogProps) {
  const t = useTexts(segmentsTexts);
  const [segment] = useState(now);
  const saving = useChange(segment, close);
  return (
    <FormDialog
      title={t.renameTitle}
      close={close}
      sending={saving}
      submit={t.save}
      onSubmit={({ name = "", description = "" }) =>
        saving.mutate({ name: name.trim(), description: description.trim() || null })
      }
    >
      <Field name="name" label={t.name} defaultValue={segment.name} help={t.nameHelp} maxLength={100} autoFocus />
      <Field name="description" label={t.description} defaultValue={segment.description ?? ""} maxLength={500} />
    </FormDialog>
  );
}

function DeleteQuestion({ segment, close }: DialogProps) {
  const t = useTexts(segmentsTexts);
  const navigate = useNavigate();
  const { data: uses } = useQuery(usesQuery(segment.id));
  const removing = useDelete(() => {
    showToast(t.removed(segment.name));
    void navigate({ to: "/segments" });
  });
  const disabledReason = uses && isUsed(uses) ? t.inUse : undefined;
  return (
    <Question
      title={t.removeTitle(segment.name)}
      close={close}
      action={t.removeNow}
      risk
      disabledReason={disabledReason}
      busy={removing.isPending}
      run={() => removing.mutate(segment.id)}
      text={disabledReason ?? t.removeText}
    >
      {uses && isUsed(uses) && <UsesList uses={uses} />}
    </Question>
  );
}
