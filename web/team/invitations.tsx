// Pending invitations.
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Skeleton, Panel } from "../parts/layout.tsx";
import { Time } from "../parts/time.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { frameTexts, teamTexts } from "../texts/areas.ts";
import { useInvitations, useWithdraw, type Invitation } from "./data.ts";
import type { InviteInput } from "./invite.tsx";

type InvitationsProps = { readonly invite: (input?: InviteInput) => void };

export function Invitations({ invite }: InvitationsProps) {
  const t = useTexts(teamTexts);
  const disabledReason = useDisabledReason("workspace");
  const { all, ...asked } = useInvitations(disabledReason === undefined);
  return (
    <Panel title={t.invitations.title}>
      {disabledReason !== undefined ? (
        <p className="pad dim row-text">{t.invitations.hidden}</p>
      ) : !all ? (
        <Skeleton of={asked} className="invitations" rows={1} columns={3} />
      ) : all.length === 0 ? (
        <p className="pad dim row-text">{t.invitations.none}</p>
      ) : (
        <ul className="rows invitations">
          {all.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} invite={invite} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function InvitationRow({ invitation, invite }: InvitationsProps & { readonly invitation: Invitation }) {
  const t = useTexts(teamTexts);
  const { roles } = useTexts(frameTexts);
  const { email, role, expiresAt, invitedBy } = invitation;
  const withdrawal = useWithdraw(() =>
    showToast(t.invitations.withdrawn(email), { name: t.invitations.again, run: () => invite({ email, role }) }),
  );
  return (
    <li className="line">
      <span>
        <b className="cut">{email}</b>
        <span className="dim small cut">{invitedBy === null ? "" : t.invitations.by(invitedBy)}</span>
      </span>
      <span>{roles[role]}</span>
      <span className="dim small seen">
        {t.invitations.until} <Time at={expiresAt} />
      </span>
      <span className="inline actions">
        <Button small icon="again" onClick={() => invite({ email, role })}>
          {t.invitations.resend}
        </Button>
        <Button
          kind="quiet"
          small
          icon="x"
          label={t.invitations.withdraw(email)}
          busy={withdrawal.isPending}
          onClick={() => withdrawal.mutate(invitation)}
        />
      </span>
    </li>
  );
}
