// /session: signing in and out, and renewing the proof of identity.
import { Elysia, t } from "elysia";
import { invalidField } from "../../base/errors.ts";
import { nullable, timeShape } from "../../http/answer-shapes.ts";
import { WITH_BODY, type Declaration } from "../../http/answers.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { personOnly } from "../../tenant/access/auth.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import { noteAct } from "./audit/audit.ts";
import { startSession, personIn, requestIdIn, signedInCaller, type AuthDeps } from "./start-session.ts";
import { openPost, jsonBody } from "./open-routes.ts";
import { hasUsers, type User } from "./queries.ts";
import { meShape, optionsShape, startShape } from "./record.ts";
import { deleteSession, proveSession } from "./session/session-queries.ts";
import { ownSession, provenUntil } from "./session/session.ts";
import { credentialsShape, passkeyOnlyShape, proofShape, providerNameShape, providerReturnShape } from "./shape.ts";
import { againByProvider, byProvider } from "./oidc/sign-in.ts";
import { byPasskey, byPassword, type SignInResult, type SignInClient } from "./sign-in.ts";
import { ownUser } from "./user.ts";

const stateShape = t.Object({
  signedIn: t.Boolean(),
  hasUsers: t.Boolean({
    description: "False: the code of the first start lets the first owner in; `posthorn user link` prints another.",
  }),
  passkeys: t.Object({
    offered: t.Boolean(),
    reason: nullable(t.String({ description: "Why they are not offered." })),
  }),
  passwords: t.Boolean({ description: "False: everybody signs in with a provider." }),
  providers: t.Array(t.Object({ name: t.String(), label: t.String() }), {
    description: "The providers (OpenID Connect) that people sign in with.",
  }),
});
const OPEN = { key: "none" } as const;
const REFUSES = [...WITH_BODY, "CROSS_SITE"] as const;

const shown: Declaration = {
  name: "getSession",
  summary: "Ask whether somebody is signed in",
  answers: { 200: stateShape },
  ...OPEN,
};
const entered: Declaration = {
  name: "signIn",
  summary: "Sign in with a password",
  answers: { 200: meShape },
  ...OPEN,
  ...jsonBody(credentialsShape),
  refuses: [...REFUSES, "SIGN_IN_FAILED", "PASSKEY_NEEDED", "CODE_NEEDED", "RATE_LIMIT_EXCEEDED"],
  description:
    "Sets the cookie of the session. Each failure is answered later than the one before; after too many there is only a refusal.",
};
const asked: Declaration = {
  name: "askForPasskey",
  summary: "Ask for a passkey",
  answers: { 200: optionsShape },
  ...OPEN,
  ...jsonBody(t.Object({}, { examples: [{}] })),
  refuses: [...REFUSES, "CONFLICT"],
  description: "`options` go into `navigator.credentials.get` of the browser, and count for five minutes.",
};
const enteredByPasskey: Declaration = {
  name: "signInWithPasskey",
  summary: "Sign in with a passkey",
  answers: { 200: meShape },
  ...OPEN,
  ...jsonBody(passkeyOnlyShape),
  refuses: [...REFUSES, "SIGN_IN_FAILED", "CONFLICT"],
};
const askedProvider: Declaration = {
  name: "askProvider",
  summary: "Begin to sign in with a provider",
  answers: { 200: startShape },
  ...OPEN,
  ...jsonBody(providerNameShape),
  refuses: [...REFUSES, "SIGN_IN_FAILED"],
  description:
    "Send the browser to `url`; it comes back to `/app/provider/NAME` with an answer in its query, which is good with `ticket` for ten minutes.",
};
const enteredByProvider: Declaration = {
  name: "signInWithProvider",
  summary: "Sign in with what a provider has answered",
  answers: { 200: meShape },
  ...OPEN,
  ...jsonBody(providerReturnShape),
  refuses: [...REFUSES, "SIGN_IN_FAILED", "CONFLICT", "USER_NOT_FOUND", "RATE_LIMIT_EXCEEDED"],
  description:
    "Makes a user, or links the user of the verified address, the first time; and gives and ends roles by the groups there, each time. The session ends after a day.",
};

export function sessionRoutes(deps: AuthDeps) {
  const { config, passkeys } = deps;
  const place = { ...deps, http: config.http };
  return new Elysia()
    .get("/session", ({ request, set }) => stateFor(deps, request, set), { detail: shown })
    .use(
      openPost(place, "/session", [entered, credentialsShape], async ({ body, client, ...reply }) => {
        deps.providers.refuseOthers();
        return enter(deps, reply, await byPassword(deps, { ...body, ...trying(client, reply.set) }));
      }),
    )
    .use(
      openPost(place, "/session/passkey-options", [asked, t.Object({})], async () => ({
        options: await passkeys.askFor(),
      })),
    )
    .use(
      openPost(place, "/session/passkey", [enteredByPasskey, passkeyOnlyShape], async ({ body, client, ...reply }) => {
        deps.providers.refuseOthers();
        return enter(deps, reply, await byPasskey(deps, body.passkey, trying(client, reply.set)));
      }),
    )
    .use(
      openPost(place, "/session/provider-options", [askedProvider, providerNameShape], ({ body }) =>
        deps.providers.begin(body.provider, "sign in"),
      ),
    )
    .use(
      openPost(place, "/session/provider", [enteredByProvider, providerReturnShape], async (asked) => {
        const { body, client, ...reply } = asked;
        const { user, label, ...by } = await byProvider(deps, body, trying(client, reply.set));
        const start = { action: "signInWithProvider", reason: label, by };
        return startSession(deps, reply, start, (tx) => ownUser(tx, user.seq));
      }),
    )
    .use(ownRoutes(deps));
}

function ownRoutes(deps: AuthDeps) {
  const { store, clients, cookie } = deps;
  return routes(
    deps,
    [
      route(
        "POST",
        "/session/proof",
        {
          name: "proveIdentity",
          summary: "Prove again who you are",
          answers: { 200: t.Object({ provenUntil: timeShape }) },
          key: "person",
          body: proofShape,
          refuses: ["SIGN_IN_FAILED", "CODE_NEEDED", "PASSKEY_NEEDED", "CONFLICT"],
          description:
            "With the password, and the code if one is asked for beside it, with a passkey, or with a provider that asked the user for a password or the like just now. The proof counts for ten minutes, as signing in does.",
        },
        ({ body, caller, request, server, set }) => {
          const client = clients.ofRequest(request, server?.requestIP(request)?.address);
          const session = personIn(caller).session;
          return prove(deps, { caller, session, ...trying(client, set) }, body);
        },
      ),
      route(
        "DELETE",
        "/session",
        { name: "signOut", summary: "Sign out", answers: { 204: null }, key: "person" },
        async ({ caller, set }) => {
          await store.write(async (tx) => {
            await deleteSession(tx, personIn(caller).session);
            await noteAct(tx, { by: caller.by, action: "signOut" });
          });
          set.headers["set-cookie"] = cookie.clear();
          set.status = 204;
        },
      ),
    ],
    personOnly,
  );
}

type SessionReply = Parameters<typeof startSession>[1];

function trying(client: string | null, set: SessionReply["set"]): SignInClient {
  return { client, requestId: requestIdIn(set) };
}

function enter(deps: AuthDeps, reply: SessionReply, { user, record }: SignInResult) {
  return startSession(deps, reply, { action: "signIn" }, async (tx) => {
    await deps.providers.refuseLinked(tx, user);
    await record(tx);
    return ownUser(tx, user.seq);
  });
}

async function stateFor(deps: AuthDeps, request: Request, set: SessionReply["set"]): Promise<typeof stateShape.static> {
  set.headers["cache-control"] = "no-store";
  const isClaimed = await deps.store.read(hasUsers);
  const signedIn = (await signedInCaller(deps, request).catch(() => null)) !== null;
  const { site, reason } = deps.passkeys.offer;
  const { providers, config } = deps;
  const ways = { passwords: !config.oidc.some(({ only }) => only), providers: [...providers.offered] };
  return { signedIn, hasUsers: isClaimed, passkeys: { offered: site !== null, reason }, ...ways };
}

type Prover = SignInClient & { readonly caller: Caller };

/** @throws AppError SIGN_IN_FAILED, RATE_LIMIT_EXCEEDED, VALIDATION_ERROR without any of them */
async function prove(deps: AuthDeps, { caller, ...trying }: Prover, proof: typeof proofShape.static) {
  const { store, clock } = deps;
  const person = personIn(caller);
  const known = await proven(deps, await store.read((reader) => ownUser(reader, person.user)), trying, proof);
  const session = await store.write(async (tx) => {
    await known.record(tx);
    await proveSession(tx, person.session);
    return ownSession(tx, person.session);
  });
  return { provenUntil: provenUntil(session, clock.nowMs()) ?? session.provenAt };
}

function proven(
  deps: AuthDeps,
  user: User,
  trying: SignInClient,
  { password, passkey, code, provider }: typeof proofShape.static,
): Promise<SignInResult> {
  if (provider) return againByProvider(deps, user, provider);
  if (passkey) return byPasskey(deps, passkey, trying, user);
  if (password) return byPassword(deps, { email: user.email, password, code, ...trying });
  throw invalidField("password", "A password, a passkey or a provider is needed.", "required");
}
