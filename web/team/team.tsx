// Settings → Team: members, invitations and roles; for owners, all users of this server.
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { useMe, useDisabledReason, useMembership, type Permission, type Role } from "../calls/session.ts";
import { SettingsBar } from "../settings/settings-bar.tsx";
import { teamTexts, frameTexts } from "../texts/areas.ts";
import { useCommands } from "../commands.ts";
import { Invitations } from "./invitations.tsx";
import { Invite, type InviteInput } from "./invite.tsx";
import { Members } from "./people.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { Users } from "./users.tsx";
import { StatusIcon } from "../parts/icons/icon.tsx";
import { Panel } from "../parts/layout.tsx";
import { PERMISSIONS_BY_ROLE, PERMISSIONS, ROLES } from "./roles.ts";
import "./team.css";

type InvitingButton = { readonly first: InviteInput | undefined };

export function TeamScreen() {
  const t = useTexts(teamTexts);
  const { owner } = useMe();
  const disabledReason = useDisabledReason("workspace");
  const [inviting, setInviting] = useState<InvitingButton | null>(null);
  const invite = (first?: InviteInput) => setInviting({ first });
  useCommands([{ id: "invite", name: t.invite.verb, icon: "plus", disabledReason, run: () => invite() }]);
  return (
    <>
      <SettingsBar
        tab="team"
        call={{ path: "/members", person: true }}
        actions={
          <>
            <ButtonLink to="/settings/team/audit">{t.audit}</ButtonLink>
            <Button kind="first" icon="plus" disabledReason={disabledReason} onClick={() => invite()}>
              {t.invite.open}
            </Button>
          </>
        }
      />
      <div className="page narrow">
        <Members />
        <Invitations invite={invite} />
        <RoleTable />
        {owner && <Users />}
        {owner && <SecondFactor />}
      </div>
      {inviting && <Invite first={inviting.first} close={() => setInviting(null)} />}
    </>
  );
}

const YES_NO: Readonly<Record<Permission, readonly Role[]>> = PERMISSIONS_BY_ROLE;

/** The permissions of each role; the reader's own role is marked. */
function RoleTable() {
  const t = useTexts(teamTexts);
  const { roles } = useTexts(frameTexts);
  const own = useMembership()?.role;
  return (
    <Panel title={t.table.title}>
      <div className="role-table" tabIndex={0} role="region" aria-label={t.table.title}>
        <table>
          <thead>
            <tr>
              <td />
              {ROLES.map((role) => (
                <th key={role} scope="col" className={role === own ? "own" : undefined}>
                  {roles[role]}
                  {role === own && <span className="hidden-text"> {t.table.own}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {PERMISSIONS.map((permission) => (
              <Line key={permission} permission={permission} own={own} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Line({ permission, own }: { readonly permission: Permission; readonly own: Role | undefined }) {
  const t = useTexts(teamTexts);
  return (
    <tr>
      <th scope="row">{t.may[permission]}</th>
      {ROLES.map((role) => {
        const isAllowed = YES_NO[permission].includes(role);
        return (
          <td key={role} className={role === own ? "own" : undefined}>
            {isAllowed && <StatusIcon name="check" />}
            <span className="hidden-text">{isAllowed ? t.table.yes : t.table.no}</span>
          </td>
        );
      })}
    </tr>
  );
}
