// The workspaces of this person, to be opened; owners see all of this server.
import { Link, useRouter } from "@tanstack/react-router";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Label } from "../parts/state.tsx";
import { Panel } from "../parts/layout.tsx";
import { chooseWorkspace, useMe, useMembership, type Membership } from "../session.ts";
import { frameTexts, workspaceTexts } from "../texts/areas.ts";

export function Workspaces() {
  const t = useTexts(workspaceTexts);
  const { workspaces, owner } = useMe();
  if (workspaces.length < 2) return null;
  return (
    <Panel
      title={owner ? t.workspaces.all : t.workspaces.own}
      actions={
        owner && (
          <Link className="push row-text" to="/set-up/server">
            {t.workspaces.manage}
          </Link>
        )
      }
    >
      <ul className="rows workspaces">
        {workspaces.map((one) => (
          <OneWorkspace key={one.id} {...one} />
        ))}
      </ul>
    </Panel>
  );
}

function OneWorkspace({ id, name, role, disabled }: Membership) {
  const t = useTexts(workspaceTexts);
  const { roles } = useTexts(frameTexts);
  const router = useRouter();
  const open = useMembership()?.id === id;
  const choose = async () => {
    chooseWorkspace(id);
    await router.invalidate();
  };
  return (
    <li className="line">
      <b className="cut">{name}</b>
      <span className="dim cut">{roles[role]}</span>
      {disabled ? (
        <Label icon="off" tone="warn">
          {t.workspaces.disabled}
        </Label>
      ) : (
        <Label icon="on" tone="ok">
          {t.workspaces.enabled}
        </Label>
      )}
      <span className="end">
        {open ? (
          <span className="dim">{t.workspaces.open}</span>
        ) : (
          <Button small onClick={() => void choose()}>
            {t.workspaces.choose}
          </Button>
        )}
      </span>
    </li>
  );
}
