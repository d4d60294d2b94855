// Beside what a role does not allow: a note for somebody who may do it.
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import type { Permission } from "../session.ts";
import { peopleTexts } from "../texts/areas.ts";
import { NoteDialog } from "./note-dialog.tsx";
import { useWhoToAsk } from "./who.ts";

type AskProps = { readonly permission: Permission; readonly contactId: string; readonly subject: string | null };

/** Nothing for those who may do it themselves. */
export function Ask({ permission, contactId, subject }: AskProps) {
  const { notes: t } = useTexts(peopleTexts);
  const [isAsking, ask] = useState(false);
  const who = useWhoToAsk(permission);
  if (!who) return null;
  return (
    <>
      <Button small kind="quiet" icon="pencil" onClick={() => ask(true)}>
        {t.ask(who.name)}
      </Button>
      {isAsking && (
        <NoteDialog
          contactId={contactId}
          to={who.id}
          text={subject === null ? "" : t.about(subject)}
          close={() => ask(false)}
        />
      )}
    </>
  );
}
