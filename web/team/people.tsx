// The members of the workspace and their roles.
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { More } from "../parts/rows.tsx";
import { Question } from "../parts/fields/form-dialog.tsx";
import { Skeleton, Panel } from "../parts/layout.tsx";
import { Icon } from "../parts/icons/icon.tsx";
import { Menu } from "../parts/overlays/menu.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useMembership, useDisabledReason } from "../calls/session.ts";
import { frameTexts, teamTexts } from "../texts/areas.ts";
import { useMembers, useChangeRole, useRemoveMember, type Member, type MemberRole } from "./data.ts";
import { LastSeen, PeopleHead, Person } from "./person.tsx";
import { ROLES } from "./roles.ts";

export function Members() {
  const t = useTexts(teamTexts);
  const { all, ...pages } = useMembers();
  const [leaving, setLeaving] = useState<Member | null>(null);
  return (
    <Panel title={t.people}>
      {!all ? (
        <Skeleton of={pages} className="people" rows={3} columns={3} />
      ) : (
        <ul className="rows people">
          <PeopleHead second={t.heads.role} />
          {all.map((member) => (
            <MemberRow key={member.id} member={member} remove={() => setLeaving(member)} />
          ))}
        </ul>
      )}
      <More {...pages} name={t.showMore} className="pad" large />
      {leaving && <RemoveQuestion member={leaving} close={() => setLeaving(null)} />}
    </Panel>
  );
}

function MemberRow({ member, remove }: { readonly member: Member; readonly remove: () => void }) {
  const t = useTexts(teamTexts);
  const denied = useDisabledReason("workspace");
  const given = member.roleFrom === null ? undefined : t.roleFrom(member.roleFrom);
  const disabledReason = denied ?? given ?? (member.role === "OWNER" ? t.ownerEverywhere : undefined);
  return (
    <li className="line">
      <Person {...member} />
      {member.roleFrom === null ? (
        <RoleMenu member={member} disabledReason={disabledReason} />
      ) : (
        <span>
          <RoleMenu member={member} disabledReason={disabledReason} />
          <span className="dim small cut">{t.by(member.roleFrom)}</span>
        </span>
      )}
      <LastSeen at={member.lastSeenAt} />
      <Button
        kind="quiet"
        small
        icon="x"
        label={t.remove(member.name)}
        disabledReason={disabledReason}
        onClick={remove}
      />
    </li>
  );
}

const GRANTABLE = ROLES.filter((role) => role !== "OWNER");

/** The role, with a menu to change it. */
function RoleMenu({
  member,
  disabledReason,
}: {
  readonly member: Member;
  readonly disabledReason: string | undefined;
}) {
  const t = useTexts(teamTexts);
  const { roles } = useTexts(frameTexts);
  const change = useChangeRole(({ name, role }) => showToast(t.roleChanged(name, roles[role])));
  const label = t.roleOf(member.name);
  if (disabledReason !== undefined)
    return (
      <Button small className="role" disabledReason={disabledReason} label={`${label}: ${roles[member.role]}`}>
        {roles[member.role]}
      </Button>
    );
  const entries = GRANTABLE.map((role: MemberRole) => ({
    id: role,
    name: roles[role],
    note: t.roleMeans[role],
    chosen: role === member.role,
    run: () => role !== member.role && change.mutate({ seen: member, role }),
  }));
  return (
    <Menu label={label} entries={entries} className="btn s role">
      <span className="hidden-text">{label}:</span>
      {roles[member.role]}
      <Icon name="down" />
    </Menu>
  );
}

function RemoveQuestion({ member, close }: { readonly member: Member; readonly close: () => void }) {
  const t = useTexts(teamTexts);
  const workspace = useMembership()?.name ?? "";
  const removal = useRemoveMember(({ name }) => {
    showToast(t.removed(name));
    close();
  });
  return (
    <Question
      title={t.removal.title(member.name, workspace)}
      close={close}
      action={t.removal.action}
      risk
      busy={removal.isPending}
      run={() => removal.mutate(member)}
      text={t.removal.text}
    />
  );
}
