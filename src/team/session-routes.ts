// /session: signing in and out, and proving once more who somebody is.
import { Elysia, t } from "elysia";
import { invalidField } from "../errors.ts";
import { nullable, timeShape } from "../http/answer-shapes.ts";
import { WITH_BODY, type Declaration } from "../http/answers.ts";
import type { Caller } from "../access/caller.ts";
import { personOnly } from "../access/auth.ts";
import { route, routes } from "../access/route-table.ts";
import { noteAct } from "./audit.ts";
import { letIn, personIn, requestIdIn, signedInCaller, type Entrance } from "./entrance.ts";
import { openPost, taken } from "./open-routes.ts";
import { hasUsers } from "./queries.ts";
import { meShape, optionsShape } from "./record.ts";
import { deleteSession, proveSession } from "./session-queries.ts";
import { ownSession, provenUntil } from "./session.ts";
import { credentialsShape, passkeyOnlyShape, proofShape } from "./shape.ts";
import { byPasskey, byPassword, type Known, type Trying } from "./sign-in.ts";
import { ownUser } from "./user.ts";

const stateShape = t.Object({
  signedIn: t.Boolean(),
  hasUsers: t.Boolean({ description: "False: `posthorn user link` prints a link for the first user." }),
  passkeys: t.Object({
    offered: t.Boolean(),
    reason: nullable(t.String({ description: "Why they are not offered." })),
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
  ...taken(credentialsShape),
  refuses: [...REFUSES, "SIGN_IN_FAILED", "PASSKEY_NEEDED", "RATE_LIMIT_EXCEEDED"],
  description:
    "Sets the cookie of the session. Each failure is answered later than the one before; after too many there is only a refusal.",
};
const asked: Declaration = {
  name: "askForPasskey",
  summary: "Ask for a passkey",
  answers: { 200: optionsShape },
  ...OPEN,
  ...taken(t.Object({}, { examples: [{}] })),
  refuses: [...REFUSES, "CONFLICT"],
  description: "`options` go into `navigator.credentials.get` of the browser, and count for five minutes.",
};
const enteredByPasskey: Declaration = {
  name: "signInWithPasskey",
  summary: "Sign in with a passkey",
  answers: { 200: meShape },
  ...OPEN,
  ...taken(passkeyOnlyShape),
  refuses: [...REFUSES, "SIGN_IN_FAILED", "CONFLICT"],
};

export function sessionRoutes(entrance: Entrance) {
  const { config, passkeys } = entrance;
  const place = { ...entrance, baseUrl: config.http.baseUrl };
  return new Elysia()
    .get("/session", ({ request, set }) => stateFor(entrance, request, set), { detail: shown })
    .use(
      openPost(place, "/session", [entered, credentialsShape], async ({ body, client, ...reply }) =>
        enter(entrance, reply, await byPassword(entrance, { ...body, ...trying(client, reply.set) })),
      ),
    )
    .use(
      openPost(place, "/session/passkey-options", [asked, t.Object({})], async () => ({
        options: await passkeys.askFor(),
      })),
    )
    .use(
      openPost(place, "/session/passkey", [enteredByPasskey, passkeyOnlyShape], async ({ body, client, ...reply }) =>
        enter(entrance, reply, await byPasskey(entrance, body.passkey, trying(client, reply.set))),
      ),
    )
    .use(ownRoutes(entrance));
}

function ownRoutes(entrance: Entrance) {
  const { store, clients, cookie } = entrance;
  return routes(
    entrance,
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
          refuses: ["SIGN_IN_FAILED", "CONFLICT"],
          description: "With the password or a passkey. The proof counts for ten minutes, as signing in does.",
        },
        ({ body, caller, request, server, set }) => {
          const client = clients.ofRequest(request, server?.requestIP(request)?.address);
          const session = personIn(caller).session;
          return prove(entrance, { caller, session, ...trying(client, set) }, body);
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
          set.headers["set-cookie"] = cookie.clear;
          set.status = 204;
        },
      ),
    ],
    personOnly,
  );
}

type Reply = Parameters<typeof letIn>[1];

function trying(client: string | null, set: Reply["set"]): Trying {
  return { client, requestId: requestIdIn(set) };
}

function enter(entrance: Entrance, reply: Reply, { user, record }: Known) {
  return letIn(entrance, reply, { action: "signIn" }, async (tx) => {
    await record(tx);
    return ownUser(tx, user.seq);
  });
}

async function stateFor(entrance: Entrance, request: Request, set: Reply["set"]): Promise<typeof stateShape.static> {
  set.headers["cache-control"] = "no-store";
  const isClaimed = await entrance.store.read(hasUsers);
  const signedIn = (await signedInCaller(entrance, request).catch(() => null)) !== null;
  const { site, reason } = entrance.passkeys.offer;
  return { signedIn, hasUsers: isClaimed, passkeys: { offered: site !== null, reason } };
}

type Prover = Trying & { readonly caller: Caller };

/** @throws AppError SIGN_IN_FAILED, RATE_LIMIT_EXCEEDED, VALIDATION_ERROR without either */
async function prove(
  entrance: Entrance,
  { caller, ...trying }: Prover,
  { password, passkey }: typeof proofShape.static,
) {
  const { store, clock } = entrance;
  const person = personIn(caller);
  const user = await store.read((reader) => ownUser(reader, person.user));
  if (!password && !passkey) throw invalidField("password", "A password or a passkey is needed.", "required");
  const known = passkey
    ? await byPasskey(entrance, passkey, trying, user)
    : await byPassword(entrance, { email: user.email, password: password ?? "", ...trying });
  const session = await store.write(async (tx) => {
    await known.record(tx);
    await proveSession(tx, person.session);
    return ownSession(tx, person.session);
  });
  return { provenUntil: provenUntil(session, clock.nowMs()) ?? session.provenAt };
}
