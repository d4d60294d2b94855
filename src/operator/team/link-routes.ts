// /links: shows the purpose of a sign-in link, and redeems it.
import { Elysia, t } from "elysia";
import { AppError, invalidField } from "../../base/errors.ts";
import { emailAddressShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { WITH_BODY, type Declaration } from "../../http/answers.ts";
import { noteAct } from "./audit/audit.ts";
import { areCodesAsked } from "./codes/codes.ts";
import type { Invitation } from "./invitation-queries.ts";
import { startSession, personIn, requestIdIn, shownTo, signedInCaller, type AuthDeps } from "./start-session.ts";
import { kindOf, knownUser, useForKnown, useForNew, useForRecovery } from "./invitations/link.ts";
import { openPost, jsonBody, type OpenRequest } from "./open-routes.ts";
import { byLink } from "./sign-in.ts";
import { checkPassword } from "./session/password.ts";
import { passkeysOf } from "./passkeys/queries.ts";
import { meShape, optionsShape } from "./record.ts";
import { entryShape, newcomerShape, roleShape, tokenOnlyShape } from "./shape.ts";
import { nameFirst, nameInLink, nameProposal } from "./invitations/first-name.ts";
import { loginAddress, ownUser, personName } from "./user.ts";

const linkShape = t.Object(
  {
    kind: oneOf("WELCOME", "RECOVERY", "INVITATION"),
    email: nullable({ ...emailAddressShape, description: "Null: it is asked for." }),
    name: nullable(t.String()),
    workspace: nullable(t.String({ description: "The name of the workspace." })),
    nameProposal: nullable(
      t.String({ description: "What the first workspace could be called, may be empty; null: it has a name." }),
    ),
    role: nullable(roleShape),
    known: t.Boolean({ description: "The address belongs to a user. That user signs in to accept an invitation." }),
    passkeys: t.Array(t.String(), { description: "The names of the user's passkeys, for a link to recover access." }),
    totp: t.Boolean({ description: "The user has an authenticator app: for a link to recover access." }),
    expiresAt: timeShape,
  },
  { title: "Link" },
);

const OPEN = { key: "none" } as const;
const REFUSES = [...WITH_BODY, "CROSS_SITE", "LINK_NOT_FOUND", "RATE_LIMIT_EXCEEDED"] as const;

const looked: Declaration = {
  name: "getLink",
  summary: "Look at a link",
  answers: { 200: linkShape },
  ...OPEN,
  ...jsonBody(tokenOnlyShape),
  refuses: REFUSES,
  description:
    "A link of the first start, of `posthorn user link`, or of an invitation; the token is its fragment. That of the first owner is a code that can be typed: in any case, with or without its lines. Each wrong code is answered later than the one before; after too many there is only a refusal.",
};
const asked: Declaration = {
  name: "askForNewPasskey",
  summary: "Ask for a passkey for a link",
  answers: { 200: optionsShape },
  ...OPEN,
  ...jsonBody(newcomerShape),
  refuses: [...REFUSES, "CONFLICT"],
  description: "`options` go into `navigator.credentials.create` of the browser, and count for five minutes.",
};
const accepted: Declaration = {
  name: "acceptLink",
  summary: "Use a link",
  answers: { 200: meShape },
  ...OPEN,
  ...jsonBody(entryShape),
  refuses: [...REFUSES, "MISSING_AUTH", "SESSION_ENDED", "FORBIDDEN", "CONFLICT", "USER_NOT_FOUND", "SIGN_IN_FAILED"],
  description:
    "Makes the user with a password, a passkey or both, and signs them in. A user who exists accepts an invitation with the cookie of their session. A link to recover access ends the user's sessions, the old password, and the passkeys and the authenticator app unless `keepPasskeys` is true.",
};

type LinkEntryBody = typeof entryShape.static;

export function linkRoutes(deps: AuthDeps) {
  const { config, passkeys } = deps;
  const place = { ...deps, http: config.http };
  const linkBy = ({ body, client, set }: OpenRequest<{ readonly token: string }>) =>
    byLink(deps, body.token, { client, requestId: requestIdIn(set) });
  return new Elysia()
    .use(
      openPost(place, "/links/look", [looked, tokenOnlyShape], async (asked) => linkRecord(deps, await linkBy(asked))),
    )
    .use(
      openPost(place, "/links/passkey-options", [asked, newcomerShape], async (request) => {
        const { body } = request;
        const link = await linkBy(request);
        const email = link.email ?? loginAddress(body.email ?? "");
        const bearer = { id: link.id, email, name: body.name ?? link.personName ?? email };
        // A passkey that the link ends must not keep its device from making another.
        return { options: await passkeys.askToMake(bearer, []) };
      }),
    )
    .use(
      openPost(place, "/links/accept", [accepted, entryShape], async (asked) =>
        accept(deps, asked, await linkBy(asked), asked.body),
      ),
    );
}

async function linkRecord({ store, config }: AuthDeps, link: Invitation): Promise<typeof linkShape.static> {
  const { baseUrl } = config.http;
  const [known, passkeys, totp, workspace, proposal] = await store.read(async (reader) => [
    await knownUser(reader, link),
    link.person === null ? [] : await passkeysOf(reader, link.person),
    link.person !== null && (await areCodesAsked(reader, link.person)),
    await nameInLink(reader, link, baseUrl),
    await nameProposal(reader, link, baseUrl),
  ]);
  return {
    kind: kindOf(link),
    email: link.email,
    name: known?.name ?? null,
    workspace,
    nameProposal: proposal,
    role: kindOf(link) === "RECOVERY" ? null : link.role,
    known: known !== null,
    passkeys: passkeys.map(({ name }) => name),
    totp,
    expiresAt: link.endsAt,
  };
}

type SessionReply = Parameters<typeof startSession>[1];

async function accept(deps: AuthDeps, reply: SessionReply, link: Invitation, entry: LinkEntryBody) {
  const known = await deps.store.read((reader) => knownUser(reader, link));
  if (kindOf(link) === "INVITATION" && known) return acceptAsKnown(deps, reply, link, known.seq);
  // An owner is let in: the way back in is a link as well.
  if (kindOf(link) === "INVITATION" && link.role !== "OWNER") deps.providers.refuseOthers();
  const email = link.email ?? loginAddress(entry.email ?? "");
  const name = kindOf(link) === "RECOVERY" ? entry.name?.trim() || null : personName(entry.name);
  const keys = await waysIn(deps, link, entry, [email, name ?? ""]);
  return startSession(deps, reply, entering(link), async (tx) => {
    const { passwordHash } = keys;
    const user =
      kindOf(link) === "RECOVERY"
        ? await useForRecovery(tx, link, { name, passwordHash, keepPasskeys: entry.keepPasskeys ?? false })
        : await useForNew(tx, link, { name: name ?? "", email, passwordHash });
    await keys.passkey?.record(tx, user.seq, entry.passkeyName ?? null);
    if (entry.workspaceName?.trim()) await nameFirst(tx, link, entry.workspaceName.trim());
    return ownUser(tx, user.seq);
  });
}

function entering({ workspace }: Invitation) {
  return { action: "acceptLink", workspace: workspace ?? 0 };
}

/**
 * Their session stays as it is: a link does not prove the identity of a signed-in user. @throws AppError MISSING_AUTH,
 * FORBIDDEN
 */
async function acceptAsKnown(deps: AuthDeps, { request, set }: SessionReply, link: Invitation, known: number) {
  const caller = await signedInCaller(deps, request);
  if (!caller)
    throw new AppError("MISSING_AUTH", "This address belongs to a user already.", {
      suggestion: "Sign in with this address, then open the link again.",
    });
  if (personIn(caller).user !== known) throw new AppError("FORBIDDEN", "The invitation is for somebody else.");
  return deps.store.write(async (tx) => {
    await useForKnown(tx, link, await ownUser(tx, known));
    await noteAct(tx, { by: caller.by, ...entering(link), target: caller.by.id, requestId: requestIdIn(set) });
    return shownTo(tx, caller, tx.nowMs);
  });
}

/** Hashing takes long, so it comes before the transaction. @throws AppError VALIDATION_ERROR */
async function waysIn(
  { passwords, passkeys }: AuthDeps,
  link: Invitation,
  entry: LinkEntryBody,
  own: readonly string[],
) {
  const { password, passkey } = entry;
  if (!password && !passkey) throw invalidField("password", "A password or a passkey is needed.", "required");
  if (password) checkPassword(password, own);
  return {
    passwordHash: password ? await passwords.hash(password, `link ${link.id}`) : null,
    passkey: passkey ? await passkeys.made(link.id, passkey) : null,
  };
}
