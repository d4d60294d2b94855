// The dialogs of a key set: change its limits, replace its secret.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call, Fault } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { FormDialog, Question } from "../../parts/fields/form-dialog.tsx";
import { SegmentedField } from "../../parts/fields/segmented-field.tsx";
import { queries } from "../../calls/queries.ts";
import { save } from "../../saving/save.ts";
import { allPages, PAGE_SIZE } from "../all-pages.ts";
import { keysTexts } from "../../texts/areas.ts";
import { LimitFields, limitsIn, NameField } from "./limit-fields.tsx";

export type KeySet = components["schemas"]["KeySet"];
export type KeyDialogProps = { readonly keySet: KeySet; readonly close: () => void };

/** A single key set has no GET: it is found in the list of active ones. */
async function loadKeys(id: string): Promise<KeySet> {
  const all = await allPages((page) => call("GET /keys", { page, pageSize: PAGE_SIZE }));
  const found = all.find((one) => one.id === id);
  if (found) return found;
  throw new Fault(404, "KEY_NOT_FOUND", `There is no active key set ${id}.`);
}

export const again = () => queries.invalidateQueries({ queryKey: ["keys"] });

export function ChangeKey({ keySet: now, close }: KeyDialogProps) {
  const t = useTexts(keysTexts);
  const [keySet] = useState(now);
  const { id } = keySet;
  const changing = useMutation({
    mutationFn: (mine: ReturnType<typeof limitsIn>) =>
      save("PATCH /keys/{id}", { id }, { seen: keySet, mine, load: () => loadKeys(id) }),
    onSuccess: () => {
      close();
      return again();
    },
    meta: { inForm: true },
  });
  return (
    <FormDialog
      title={t.change.title(keySet.name ?? t.unnamed)}
      close={close}
      sending={changing}
      submit={t.change.confirm}
      onSubmit={(values) => changing.mutate(limitsIn(values, keySet))}
    >
      <NameField name={keySet.name} />
      <LimitFields limits={keySet} fault={changing.error} />
    </FormDialog>
  );
}

/** Hours during which the old secret stays valid. */
const OVERLAPS = ["0", "24", "72"] as const;

export function RotateKey({ keySet, close }: KeyDialogProps) {
  const t = useTexts(keysTexts);
  const { id, name } = keySet;
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>("24");
  const rotation = useMutation({
    mutationFn: () => call("POST /keys/{id}/rotate", { id, body: { overlapHours: Number(overlap) } }),
    onSuccess: again,
    // Removes the secret from the cache once the dialog has unmounted.
    gcTime: 0,
    meta: { inForm: true },
  });
  const title = t.rotate.title(name ?? t.unnamed);
  if (rotation.data)
    return (
      <Dialog title={title} isOpen onClose={close} wide stays>
        <div className="stack l">
          <Banner tone="warn">
            <b>{t.rotate.once}</b> {t.fresh.onceText}
          </Banner>
          <Code title={t.fresh.secret} what={t.fresh.secret} text={rotation.data.secret} />
          <div className="actions">
            <Button kind="first" onClick={close}>
              {t.rotate.done}
            </Button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <Question
      title={title}
      close={close}
      action={t.rotate.confirm}
      busy={rotation.isPending}
      fault={rotation.error}
      run={() => rotation.mutate()}
      text={t.rotate.text}
    >
      <SegmentedField
        label={t.rotate.overlap}
        value={overlap}
        choices={OVERLAPS.map((hours) => ({ value: hours, content: t.rotate.overlaps[hours] }))}
        onChange={setOverlap}
      />
    </Question>
  );
}
