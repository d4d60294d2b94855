// Users, members, invitations, sessions and passkeys as the interface shows them.
import { t } from "elysia";
import { countShape, emailAddressShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import type { ProviderSettings } from "../../base/config/oidc.ts";
import { PERMISSIONS, ROLES, type Permission } from "../../base/roles.ts";
import type { Invitation } from "./invitation-queries.ts";
import { giverOf, type RoleGiver } from "./identities/given.ts";
import type { Identity } from "./identities/queries.ts";
import type { Passkey } from "./passkeys/queries.ts";
import type { TeamUser, TeamMember, PersonMembership } from "./people-queries.ts";
import type { FactorState, TeamMembership, User } from "./queries.ts";
import type { Session } from "./session/session-queries.ts";
import { provenUntil } from "./session/session.ts";
import { roleShape } from "./shape.ts";

const permissionShape = oneOf(...(Object.keys(PERMISSIONS) as Permission[]));

export const meShape = t.Object(
  {
    id: idShape,
    email: emailAddressShape,
    name: t.String(),
    owner: t.Boolean(),
    hasPassword: t.Boolean(),
    passkeyRequired: t.Boolean({ description: "The password alone is not enough to sign in." }),
    totp: t.Boolean({ description: "A code of an authenticator app is asked for beside the password." }),
    recoveryCodesLeft: countShape,
    secondFactorDueAt: nullable({
      ...timeShape,
      description: "From then on they need a second factor, and have none yet; null = nothing is due.",
    }),
    firstStepsHidden: t.Boolean({ description: "The overview shows no first steps." }),
    createdAt: timeShape,
    session: t.Object({
      id: idShape,
      expiresAt: timeShape,
      provenUntil: nullable({ ...timeShape, description: "Until then no new proof is asked for." }),
    }),
    workspaces: t.Array(
      t.Object({
        id: idShape,
        name: t.String(),
        role: roleShape,
        permissions: t.Array(permissionShape),
        disabled: t.Boolean(),
      }),
    ),
  },
  { title: "Me" },
);

type OwnAccount = {
  readonly user: User;
  readonly session: Session;
  readonly factors: FactorState;
  readonly workspaces: readonly TeamMembership[];
};

export function meRecord({ user, session, factors, workspaces }: OwnAccount, nowMs: number): typeof meShape.static {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    owner: user.isOwner,
    hasPassword: user.passwordHash !== null,
    passkeyRequired: user.needsPasskey,
    totp: factors.hasTotp,
    recoveryCodesLeft: factors.recoveryCodesLeft,
    // Users who sign in with a provider show the second factor there.
    secondFactorDueAt: session.provider === null ? factors.dueAt : null,
    firstStepsHidden: user.hidesSteps,
    createdAt: user.createdAt,
    session: { id: session.id, expiresAt: session.endsAt, provenUntil: provenUntil(session, nowMs) },
    workspaces: workspaces.map(({ id, name, role, disabledAt }) => ({
      id,
      name,
      role,
      permissions: [...ROLES[role]],
      disabled: disabledAt !== null,
    })),
  };
}

export const sessionShape = t.Object(
  {
    id: idShape,
    current: t.Boolean(),
    client: nullable(t.String({ description: "What the browser calls itself." })),
    createdAt: timeShape,
    seenAt: timeShape,
    expiresAt: timeShape,
  },
  { title: "Session" },
);

/** `current`: the number of the requesting session. */
export function sessionRecord(session: Session, current: number): typeof sessionShape.static {
  const { id, client, createdAt, seenAt, endsAt } = session;
  return { id, current: session.seq === current, client, createdAt, seenAt, expiresAt: endsAt };
}

export const passkeyShape = t.Object(
  { id: idShape, name: t.String(), createdAt: timeShape, usedAt: nullable(timeShape) },
  { title: "Passkey" },
);

export function passkeyRecord({ id, name, createdAt, usedAt }: Passkey): typeof passkeyShape.static {
  return { id, name, createdAt, usedAt };
}

export const identityShape = t.Object(
  {
    id: idShape,
    provider: t.Object({
      name: nullable(t.String({ description: "Null: it is no longer configured." })),
      label: t.String(),
    }),
    email: nullable({ ...emailAddressShape, description: "There, if the provider has verified it." }),
    createdAt: timeShape,
    usedAt: nullable(timeShape),
  },
  { title: "Identity" },
);

export function identityRecord(
  { id, issuer, email, createdAt, usedAt }: Identity,
  providers: readonly ProviderSettings[],
): typeof identityShape.static {
  const { name = null, label = issuer } = providers.find((one) => one.issuer === issuer) ?? {};
  return { id, provider: { name, label }, email, createdAt, usedAt };
}

export const startShape = t.Object({ url: t.String(), ticket: t.String() }, { title: "ProviderStart" });

/** Passed unchanged to the browser's own calls. */
export const optionsShape = t.Object({ options: t.Record(t.String(), t.Unknown()) });

const person = {
  id: idShape,
  email: emailAddressShape,
  addressProven: t.Boolean({
    description:
      "They came in by an invitation that only the mailbox of the address got. False does not mean that it is not theirs.",
  }),
  name: t.String(),
};
const seen = { createdAt: timeShape, updatedAt: timeShape, lastSeenAt: nullable(timeShape) };

const givenShape = nullable(
  t.String({ description: "The provider of sign-ins that decides it by groups, so that it cannot be changed here." }),
);

export const memberShape = t.Object({ ...person, role: roleShape, roleFrom: givenShape, ...seen }, { title: "Member" });

export function memberRecord(member: TeamMember, providers: readonly RoleGiver[]): typeof memberShape.static {
  const { id, email, isProven, name, role, createdAt, updatedAt, lastSeenAt } = member;
  const roleFrom = giverOf(member, providers);
  return { id, email, addressProven: isProven, name, role, roleFrom, createdAt, updatedAt, lastSeenAt };
}

const invitationFields = {
  id: idShape,
  email: emailAddressShape,
  role: roleShape,
  createdAt: timeShape,
  expiresAt: timeShape,
  invitedBy: nullable(t.String({ description: "The name of the person who did." })),
};
export const invitationShape = t.Object(invitationFields, { title: "Invitation" });

/** The only time that the link is shown, to the person who is to pass it on. */
export const newInvitationShape = t.Object(
  {
    ...invitationFields,
    link: nullable(
      t.String({ description: "Null if it was mailed: only the recipient has it, so using it proves the address." }),
    ),
    mailed: t.Boolean(),
    notMailedReason: nullable(oneOf("CAPTURE", "NO_DOMAIN", "NOT_WANTED")),
  },
  { title: "NewInvitation" },
);

export function invitationRecord(invitation: Invitation): typeof invitationShape.static {
  const { id, email, role, createdAt, endsAt, invitedBy } = invitation;
  return { id, email: email ?? "", role, createdAt, expiresAt: endsAt, invitedBy };
}

export const userShape = t.Object(
  {
    ...person,
    owner: t.Boolean(),
    ownerFrom: givenShape,
    providers: t.Array(t.String(), { description: "The providers of sign-ins that they are linked to." }),
    secondFactors: t.Array(oneOf("PASSKEY", "TOTP"), {
      description: "What is needed to sign in, beside or instead of a password; empty = a password is enough.",
    }),
    ...seen,
    workspaces: t.Array(t.Object({ id: idShape, name: t.String(), role: roleShape })),
  },
  { title: "User" },
);

/** `held` and `linked`: also of other people. */
export type UserSurroundings = {
  readonly held: readonly PersonMembership[];
  readonly linked: readonly { readonly person: number; readonly issuer: string }[];
  readonly providers: readonly RoleGiver[];
};

export function userRecord(user: TeamUser, { held, linked, providers }: UserSurroundings): typeof userShape.static {
  const { seq, id, email, isProven, name, isOwner, createdAt, updatedAt, lastSeenAt, needsPasskey, hasTotp } = user;
  const own = held.filter((one) => one.person === seq);
  const workspaces = own.map((one) => ({ id: one.id, name: one.name, role: one.role }));
  const secondFactors = [...(needsPasskey ? (["PASSKEY"] as const) : []), ...(hasTotp ? (["TOTP"] as const) : [])];
  const issuers = linked.filter((one) => one.person === seq).map(({ issuer }) => issuer);
  const signsInWith = providers.filter(({ issuer }) => issuers.includes(issuer)).map(({ label }) => label);
  const owner = { owner: isOwner, ownerFrom: giverOf(user, providers) };
  const who = { id, email, addressProven: isProven, name, ...owner, providers: signsInWith, secondFactors };
  return { ...who, createdAt, updatedAt, lastSeenAt, workspaces };
}
