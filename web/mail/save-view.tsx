// What the list is narrowed to, kept under a name.
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Tick } from "../parts/tick.tsx";
import { showToast } from "../parts/toast.tsx";
import { useOff } from "../session.ts";
import { frameTexts } from "../texts/frame.ts";
import { mailTexts } from "../texts/mail.ts";
import { tokensOf } from "./asked.ts";
import type { Filters } from "./filters.ts";
import { useSave } from "./saved-views.ts";

type SaveViewProps = { readonly filters: Filters; readonly close: () => void };

export function SaveView({ filters, close }: SaveViewProps) {
  const t = useTexts(mailTexts).saved;
  const frame = useTexts(frameTexts);
  const mayShare = useOff("mail.send") === undefined;
  const saving = useSave(() => {
    showToast(t.done);
    close();
  });
  return (
    <Dialog title={t.save} isOpen onClose={close}>
      <Form
        fault={saving.error}
        onSubmit={({ name = "", shared }) => saving.mutate({ name: name.trim(), filters, shared: shared === "on" })}
      >
        <Asked filters={filters} />
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

function Asked({ filters }: { readonly filters: Filters }) {
  return (
    <p className="inline wrap">
      {tokensOf(filters).map(({ name, text }) => (
        <span className="tok" key={name}>
          {text}
        </span>
      ))}
      {filters.search && <span className="tok">{filters.search}</span>}
    </p>
  );
}
