// `posthorn user …`: links for people who cannot sign in, and the list of those who may.
import type { Config } from "../../../base/config.ts";
import { ROLES, type Role } from "../../../base/roles.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import { linkTo, recoveryToken, welcomeToken, type LinkKind } from "../../../operator/team/invitations/link.ts";
import { passkeysOf } from "../../../operator/team/passkeys/queries.ts";
import { rolesAmong, usersPage, type TeamUser, type PersonMembership } from "../../../operator/team/people-queries.ts";
import { giveMembership } from "../../../operator/team/member.ts";
import { setOwner, userByEmail, type MemberRole, type User } from "../../../operator/team/queries.ts";
import { createUser, loginAddress, removeUser } from "../../../operator/team/user.ts";
import { findWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { UsageError } from "../arguments.ts";
import { inStore, WORKSPACE_OPTION } from "../beside.ts";
import { printList, printOne } from "../print.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

const MEMBER_ROLES = Object.keys(ROLES)
  .filter((role) => role !== "OWNER")
  .map((role) => role.toLowerCase());

export const USER_VERBS: readonly Verb[] = [
  {
    name: "user link",
    argument: "[ADDRESS]",
    summary: "Prints a link to choose a new password; it works once, within 24 hours",
    notes: ["Without an address: for the first owner, as long as there is no user."],
    options: JSON_OPTION,
    run: link,
  },
  {
    name: "user add",
    argument: "ADDRESS",
    summary: "Adds a user and prints their link, or gives a user another role",
    options: {
      workspace: WORKSPACE_OPTION,
      role: { value: "ROLE", help: `The role there: ${MEMBER_ROLES.join(", ")}` },
      owner: { help: "An owner may do everything, in every workspace" },
      name: { value: "TEXT", help: "The user's name; default: the part of the address before the @" },
      ...JSON_OPTION,
    },
    run: add,
  },
  { name: "user list", summary: "Lists the users with their roles", options: JSON_OPTION, run: listUsers },
  {
    name: "user remove",
    argument: "ADDRESS",
    summary: "Removes a user, with sessions, passkeys and roles",
    run: remove,
  },
];

async function link(call: VerbCall): Promise<void> {
  if (!call.config().http.face) throw new Error("The pages are switched off: set http.face to true first.");
  const { text, record } = await inStore(call, ({ store, config }) =>
    store.write(async (tx) => {
      const user = call.argument === "" ? null : await known(tx, call.argument);
      await noteAct(tx, { by: COMMAND_LINE, action: "user link", target: user?.id ?? null });
      return user === null ? welcome(tx, config) : recovery(tx, config, user);
    }),
  );
  printOne(call, record, () => text);
}

type UserLink = { readonly text: string; readonly record: { readonly email: string | null; readonly link: string } };

async function welcome(tx: Tx, config: Config): Promise<UserLink> {
  const token = await welcomeToken(tx);
  if (token === null) throw new Error("There are users already. Name the address of one: posthorn user link ADDRESS.");
  return printed(config, "WELCOME", { email: null, token });
}

async function recovery(tx: Tx, config: Config, user: User): Promise<UserLink> {
  return printed(config, "RECOVERY", { email: user.email, token: await recoveryToken(tx, user) });
}

function printed(
  { http }: Config,
  kind: LinkKind,
  { email, token }: { readonly email: string | null; readonly token: string },
): UserLink {
  const made = linkTo(http.baseUrl, kind, token);
  return { text: `It works once, for 24 hours:\n\n  ${made}\n`, record: { email, link: made } };
}

/** @throws Error */
async function known(reader: Reader, address: string): Promise<User> {
  const user = await userByEmail(reader, loginAddress(address));
  if (!user) throw new Error(`There is no user ${address}. See: posthorn user list.`);
  return user;
}

async function add(call: VerbCall): Promise<void> {
  const role = roleOf(call);
  const { text, record } = await inStore(call, ({ store, config }) =>
    store.write(async (tx) => {
      const email = loginAddress(call.argument);
      const before = await userByEmail(tx, email);
      const user =
        before ?? (await createUser(tx, { email, name: call.text("name") ?? (email.split("@")[0] as string) }));
      await giveRole(tx, call, user, role);
      await noteAct(tx, { by: COMMAND_LINE, action: "user add", target: user.id });
      if (!before) return recovery(tx, config, user);
      const text = `${email} has the role ${role.toLowerCase()} now.`;
      const isDoubtful = !before.isProven && (await canSignIn(tx, before));
      return { text: isDoubtful ? `${text}\n\n${unproven(email)}` : text, record: { email, link: null } };
    }),
  );
  printOne(call, record, () => text);
}

async function canSignIn(reader: Reader, { seq, passwordHash }: User): Promise<boolean> {
  return passwordHash !== null || (await passkeysOf(reader, seq)).length > 0;
}

/** An invitation that was passed on admits any person who has it. */
function unproven(email: string): string {
  return `Nothing proves that this user has the address: they came in by a link that others saw. If in doubt, end what they sign in with: posthorn user link ${email}`;
}

/** @throws UsageError */
function roleOf(call: VerbCall): Role {
  const [named, workspace] = [call.text("role"), call.text("workspace")];
  const isWhole = call.flag("owner") ? named === undefined && workspace === undefined : named && workspace;
  if (!isWhole) throw misused("needs --owner, or --workspace ID|NAME and --role ROLE");
  if (call.flag("owner")) return "OWNER";
  if (!MEMBER_ROLES.includes(named ?? "")) throw misused(`knows these roles: ${MEMBER_ROLES.join(", ")}`);
  return named?.toUpperCase() as MemberRole;
}

function misused(message: string): UsageError {
  return new UsageError(`posthorn user add ${message}`, "See: posthorn user add --help");
}

async function giveRole(tx: Tx, call: VerbCall, { seq }: User, role: Role): Promise<void> {
  if (role === "OWNER") return void (await setOwner(tx, seq, true));
  const workspace = await findWorkspace(tx, call.text("workspace") ?? "");
  await giveMembership(tx, { person: seq, workspace: workspace.seq }, role);
}

/** One more than can be listed shows that there are more. */
const MOST_LISTED = 10_000;

async function listUsers(call: VerbCall): Promise<void> {
  const users = await inStore(call, ({ store }) =>
    store.read(async (reader) => {
      const people = await usersPage(reader, MOST_LISTED, 0);
      const roles: PersonMembership[] = [];
      for (let from = 0; from < people.length; from += 500)
        roles.push(
          ...(await rolesAmong(
            reader,
            people.slice(from, from + 500).map(({ seq }) => seq),
          )),
        );
      return people.map((person) => userRecord(person, roles));
    }),
  );
  const row = ({ email, name, roles, lastSeenAt }: UserRecord) => ({
    email,
    name,
    roles: roles.join(", "),
    seen: lastSeenAt ?? "",
  });
  printList(call, users, row, "There are no users yet. Begin with: posthorn user link.");
}

type UserRecord = ReturnType<typeof userRecord>;

function userRecord(
  { seq, id, email, isProven, name, isOwner, createdAt, lastSeenAt }: TeamUser,
  held: readonly PersonMembership[],
) {
  const own = held.filter(({ person }) => person === seq).map((one) => `${one.role.toLowerCase()} of ${one.name}`);
  return { id, email, addressProven: isProven, name, roles: isOwner ? ["owner"] : own, createdAt, lastSeenAt };
}

async function remove(call: VerbCall): Promise<void> {
  await inStore(call, ({ store }) =>
    store.write(async (tx) => {
      const user = await known(tx, call.argument);
      await removeUser(tx, user);
      await noteAct(tx, { by: COMMAND_LINE, action: "user remove", target: user.id });
    }),
  );
  call.io.out(`${call.argument} is removed, and is signed in nowhere any more.`);
}
