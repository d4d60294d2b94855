// Notes of the team about a contact: open ones, and completed ones in a fold.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCommands } from "../commands.ts";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { FaultBanner } from "../parts/fields/form.tsx";
import { Time } from "../parts/time.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { Part } from "../parts/card-part.tsx";
import { useMe } from "../calls/session.ts";
import { peopleTexts } from "../texts/areas.ts";
import { deleteNote, markNote, notesQuery, useNoteCall, type Note } from "./calls.ts";
import { NoteDialog } from "./note-dialog.tsx";
import "./notes.css";

export function Notes({ contactId }: { readonly contactId: string }) {
  const { notes: t } = useTexts(peopleTexts);
  const { number } = useFormats();
  const [isWriting, write] = useState(false);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(notesQuery(contactId));
  useCommands([{ id: "write note", name: t.write, icon: "pencil", run: () => write(true) }]);
  const notes = data?.pages.flatMap((page) => page.data) ?? [];
  const open = notes.filter(({ doneAt }) => doneAt === null);
  const done = notes.filter(({ doneAt }) => doneAt !== null);
  const count = (data?.pages[0]?.total ?? 0) - open.length;
  return (
    <Part title={t.title}>
      {error && !data ? <FaultBanner fault={error} /> : null}
      <NoteList notes={open} />
      {done.length > 0 && (
        <details className="done-notes">
          <summary className="dim small">{t.isDone(number(count))}</summary>
          <NoteList notes={done} />
          {hasNextPage && (
            <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t.all}
            </Button>
          )}
        </details>
      )}
      <span>
        <Button small kind="quiet" icon="pencil" onClick={() => write(true)}>
          {t.write}
        </Button>
      </span>
      {isWriting && <NoteDialog contactId={contactId} close={() => write(false)} />}
    </Part>
  );
}

function NoteList({ notes }: { readonly notes: readonly Note[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="notes">
      {notes.map((note) => (
        <NoteLine key={note.id} note={note} />
      ))}
    </ul>
  );
}

function NoteLine({ note }: { readonly note: Note }) {
  const { notes: t } = useTexts(peopleTexts);
  const me = useMe();
  const marking = useNoteCall(markNote);
  const deleting = useNoteCall(async () => {
    await deleteNote(note);
    showToast(t.removed);
  });
  const { from, to, text, doneAt, doneBy, createdAt } = note;
  return (
    <li>
      <p>{text}</p>
      <span className="dim small">
        {t.between(from.name ?? t.somebody, to.name)} · <Time at={createdAt} />
        {doneAt && ` · ${t.doneBy(doneBy ?? t.somebody)}`}
      </span>
      <span className="inline">
        <Button
          small
          icon={doneAt === null ? "check" : "undo"}
          busy={marking.isPending}
          onClick={() => marking.mutate(note)}
        >
          {doneAt === null ? t.done : t.reopen}
        </Button>
        {from.id === me.id && (
          <Button
            small
            kind="quiet"
            icon="trash"
            label={t.remove}
            busy={deleting.isPending}
            onClick={() => deleting.mutate(undefined)}
          />
        )}
      </span>
    </li>
  );
}
