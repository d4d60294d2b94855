// Set-up → Team: who is here and as what, who was invited, what the roles mean; for owners, everybody on this server.
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { useMe, useDisabledReason, useMembership, type Permission, type Role } from "../session.ts";
import { SetUpBar } from "../set-up/bar.tsx";
import { teamTexts, frameTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { Invitations } from "./invitations.tsx";
import { Invite, type Asked } from "./invite.tsx";
import { People } from "./people.tsx";
import { Users } from "./users.tsx";
import { StatusIcon } from "../parts/icon.tsx";
import { Panel } from "../parts/layout.tsx";
import { MAY, PERMISSIONS, ROLES } from "./roles.ts";
import "./team.css";

type Inviting = { readonly first: Asked | undefined };

export function TeamScreen() {
  const t = useTexts(teamTexts);
  const { owner } = useMe();
  const disabledReason = useDisabledReason("workspace");
  const [inviting, setInviting] = useState<Inviting | null>(null);
  const invite = (first?: Asked) => setInviting({ first });
  useVerbs([{ id: "invite", name: t.invite.verb, icon: "plus", disabledReason, run: () => invite() }]);
  return (
    <>
      <SetUpBar
        tab="team"
        call={{ path: "/members", person: true }}
        actions={
          <>
            <ButtonLink to="/set-up/team/audit">{t.audit}</ButtonLink>
            <Button kind="first" icon="plus" disabledReason={disabledReason} onClick={() => invite()}>
              {t.invite.open}
            </Button>
          </>
        }
      />
      <div className="page narrow">
        <People />
        <Invitations invite={invite} />
        <RoleTable />
        {owner && <Users />}
      </div>
      {inviting && <Invite first={inviting.first} close={() => setInviting(null)} />}
    </>
  );
}

const ALLOWED: Readonly<Record<Permission, readonly Role[]>> = MAY;

/** What each role may do; the reader's own stands out. */
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
        const may = ALLOWED[permission].includes(role);
        return (
          <td key={role} className={role === own ? "own" : undefined}>
            {may && <StatusIcon name="check" />}
            <span className="hidden-text">{may ? t.table.yes : t.table.no}</span>
          </td>
        );
      })}
    </tr>
  );
}
