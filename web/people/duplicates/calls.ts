// API calls for contacts that may be the same person, and for merges.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import type { Schemas } from "../../calls/schemas.ts";
import { useIdempotencyKey } from "../../base/idempotency-key.ts";
import { useTexts } from "../../base/language.ts";
import { showToast } from "../../parts/overlays/toast.tsx";
import { queries } from "../../calls/queries.ts";
import { pages, query } from "../../calls/query.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { peopleChanged } from "../calls.ts";

export type DuplicateGroup = Schemas["DuplicateGroup"];
export type Merge = Schemas["ContactMerge"];
export type MergePreview = Schemas["DuplicateMergePreview"];

const PAGE_SIZE = 20;
const POLL_MS = 1_000;

export const duplicatesQuery = pages(
  "GET /contacts/duplicates",
  { pageSize: PAGE_SIZE },
  {
    refetchInterval: ({ state }) => (state.data?.pages[0]?.status === "RUNNING" ? POLL_MS : false),
    throwOnError: false,
  },
);

export const mergesQuery = (contactId?: string) =>
  pages("GET /contacts/merges", { pageSize: PAGE_SIZE, contactId }, { throwOnError: false });

/** 409 until a search has ended. */
export const previewQuery = query("GET /contacts/duplicates/merge", {}, { throwOnError: false });

function changed(): void {
  void queries.invalidateQueries({ queryKey: duplicatesQuery.queryKey });
  void queries.invalidateQueries({ queryKey: previewQuery.queryKey });
}

export function useFind() {
  return useMutation({ mutationFn: () => call("POST /contacts/duplicates"), onSettled: changed });
}

export function useUndoMerge() {
  const { duplicates: t } = useTexts(peopleTexts);
  return useMutation({
    mutationFn: (id: string) => call("POST /contacts/merges/{id}/undo", { id }),
    onSuccess: () => showToast(t.undone),
    onSettled: peopleChanged,
  });
}

/** `searchId`: the search of the preview. */
export function useMergeAll() {
  const once = useIdempotencyKey();
  return useMutation({
    mutationFn: (searchId: string) => call("POST /contacts/duplicates/merge", { ...once, body: { searchId } }),
    meta: { inForm: true },
    onSettled: changed,
  });
}

type MergeChoice = { readonly into: string; readonly from: string[]; readonly values: Record<string, string> };

/** Undo is in the toast. */
export function useMerge() {
  const t = useTexts(peopleTexts);
  const undo = useUndoMerge();
  return useMutation({
    mutationFn: (body: MergeChoice) => call("POST /contacts/merge", { body }),
    onSuccess: ({ id, into, from }) =>
      showToast(t.duplicates.merged(from.length + 1, into.email), {
        name: t.undo,
        icon: "undo",
        run: () => undo.mutate(id),
      }),
    onSettled: peopleChanged,
  });
}

export function useDismiss() {
  return useMutation({
    mutationFn: (contactIds: string[]) => call("POST /contacts/duplicates/dismiss", { body: { contactIds } }),
    onSettled: changed,
  });
}
