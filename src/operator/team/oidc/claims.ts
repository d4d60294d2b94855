// What a provider says of the person who signs in, as we read it.
import { parseAddress } from "../../../base/addresses.ts";
import type { ProviderSettings } from "../../../base/config/oidc.ts";
import { AppError } from "../../../base/errors.ts";

export type IdTokenClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

export type ProviderPerson = {
  readonly subject: string;
  /** In lower case, and verified by the provider; null = it has verified none. */
  readonly email: string | null;
  readonly name: string | null;
  readonly groups: readonly string[];
  /** When they last entered a password or the like there; null = it does not say. */
  readonly authenticatedAtMs: number | null;
};

const MOST_NAME_CHARS = 100;
/** Personal accounts there have addresses of any domain: only `hd` is said by the organization. */
const GOOGLE = "https://accounts.google.com";

export function personIn(claims: IdTokenClaims, { groupsClaim }: ProviderSettings): ProviderPerson {
  const { sub: subject, auth_time: seconds } = claims;
  return {
    subject,
    email: verifiedAddress(claims),
    name: textOf(claims["name"])?.slice(0, MOST_NAME_CHARS).toWellFormed() ?? null,
    groups: [claims[groupsClaim]].flat().filter((one) => typeof one === "string"),
    authenticatedAtMs: typeof seconds === "number" ? seconds * 1000 : null,
  };
}

/** Microsoft Entra has `xms_edov` in place of `email_verified`, once an administrator turns it on. */
function verifiedAddress({ email, email_verified: isVerified, xms_edov: isOfOwnDomain }: IdTokenClaims): string | null {
  const isProven = [true, "true", 1, "1"].some((yes) => yes === isVerified || yes === isOfOwnDomain);
  return isProven ? (parseAddress(textOf(email) ?? "")?.toLowerCase() ?? null) : null;
}

function textOf(claim: unknown): string | null {
  return typeof claim === "string" && claim.trim() !== "" ? claim.trim() : null;
}

/** At each sign-in: a person may have moved to another domain. @throws AppError SIGN_IN_FAILED */
export function refuseOtherDomain(
  { issuer, allowedDomains, label }: ProviderSettings,
  { email }: ProviderPerson,
  claims: IdTokenClaims,
): void {
  if (allowedDomains.length === 0) return;
  const domain = issuer === GOOGLE ? textOf(claims["hd"]) : (email?.split("@").at(-1) ?? null);
  if (domain !== null && allowedDomains.includes(domain.toLowerCase())) return;
  throw new AppError("SIGN_IN_FAILED", `With this address at ${label} nobody signs in here.`, {
    reason: "provider_domain",
    values: { provider: label },
  });
}
