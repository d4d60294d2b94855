// Invites a person: email address and role, then the link, which is shown only once.
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { Banner } from "../parts/banner.tsx";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { Field, Form, FormActions } from "../parts/fields/form.tsx";
import { Select } from "../parts/fields/select.tsx";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { Time } from "../parts/time.tsx";
import { useMe, useMembership, type Role } from "../calls/session.ts";
import { frameTexts, teamTexts } from "../texts/areas.ts";
import { useInvite, type NewInvitation } from "./data.ts";
import { ROLES } from "./roles.ts";

export type InviteInput = { readonly email: string; readonly role: Role };

export function Invite({ first, close }: { readonly first: InviteInput | undefined; readonly close: () => void }) {
  const t = useTexts(teamTexts);
  const workspace = useMembership()?.name ?? "";
  const invite = useInvite();
  return (
    <Dialog title={t.invite.title(workspace)} isOpen onClose={close}>
      {invite.data ? (
        <Invited invitation={invite.data} close={close} again={() => invite.reset()} />
      ) : (
        <InviteForm first={first} close={close} invite={invite} />
      )}
    </Dialog>
  );
}

type InviteFormProps = {
  readonly first: InviteInput | undefined;
  readonly close: () => void;
  readonly invite: ReturnType<typeof useInvite>;
};

function InviteForm({ first, close, invite }: InviteFormProps) {
  const t = useTexts(teamTexts);
  const { roles } = useTexts(frameTexts);
  const { owner } = useMe();
  const [role, setRole] = useState<Role>(first?.role ?? "SUPPORT");
  const options = ROLES.filter((one) => owner || one !== "OWNER").map((id) => ({ id, name: roles[id] }));
  return (
    <Form
      fault={invite.error}
      onSubmit={({ email = "", mail }) => invite.mutate({ email, role, mail: mail !== undefined })}
    >
      <Field name="email" type="email" label={t.invite.email} defaultValue={first?.email ?? ""} autoFocus />
      <Select
        name="role"
        label={t.invite.role}
        options={options}
        value={role}
        help={t.roleMeans[role]}
        onChange={(id) => setRole(id as Role)}
      />
      <Checkbox name="mail" defaultChecked>
        {t.invite.byMail}
        <span className="help under">{t.invite.byMailHelp}</span>
      </Checkbox>
      <FormActions close={close} submit={t.invite.action} busy={invite.isPending} />
    </Form>
  );
}

type InvitedProps = { readonly invitation: NewInvitation; readonly close: () => void; readonly again: () => void };

function Invited({ invitation, close, again }: InvitedProps) {
  const t = useTexts(teamTexts);
  const { email, link, expiresAt, mailed, notMailedReason } = invitation;
  return (
    <div className="stack l">
      <Banner tone="ok" role="status">
        <b>{t.invite.made(email)}</b> {mailed ? t.invite.mailed : t.invite.notMailed[notMailedReason ?? "NOT_WANTED"]}
      </Banner>
      {link !== null && <Code title={t.invite.link} text={link} what={t.invite.link} />}
      <p className="dim row-text">
        {t.invite.once} <Time at={expiresAt} as="exact" />.
      </p>
      <div className="actions">
        <Button onClick={again}>{t.invite.another}</Button>
        <Button kind="first" onClick={close}>
          {t.invite.done}
        </Button>
      </div>
    </div>
  );
}
