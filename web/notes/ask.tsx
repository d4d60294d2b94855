// The button beside a disabled action: writes a note to a colleague whose role allows it.
import { Suspense, useState } from "react";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import type { Permission } from "../calls/session.ts";
import { peopleTexts } from "../texts/areas.ts";
import { NoteDialog } from "./note-dialog.tsx";
import { useWhoToAsk } from "./who.ts";

type AskProps = { readonly permission: Permission; readonly contactId: string; readonly subject: string | null };

/**
 * Renders nothing for people who have the permission. Its texts load after those of the page, which does not suspend.
 */
export function Ask({ permission, ...asked }: AskProps) {
  const who = useWhoToAsk(permission);
  return <Suspense>{who && <AskButton {...asked} who={who} />}</Suspense>;
}

type ButtonProps = Omit<AskProps, "permission"> & {
  readonly who: NonNullable<ReturnType<typeof useWhoToAsk>>;
};

function AskButton({ who, contactId, subject }: ButtonProps) {
  const { notes: t } = useTexts(peopleTexts);
  const [isAsking, ask] = useState(false);
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
