// What can be done with a segment as a whole: rename, duplicate, delete.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Menu } from "../parts/menu.tsx";
import { showToast } from "../parts/toast.tsx";
import { frameTexts, segmentsTexts } from "../texts/areas.ts";
import { useChange, useMake, useRemove, usesQuery, type Segment } from "./calls.ts";
import { isUsed, UsesList } from "./uses.tsx";

type ActionsProps = { readonly segment: Segment; readonly disabledReason: string | undefined };

export function SegmentActions({ segment, disabledReason }: ActionsProps) {
  const t = useTexts(segmentsTexts);
  const navigate = useNavigate();
  const [asks, setAsks] = useState<"rename" | "remove" | null>(null);
  const copying = useMake(({ id, name }) => {
    showToast(t.copied(name));
    void navigate({ to: "/segments/$id", params: { id } });
  });
  const copy = () => {
    const { name, type, condition, description, trackMembership } = segment;
    copying.mutate({ name: t.copyOf(name), type, condition, description, trackMembership });
  };
  return (
    <>
      <Menu
        label={t.actions(segment.name)}
        className="btn only"
        entries={[
          { id: "rename", name: t.rename, icon: "pencil", run: () => setAsks("rename"), disabledReason },
          { id: "duplicate", name: t.duplicate, icon: "copy", run: copy, disabledReason },
          "line",
          { id: "remove", name: t.remove, icon: "trash", risk: true, run: () => setAsks("remove"), disabledReason },
        ]}
      />
      {asks === "rename" && <Rename segment={segment} close={() => setAsks(null)} />}
      {asks === "remove" && <Removal segment={segment} close={() => setAsks(null)} />}
    </>
  );
}

type AskedProps = { readonly segment: Segment; readonly close: () => void };

function Rename({ segment, close }: AskedProps) {
  const t = useTexts(segmentsTexts);
  const { cancel } = useTexts(frameTexts);
  const saving = useChange(segment.id, close);
  return (
    <Dialog title={t.renameTitle} isOpen onClose={close}>
      <Form
        fault={saving.error}
        onSubmit={({ name = "", description = "" }) =>
          saving.mutate({ name: name.trim(), description: description.trim() || null })
        }
      >
        <Field name="name" label={t.name} defaultValue={segment.name} help={t.nameHelp} maxLength={100} autoFocus />
        <Field name="description" label={t.description} defaultValue={segment.description ?? ""} maxLength={500} />
        <div className="actions">
          <Button onClick={close}>{cancel}</Button>
          <Button kind="first" type="submit" busy={saving.isPending}>
            {t.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function Removal({ segment, close }: AskedProps) {
  const t = useTexts(segmentsTexts);
  const { cancel } = useTexts(frameTexts);
  const navigate = useNavigate();
  const { data: uses } = useQuery(usesQuery(segment.id));
  const removing = useRemove(() => {
    showToast(t.removed(segment.name));
    void navigate({ to: "/segments" });
  });
  const disabledReason = uses && isUsed(uses) ? t.inUse : undefined;
  return (
    <Dialog
      title={t.removeTitle(segment.name)}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{cancel}</Button>
          <Button
            kind="risk"
            disabledReason={disabledReason}
            busy={removing.isPending}
            onClick={() => removing.mutate(segment.id)}
          >
            {t.removeNow}
          </Button>
        </>
      }
    >
      <p>{disabledReason ?? t.removeText}</p>
      {uses && isUsed(uses) && <UsesList uses={uses} />}
    </Dialog>
  );
}
