// Saves the current filters as a named view.
import type { ReactNode } from "react";
import { useTexts } from "../base/language.ts";
import { Field } from "../parts/fields/form.tsx";
import { FormDialog } from "../parts/fields/form-dialog.tsx";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { viewsTexts } from "../texts/areas.ts";
import { useSaveView, type SavedView } from "./saved.ts";

type SaveViewProps = Pick<SavedView, "list" | "filter"> & {
  /** The filters as text. */
  readonly shown: ReactNode;
  readonly close: () => void;
};

export function SaveView({ list, filter, shown, close }: SaveViewProps) {
  const t = useTexts(viewsTexts);
  const mayShare = useDisabledReason("mail.send") === undefined;
  const saving = useSaveView(list, () => {
    showToast(t.done);
    close();
  });
  return (
    <FormDialog
      title={t.save}
      close={close}
      sending={saving}
      submit={t.action}
      onSubmit={({ name = "", shared }) => saving.mutate({ name: name.trim(), shared: shared === "on", filter })}
    >
      {shown}
      <Field
        name="name"
        label={t.name}
        help={list === "mails" ? t.helpOfMails : t.help}
        maxLength={100}
        autoComplete="off"
        autoFocus
      />
      {mayShare && <Checkbox name="shared">{t.shared}</Checkbox>}
    </FormDialog>
  );
}
