// What mail somebody may get: in a word, with a mark of its own.
import { useTexts } from "../language.ts";
import type { StatusIconName, Tone } from "../parts/icon.tsx";
import { Label, Pill } from "../parts/state.tsx";
import { peopleTexts } from "../texts/areas.ts";
import { standingOf, type Contact } from "./calls.ts";
import type { Standing as Name } from "./filters.ts";

const SHOWN: Readonly<Record<Name, { readonly icon: StatusIconName; readonly tone?: Tone }>> = {
  SUBSCRIBED: { icon: "on", tone: "ok" },
  UNSUBSCRIBED: { icon: "unsub" },
  PENDING: { icon: "waiting", tone: "note" },
  SUPPRESSED: { icon: "bounced", tone: "bad" },
};

function useWord(contact: Contact): string {
  const t = useTexts(peopleTexts);
  return contact.suppressed === null ? t.standing[standingOf(contact)] : t.suppressed[contact.suppressed];
}

/** In rows. */
export function Standing({ contact }: { readonly contact: Contact }) {
  const { icon, tone } = SHOWN[standingOf(contact)];
  return (
    <Label icon={icon} tone={tone}>
      {useWord(contact)}
    </Label>
  );
}

export function StandingPill({ contact }: { readonly contact: Contact }) {
  const { icon, tone } = SHOWN[standingOf(contact)];
  return (
    <Pill icon={icon} tone={tone}>
      {useWord(contact)}
    </Pill>
  );
}
