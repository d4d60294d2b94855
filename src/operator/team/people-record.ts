// Members, invitations and users as the interface shows them.
import { t } from "elysia";
import { emailAddressShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import type { Invitation } from "./invitation-queries.ts";
import type { TeamUser, TeamMember, RoleHeld } from "./people-queries.ts";
import { roleShape } from "./shape.ts";

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
    ...seen,
    workspaces: t.Array(t.Object({ id: idShape, name: t.String(), role: roleShape })),
  },
  { title: "User" },
);

/** `held`: roles, also of other people. */
export function userRecord(user: TeamUser, held: readonly RoleHeld[]): typeof userShape.static {
  const { seq, id, email, isProven, name, isOwner, createdAt, updatedAt, lastSeenAt } = user;
  const own = held.filter((one) => one.person === seq);
  const workspaces = own.map((one) => ({ id: one.id, name: one.name, role: one.role }));
  return { id, email, addressProven: isProven, name, owner: isOwner, createdAt, updatedAt, lastSeenAt, workspaces };
}
