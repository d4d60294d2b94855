// Whom to ask for what one's role does not allow.
import { useQuery } from "@tanstack/react-query";
import { adminsQuery, useMembership, type Permission } from "../session.ts";

/** Whom the reason of a button that is off names; undefined where the role includes the permission. */
export function useWhoToAsk(permission: Permission): { readonly id: string; readonly name: string } | undefined {
  const membership = useMembership();
  const isOff = membership !== null && !membership.permissions.includes(permission);
  const { data: admins } = useQuery({ ...adminsQuery(membership?.id, permission), enabled: isOff });
  return isOff ? admins?.[0] : undefined;
}
