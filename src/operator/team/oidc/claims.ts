// The claims of a provider about the person who signs in, as we read them.
import { parseAddress } from "../../../base/addresses.ts";
import type { ProviderSettings } from "../../../base/config/oidc.ts";
import { AppError } from "../../../base/errors.ts";

type ClaimSet = Readonly<Record<string, unknown>>;
export type ProviderClaims = {
  /** Signed. */
  readonly idToken: ClaimSet & { readonly sub: string };
  /** Some providers say address and groups there alone. */
  readonly userInfo: ClaimSet;
};

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

export function personIn({ idToken, userInfo }: ProviderClaims, { groupsClaim }: ProviderSettings): ProviderPerson {
  const { sub: subject, auth_time: seconds } = idToken;
  const claims: ClaimSet = { ...userInfo, ...idToken };
  return {
    subject,
    // `email_verified` of one source does not cover an address in the other.
    email: verifiedAddress(idToken) ?? verifiedAddress(userInfo),
    name: lineIn(claims["name"])?.slice(0, MOST_NAME_CHARS).toWellFormed() ?? null,
    groups: [claims[groupsClaim]].flat().filter((one) => typeof one === "string"),
    authenticatedAtMs: typeof seconds === "number" ? seconds * 1000 : null,
  };
}

/** Microsoft Entra has `xms_edov` in place of `email_verified`, once an administrator turns it on. */
function verifiedAddress({ email, email_verified: isVerified, xms_edov: isOfOwnDomain }: ClaimSet): string | null {
  const isProven = [true, "true", 1, "1"].some((yes) => yes === isVerified || yes === isOfOwnDomain);
  return isProven ? (parseAddress(lineIn(email) ?? "")?.toLowerCase() ?? null) : null;
}

function lineIn(claim: unknown): string | null {
  const line = typeof claim === "string" ? claim.replace(/\p{Cc}+/gu, " ").trim() : "";
  return line === "" ? null : line;
}

/** At each sign-in: a person may have moved to another domain. @throws AppError SIGN_IN_FAILED */
export function refuseOtherDomain(
  { issuer, allowedDomains, label }: ProviderSettings,
  { email }: ProviderPerson,
  { idToken }: ProviderClaims,
): void {
  if (allowedDomains.length === 0) return;
  const domain = issuer === GOOGLE ? lineIn(idToken["hd"]) : (email?.split("@").at(-1) ?? null);
  if (domain !== null && allowedDomains.includes(domain.toLowerCase())) return;
  throw new AppError("SIGN_IN_FAILED", `With this address at ${label} nobody signs in here.`, {
    reason: "provider_domain",
    values: { provider: label },
  });
}
