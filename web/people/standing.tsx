// What mail somebody may get: in a word, with a mark of its own.
import { useTexts } from "../language.ts";
import type { MarkName, Tone } from "../parts/icon.tsx";
import { Label, Pill } from "../parts/state.tsx";
import { peopleTexts } from "../texts/areas.ts";
import { standingOf, type Contact } from "./calls.ts";
import type { Standing as Name } from "./filters.ts";

const SHOWN: Readonly<Record<Name, { readonly mark: MarkName; readonly tone?: Tone }>> = {
  SUBSCRIBED: { mark: "on", tone: "ok" },
  UNSUBSCRIBED: { mark: "unsub" },
  PENDING: { mark: "waiting", tone: "note" },
  SUPPRESSED: { mark: "bounced", tone: "bad" },
};

function useWord(contact: Contact): string {
  const t = useTexts(peopleTexts);
  return contact.suppressed === null ? t.standing[standingOf(contact)] : t.suppressed[contact.suppressed];
}

/** In rows. */
export function Standing({ contact }: { readonly contact: Contact }) {
  const { mark, tone } = SHOWN[standingOf(contact)];
  return (
    <Label mark={mark} tone={tone}>
      {useWord(contact)}
    </Label>
  );
}

export function StandingPill({ contact }: { readonly contact: Contact }) {
  const { mark, tone } = SHOWN[standingOf(contact)];
  return (
    <Pill mark={mark} tone={tone}>
      {useWord(contact)}
    </Pill>
  );
}
