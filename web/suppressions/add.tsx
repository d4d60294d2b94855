// An address or a domain is suppressed by hand.
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Field } from "../parts/form.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { SegmentedField } from "../parts/segmented-field.tsx";
import { showToast } from "../parts/toast.tsx";
import { suppressionsTexts } from "../texts/areas.ts";
import { useAdd, type Scope } from "./calls.ts";

export function AddSuppression({ close }: { readonly close: () => void }) {
  const t = useTexts(suppressionsTexts);
  const [scope, setScope] = useState<Scope>("all");
  const adding = useAdd(({ address, domain }) => {
    showToast(t.added(address ?? domain ?? ""));
    close();
  });
  return (
    <FormDialog
      title={t.make}
      close={close}
      sending={adding}
      submit={t.add}
      onSubmit={({ address = "", until = "", note = "" }) => {
        const given = address.trim();
        const target =
          given.includes("@") && !given.startsWith("@") ? { address: given } : { domain: given.replace(/^@/, "") };
        adding.mutate({
          ...(given === "" ? {} : target),
          scope,
          ...(until === "" ? {} : { until: new Date(`${until}T00:00`).toISOString() }),
          ...(note.trim() === "" ? {} : { note: note.trim() }),
        });
      }}
    >
      <Field name="address" label={t.target} help={t.targetHelp} maxLength={320} autoComplete="off" autoFocus />
      <SegmentedField<Scope>
        label={t.stops}
        choices={[
          { value: "all", content: t.scopes.all },
          { value: "marketing", content: t.scopes.marketing },
        ]}
        value={scope}
        onChange={setScope}
      />
      <Field name="until" label={t.until} note={t.optional} help={t.untilHelp} type="date" />
      <Field name="note" label={t.note} note={t.optional} maxLength={500} autoComplete="off" />
    </FormDialog>
  );
}
