// All workspaces of this server, for owners: create, import, open, rename, export, disable, enable.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useTexts } from "../../../base/language.ts";
import { Button } from "../../../parts/button.tsx";
import { Code } from "../../../parts/code.tsx";
import { Skeleton, Panel } from "../../../parts/layout.tsx";
import { ResourceActions, type ResourceAction } from "../../../parts/overlays/resource-actions.tsx";
import { Label } from "../../../parts/state.tsx";
import { Time } from "../../../parts/time.tsx";
import { showToast } from "../../../parts/overlays/toast.tsx";
import { chooseWorkspace, useMembership } from "../../../calls/session.ts";
import { workspacesTexts } from "../../../texts/areas.ts";
import { useCommands } from "../../../commands.ts";
import { DisableQuestion, RenameDialog } from "./dialogs.tsx";
import { ExportDialog } from "./export.tsx";
import { ImportWorkspace } from "./import.tsx";
import { useChange, workspacesQuery, type ListedWorkspace } from "./calls.ts";
import { NewWorkspace } from "./new-workspace.tsx";
import "./workspaces.css";

const route = getRouteApi("/frame/settings/server");

export function Workspaces() {
  const t = useTexts(workspacesTexts);
  const { data, ...asked } = useQuery(workspacesQuery);
  const { new: makes, import: imports } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (search: { new?: true; import?: true }) => void navigate({ search, replace: true });
  const make = () => show({ new: true });
  const close = () => show({});
  useCommands([
    { id: "make workspace", name: t.make.action, icon: "plus", run: make },
    { id: "import workspace", name: t.import.title, icon: "inbox", run: () => show({ import: true }) },
  ]);
  return (
    <Panel
      title={t.title}
      actions={
        <span className="push inline">
          <Button small icon="inbox" onClick={() => show({ import: true })}>
            {t.import.action}
          </Button>
          <Button small icon="plus" onClick={make}>
            {t.make.action}
          </Button>
        </span>
      }
    >
      {data ? (
        <ul className="rows all-workspaces">
          {data.map((workspace) => (
            <Row key={workspace.id} workspace={workspace} />
          ))}
        </ul>
      ) : (
        <Skeleton of={asked} className="all-workspaces" rows={2} columns={3} />
      )}
      <div className="pad stack">
        <p className="dim row-text">{t.deleteText}</p>
        <Code text={`posthorn workspace delete "${t.make.example}" --yes`} what={t.deleteCommand} />
      </div>
      {makes && <NewWorkspace close={close} />}
      {imports && <ImportWorkspace close={close} />}
    </Panel>
  );
}

function Row({ workspace }: { readonly workspace: ListedWorkspace }) {
  const t = useTexts(workspacesTexts);
  const { id, name, disabledAt, createdAt } = workspace;
  const isOpen = useMembership()?.id === id;
  return (
    <li className="line">
      <span className="cut">
        <b>{name}</b> {isOpen && <span className="dim">{t.here}</span>}
      </span>
      {disabledAt === null ? (
        <Label icon="on" tone="ok">
          {t.enabled}
        </Label>
      ) : (
        <Label icon="off" tone="warn">
          {t.disabled} <Time at={disabledAt} as="brief" />
        </Label>
      )}
      <span className="dim small">
        {t.created} <Time at={createdAt} as="brief" />
      </span>
      <ResourceActions label={t.actions(name)} actions={useActions(workspace, isOpen)} />
    </li>
  );
}

function useActions(workspace: ListedWorkspace, isOpen: boolean): readonly ResourceAction[] {
  const { id, disabledAt } = workspace;
  const t = useTexts(workspacesTexts);
  const router = useRouter();
  const enabling = useChange(({ name }) => showToast(t.enable.done(name)));
  const open = async () => {
    chooseWorkspace(id);
    await router.navigate({ to: "/" });
    await router.invalidate();
  };
  return [
    { id: "open", name: t.open, icon: "right", disabledReason: isOpen ? t.here : undefined, run: () => void open() },
    {
      id: "rename",
      name: t.rename.action,
      icon: "pencil",
      dialog: (close) => <RenameDialog workspace={workspace} close={close} />,
    },
    {
      id: "export",
      name: t.export.action,
      icon: "get",
      dialog: (close) => <ExportDialog workspace={workspace} close={close} />,
    },
    "line",
    disabledAt === null
      ? {
          id: "disable",
          name: t.disable.action,
          icon: "pause",
          risk: true,
          dialog: (close) => <DisableQuestion workspace={workspace} close={close} />,
        }
      : {
          id: "enable",
          name: t.enable.action,
          icon: "play",
          run: () => enabling.mutate({ seen: workspace, disabled: false }),
        },
  ];
}
