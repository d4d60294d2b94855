// API calls for the team.
import { useMutation } from "@tanstack/react-query";
import { call, Fault } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import { queries } from "../calls/queries.ts";
import { pages, usePages } from "../calls/query.ts";
import type { SavedVersion } from "../saving/asked-choice.ts";
import { save } from "../saving/save.ts";
import { type SaveResult } from "../saving/saved-over.ts";
import { allPages } from "../settings/all-pages.ts";
import { meQuery } from "../calls/session.ts";

export type Member = Schemas["Member"];
export type Invitation = Schemas["Invitation"];
export type NewInvitation = Schemas["NewInvitation"];
export type User = Schemas["User"];
export type MemberRole = Exclude<Member["role"], "OWNER">;

const PAGE_SIZE = 100;

type PageOf<One> = { readonly data: readonly One[]; readonly totalPages: number };
type Query = { readonly page: number; readonly pageSize: number };

export const useMembers = () => usePages(pages("GET /members", { pageSize: PAGE_SIZE }));

export const useInvitations = (enabled: boolean) =>
  usePages(pages("GET /invitations", { pageSize: PAGE_SIZE }, { enabled }));

export const useUsers = (enabled: boolean) => usePages(pages("GET /users", { pageSize: PAGE_SIZE }, { enabled }));

/** Also refetches the signed-in user, who may be one of those changed. */
function changed(): void {
  void queries.invalidateQueries({ queryKey: ["team"] });
  void queries.invalidateQueries({ queryKey: meQuery.queryKey });
}

/** A change of members; `done` shows the toast. */
function useChange<Given, Answer>(mutationFn: (given: Given) => Promise<Answer>, done?: (given: Given) => void) {
  return useMutation({
    mutationFn,
    onSuccess: (_, given) => {
      changed();
      done?.(given);
    },
  });
}

/** Like `useChange`, for records with versions: `done` runs only if the author's version was saved. */
function useOutcome<Given, Row extends SavedVersion>(
  mutationFn: (given: Given) => Promise<SaveResult<Row>>,
  done: (row: Row) => void,
) {
  return useMutation({
    mutationFn,
    onSuccess: ({ row, isMine }) => {
      changed();
      if (isMine) done(row);
    },
  });
}

/** The current version. A single record has no GET: it is found in the list. */
async function oneOf<One extends { readonly id: string }>(
  fetchPage: (query: Query) => Promise<PageOf<One>>,
  { id }: One,
): Promise<One> {
  const all = await allPages((page) => fetchPage({ page, pageSize: PAGE_SIZE }));
  const found = all.find((one) => one.id === id);
  if (found) return found;
  throw new Fault(404, "USER_NOT_FOUND", `There is no user ${id}.`);
}

/** `seen`: the member as the list showed it. */
type NewRole = { readonly seen: Member; readonly role: MemberRole };

export const useChangeRole = (done: (member: Member) => void) =>
  useOutcome(
    ({ seen, role }: NewRole) =>
      save(
        "PATCH /members/{id}",
        { id: seen.id },
        {
          seen,
          mine: { role },
          load: () => oneOf((query) => call("GET /members", query), seen),
        },
      ),
    done,
  );

export const useRemoveMember = (done: (member: Member) => void) =>
  useChange(({ id }: Member) => call("DELETE /members/{id}", { id }), done);

export function useInvite() {
  return useMutation({
    mutationFn: (body: Schemas["CreateInvitationRequest"]) => call("POST /invitations", { body }),
    onSuccess: changed,
    meta: { inForm: true },
  });
}

export const useWithdraw = (done: (invitation: Invitation) => void) =>
  useChange(({ id }: Invitation) => call("DELETE /invitations/{id}", { id }), done);

type Ownership = { readonly seen: User; readonly owner: boolean };
export const useOwnership = (done: (user: User) => void) =>
  useOutcome(
    ({ seen, owner }: Ownership) =>
      save(
        "PATCH /users/{id}",
        { id: seen.id },
        {
          seen,
          mine: { owner },
          load: () => oneOf((query) => call("GET /users", query), seen),
          // Users change their own name and password.
          compares: "mine",
        },
      ),
    done,
  );

export const useRemoveUser = (done: (user: User) => void) =>
  useChange(({ id }: User) => call("DELETE /users/{id}", { id }), done);

export const useResetTotp = (done: (user: User) => void) =>
  useChange(({ id }: User) => call("DELETE /users/{id}/totp", { id }), done);

export const useUserLink = () => useMutation({ mutationFn: ({ id }: User) => call("POST /users/{id}/link", { id }) });
