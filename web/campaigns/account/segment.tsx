// The people of a part become a segment of its own, made by hand: they stay in it whatever becomes of them.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api.ts";
import { useFormats } from "../../formats.ts";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { showToast } from "../../parts/toast.tsx";
import { queries } from "../../queries.ts";
import { accountTexts, frameTexts } from "../../texts/areas.ts";
import type { Campaign } from "../calls.ts";
import { recipientsOf, type Filter } from "./calls.ts";

/** More are brought by a file. */
const MOST_PEOPLE = 20_000;
const LONGEST_NAME = 100;

type SegmentProps = {
  readonly campaign: Campaign;
  readonly filter: Filter;
  readonly suggested: string;
  readonly close: () => void;
};

export function MakeSegment({ campaign, filter, suggested, close }: SegmentProps) {
  const t = useTexts(accountTexts);
  const { cancel } = useTexts(frameTexts);
  const { number } = useFormats();
  const [done, setDone] = useState(0);
  const making = useMutation({
    mutationFn: async (name: string) => {
      const { id } = await unwrap(api.POST("/segments", { body: { name, type: "STATIC" } }));
      return fill(id, campaign.id, filter, setDone);
    },
    onSuccess: ({ added, isWhole }) => {
      void queries.invalidateQueries({ queryKey: ["segments"] });
      showToast(isWhole ? t.segment.done(added, number(added)) : t.segment.part(number(added)));
      close();
    },
    meta: { inForm: true },
  });
  return (
    <Dialog title={t.segment.title} isOpen onClose={close} stays={making.isPending}>
      <Form fault={making.error} onSubmit={({ name = "" }) => making.mutate(name.trim())}>
        <p className="dim row-text">{t.segment.text}</p>
        <Field name="name" label={t.segment.name} defaultValue={suggested.slice(0, LONGEST_NAME)} autoFocus />
        <div className="actions">
          {making.isPending && (
            <span className="dim small" role="status">
              {number(done)}
            </span>
          )}
          <Button onClick={close}>{cancel}</Button>
          <Button kind="first" type="submit" busy={making.isPending}>
            {t.segment.make}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** A page of recipients at a time. Who was erased is in none. */
async function fill(segment: string, campaign: string, filter: Filter, tell: (added: number) => void) {
  let added = 0;
  let cursor: string | null = null;
  do {
    const page = await recipientsOf(campaign, filter, cursor);
    const emails = page.data.flatMap(({ email }) => email ?? []);
    if (emails.length > 0) {
      const path = { id: segment };
      const answer = await unwrap(api.POST("/segments/{id}/members", { params: { path }, body: { emails } }));
      added += answer.added;
      tell(added);
    }
    cursor = page.cursor;
  } while (cursor !== null && added < MOST_PEOPLE);
  return { added, isWhole: cursor === null };
}
