// A person's subscription status as an icon and a word.
import { useTexts } from "../base/language.ts";
import type { StatusIconName, Tone } from "../parts/icons/icon.tsx";
import { Label } from "../parts/state.tsx";
import { peopleTexts } from "../texts/areas.ts";
import { subscriptionStatus, type Contact } from "./calls.ts";
import type { SubscriptionStatus as Name } from "./filters.ts";

const SHOWN: Readonly<Record<Name, { readonly icon: StatusIconName; readonly tone?: Tone }>> = {
  SUBSCRIBED: { icon: "on", tone: "ok" },
  UNSUBSCRIBED: { icon: "unsub" },
  PENDING: { icon: "waiting", tone: "note" },
  SUPPRESSED: { icon: "bounced", tone: "bad" },
};

type SubscriptionLabelProps = { readonly contact: Contact; readonly pill?: boolean };

export function SubscriptionLabel({ contact, pill }: SubscriptionLabelProps) {
  const t = useTexts(peopleTexts);
  return (
    <Label {...SHOWN[subscriptionStatus(contact)]} pill={pill}>
      {contact.suppressed === null ? t.standing[subscriptionStatus(contact)] : t.suppressed[contact.suppressed]}
    </Label>
  );
}
