// API calls for segments.
import { useMutation } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import { moveMembers } from "../people/use-members.ts";
import { queries } from "../calls/queries.ts";
import { pages, query } from "../calls/query.ts";
import { save } from "../saving/save.ts";

export type Segment = Schemas["Segment"];
export type Uses = Schemas["SegmentUses"];
export type Explanation = Schemas["SegmentExplanation"];

const PAGE_SIZE = 50;

export const segmentsQuery = query("GET /segments", {}, { ends: true });

export const segmentQuery = (id: string) => query("GET /segments/{id}", { id }, { ends: true });

export const usesQuery = (id: string) => query("GET /segments/{id}/uses", { id }, { ends: true });

export const growthQuery = (id: string) => query("GET /segments/{id}/growth", { id }, { ends: true });

export const membersQuery = (id: string) =>
  pages("GET /segments/{id}/contacts", { id, pageSize: PAGE_SIZE }, { ends: true });

/** Refetches segments, and their list in the condition builder. */
function changed(): void {
  void queries.invalidateQueries({ queryKey: ["segments"] });
  void queries.invalidateQueries({ queryKey: ["condition", "segments"] });
}

export function useCreate(done: (segment: Segment) => void) {
  return useMutation({
    mutationFn: (body: Schemas["CreateSegmentRequest"]) => call("POST /segments", { body }),
    onSuccess: (segment) => {
      changed();
      done(segment);
    },
    meta: { inForm: true },
  });
}

type SegmentChange = Schemas["UpdateSegmentRequest"];

/** `seen`: the segment as its form was opened. `isMine`: false = the author kept the other version. */
export function useChange(seen: Segment, done: (segment: Segment, isMine: boolean) => void = () => undefined) {
  const { id } = seen;
  return useMutation({
    mutationFn: (mine: SegmentChange) => save("PATCH /segments/{id}", { id }, { seen, mine }),
    onSuccess: ({ row: segment, isMine }) => {
      queries.setQueryData(segmentQuery(id).queryKey, segment);
      changed();
      done(segment, isMine);
    },
    meta: { inForm: true },
  });
}

export function useDelete(done: () => void) {
  return useMutation({
    mutationFn: (id: string) => call("DELETE /segments/{id}", { id }),
    onSuccess: () => {
      done();
      changed();
    },
  });
}

type Members = { readonly emails: string[] };
type AddedMembers = { readonly added: number; readonly notFound: readonly string[] };

export function useAddMembers(id: string, done: (answer: AddedMembers) => void) {
  return useMutation({
    mutationFn: (body: Members) => call("POST /segments/{id}/members", { id, body }),
    onSuccess: (answer) => {
      changed();
      if ("added" in answer) done(answer);
    },
    meta: { inForm: true },
  });
}

/** Adds the members of another segment. */
export function useAddFrom(id: string, done: (added: number) => void) {
  return useMutation({
    mutationFn: (segmentId: string) => moveMembers({ action: "add", id, name: "", whom: { segmentId } }),
    onSuccess: done,
    onSettled: changed,
    meta: { inForm: true },
  });
}

export function useRemoveMember(id: string, done: (email: string) => void) {
  return useMutation({
    mutationFn: (email: string) => call("DELETE /segments/{id}/members", { id, body: { emails: [email] } }),
    onSuccess: (_, email) => {
      changed();
      done(email);
    },
  });
}
