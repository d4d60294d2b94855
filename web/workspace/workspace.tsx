// Settings → General. Changes apply on Save; until then the copied API call contains them.
import { useId } from "react";
import { Link, useRouter } from "@tanstack/react-router";
import type { ScreenCall } from "../calls/curl.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Form } from "../parts/fields/form.tsx";
import { Sections } from "../parts/section.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useDisabledReason, chooseWorkspace, useMe, useMembership, type Membership } from "../calls/session.ts";
import { SettingsBar } from "../settings/settings-bar.tsx";
import { workspaceTexts, frameTexts } from "../texts/areas.ts";
import { useCommands } from "../commands.ts";
import { General, Marketing, PublicKeys, SearchFields, SendData } from "./fields.tsx";
import { LinkHostPanel } from "./link-host.tsx";
import { PreferencePage } from "./page-fields.tsx";
import { Suppressions } from "./suppression-fields.tsx";
import { useWorkspace } from "../calls/workspace.ts";
import { useSaveSettings, type Settings } from "./calls.ts";
import { useDraft } from "./draft.ts";
import { Label } from "../parts/state.tsx";
import { Panel } from "../parts/layout.tsx";
import "./workspace.css";

export function WorkspaceScreen() {
  const t = useTexts(workspaceTexts);
  const workspace = useWorkspace();
  const draft = useDraft(workspace);
  const { changes, forget } = draft;
  const disabledReason = useDisabledReason("workspace");
  const id = useId();
  const saving = useSaveSettings(draft.seen, (isMine) => {
    forget();
    if (isMine) showToast(t.saved);
  });
  const addressDisabledReason = useDisabledReason("campaigns.send");
  const isAddress = changes !== undefined && Object.keys(changes).every((field) => field === "postalAddress");
  const fieldDisabledReason = isAddress ? addressDisabledReason : disabledReason;
  const save = () => changes && !fieldDisabledReason && saving.mutate(changes);
  const saveDisabledReason = fieldDisabledReason ?? (changes ? undefined : t.nothingChanged);
  useCommands([{ id: "save", name: t.saveVerb, icon: "check", run: save, disabledReason: saveDisabledReason }]);
  return (
    <>
      <SettingsBar
        tab="workspace"
        call={patchCall(changes)}
        actions={
          <>
            {changes && (
              <Button kind="quiet" onClick={forget}>
                {t.forget}
              </Button>
            )}
            <Button kind="first" type="submit" form={id} disabledReason={saveDisabledReason} busy={saving.isPending}>
              {t.save}
            </Button>
          </>
        }
      />
      <div className="page narrow">
        <Form id={id} className="stack l" fault={saving.error} onSubmit={save} unsaved={changes !== undefined}>
          <Sections>
            <General id={workspace.id} draft={draft} disabledReason={disabledReason} />
            <Marketing draft={draft} disabledReason={disabledReason} />
            <Suppressions draft={draft} disabledReason={disabledReason} />
            <PreferencePage draft={draft} disabledReason={disabledReason} />
            <SearchFields draft={draft} disabledReason={disabledReason} />
            <SendData draft={draft} disabledReason={disabledReason} />
            <PublicKeys draft={draft} disabledReason={disabledReason} />
          </Sections>
        </Form>
        <LinkHostPanel />
        <Workspaces />
      </div>
    </>
  );
}

function patchCall(changes: Partial<Settings> | undefined): ScreenCall {
  return changes ? { method: "PATCH", path: "/workspace", body: changes } : { path: "/workspace" };
}

/** The user's workspaces; owners see all of this server. */
function Workspaces() {
  const t = useTexts(workspaceTexts);
  const { workspaces, owner } = useMe();
  if (workspaces.length < 2) return null;
  return (
    <Panel
      title={owner ? t.workspaces.all : t.workspaces.own}
      actions={
        owner && (
          <Link className="push row-text" to="/settings/server">
            {t.workspaces.manage}
          </Link>
        )
      }
    >
      <ul className="rows workspaces">
        {workspaces.map((one) => (
          <WorkspaceRow key={one.id} {...one} />
        ))}
      </ul>
    </Panel>
  );
}

function WorkspaceRow({ id, name, role, disabled }: Membership) {
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
