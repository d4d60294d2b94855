// /me/identities: who the signed-in user is at providers of sign-ins.
import { t } from "elysia";
import { personOnly } from "../../../tenant/access/auth.ts";
import { get, remove, route, routes } from "../../../tenant/access/route-table.ts";
import { link, ownIdentity, unlink } from "../oidc/identity.ts";
import { identitiesOf } from "../identities/queries.ts";
import { identityRecord, identityShape, startShape } from "../record.ts";
import { providerNameShape, providerReturnShape } from "../shape.ts";
import { personIn, type AuthDeps } from "../start-session.ts";
import { ownUser } from "../user.ts";

const PERSON = { key: "person" } as const;
const PROVEN = { key: "person", proof: true } as const;

export function identityRoutes(deps: AuthDeps) {
  const { store, providers } = deps;
  const { config } = deps;
  return routes(
    deps,
    [
      get(
        "/me/identities",
        {
          name: "listIdentities",
          summary: "List the providers that one is linked to",
          answers: { 200: t.Array(identityShape) },
          ...PERSON,
        },
        async (reader, { caller }) =>
          (await identitiesOf(reader, personIn(caller).user)).map((one) => identityRecord(one, config.oidc)),
      ),
      route(
        "POST",
        "/me/provider-options",
        {
          name: "askOwnProvider",
          summary: "Ask a provider who one is, to link it or to prove it",
          answers: { 200: startShape },
          ...PERSON,
          body: providerNameShape,
          refuses: ["SIGN_IN_FAILED"],
          description:
            "Send the browser to `url`; it comes back to `/app/provider/NAME` with an answer in its query, which is good with `ticket` for ten minutes. The provider asks for the password or the like once more (`max_age=0`).",
        },
        ({ body, caller }) => providers.begin(body.provider, `user ${personIn(caller).user}`),
      ),
      route(
        "POST",
        "/me/identities",
        {
          name: "linkIdentity",
          summary: "Link a provider, to sign in with it",
          answers: { 201: identityShape },
          ...PROVEN,
          body: providerReturnShape,
          refuses: ["SIGN_IN_FAILED", "CONFLICT", "USER_NOT_FOUND", "IDENTITY_NOT_FOUND"],
          description: "The groups there count from the next sign-in on.",
        },
        async ({ body, caller, set }) => {
          const { user: seq } = personIn(caller);
          const { provider, person, record } = await providers.proven(body, `user ${seq}`);
          const made = await store.write(async (tx) => {
            await record(tx);
            const id = await link(tx, provider, await ownUser(tx, seq), person);
            return ownIdentity(tx, seq, id);
          });
          set.status = 201;
          return identityRecord(made, config.oidc);
        },
      ),
      remove(
        "/me/identities/:id",
        {
          name: "unlinkIdentity",
          summary: "Remove the link to a provider",
          answers: { 204: null },
          ...PROVEN,
          refuses: ["IDENTITY_NOT_FOUND", "CONFLICT", "USER_NOT_FOUND"],
          description: "The roles that it has given end too, and with them all sessions.",
        },
        async (tx, { params, caller }) => {
          const user = await ownUser(tx, personIn(caller).user);
          await unlink(tx, user, await ownIdentity(tx, user.seq, params.id), config.oidc);
        },
      ),
    ],
    personOnly,
  );
}
