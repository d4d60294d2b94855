// Adds people to a segment that is kept by hand, by their addresses; says which of them nobody here has.
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Form, TextField } from "../parts/form.tsx";
import { showToast } from "../parts/toast.tsx";
import { frameTexts, segmentsTexts } from "../texts/areas.ts";
import { useAddMembers, type Segment } from "./calls.ts";

const MOST = 500;

type AddPeopleProps = { readonly segment: Segment; readonly close: () => void };

export function AddPeople({ segment, close }: AddPeopleProps) {
  const { people: t } = useTexts(segmentsTexts);
  const { cancel, close: closeWord } = useTexts(frameTexts);
  const [fault, setFault] = useState<string>();
  const [unknown, setUnknown] = useState<readonly string[]>([]);
  const adding = useAddMembers(segment.id, ({ added, notFound }) => {
    if (added > 0) showToast(t.added(added));
    setUnknown(notFound);
    if (notFound.length === 0) close();
  });
  const add = ({ emails = "" }: Readonly<Record<string, string>>) => {
    const list = emails.split(/[\s,;]+/).filter((one) => one !== "");
    setFault(list.length > MOST ? t.tooMany : undefined);
    if (list.length > 0 && list.length <= MOST) adding.mutate({ emails: list });
  };
  return (
    <Dialog title={t.add} isOpen onClose={close}>
      <Form fault={adding.error} onSubmit={add} unsaved={false}>
        <TextField name="emails" label={t.addresses} help={t.addText} fault={fault} rows={6} autoFocus />
        {unknown.length > 0 && (
          <div role="status" className="stack tight row-text">
            <p>{t.notFound(unknown.length)}</p>
            <p className="mono">{unknown.join(", ")}</p>
          </div>
        )}
        <div className="actions">
          <Button onClick={close}>{unknown.length > 0 ? closeWord : cancel}</Button>
          <Button kind="first" type="submit" busy={adding.isPending}>
            {t.addNow}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
