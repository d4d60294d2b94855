// API calls for notes about contacts.
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import type { components } from "../api.gen.ts";
import { OVERVIEW } from "../calls/live.ts";
import { queries } from "../calls/queries.ts";
import { keyOf, pages } from "../calls/query.ts";
import { allPages, PAGE_SIZE } from "../settings/all-pages.ts";

export type Note = components["schemas"]["Note"];

export const notesQuery = (id: string) =>
  pages("GET /contacts/{id}/notes", { id, pageSize: PAGE_SIZE }, { throwOnError: false });

/** The possible recipients of a note. */
export const colleaguesQuery = queryOptions({
  queryKey: ["team", "colleagues"],
  queryFn: () => allPages((page) => call("GET /members", { page, pageSize: PAGE_SIZE })),
  throwOnError: false,
});

export function useNoteCall<Given, Answer>(call: (given: Given) => Promise<Answer>, done?: (answer: Answer) => void) {
  return useMutation({
    mutationFn: call,
    onSuccess: (answer: Answer) => {
      void queries.invalidateQueries({ queryKey: keyOf("GET /contacts/{id}/notes") });
      void queries.invalidateQueries({ queryKey: [OVERVIEW] });
      done?.(answer);
    },
    meta: { inForm: done !== undefined },
  });
}

export const markNote = ({ contactId: id, id: noteId, doneAt }: Note) =>
  call("PATCH /contacts/{id}/notes/{noteId}", { id, noteId, body: { done: doneAt === null } });

export const deleteNote = ({ contactId: id, id: noteId }: Note) =>
  call("DELETE /contacts/{id}/notes/{noteId}", { id, noteId });
