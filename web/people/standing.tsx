// What mail somebody may get: in a word, with a mark of its own.
import { useTexts } from "../language.ts";
import type { StatusIconName, Tone } from "../parts/icon.tsx";
import { Label } from "../parts/state.tsx";
import { peopleTexts } from "../texts/areas.ts";
import { standingOf, type Contact } from "./calls.ts";
import type { Standing as Name } from "./filters.ts";

const SHOWN: Readonly<Record<Name, { readonly icon: StatusIconName; readonly tone?: Tone }>> = {
  SUBSCRIBED: { icon: "on", tone: "ok" },
  UNSUBSCRIBED: { icon: "unsub" },
  PENDING: { icon: "waiting", tone: "note" },
  SUPPRESSED: { icon: "bounced", tone: "bad" },
};

type StandingProps = { readonly contact: Contact; readonly pill?: boolean };

export function Standing({ contact, pill }: StandingProps) {
  const t = useTexts(peopleTexts);
  return (
    <Label {...SHOWN[standingOf(contact)]} pill={pill}>
      {contact.suppressed === null ? t.standing[standingOf(contact)] : t.suppressed[contact.suppressed]}
    </Label>
  );
}
