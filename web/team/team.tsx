// Set-up → Team: who is here and as what, who was invited, what the roles mean; for owners, everybody on this server.
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { useMe, useDisabledReason } from "../session.ts";
import { SetUpBar } from "../set-up/bar.tsx";
import { teamTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { Invitations } from "./invitations.tsx";
import { Invite, type Asked } from "./invite.tsx";
import { People } from "./people.tsx";
import { RoleTable } from "./role-table.tsx";
import { Users } from "./users.tsx";
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
