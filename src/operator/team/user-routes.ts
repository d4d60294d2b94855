// /users: the people of the installation, for its owners.
import { t } from "elysia";
import { pageShapeOf, timeShape } from "../../http/answer-shapes.ts";
import { momentIn } from "../../http/body/moment-in.ts";
import { pageShape, timeInputShape } from "../../http/schemas.ts";
import { secondFactorFrom, setSecondFactorFrom } from "../../store/installation.ts";
import { iso } from "../../base/clock.ts";
import { invalidField } from "../../base/errors.ts";
import type { Reader } from "../../store/store.ts";
import { personOnly } from "../../tenant/access/auth.ts";
import { act, get, page, patch, put, remove, routes } from "../../tenant/access/route-table.ts";
import { ifUpdatedAtShape } from "../../tenant/access/saving-shape.ts";
import { personIn, type AuthDeps } from "./start-session.ts";
import { removeCodes } from "./codes/codes.ts";
import { invitationWith, type Invitation } from "./invitation-queries.ts";
import { linkTo, recoveryToken } from "./invitations/link.ts";
import { mailTotpRemoved } from "./notices/totp-removed.ts";
import type { RoleGiver } from "./identities/given.ts";
import { issuersAmong } from "./identities/queries.ts";
import { countUsers, listedUser, rolesAmong, usersPage, type TeamUser } from "./people-queries.ts";
import { userRecord, userShape } from "./record.ts";
import { changeOwner, findUser, removeUser } from "./user.ts";
import { sha256Hex } from "../../base/ids.ts";

const OWNERS = { key: "person", permission: "installation" } as const;
const CHANGING = { ...OWNERS, proof: true } as const;
const found = ["USER_NOT_FOUND"] as const;

const change = t.Object({ owner: t.Boolean(), ifUpdatedAt: ifUpdatedAtShape }, { examples: [{ owner: true }] });
const ruleShape = t.Object(
  {
    requiredFrom: t.Union([timeShape, t.Null()], { description: "null = nobody needs one." }),
  },
  { title: "SecondFactorRule" },
);
const newRuleShape = t.Object(
  { requiredFrom: t.Union([timeInputShape, t.Null()]) },
  { examples: [{ requiredFrom: "2027-01-01T00:00:00Z" }] },
);
const linkShape = t.Object({ link: t.String(), expiresAt: timeShape }, { title: "RecoveryLink" });

export function userRoutes(deps: AuthDeps) {
  const { config } = deps;
  return routes(
    deps,
    [
      page(
        "/users",
        {
          name: "listUsers",
          summary: "List the users of the installation",
          answers: { 200: pageShapeOf(userShape) },
          ...OWNERS,
          query: t.Object(pageShape),
        },
        async (reader) => ({
          total: () => countUsers(reader),
          items: async (...piece) => records(reader, config.oidc, await usersPage(reader, ...piece)),
        }),
      ),
      patch(
        "/users/:id",
        {
          name: "updateUser",
          summary: "Make a user an owner, or no longer one",
          answers: { 200: userShape },
          ...CHANGING,
          body: change,
          refuses: [...found, "CONFLICT"],
        },
        async (tx, { params, body }) => {
          const user = await findUser(tx, params.id);
          await changeOwner(tx, user, { ...body, providers: config.oidc });
          const [record] = await records(tx, config.oidc, [(await listedUser(tx, user.seq)) as TeamUser]);
          return record;
        },
      ),
      remove(
        "/users/:id",
        {
          name: "deleteUser",
          summary: "Remove a user from the installation",
          answers: { 204: null },
          ...CHANGING,
          refuses: [...found, "CONFLICT"],
          description: "Their sessions end at once. The last owner cannot be removed.",
        },
        async (tx, { params }) => removeUser(tx, await findUser(tx, params.id)),
      ),
      act(
        "/users/:id/link",
        {
          name: "createUserLink",
          summary: "Make a link for a user who cannot sign in",
          answers: { 201: linkShape },
          ...CHANGING,
          refuses: found,
          description:
            "It works once, for 24 hours, and lets its user choose a new password; their sessions end then, and their passkeys and authenticator app unless they choose to keep them.",
        },
        async (tx, { params, caller }) => {
          const token = await recoveryToken(tx, await findUser(tx, params.id), personIn(caller).user);
          const { endsAt } = (await invitationWith(tx, sha256Hex(token))) as Invitation;
          return { link: linkTo(config.http.baseUrl, "RECOVERY", token), expiresAt: endsAt };
        },
      ),
      remove(
        "/users/:id/totp",
        {
          name: "resetTotp",
          summary: "Remove the authenticator app of a user who has lost it",
          answers: { 204: null },
          ...CHANGING,
          refuses: [...found, "CONFLICT"],
          description: "Their recovery codes end too. They are told by email, where one can be sent.",
        },
        async (tx, { params, caller }) => {
          const user = await findUser(tx, params.id);
          await removeCodes(tx, user.seq);
          await mailTotpRemoved(tx, user, caller.by.name, deps.config);
        },
      ),
      get(
        "/installation/second-factor",
        {
          name: "getSecondFactorRule",
          summary: "See from when everybody needs a second factor",
          answers: { 200: ruleShape },
          ...OWNERS,
        },
        async (reader) => ({ requiredFrom: await secondFactorFrom(reader) }),
      ),
      put(
        "/installation/second-factor",
        {
          name: "setSecondFactorRule",
          summary: "Set from when everybody needs a second factor",
          answers: { 200: ruleShape },
          ...CHANGING,
          body: newRuleShape,
          description:
            "An authenticator app, a passkey that is required beside the password, or a passkey without a password. From then on, users without one reach only their own account, where they set one up.",
        },
        async (tx, { body }) => {
          const at = body.requiredFrom === null ? null : iso(momentIn("requiredFrom", body.requiredFrom, invalidField));
          await setSecondFactorFrom(tx, at);
          return { requiredFrom: at };
        },
      ),
    ],
    personOnly,
  );
}

async function records(reader: Reader, providers: readonly RoleGiver[], users: readonly TeamUser[]) {
  const people = users.map(({ seq }) => seq);
  const held = await rolesAmong(reader, people);
  const linked = providers.length > 0 ? await issuersAmong(reader, people) : [];
  return users.map((user) => userRecord(user, { held, linked, providers }));
}
