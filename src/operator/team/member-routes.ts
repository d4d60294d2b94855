// /members and /invitations: the members of a workspace with their roles, and its open invitations.
import { t } from "elysia";
import { iso } from "../../base/clock.ts";
import { pageShapeOf } from "../../http/answer-shapes.ts";
import { addressShape, optional, pageShape } from "../../http/schemas.ts";
import { personOnly } from "../../tenant/access/auth.ts";
import { act, page, patch, remove, routes } from "../../tenant/access/route-table.ts";
import { ifUpdatedAtShape } from "../../tenant/access/saving-shape.ts";
import type { AuthDeps } from "./start-session.ts";
import {
  countInvitations,
  invitationsPage,
  invitationTo,
  setMailedOnly,
  type Invitation,
} from "./invitation-queries.ts";
import { mailInvitation } from "./invitations/invitation-mail.ts";
import { linkTo } from "./invitations/link.ts";
import { changeRole, invite, removeMember, withdraw } from "./member.ts";
import { countMembers, membersPage } from "./people-queries.ts";
import { invitationRecord, invitationShape, memberRecord, memberShape, newInvitationShape } from "./record.ts";
import { memberRoleShape, roleShape } from "./shape.ts";
import { loginAddress } from "./user.ts";

const MANAGING = { key: "person", permission: "workspace" } as const;
const CHANGING = { ...MANAGING, proof: true } as const;
const query = t.Object(pageShape);

const roleOnly = t.Object(
  { role: memberRoleShape, ifUpdatedAt: ifUpdatedAtShape },
  { examples: [{ role: "MARKETER" }] },
);
const invitation = t.Object(
  {
    email: addressShape,
    role: roleShape,
    mail: optional(t.Boolean(), "Whether the link is mailed. Unless given, `true`."),
  },
  { examples: [{ email: "bob@example.com", role: "EDITOR" }] },
);
export function memberRoutes(deps: AuthDeps) {
  return routes(deps, [...members(deps), ...invitations(deps)], personOnly);
}

function members({ config }: AuthDeps) {
  return [
    page(
      "/members",
      {
        name: "listMembers",
        summary: "List the members of the workspace",
        answers: { 200: pageShapeOf(memberShape) },
        key: "person",
        permission: "read",
        query,
        description: "Owners, who are in every workspace, are among them.",
      },
      async (reader, { caller: { workspace } }) => ({
        total: () => countMembers(reader, workspace),
        items: async (...piece) =>
          (await membersPage(reader, workspace, ...piece)).map((one) => memberRecord(one, config.oidc)),
      }),
    ),
    patch(
      "/members/:id",
      {
        name: "updateMember",
        summary: "Give a member another role",
        answers: { 200: memberShape },
        ...CHANGING,
        body: roleOnly,
        refuses: ["USER_NOT_FOUND", "CONFLICT"],
      },
      async (tx, { params, body, caller }) =>
        memberRecord(
          await changeRole(tx, caller.workspace, params.id, { ...body, providers: config.oidc }),
          config.oidc,
        ),
    ),
    remove(
      "/members/:id",
      {
        name: "removeMember",
        summary: "Remove a member from the workspace",
        answers: { 204: null },
        ...CHANGING,
        refuses: ["USER_NOT_FOUND", "CONFLICT"],
      },
      (tx, { params, caller }) => removeMember(tx, caller.workspace, params.id, config.oidc),
    ),
  ];
}

function invitations({ clock, config }: AuthDeps) {
  return [
    page(
      "/invitations",
      {
        name: "listInvitations",
        summary: "List open invitations",
        answers: { 200: pageShapeOf(invitationShape) },
        ...MANAGING,
        query,
      },
      async (reader, { caller: { workspace } }) => {
        const now = iso(clock.nowMs());
        return {
          total: () => countInvitations(reader, workspace, now),
          items: async (limit, offset) =>
            (await invitationsPage(reader, workspace, now, { limit, offset })).map(invitationRecord),
        };
      },
    ),
    act(
      "/invitations",
      {
        name: "createInvitation",
        summary: "Invite somebody to the workspace",
        answers: { 201: newInvitationShape },
        ...CHANGING,
        body: invitation,
        refuses: ["CONFLICT"],
        description:
          "The link works once, for seven days. It is mailed from the workspace's own address, if email leaves this server and a domain is verified; nobody but the recipient can read that email, and `link` is null. Otherwise `link` is shown this once, to be passed on: then it proves nobody's address. A second invitation of an address replaces the first. Only an owner invites an owner.",
      },
      async (tx, { body: { role, ...body }, caller }) => {
        const email = loginAddress(body.email);
        const token = await invite(tx, caller, { email, role });
        const made = (await invitationTo(tx, caller.workspace, email)) as Invitation;
        const link = linkTo(config.http.baseUrl, "INVITATION", token);
        const invited = { workspace: caller.workspace, email, by: caller.by.name, link };
        const notMailedReason =
          body.mail === false ? "NOT_WANTED" : await mailInvitation(tx, invited, config.delivery.transport);
        const mailed = notMailedReason === null;
        // A link that its maker has seen proves no address: the maker could use it.
        if (mailed) await setMailedOnly(tx, made.seq);
        return { ...invitationRecord(made), link: mailed ? null : link, mailed, notMailedReason };
      },
    ),
    remove(
      "/invitations/:id",
      {
        name: "deleteInvitation",
        summary: "Withdraw an invitation",
        answers: { 204: null },
        ...CHANGING,
        refuses: ["INVITATION_NOT_FOUND"],
      },
      (tx, { params, caller }) => withdraw(tx, caller.workspace, params.id),
    ),
  ];
}
