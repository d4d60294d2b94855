// Creates a workspace; its first keys are shown only once.
import { useRouter } from "@tanstack/react-router";
import { useTexts } from "../../../base/language.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/overlays/dialog.tsx";
import { Field, Form, FormActions } from "../../../parts/fields/form.tsx";
import { chooseWorkspace } from "../../../calls/session.ts";
import { workspacesTexts } from "../../../texts/areas.ts";
import { KeysOnce } from "../../keys/new-keys.tsx";
import { useCreate } from "./calls.ts";

export function NewWorkspace({ close }: { readonly close: () => void }) {
  const t = useTexts(workspacesTexts);
  const creating = useCreate();
  const created = creating.data;
  return (
    <Dialog
      title={created ? t.made.title(created.name) : t.make.title}
      isOpen
      onClose={close}
      wide={created !== undefined}
      stays={created !== undefined}
    >
      {created ? <Created {...created} close={close} /> : <NewWorkspaceForm creating={creating} close={close} />}
    </Dialog>
  );
}

type NewWorkspaceFormProps = { readonly creating: ReturnType<typeof useCreate>; readonly close: () => void };

function NewWorkspaceForm({ creating, close }: NewWorkspaceFormProps) {
  const t = useTexts(workspacesTexts);
  return (
    <Form fault={creating.error} onSubmit={({ name = "" }) => creating.mutate(name.trim())}>
      <p className="row-text">{t.make.text}</p>
      <Field name="name" label={t.name} maxLength={100} placeholder={t.make.example} autoComplete="off" autoFocus />
      <FormActions close={close} submit={t.make.submit} busy={creating.isPending} />
    </Form>
  );
}

type CreatedProps = NonNullable<ReturnType<typeof useCreate>["data"]> & { readonly close: () => void };

function Created({ id, keys, close }: CreatedProps) {
  const t = useTexts(workspacesTexts).made;
  const router = useRouter();
  const open = async () => {
    chooseWorkspace(id);
    await router.navigate({ to: "/" });
    await router.invalidate();
  };
  return <KeysOnce keys={keys} close={close} actions={<Button onClick={() => void open()}>{t.open}</Button>} />;
}
