// The shapes of requests about users, sessions and members.
import { t } from "elysia";
import { oneOf } from "../../http/answer-shapes.ts";
import { addressShape, optional, recordNameShape } from "../../http/schemas.ts";
import { LONGEST } from "./session/password.ts";

export const roleShape = oneOf("OWNER", "ADMIN", "DEVELOPER", "MARKETER", "EDITOR", "SUPPORT");
export const memberRoleShape = oneOf("ADMIN", "DEVELOPER", "MARKETER", "EDITOR", "SUPPORT");

const base64url = t.String({ minLength: 1, maxLength: 20_000, pattern: "^[\\w-]+$" });
const ceremony = {
  id: base64url,
  rawId: base64url,
  type: t.Literal("public-key"),
  clientExtensionResults: t.Object({}),
};

/** `PublicKeyCredential` as JSON: the answer of `navigator.credentials.get`. */
export const passkeyAnswerShape = t.Object({
  ...ceremony,
  response: t.Object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: optional(base64url),
  }),
});

/** The answer of `navigator.credentials.create`. */
export const newPasskeyShape = t.Object({
  ...ceremony,
  response: t.Object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: optional(t.Array(t.String({ maxLength: 30 }), { maxItems: 10 })),
  }),
});

/** Compared, not chosen: any length that one may have. */
const givenPassword = t.String({ minLength: 1, maxLength: LONGEST });
const EXAMPLE_PASSWORD = "three words of mine";

/** A code of an app, or a recovery code; white space and hyphens in it do not count. */
export const codeShape = t.String({ minLength: 6, maxLength: 40 });

export const credentialsShape = t.Object(
  {
    email: addressShape,
    password: givenPassword,
    passkey: optional(passkeyAnswerShape, "For a user who needs a passkey beside the password, or has one for a code."),
    code: optional(codeShape, "For a user with an authenticator app: its code, or a recovery code."),
  },
  { examples: [{ email: "ada@example.com", password: EXAMPLE_PASSWORD }] },
);

const ANSWER_EXAMPLE = {
  id: "dGVzdA",
  rawId: "dGVzdA",
  type: "public-key",
  clientExtensionResults: {},
  response: { clientDataJSON: "e30", authenticatorData: "AA", signature: "AA" },
};
const NEW_EXAMPLE = {
  id: "dGVzdA",
  rawId: "dGVzdA",
  type: "public-key",
  clientExtensionResults: {},
  response: { clientDataJSON: "e30", attestationObject: "oA" },
};

export const passkeyOnlyShape = t.Object({ passkey: passkeyAnswerShape }, { examples: [{ passkey: ANSWER_EXAMPLE }] });

export const providerNameShape = t.Object(
  { provider: t.String({ minLength: 1, maxLength: 30 }) },
  { examples: [{ provider: "default" }] },
);

export const providerReturnShape = t.Object(
  {
    ticket: t.String({ minLength: 1, maxLength: 2_000 }),
    answer: t.String({ minLength: 1, maxLength: 16_000, description: "The query with which the browser came back." }),
  },
  { examples: [{ ticket: "v1.dGVzdA", answer: "?code=dGVzdA&state=dGVzdA" }] },
);

export const proofShape = t.Object(
  {
    password: optional(givenPassword),
    passkey: optional(passkeyAnswerShape),
    code: optional(codeShape),
    provider: optional(providerReturnShape, "The answer of a provider that the user is linked to."),
  },
  { examples: [{ password: EXAMPLE_PASSWORD }] },
);

const tokenShape = t.String({ minLength: 1, maxLength: 100 });
const TOKEN_EXAMPLE = "q8nUJg9pX2cV0sYd5rT7wZ1aBhE3kLmN4oP6iQfGxCs";

export const tokenOnlyShape = t.Object({ token: tokenShape }, { examples: [{ token: TOKEN_EXAMPLE }] });

export const newcomerShape = t.Object(
  { token: tokenShape, email: optional(addressShape), name: optional(recordNameShape) },
  { examples: [{ token: TOKEN_EXAMPLE, email: "ada@example.com", name: "Ada" }] },
);

const KEEP_PASSKEYS = "Whether the user's passkeys stay valid. Unless given, `false`.";
const KEEP_FACTORS = "Whether the user's passkeys and authenticator app stay valid. Unless given, `false`.";

export const entryShape = t.Object(
  {
    ...newcomerShape.properties,
    password: optional(t.String({ maxLength: LONGEST })),
    passkey: optional(newPasskeyShape),
    passkeyName: optional(recordNameShape),
    keepPasskeys: optional(t.Boolean(), KEEP_FACTORS),
    workspaceName: optional(
      t.String({ maxLength: 100 }),
      "The name of the first workspace: only by the link of the first owner.",
    ),
  },
  { examples: [{ token: TOKEN_EXAMPLE, email: "ada@example.com", name: "Ada", password: EXAMPLE_PASSWORD }] },
);

export const passwordShape = t.Object(
  { password: t.String({ maxLength: LONGEST }), keepPasskeys: optional(t.Boolean(), KEEP_PASSKEYS) },
  { examples: [{ password: EXAMPLE_PASSWORD }] },
);

export const addedPasskeyShape = t.Object(
  { name: recordNameShape, passkey: newPasskeyShape },
  { examples: [{ name: "Laptop", passkey: NEW_EXAMPLE }] },
);
