// The limits of a key: its permissions, its networks, its end.
import type { BlockList } from "node:net";
import { AppError } from "../../base/errors.ts";
import { isWithin } from "../../base/ip-addresses.ts";

/**
 * `send`: enough for a program that only sends. `read`: calls that change nothing and send nothing. `content`: mail as
 * code, and nothing else.
 */
export const KEY_PERMISSIONS = ["full", "send", "read", "content"] as const;
export type KeyPermissions = (typeof KEY_PERMISSIONS)[number];

export type KeyLimits = {
  readonly permissions: KeyPermissions;
  /** Null = any. */
  readonly allowedIps: BlockList | null;
  /** The end of the key in the request: the secret before a rotation has an end of its own. */
  readonly expiresAtMs: number | null;
};

/** @throws AppError INVALID_API_KEY once the key has expired */
export function refuseExpired({ expiresAtMs }: KeyLimits, nowMs: number): void {
  if (expiresAtMs === null || nowMs < expiresAtMs) return;
  throw new AppError("INVALID_API_KEY", `The API key expired at ${new Date(expiresAtMs).toISOString()}.`, {
    suggestion: "Use a newer key: GET /keys lists the key sets.",
  });
}

/** `address`: the client's; null = not known. @throws AppError FORBIDDEN */
export function refuseElsewhere({ allowedIps }: KeyLimits, address: string | null): void {
  if (allowedIps === null || (address !== null && isWithin(allowedIps, address))) return;
  throw new AppError("FORBIDDEN", `The API key may not be used from ${address ?? "an unknown address"}.`, {
    suggestion: "Add the address to the allowedIps of the key set, or set http.trusted_proxies if a proxy is in front.",
  });
}

/**
 * `enough`: the permissions that suffice besides `full`. @throws AppError FORBIDDEN, which names the missing permission
 */
export function refuseBeyond({ permissions }: KeyLimits, enough: readonly KeyPermissions[]): void {
  if (permissions === "full" || enough.includes(permissions)) return;
  const needed = enough[0] ?? "full";
  throw new AppError("FORBIDDEN", `The API key has the permission ${permissions}; this call needs ${needed}.`, {
    suggestion: `Use a key with the permission ${needed}.`,
  });
}
