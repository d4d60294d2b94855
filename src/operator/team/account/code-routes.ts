// /me/totp: the authenticator app of the signed-in user, and their recovery codes.
import { t } from "elysia";
import { personOnly } from "../../../tenant/access/auth.ts";
import { remove, route, routes } from "../../../tenant/access/route-table.ts";
import type { Store, Tx } from "../../../store/store.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { removeCodes } from "../codes/codes.ts";
import { codeShape } from "../shape.ts";
import { personIn, type AuthDeps } from "../start-session.ts";
import { ownUser } from "../user.ts";

const PROVEN = { key: "person", proof: true } as const;

const setUpShape = t.Object(
  {
    secret: t.String({ description: "In base32, for apps that read no QR code." }),
    uri: t.String({ description: "`otpauth://…`, as a QR code holds it." }),
  },
  { title: "TotpSetUp" },
);
const recoveryShape = t.Object(
  { recoveryCodes: t.Array(t.String(), { description: "Shown this once. Each works once, in place of a code." }) },
  { title: "RecoveryCodes" },
);
const confirmShape = t.Object({ code: codeShape }, { examples: [{ code: "123456" }] });

export function codeRoutes(deps: AuthDeps) {
  const { store, codes } = deps;
  return routes(
    deps,
    [
      route(
        "POST",
        "/me/totp",
        {
          name: "setUpTotp",
          summary: "Set up an authenticator app",
          answers: { 200: setUpShape },
          ...PROVEN,
          refuses: ["CONFLICT", "USER_NOT_FOUND"],
          description:
            "The secret is shown this once. Codes are asked for once the first one is confirmed: `POST /me/totp/confirm`.",
        },
        async ({ caller }) => {
          const owner = await store.read((reader) => ownUser(reader, personIn(caller).user));
          return noted(store, caller, await codes.setUp(owner));
        },
      ),
      route(
        "POST",
        "/me/totp/confirm",
        {
          name: "confirmTotp",
          summary: "Confirm an authenticator app by a code, and get recovery codes",
          answers: { 200: recoveryShape },
          ...PROVEN,
          body: confirmShape,
          refuses: ["CONFLICT"],
          description: "From then on, a code is asked for beside the password.",
        },
        async ({ body, caller }) => {
          const confirm = await codes.confirm(personIn(caller).user, body.code);
          return { recoveryCodes: await noted(store, caller, confirm) };
        },
      ),
      route(
        "POST",
        "/me/totp/recovery-codes",
        {
          name: "renewRecoveryCodes",
          summary: "Get new recovery codes",
          answers: { 200: recoveryShape },
          ...PROVEN,
          refuses: ["CONFLICT"],
          description: "The earlier ones end.",
        },
        async ({ caller }) => {
          const renew = await codes.renew(personIn(caller).user);
          return { recoveryCodes: await noted(store, caller, renew) };
        },
      ),
      remove(
        "/me/totp",
        {
          name: "removeTotp",
          summary: "Remove your own authenticator app, with its recovery codes",
          answers: { 204: null },
          ...PROVEN,
          refuses: ["CONFLICT"],
        },
        (tx, { caller }) => removeCodes(tx, personIn(caller).user),
      ),
    ],
    personOnly,
  );
}

/** Makes a change whose answer is a secret, so that it is not kept for a repeated request. */
function noted<Answer>(store: Store, { note }: Caller, change: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  return store.write(async (tx) => {
    const answer = await change(tx);
    await note?.(tx, null);
    return answer;
  });
}
