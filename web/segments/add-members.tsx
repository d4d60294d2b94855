// Adds contacts to a static segment: by their addresses, or all members of another segment.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { TextField } from "../parts/fields/form.tsx";
import { FormDialog } from "../parts/fields/form-dialog.tsx";
import { Select } from "../parts/fields/select.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { frameTexts, segmentsTexts } from "../texts/areas.ts";
import { segmentsQuery, useAddFrom, useAddMembers, type Segment } from "./calls.ts";

const MAX_MEMBERS = 500;

type AddPeopleProps = { readonly segment: Segment; readonly close: () => void };

/** Adds people to a static segment by email address, and lists unknown ones. */
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
    setFault(list.length > MAX_MEMBERS ? t.tooMany : undefined);
    if (list.length > 0 && list.length <= MAX_MEMBERS) adding.mutate({ emails: list });
  };
  return (
    <FormDialog
      title={t.add}
      close={close}
      sending={adding}
      unsaved={false}
      submit={t.addNow}
      cancel={unknown.length > 0 ? closeWord : cancel}
      onSubmit={add}
    >
      <TextField name="emails" label={t.addresses} help={t.addText} fault={fault} rows={6} autoFocus />
      {unknown.length > 0 && (
        <div role="status" className="stack tight row-text">
          <p>{t.notFound(unknown.length)}</p>
          <p className="mono">{unknown.join(", ")}</p>
        </div>
      )}
    </FormDialog>
  );
}

/** Adds all current members of another segment. */
export function AddFrom({ segment, close }: AddPeopleProps) {
  const { people: t } = useTexts(segmentsTexts);
  const { data: all = [] } = useQuery(segmentsQuery);
  const adding = useAddFrom(segment.id, (added) => {
    showToast(t.added(added));
    close();
  });
  const others = all.filter(({ id }) => id !== segment.id);
  return (
    <FormDialog
      title={t.addFrom}
      close={close}
      stays={adding.isPending}
      sending={adding}
      submit={t.addNow}
      disabledReason={others.length === 0 ? t.noOthers : undefined}
      onSubmit={({ other = "" }) => adding.mutate(other)}
    >
      <Select
        name="other"
        label={t.otherSegment}
        help={t.addFromHelp}
        options={others.map(({ id, name }) => ({ id, name }))}
        first={others[0]?.id ?? ""}
      />
    </FormDialog>
  );
}
