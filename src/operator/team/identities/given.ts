// Roles that a provider of sign-ins decides: they cannot be changed by hand while it is configured.
import type { ProviderSettings } from "../../../base/config/oidc.ts";
import { AppError } from "../../../base/errors.ts";

export type RoleGiver = Pick<ProviderSettings, "issuer" | "label">;
type GivenRole = { readonly givenBy: string | null };

/** Null = a person decides it. */
export function giverOf({ givenBy }: GivenRole, providers: readonly RoleGiver[]): string | null {
  return providers.find(({ issuer }) => issuer === givenBy)?.label ?? null;
}

/** @throws AppError CONFLICT */
export function refuseGiven(given: GivenRole, providers: readonly RoleGiver[]): void {
  const provider = giverOf(given, providers);
  if (provider === null) return;
  throw new AppError("CONFLICT", `${provider} decides this role by the groups of its user.`, {
    reason: "provider_decides",
    values: { provider },
    suggestion: "Change the groups there; it counts from the next sign-in on.",
  });
}
