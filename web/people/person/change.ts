// Changes one person immediately, with Undo.
import { useMutation } from "@tanstack/react-query";
import { useTexts } from "../../base/language.ts";
import { showToast } from "../../parts/overlays/toast.tsx";
import { queries } from "../../calls/queries.ts";
import { save } from "../../saving/save.ts";
import { type SaveResult } from "../../saving/saved-over.ts";
import { peopleTexts, topicsTexts } from "../../texts/areas.ts";
import { peopleChanged, personQuery, type Contact } from "../calls.ts";

type Changes = {
  readonly subscribed?: boolean;
  readonly suppressed?: false;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly email?: string;
  readonly topics?: Contact["topics"];
  readonly pausedUntil?: string | null;
};

/** The shortest pause that people can choose themselves. */
const PAUSE_MS = 30 * 86_400_000;

/**
 * `seen`: the contact as shown. The API, forms and the person change contacts as well, so only the changed fields are
 * compared. The answer replaces the shown record.
 */
export async function changePerson(seen: Contact, mine: Changes): Promise<SaveResult<Contact>> {
  const saved = await save("PATCH /contacts/{id}", { id: seen.id }, { seen, mine, compares: "mine" });
  queries.setQueryData(personQuery(seen.id).queryKey, saved.row);
  peopleChanged();
  return saved;
}

export function useChange(contact: Contact) {
  const t = useTexts(peopleTexts);
  const { person: ofTopics } = useTexts(topicsTexts);
  const { mutate: change, isPending } = useMutation({
    mutationFn: ({ seen, mine }: { readonly seen: Contact; readonly mine: Changes }) => changePerson(seen, mine),
  });
  /** `done` runs once it is saved, but not if the author keeps the other version. */
  const mutate = (mine: Changes, { onSuccess: done }: { readonly onSuccess: (row: Contact) => void }, seen = contact) =>
    change({ seen, mine }, { onSuccess: ({ row, isMine }) => isMine && done(row) });
  const undone = (row: Contact, text: string, back: Changes | null) => {
    const run = () => mutate(back ?? {}, { onSuccess: () => undefined }, row);
    showToast(text, back === null ? undefined : { name: t.undo, icon: "undo", run });
  };
  return {
    isPending,
    flag: (subscribed: boolean) =>
      mutate(
        { subscribed },
        {
          onSuccess: (row) =>
            // Subscribing also lifts a suppression, which cannot be restored.
            undone(
              row,
              subscribed ? t.subscribed : t.unsubscribed,
              contact.suppressed === null ? { subscribed: !subscribed } : null,
            ),
        },
      ),
    topic: (key: string, choice: "in" | "out", name: string) =>
      mutate(
        { topics: { [key]: choice } },
        {
          onSuccess: (row) =>
            undone(row, ofTopics.done[choice](name), { topics: { [key]: contact.topics[key] ?? null } }),
        },
      ),
    pause: () => {
      const pausedUntil = new Date(Date.now() + PAUSE_MS).toISOString();
      mutate({ pausedUntil }, { onSuccess: (row) => undone(row, t.pause.begun, { pausedUntil: null }) });
    },
    /** Ends the pause. */
    resume: () =>
      mutate(
        { pausedUntil: null },
        { onSuccess: (row) => undone(row, t.pause.ended, { pausedUntil: contact.pausedUntil }) },
      ),
    /** Cannot be undone. */
    lift: () => mutate({ suppressed: false }, { onSuccess: (row) => undone(row, t.lift.done, null) }),
    /** `value`: undefined deletes the key. `seen`: the contact as it was when the field was opened. */
    data: (key: string, value: unknown, seen: Contact) => {
      const before = (seen.data as Readonly<Record<string, unknown>>)[key];
      mutate(
        { data: { [key]: value ?? null } },
        { onSuccess: (row) => undone(row, t.data.saved(key), { data: { [key]: before ?? null } }) },
        seen,
      );
    },
  };
}
