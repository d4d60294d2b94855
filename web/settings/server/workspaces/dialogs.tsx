// The dialogs to rename or disable a workspace.
import { useTexts } from "../../../language.ts";
import { Field } from "../../../parts/form.tsx";
import { FormDialog, Question } from "../../../parts/form-dialog.tsx";
import { showToast } from "../../../parts/toast.tsx";
import { workspacesTexts } from "../../../texts/areas.ts";
import { useChange, type Workspace } from "./calls.ts";

type DialogProps = { readonly workspace: Workspace; readonly close: () => void };

export function RenameDialog({ workspace: { id, name }, close }: DialogProps) {
  const t = useTexts(workspacesTexts);
  const renaming = useChange(() => {
    showToast(t.rename.done);
    close();
  }, true);
  return (
    <FormDialog
      title={t.rename.title(name)}
      close={close}
      sending={renaming}
      submit={t.rename.submit}
      onSubmit={({ name: newName = "" }) => renaming.mutate({ id, name: newName.trim() })}
    >
      <Field name="name" label={t.name} maxLength={100} defaultValue={name} autoComplete="off" autoFocus />
    </FormDialog>
  );
}

export function DisableQuestion({ workspace: { id, name }, close }: DialogProps) {
  const t = useTexts(workspacesTexts).disable;
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
      run={() => disabling.mutate({ id, disabled: true })}
      text={t.text}
    />
  );
}
