// A workspace is made; its first keys are shown this once.
import { useRouter } from "@tanstack/react-router";
import { useTexts } from "../../../language.ts";
import { Banner } from "../../../parts/banner.tsx";
import { Button } from "../../../parts/button.tsx";
import { Code } from "../../../parts/code.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, FormActions } from "../../../parts/form.tsx";
import { chooseWorkspace } from "../../../session.ts";
import { workspacesTexts } from "../../../texts/areas.ts";
import { useMaking } from "./calls.ts";

export function MakeWorkspace({ close }: { readonly close: () => void }) {
  const t = useTexts(workspacesTexts);
  const making = useMaking();
  const made = making.data;
  return (
    <Dialog
      title={made ? t.made.title(made.name) : t.make.title}
      isOpen
      onClose={close}
      wide={made !== undefined}
      stays={made !== undefined}
    >
      {made ? <Made {...made} close={close} /> : <Wishes making={making} close={close} />}
    </Dialog>
  );
}

type WishesProps = { readonly making: ReturnType<typeof useMaking>; readonly close: () => void };

function Wishes({ making, close }: WishesProps) {
  const t = useTexts(workspacesTexts);
  return (
    <Form fault={making.error} onSubmit={({ name = "" }) => making.mutate(name.trim())}>
      <p className="row-text">{t.make.text}</p>
      <Field name="name" label={t.name} maxLength={100} placeholder={t.make.example} autoComplete="off" autoFocus />
      <FormActions close={close} submit={t.make.submit} busy={making.isPending} />
    </Form>
  );
}

type MadeProps = NonNullable<ReturnType<typeof useMaking>["data"]> & { readonly close: () => void };

function Made({ id, keys, close }: MadeProps) {
  const t = useTexts(workspacesTexts).made;
  const router = useRouter();
  const open = async () => {
    chooseWorkspace(id);
    await router.navigate({ to: "/" });
    await router.invalidate();
  };
  return (
    <div className="stack l">
      <Banner tone="warn">
        <b>{t.once}</b> {t.onceText}
      </Banner>
      <Code title={t.secret} what={t.secret} text={keys.secret} />
      <Code title={t.public} what={t.public} text={keys.public} />
      <div className="actions">
        <Button onClick={() => void open()}>{t.open}</Button>
        <Button kind="first" onClick={close}>
          {t.done}
        </Button>
      </div>
    </div>
  );
}
