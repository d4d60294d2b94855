// Evidence of a change of consent: a program with a secret key states where the person acted; with a public key, the
// caller is the person, on a site's own form.
import { t } from "elysia";
import type { Caller } from "../../tenant/access/caller.ts";
import type { ConsentEvidence } from "./consent.ts";
import { invalidField } from "../../base/errors.ts";
import { optional } from "../../http/schemas.ts";
import { plainAddress } from "../../base/ip-addresses.ts";

export const givenConsent = optional(
  t.Object({
    ip: optional(t.String({ maxLength: 100, examples: ["203.0.113.7"] }), "The person's IP address."),
    userAgent: optional(t.String({ maxLength: 1000 }), "The browser. 300 characters are kept."),
    wording: optional(
      t.Object({
        text: t.String({ minLength: 1, maxLength: 5000 }),
        version: t.Number({ minimum: 1, maximum: 1_000_000_000, multipleOf: 1 }),
        language: t.String({ pattern: "^[a-z]{2}$" }),
      }),
      "What the person read when they agreed: the same text for everybody, without personal data. It is kept when the person is erased.",
    ),
  }),
  "Where the person acted, and what they agreed to: kept in the ledger of consent if this call changes what they get. For secret keys: of a public key's call, the ledger has where it came from.",
);

export type GivenConsent = typeof givenConsent.static | undefined;

/** `seen`: the origin of a call with a public key. @throws AppError VALIDATION_ERROR on `consent` */
export function evidenceIn(
  given: GivenConsent,
  { kind }: Pick<Caller, "kind">,
  seen?: () => ConsentEvidence,
): ConsentEvidence | undefined {
  if (kind === "public") {
    if (given) throw invalidField("consent", "A public key cannot say where a person acted.", "unsupported");
    return seen?.();
  }
  if (!given) return undefined;
  const { ip, userAgent, wording } = given;
  if (ip && plainAddress(ip) === null) throw invalidField("consent.ip", "This is not an IP address.", "invalid");
  return { ip: ip ? plainAddress(ip) : null, userAgent: userAgent ?? null, ...(wording ? { wording } : {}) };
}
