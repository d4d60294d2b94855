// Who is signed in, in which workspace, and what their role lets them do.
import { queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { api, calledWorkspace, unwrap } from "./api.ts";
import type { components } from "./api.gen.ts";
import { setPreference, preference } from "./preferences.ts";
import { useTexts } from "./language.ts";
import { queries, signedOut } from "./queries.ts";
import { frameTexts } from "./texts/areas.ts";

export type Me = components["schemas"]["Me"];
/** What one is in a workspace. */
export type Membership = Me["workspaces"][number];
export type Role = Membership["role"];
export type Permission = Membership["permissions"][number];

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async () => settled(await unwrap(api.GET("/me"))),
  staleTime: Infinity,
});

/** Takes up what a sign-in answered. */
export function signedIn(me: Me): void {
  queries.clear();
  signedOut.set(0);
  queries.setQueryData(meQuery.queryKey, settled(me));
}

/** Calls go to the workspace of last time, if this person is a member of it. */
function settled(me: Me): Me {
  const wanted = calledWorkspace.get() ?? preference("workspace");
  const chosen = me.workspaces.find(({ id }) => id === wanted) ?? me.workspaces[0];
  calledWorkspace.set(chosen?.id ?? null);
  return me;
}

/** What belonged to the workspace before is forgotten. */
export function chooseWorkspace(id: string): void {
  setPreference("workspace", id);
  calledWorkspace.set(id);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
}

export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** The workspace that calls go to; null for a person who is a member of none. */
export function useMembership(): Membership | null {
  const { workspaces } = useMe();
  return workspaces.find(({ id }) => id === calledWorkspace.get()) ?? null;
}

/**
 * Why a button is off for this person; undefined where their role includes the permission:
 * `disabledReason={useDisabledReason("mail.send")}`.
 */
export function useDisabledReason(permission: Permission): string | undefined {
  const membership = useMembership();
  const t = useTexts(frameTexts);
  const isOff = membership !== null && !membership.permissions.includes(permission);
  const { data: names } = useQuery({ ...adminsQuery(membership?.id, permission), enabled: isOff });
  if (!isOff) return undefined;
  return [t.mayNot(t.roles[membership.role]), ...(names?.[0] === undefined ? [] : [t.ask(names[0])])].join(" ");
}

/** The names of those who may give another role, admins first; for what owners alone may do, theirs. */
function adminsQuery(workspace: string | undefined, permission: Permission) {
  const roles = permission === "installation" ? ["OWNER"] : ["ADMIN", "OWNER"];
  return queryOptions({
    queryKey: ["admins", workspace, ...roles],
    queryFn: async () => {
      const { data } = await unwrap(api.GET("/members", { params: { query: { pageSize: 100 } } }));
      return roles.flatMap((role) => data.filter((one) => one.role === role).map(({ name }) => name));
    },
    staleTime: Infinity,
    retry: false,
    throwOnError: false,
  });
}
