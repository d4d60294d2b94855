// The person to ask for a permission that the user's role does not have.
import { useQuery } from "@tanstack/react-query";
import { adminsQuery, useMembership, type Permission } from "../calls/session.ts";

/** The person to ask for a missing permission; undefined if the role includes it. */
export function useWhoToAsk(permission: Permission): { readonly id: string; readonly name: string } | undefined {
  const membership = useMembership();
  const isOff = membership !== null && !membership.permissions.includes(permission);
  const { data: admins } = useQuery({ ...adminsQuery(membership?.id, permission), enabled: isOff });
  return isOff ? admins?.[0] : undefined;
}
