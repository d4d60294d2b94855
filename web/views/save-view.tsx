// What a list is narrowed to, kept under a name.
import type { ReactNode } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Tick } from "../parts/tick.tsx";
import { showToast } from "../parts/toast.tsx";
import { useOff } from "../session.ts";
import { frameTexts, viewsTexts } from "../texts/areas.ts";
import { useSave, type SavedView } from "./saved.ts";

type SaveViewProps = Pick<SavedView, "list" | "filter"> & { readonly close: () => void };

export function SaveView({ list, filter, close }: SaveViewProps) {
  const t = useTexts(viewsTexts);
  const saving = useSave(list, () => {
    showToast(t.done);
    close();
  });
  const save = (view: Named) => saving.mutate({ ...view, filter });
  return <SaveDialog help={t.help} save={save} fault={saving.error} busy={saving.isPending} close={close} />;
}

type Named = { readonly name: string; readonly shared: boolean };

type SaveDialogProps = {
  readonly help: string;
  readonly save: (view: Named) => void;
  readonly fault: Error | null;
  readonly busy: boolean;
  readonly close: () => void;
  /** What the view shows. */
  readonly children?: ReactNode;
};

export function SaveDialog({ help, save, fault, busy, close, children }: SaveDialogProps) {
  const t = useTexts(viewsTexts);
  const frame = useTexts(frameTexts);
  const mayShare = useOff("mail.send") === undefined;
  return (
    <Dialog title={t.save} isOpen onClose={close}>
      <Form fault={fault} onSubmit={({ name = "", shared }) => save({ name: name.trim(), shared: shared === "on" })}>
        {children}
        <Field name="name" label={t.name} help={help} maxLength={100} autoComplete="off" autoFocus />
        {mayShare && <Tick name="shared">{t.shared}</Tick>}
        <div className="acts">
          <Button onClick={close}>{frame.cancel}</Button>
          <Button kind="first" type="submit" busy={busy}>
            {t.act}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
