// The answer of POST /v1/verify.
import { t } from "elysia";

export const verificationShape = t.Object(
  {
    email: t.String(),
    valid: t.Boolean(),
    isDisposable: t.Boolean(),
    isAlias: t.Boolean(),
    isTypo: t.Boolean(),
    isPlusAddressed: t.Boolean(),
    isRandomInput: t.Boolean(),
    isPersonalEmail: t.Boolean(),
    domainExists: t.Boolean(),
    hasWebsite: t.Boolean(),
    hasMxRecords: t.Boolean(),
    suggestedEmail: t.Optional(t.String()),
    reasons: t.Array(t.String()),
  },
  { title: "Verification" },
);

export type Verification = typeof verificationShape.static;
