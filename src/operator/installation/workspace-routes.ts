// /workspaces: all workspaces of the installation, for its owners. /workspace is a caller's own.
import { t } from "elysia";
import { idShape, nullable, pageShapeOf, timeShape } from "../../http/answer-shapes.ts";
import { optional, pageShape } from "../../http/schemas.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Tx } from "../../store/store.ts";
import { personOnly, type Access } from "../../tenant/access/auth.ts";
import { refuseSavedSince, type SaveTerms } from "../../tenant/access/saving.ts";
import { ifUpdatedAtShape } from "../../tenant/access/saving-shape.ts";
import { countWorkspaces, lockWorkspace, workspacesPage, type Workspace } from "../../tenant/workspaces/queries.ts";
import { act, page, patch, routes } from "../../tenant/access/route-table.ts";
import { changeWorkspace, findWorkspace } from "../../tenant/workspaces/workspace.ts";
import { makeWorkspace, switchWorkspace } from "./workspaces.ts";

const OWNERS = { key: "person", permission: "installation" } as const;
const CHANGING = { ...OWNERS, proof: true } as const;

const fields = {
  id: idShape,
  name: t.String(),
  disabledAt: nullable(timeShape),
  createdAt: timeShape,
  updatedAt: timeShape,
};
const shape = t.Object(fields, { title: "InstallationWorkspace" });
const keysShape = t.Object({ id: idShape, public: t.String(), secret: t.String() });
const name = t.String({ minLength: 1, maxLength: 100 });

export function installationWorkspaceRoutes(access: Access, secrets: Secrets) {
  return routes(
    access,
    [
      page(
        "/workspaces",
        {
          name: "listWorkspaces",
          summary: "List the workspaces of the installation",
          answers: { 200: pageShapeOf(shape) },
          ...OWNERS,
          query: t.Object(pageShape),
        },
        async (reader) => ({
          total: () => countWorkspaces(reader),
          items: async (...piece) => (await workspacesPage(reader, ...piece)).map(workspaceItem),
        }),
      ),
      act(
        "/workspaces",
        {
          name: "createWorkspace",
          summary: "Create a workspace",
          answers: { 201: t.Object({ ...fields, keys: keysShape }, { title: "NewWorkspace" }) },
          ...CHANGING,
          body: t.Object({ name }, { examples: [{ name: "Second shop" }] }),
          refuses: ["CONFLICT"],
          description: "With a first key set, whose keys are shown this once.",
        },
        async (tx, { body }) => {
          const { workspace, keys } = await makeWorkspace(tx, secrets, body.name);
          const { id, public: publicKey, secret } = keys;
          return { ...workspaceItem(workspace), keys: { id, public: publicKey, secret } };
        },
      ),
      patch(
        "/workspaces/:id",
        {
          name: "updateAnyWorkspace",
          summary: "Rename, disable or enable a workspace",
          answers: { 200: shape },
          ...CHANGING,
          body: t.Object(
            { name: optional(name), disabled: optional(t.Boolean()), ifUpdatedAt: ifUpdatedAtShape },
            { examples: [{ disabled: true }] },
          ),
          refuses: ["CONFLICT", "WORKSPACE_NOT_FOUND"],
          description:
            "A disabled workspace's requests are refused with 403, and its queued email is held until it is enabled again.",
        },
        (tx, { params, body }) => change(tx, params.id, body),
      ),
    ],
    personOnly,
  );
}

type WorkspaceChange = Pick<SaveTerms, "ifUpdatedAt"> & {
  readonly name?: string | null;
  readonly disabled?: boolean | null;
};

async function change(tx: Tx, id: string, { name: wanted, disabled, ifUpdatedAt }: WorkspaceChange) {
  const found = await findWorkspace(tx, id);
  const workspace = (await lockWorkspace(tx, found.seq)) ?? found;
  refuseSavedSince(tx, workspace, { ifUpdatedAt });
  const isDisabled = workspace.disabledAt !== null;
  if (typeof wanted === "string") await changeWorkspace(tx, workspace.seq, { name: wanted });
  if (typeof disabled === "boolean" && disabled !== isDisabled) await switchWorkspace(tx, id, !disabled);
  return workspaceItem(await findWorkspace(tx, workspace.id));
}

function workspaceItem({ id, name: called, disabledAt, createdAt, updatedAt }: Workspace): typeof shape.static {
  return { id, name: called, disabledAt, createdAt, updatedAt };
}
