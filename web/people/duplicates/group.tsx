// Contacts that may be the same person: merged, or dismissed.
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import type { Contact } from "../calls.ts";
import { useDismiss, useMerge, type DuplicateGroup } from "./calls.ts";
import { Comparison, useChoice } from "./comparison.tsx";

export function Group({ group }: { readonly group: DuplicateGroup }) {
  const { duplicates: t } = useTexts(peopleTexts);
  const contacts = group.contacts as readonly Contact[];
  const choice = useChoice(contacts);
  const mayMerge = useDisabledReason("people.bulk");
  const mayDismiss = useDisabledReason("people.write");
  const merging = useMerge();
  const dismissing = useDismiss();
  const title = t.reasons[group.reason];
  const pending = contacts.some(({ status }) => status === "PENDING") ? t.pending : undefined;
  return (
    <section className="panel duplicate" aria-label={`${title} ${contacts[0]?.email ?? ""}`}>
      <header>
        <h2>{title}</h2>
      </header>
      <Comparison contacts={contacts} choice={choice} />
      <div className="foot">
        <span className="dim stay">{t.consent}</span>
        <span className="inline push">
          <Button
            small
            disabledReason={mayDismiss}
            busy={dismissing.isPending}
            onClick={() => dismissing.mutate(contacts.map(({ id }) => id))}
          >
            {t.dismiss}
          </Button>
          <Button
            small
            kind="first"
            disabledReason={mayMerge ?? pending}
            busy={merging.isPending}
            onClick={() => merging.mutate(choice.merge)}
          >
            {t.merge}
          </Button>
        </span>
      </div>
    </section>
  );
}
