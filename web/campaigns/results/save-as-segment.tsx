// Saves the recipients of one outcome as a static segment.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../calls/api.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Field } from "../../parts/fields/form.tsx";
import { FormDialog } from "../../parts/fields/form-dialog.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { queries } from "../../calls/queries.ts";
import { accountTexts } from "../../texts/areas.ts";
import type { Campaign } from "../calls.ts";
import { recipientsOf, type RecipientFilter } from "./calls.ts";

/** More people need an import. */
const MAX_PEOPLE = 20_000;
const MAX_NAME_CHARS = 100;

type SegmentProps = {
  readonly campaign: Campaign;
  readonly filter: RecipientFilter;
  readonly suggested: string;
  readonly close: () => void;
};

export function SaveAsSegment({ campaign, filter, suggested, close }: SegmentProps) {
  const t = useTexts(accountTexts);
  const { number } = useFormats();
  const [done, setDone] = useState(0);
  const making = useMutation({
    mutationFn: async (name: string) => {
      const { id } = await call("POST /segments", { body: { name, type: "STATIC" } });
      try {
        return await addRecipients(id, campaign.id, filter, setDone);
      } catch (error) {
        // The next attempt can have the name.
        await call("DELETE /segments/{id}", { id }).catch(() => undefined);
        throw error;
      }
    },
    onSuccess: ({ added, isWhole }) => {
      void queries.invalidateQueries({ queryKey: ["segments"] });
      showToast(isWhole ? t.segment.done(added, number(added)) : t.segment.part(number(added)));
      close();
    },
    meta: { inForm: true },
  });
  return (
    <FormDialog
      title={t.segment.title}
      stays={making.isPending}
      close={close}
      sending={making}
      submit={t.segment.make}
      more={
        making.isPending && (
          <span className="dim small" role="status">
            {number(done)}
          </span>
        )
      }
      onSubmit={({ name = "" }) => making.mutate(name.trim())}
    >
      <p className="dim row-text">{t.segment.text}</p>
      <Field name="name" label={t.segment.name} defaultValue={suggested.slice(0, MAX_NAME_CHARS)} autoFocus />
    </FormDialog>
  );
}

/** Adds recipients page by page. Erased ones are skipped. */
async function addRecipients(
  segment: string,
  campaign: string,
  filter: RecipientFilter,
  tell: (added: number) => void,
) {
  let added = 0;
  let cursor: string | null = null;
  do {
    const page = await recipientsOf(campaign, filter, cursor);
    const emails = page.data.flatMap(({ email }) => email ?? []);
    if (emails.length > 0) {
      const answer = await call("POST /segments/{id}/members", { id: segment, body: { emails } });
      added += "added" in answer ? answer.added : 0;
      tell(added);
    }
    cursor = page.cursor;
  } while (cursor !== null && added < MAX_PEOPLE);
  return { added, isWhole: cursor === null };
}
