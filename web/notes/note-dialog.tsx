// Writes a note about a contact for a colleague.
import { useQuery } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import { useIdempotencyKey } from "../base/idempotency-key.ts";
import { useTexts } from "../base/language.ts";
import { TextField } from "../parts/fields/form.tsx";
import { FormDialog } from "../parts/fields/form-dialog.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { Select } from "../parts/fields/select.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useMe } from "../calls/session.ts";
import { frameTexts, peopleTexts } from "../texts/areas.ts";
import { colleaguesQuery, useNoteCall } from "./calls.ts";

type NoteDialogProps = {
  readonly contactId: string;
  /** The user it is for, unless another is chosen. */
  readonly to?: string | undefined;
  /** The initial text. */
  readonly text?: string;
  readonly close: () => void;
};

/** Roles with the most permissions come first. */
const ORDER = ["ADMIN", "OWNER", "DEVELOPER", "MARKETER", "EDITOR", "SUPPORT"];

export function NoteDialog({ contactId, to, text = "", close }: NoteDialogProps) {
  const { notes: t } = useTexts(peopleTexts);
  const { roles } = useTexts(frameTexts);
  const me = useMe();
  const idempotencyKey = useIdempotencyKey();
  const { data } = useQuery(colleaguesQuery);
  const others = data?.filter(({ id }) => id !== me.id).sort((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role));
  const writing = useNoteCall(
    (body: { readonly to: string; readonly text: string }) =>
      call("POST /contacts/{id}/notes", { id: contactId, ...idempotencyKey, body }),
    (note) => {
      close();
      showToast(t.left(note.to.name));
    },
  );
  return (
    <FormDialog
      title={t.write}
      close={close}
      sending={writing}
      submit={t.submit}
      disabledReason={others?.length === 0 ? t.nobody : undefined}
      onSubmit={({ to: chosen = "", text: written = "" }) => writing.mutate({ to: chosen, text: written })}
    >
      {others ? (
        <Select
          name="to"
          label={t.to}
          options={others.map(({ id, name, role }) => ({ id, name, note: roles[role] }))}
          first={to ?? others[0]?.id ?? ""}
        />
      ) : (
        <Skeleton of={null} rows={1} columns={1} />
      )}
      <TextField
        name="text"
        label={t.text}
        defaultValue={text}
        maxLength={2000}
        rows={5}
        help={others?.length === 0 ? t.nobody : t.help}
        autoFocus
      />
    </FormDialog>
  );
}
