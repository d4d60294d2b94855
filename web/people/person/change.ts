// Changes one person at once, with Undo.
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api.ts";
import { useTexts } from "../../language.ts";
import { showToast } from "../../parts/toast.tsx";
import { queries } from "../../queries.ts";
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

/** As the shortest that people can choose themselves. */
const PAUSE_MS = 30 * 86_400_000;

/** The answer replaces the shown record. */
export async function changePerson(id: string, body: Changes): Promise<Contact> {
  const changed = (await unwrap(
    api.PATCH("/contacts/{id}", { params: { path: { id } }, body: body as never }),
  )) as Contact;
  queries.setQueryData(personQuery(id).queryKey, changed);
  peopleChanged();
  return changed;
}

export function useChange(contact: Contact) {
  const t = useTexts(peopleTexts);
  const { person: ofTopics } = useTexts(topicsTexts);
  const { mutate, isPending } = useMutation({ mutationFn: (body: Changes) => changePerson(contact.id, body) });
  const undone = (text: string, back: Changes | null) =>
    showToast(text, back === null ? undefined : { name: t.undo, icon: "undo", run: () => mutate(back) });
  return {
    isPending,
    flag: (subscribed: boolean) =>
      mutate(
        { subscribed },
        {
          onSuccess: () =>
            // Subscribing has lifted what cannot be put back.
            undone(
              subscribed ? t.subscribed : t.unsubscribed,
              contact.suppressed === null ? { subscribed: !subscribed } : null,
            ),
        },
      ),
    topic: (key: string, choice: "in" | "out", name: string) =>
      mutate(
        { topics: { [key]: choice } },
        {
          onSuccess: () => undone(ofTopics.done[choice](name), { topics: { [key]: contact.topics[key] ?? null } }),
        },
      ),
    pause: () => {
      const pausedUntil = new Date(Date.now() + PAUSE_MS).toISOString();
      mutate({ pausedUntil }, { onSuccess: () => undone(t.pause.begun, { pausedUntil: null }) });
    },
    /** Ends the pause. */
    resume: () =>
      mutate({ pausedUntil: null }, { onSuccess: () => undone(t.pause.ended, { pausedUntil: contact.pausedUntil }) }),
    /** Nothing puts it back. */
    lift: () => mutate({ suppressed: false }, { onSuccess: () => undone(t.lift.done, null) }),
    /** `value`: undefined = the key goes. */
    data: (key: string, value: unknown) => {
      const before = (contact.data as Readonly<Record<string, unknown>>)[key];
      mutate(
        { data: { [key]: value ?? null } },
        { onSuccess: () => undone(t.data.saved(key), { data: { [key]: before ?? null } }) },
      );
    },
  };
}
