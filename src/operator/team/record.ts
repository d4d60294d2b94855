// Users, members, invitations, sessions and passkeys as the interface shows them.
import { t } from "elysia";
import { countShape, emailAddressShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { PERMISSIONS, ROLES, type Permission } from "../../base/roles.ts";
import type { Invitation } from "./invitation-queries.ts";
import type { Passkey } from "./passkeys/queries.ts";
import type { TeamUser, TeamMember, RoleHeld } from "./people-queries.ts";
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
    secondFactorDueAt: factors.dueAt,
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

export const memberShape = t.Object({ ...person, role: roleShape, ...seen }, { title: "Member" });

export function memberRecord({
  id,
  email,
  isProven,
  name,
  role,
  createdAt,
  updatedAt,
  lastSeenAt,
}: TeamMember): typeof memberShape.static {
  return { id, email, addressProven: isProven, name, role, createdAt, updatedAt, lastSeenAt };
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
    secondFactors: t.Array(oneOf("PASSKEY", "TOTP"), {
      description: "What is needed to sign in, beside or instead of a password; empty = a password is enough.",
    }),
    ...seen,
    workspaces: t.Array(t.Object({ id: idShape, name: t.String(), role: roleShape })),
  },
  { title: "User" },
);

/** `held`: roles, also of other people. */
export function userRecord(user: TeamUser, held: readonly RoleHeld[]): typeof userShape.static {
  const { seq, id, email, isProven, name, isOwner, createdAt, updatedAt, lastSeenAt, needsPasskey, hasTotp } = user;
  const own = held.filter((one) => one.person === seq);
  const workspaces = own.map((one) => ({ id: one.id, name: one.name, role: one.role }));
  const secondFactors = [...(needsPasskey ? (["PASSKEY"] as const) : []), ...(hasTotp ? (["TOTP"] as const) : [])];
  const who = { id, email, addressProven: isProven, name, owner: isOwner, secondFactors };
  return { ...who, createdAt, updatedAt, lastSeenAt, workspaces };
}
