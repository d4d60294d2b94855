// What is asked before a workspace gets another name, or is disabled.
import { useTexts } from "../../../language.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form } from "../../../parts/form.tsx";
import { showToast } from "../../../parts/toast.tsx";
import { frameTexts, workspacesTexts } from "../../../texts/areas.ts";
import { useChange, type Workspace } from "./calls.ts";

type AskedProps = { readonly workspace: Workspace; readonly close: () => void };

export function Renaming({ workspace: { id, name }, close }: AskedProps) {
  const t = useTexts(workspacesTexts);
  const { cancel } = useTexts(frameTexts);
  const renaming = useChange(() => {
    showToast(t.rename.done);
    close();
  }, true);
  return (
    <Dialog title={t.rename.title(name)} isOpen onClose={close}>
      <Form fault={renaming.error} onSubmit={({ name: wanted = "" }) => renaming.mutate({ id, name: wanted.trim() })}>
        <Field name="name" label={t.name} maxLength={100} defaultValue={name} autoComplete="off" autoFocus />
        <div className="actions">
          <Button onClick={close}>{cancel}</Button>
          <Button kind="first" type="submit" busy={renaming.isPending}>
            {t.rename.submit}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

export function Disabling({ workspace: { id, name }, close }: AskedProps) {
  const t = useTexts(workspacesTexts).disable;
  const { cancel } = useTexts(frameTexts);
  const disabling = useChange(() => {
    showToast(t.done(name));
    close();
  });
  return (
    <Dialog
      title={t.title(name)}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{cancel}</Button>
          <Button kind="risk" busy={disabling.isPending} onClick={() => disabling.mutate({ id, disabled: true })}>
            {t.submit}
          </Button>
        </>
      }
    >
      <p>{t.text}</p>
    </Dialog>
  );
}
