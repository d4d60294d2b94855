// What a key may do, from where, and until when.
import type { BlockList } from "node:net";
import { AppError } from "../../base/errors.ts";
import { isWithin } from "../../base/ip-addresses.ts";

/** `send`: what a program that only sends needs. `read`: what changes nothing and sends nothing. */
export type KeyPermissions = "full" | "send" | "read";

export type KeyLimits = {
  readonly permissions: KeyPermissions;
  /** Null = any. */
  readonly allowedIps: BlockList | null;
  /** Of the key that came: the secret before a rotation has an end of its own. */
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

/** `enough`: besides `full`. @throws AppError FORBIDDEN, which names what is missing */
export function refuseBeyond({ permissions }: KeyLimits, enough: readonly KeyPermissions[]): void {
  if (permissions === "full" || enough.includes(permissions)) return;
  const needed = enough[0] ?? "full";
  throw new AppError("FORBIDDEN", `The API key has the permission ${permissions}; this call needs ${needed}.`, {
    suggestion: `Use a key with the permission ${needed}.`,
  });
}
