// /me: the signed-in user, their password, their sessions and their passkeys.
import { t } from "elysia";
import { AppError } from "../../../base/errors.ts";
import { optional, recordNameShape } from "../../../http/schemas.ts";
import type { Tx } from "../../../store/store.ts";
import { personOnly } from "../../../tenant/access/auth.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { get, patch, remove, route, routes } from "../../../tenant/access/route-table.ts";
import { personIn, shownTo, type AuthDeps } from "../start-session.ts";
import { ownPasskey, removePasskey } from "../passkeys/passkeys.ts";
import { passkeysOf } from "../passkeys/queries.ts";
import { checkPassword } from "../session/password.ts";
import { setHidesSteps, setNeedsPasskey, setUserName } from "../queries.ts";
import { meShape, optionsShape, passkeyRecord, passkeyShape, sessionRecord, sessionShape } from "../record.ts";
import { deleteOtherSessions, sessionsOf } from "../session/session-queries.ts";
import { endSession } from "../session/session.ts";
import { addedPasskeyShape, passwordShape } from "../shape.ts";
import { ownUser, personName, replaceSecrets } from "../user.ts";

const PERSON = { key: "person" } as const;
const PROVEN = { key: "person", proof: true } as const;

const changeShape = t.Object(
  {
    name: optional(recordNameShape),
    passkeyRequired: optional(t.Boolean(), "A passkey beside the password. To change it needs a fresh proof."),
    firstStepsHidden: optional(t.Boolean(), "Whether the overview hides the first steps, in every browser."),
  },
  { examples: [{ name: "Ada Lovelace" }] },
);

export function meRoutes(deps: AuthDeps) {
  return routes(deps, [...own(deps), ...sessions(deps), ...passkeys(deps)], personOnly);
}

function own({ store, clock, passwords }: AuthDeps) {
  return [
    get(
      "/me",
      {
        name: "getMe",
        summary: "Get who is signed in",
        answers: { 200: meShape },
        ...PERSON,
        refuses: ["USER_NOT_FOUND"],
      },
      (reader, { caller }) => shownTo(reader, caller, clock.nowMs()),
    ),
    patch(
      "/me",
      {
        name: "updateMe",
        summary: "Change your own name, what is needed to sign in, or what the overview hides",
        answers: { 200: meShape },
        ...PERSON,
        body: changeShape,
        refuses: ["PROOF_NEEDED", "CONFLICT", "USER_NOT_FOUND"],
      },
      async (tx, { body, caller }) => {
        await changeMe(tx, caller, body);
        return shownTo(tx, caller, tx.nowMs);
      },
    ),
    route(
      "PUT",
      "/me/password",
      {
        name: "setPassword",
        summary: "Set your own password",
        answers: { 204: null },
        ...PROVEN,
        body: passwordShape,
        refuses: ["USER_NOT_FOUND"],
        description:
          "All other sessions end, and so do links for a new password, and the passkeys unless `keepPasskeys` is true.",
      },
      async ({ body, caller, set }) => {
        const { user, session } = personIn(caller);
        const { name, email } = await store.read((reader) => ownUser(reader, user));
        checkPassword(body.password, [name, email]);
        const hash = await passwords.hash(body.password, `session ${session}`);
        await store.write(async (tx) => {
          await replaceSecrets(tx, user, { passwordHash: hash, keepPasskeys: body.keepPasskeys ?? false }, session);
          await caller.note?.(tx, null);
        });
        set.status = 204;
      },
    ),
  ];
}

async function changeMe(
  tx: Tx,
  caller: Caller,
  { name, passkeyRequired, firstStepsHidden }: typeof changeShape.static,
): Promise<void> {
  const { user, isProven } = personIn(caller);
  if (name != null) await setUserName(tx, user, personName(name));
  if (firstStepsHidden != null) await setHidesSteps(tx, user, firstStepsHidden);
  if (passkeyRequired == null) return;
  if (!isProven) throw new AppError("PROOF_NEEDED", "What is needed to sign in changes only with a fresh proof.");
  if (passkeyRequired && (await passkeysOf(tx, user)).length === 0)
    throw new AppError("CONFLICT", "You have no passkey yet.", {
      reason: "passkey_none",
      suggestion: "Add a passkey first.",
    });
  await setNeedsPasskey(tx, user, passkeyRequired);
}

function sessions({ store }: AuthDeps) {
  return [
    route(
      "GET",
      "/me/sessions",
      { name: "listSessions", summary: "List your own sessions", answers: { 200: t.Array(sessionShape) }, ...PERSON },
      async ({ caller }) => {
        const { user, session } = personIn(caller);
        return (await store.read((reader) => sessionsOf(reader, user))).map((one) => sessionRecord(one, session));
      },
    ),
    remove(
      "/me/sessions/:id",
      {
        name: "endSession",
        summary: "End a session",
        answers: { 204: null },
        ...PERSON,
        refuses: ["SESSION_NOT_FOUND"],
      },
      (tx, { params, caller }) => endSession(tx, personIn(caller).user, params.id),
    ),
    remove(
      "/me/sessions",
      { name: "endOtherSessions", summary: "End all sessions but this one", answers: { 204: null }, ...PERSON },
      async (tx, { caller }) => {
        const { user, session } = personIn(caller);
        await deleteOtherSessions(tx, user, session);
      },
    ),
  ];
}

function passkeys({ store, passkeys: ceremonies }: AuthDeps) {
  return [
    get(
      "/me/passkeys",
      { name: "listPasskeys", summary: "List your own passkeys", answers: { 200: t.Array(passkeyShape) }, ...PERSON },
      async (reader, { caller }) => (await passkeysOf(reader, personIn(caller).user)).map(passkeyRecord),
    ),
    route(
      "POST",
      "/me/passkeys/options",
      {
        name: "askToAddPasskey",
        summary: "Ask for a new passkey",
        answers: { 200: optionsShape },
        ...PROVEN,
        refuses: ["CONFLICT", "USER_NOT_FOUND"],
        description: "`options` go into `navigator.credentials.create` of the browser, and count for five minutes.",
      },
      async ({ caller }) => {
        const { user } = personIn(caller);
        const [bearer, known] = await store.read(
          async (reader) => [await ownUser(reader, user), await passkeysOf(reader, user)] as const,
        );
        return {
          options: await ceremonies.askToMake(
            bearer,
            known.map(({ credential }) => credential),
          ),
        };
      },
    ),
    route(
      "POST",
      "/me/passkeys",
      {
        name: "addPasskey",
        summary: "Add a passkey",
        answers: { 201: passkeyShape },
        ...PROVEN,
        body: addedPasskeyShape,
        refuses: ["CONFLICT", "USER_NOT_FOUND"],
      },
      async ({ body, caller, set }) => {
        const { user } = personIn(caller);
        const { id } = await store.read((reader) => ownUser(reader, user));
        const made = await ceremonies.made(id, body.passkey);
        const record = await store.write(async (tx) => {
          const answer = passkeyRecord(await ownPasskey(tx, user, await made.record(tx, user, body.name)));
          await caller.note?.(tx, answer);
          return answer;
        });
        set.status = 201;
        return record;
      },
    ),
    remove(
      "/me/passkeys/:id",
      {
        name: "removePasskey",
        summary: "Remove a passkey",
        answers: { 204: null },
        ...PROVEN,
        refuses: ["PASSKEY_NOT_FOUND", "CONFLICT", "USER_NOT_FOUND"],
      },
      async (tx, { params, caller }) => {
        const { seq, passwordHash, needsPasskey } = await ownUser(tx, personIn(caller).user);
        await removePasskey(tx, seq, params.id, passwordHash === null || needsPasskey);
      },
    ),
  ];
}
