// What a list is narrowed to, kept under a name.
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Tick } from "../parts/tick.tsx";
import { showToast } from "../parts/toast.tsx";
import { useOff } from "../session.ts";
import { frameTexts } from "../texts/frame.ts";
import { viewsTexts } from "../texts/views.ts";
import { useSave, type SavedView } from "./saved.ts";

type SaveViewProps = Pick<SavedView, "list" | "filter"> & { readonly close: () => void };

export function SaveView({ list, filter, close }: SaveViewProps) {
  const t = useTexts(viewsTexts);
  const frame = useTexts(frameTexts);
  const mayShare = useOff("mail.send") === undefined;
  const saving = useSave(list, () => {
    showToast(t.done);
    close();
  });
  return (
    <Dialog title={t.save} isOpen onClose={close}>
      <Form
        fault={saving.error}
        onSubmit={({ name = "", shared }) => saving.mutate({ name: name.trim(), filter, shared: shared === "on" })}
      >
        <Field name="name" label={t.name} help={t.help} maxLength={100} autoComplete="off" autoFocus />
        {mayShare && <Tick name="shared">{t.shared}</Tick>}
        <div className="acts">
          <Button onClick={close}>{frame.cancel}</Button>
          <Button kind="first" type="submit" busy={saving.isPending}>
            {t.act}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
