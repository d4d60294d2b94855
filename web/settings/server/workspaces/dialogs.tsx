// The dialogs to rename or disable a workspace.
import { useState } from "react";
import { useTexts } from "../../../base/language.ts";
import { Field } from "../../../parts/fields/form.tsx";
import { FormDialog, Question } from "../../../parts/fields/form-dialog.tsx";
import { showToast } from "../../../parts/overlays/toast.tsx";
import { workspacesTexts } from "../../../texts/areas.ts";
import { useChange, type ListedWorkspace } from "./calls.ts";

type DialogProps = { readonly workspace: ListedWorkspace; readonly close: () => void };

export function RenameDialog({ workspace, close }: DialogProps) {
  const t = useTexts(workspacesTexts);
  const [seen] = useState(workspace);
  const { name } = seen;
  const renaming = useChange((_, isMine) => {
    if (isMine) showToast(t.rename.done);
    close();
  }, true);
  return (
    <FormDialog
      title={t.rename.title(name)}
      close={close}
      sending={renaming}
      submit={t.rename.submit}
      onSubmit={({ name: newName = "" }) => renaming.mutate({ seen, name: newName.trim() })}
    >
      <Field name="name" label={t.name} maxLength={100} defaultValue={name} autoComplete="off" autoFocus />
    </FormDialog>
  );
}

export function DisableQuestion({ workspace, close }: DialogProps) {
  const t = useTexts(workspacesTexts).disable;
  const { name } = workspace;
  const disabling = useChange(() => {
    showToast(t.done(name));
    close();
  });
  return (
    <Question
      title={t.title(name)}
      close={close}
      action={t.submit}
      risk
      busy={disabling.isPending}
      run={() => disabling.mutate({ seen: workspace, disabled: true })}
      text={t.text}
    />
  );
}
