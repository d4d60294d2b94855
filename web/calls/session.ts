// The signed-in user, the current workspace, and what the role allows.
import { queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { call, userId, workspaceId } from "./api.ts";
import type { components } from "../api.gen.ts";
import { setPreference, preference } from "../base/preferences.ts";
import { useTexts } from "../base/language.ts";
import { queries } from "./queries.ts";
import { frameTexts } from "../texts/areas.ts";

export type Me = components["schemas"]["Me"];
/** A membership of a workspace. */
export type Membership = Me["workspaces"][number];
export type Role = Membership["role"];
export type Permission = Membership["permissions"][number];

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async () => settled(await call("GET /me")),
  staleTime: Infinity,
});

/** Stores the answer of a sign-in. */
export function signedIn(me: Me): void {
  queries.clear();
  queries.setQueryData(meQuery.queryKey, settled(me));
}

/** Chooses the last workspace, if the user is still a member. */
function settled(me: Me): Me {
  const wantedId = workspaceId.get() ?? preference("workspace");
  const chosen = me.workspaces.find(({ id }) => id === wantedId) ?? me.workspaces[0];
  workspaceId.set(chosen?.id ?? null);
  userId.set(me.id);
  return me;
}

/** Clears the data of the former workspace. */
export function chooseWorkspace(id: string): void {
  setPreference("workspace", id);
  workspaceId.set(id);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
}

export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** The current workspace; null without a membership. */
export function useMembership(): Membership | null {
  const { workspaces } = useMe();
  return workspaces.find(({ id }) => id === workspaceId.get()) ?? null;
}

/**
 * Why a button is disabled for this user; undefined if the role includes the permission:
 * `disabledReason={useDisabledReason("mail.send")}`.
 */
export function useDisabledReason(permission: Permission): string | undefined {
  const membership = useMembership();
  const t = useTexts(frameTexts);
  const isOff = membership !== null && !membership.permissions.includes(permission);
  const { data: admins } = useQuery({ ...adminsQuery(membership?.id, permission), enabled: isOff });
  if (!isOff) return undefined;
  const who = admins?.[0];
  return t.mayNot(t.roles[membership.role]) + (who ? ` ${t.ask(who.name)}` : "");
}

/** People who can grant the permission: admins first; only owners for `installation`. */
export function adminsQuery(workspace: string | undefined, permission: Permission) {
  const roles = permission === "installation" ? ["OWNER"] : ["ADMIN", "OWNER"];
  return queryOptions({
    queryKey: ["admins", workspace, ...roles],
    queryFn: async () => {
      const { data } = await call("GET /members", { pageSize: 100 });
      return roles.flatMap((role) => data.filter((one) => one.role === role));
    },
    staleTime: Infinity,
    retry: false,
    throwOnError: false,
  });
}
