// API calls for segments.
import { infiniteQueryOptions, queryOptions, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../api.ts";
import type { Schemas } from "../schemas.ts";
import { moveMembers } from "../people/use-members.ts";
import { queries } from "../queries.ts";
import { savedOver } from "../saving/saved-over.ts";

export type Segment = Schemas["Segment"];
export type Uses = Schemas["SegmentUses"];
export type Explanation = Schemas["SegmentExplanation"];

const byId = (id: string) => ({ params: { path: { id } } });
const PAGE_SIZE = 50;

export const segmentsQuery = queryOptions({
  queryKey: ["segments", "all"],
  queryFn: ({ signal }) => unwrap(api.GET("/segments", { signal })),
});

export const segmentQuery = (id: string) =>
  queryOptions({
    queryKey: ["segments", "one", id],
    queryFn: ({ signal }) => unwrap(api.GET("/segments/{id}", { ...byId(id), signal })),
  });

export const usesQuery = (id: string) =>
  queryOptions({
    queryKey: ["segments", "uses", id],
    queryFn: ({ signal }) => unwrap(api.GET("/segments/{id}/uses", { ...byId(id), signal })),
  });

export const growthQuery = (id: string) =>
  queryOptions({
    queryKey: ["segments", "growth", id],
    queryFn: ({ signal }) => unwrap(api.GET("/segments/{id}/growth", { ...byId(id), signal })),
  });

export const membersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["segments", "members", id],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/segments/{id}/contacts", {
          params: { path: { id }, query: { page: pageParam, pageSize: PAGE_SIZE } },
          signal,
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
  });

/** Refetches segments and what the builder offers. */
function changed(): void {
  void queries.invalidateQueries({ queryKey: ["segments"] });
  void queries.invalidateQueries({ queryKey: ["condition", "segments"] });
}

export function useCreate(done: (segment: Segment) => void) {
  return useMutation({
    mutationFn: (body: Schemas["CreateSegmentRequest"]) => unwrap(api.POST("/segments", { body })),
    onSuccess: (segment) => {
      changed();
      done(segment);
    },
    meta: { inForm: true },
  });
}

type SegmentChange = Schemas["UpdateSegmentRequest"];

/** `seen`: as its form was opened. `isMine`: else what somebody else had saved was taken. */
export function useChange(seen: Segment, done: (segment: Segment, isMine: boolean) => void = () => undefined) {
  const { id } = seen;
  return useMutation({
    mutationFn: (mine: SegmentChange) =>
      savedOver({
        seen,
        mine,
        send: (ifUpdatedAt) => unwrap(api.PATCH("/segments/{id}", { ...byId(id), body: { ...mine, ifUpdatedAt } })),
        load: () => unwrap(api.GET("/segments/{id}", byId(id))),
      }),
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
    mutationFn: (id: string) => unwrap(api.DELETE("/segments/{id}", byId(id))),
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
    mutationFn: async (body: Members) =>
      (await unwrap(api.POST("/segments/{id}/members", { ...byId(id), body }))) as AddedMembers,
    onSuccess: (answer) => {
      changed();
      done(answer);
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
    mutationFn: (email: string) =>
      unwrap(api.DELETE("/segments/{id}/members", { ...byId(id), body: { emails: [email] } })),
    onSuccess: (_, email) => {
      changed();
      done(email);
    },
  });
}
