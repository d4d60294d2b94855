// Workspaces and key sets as the interface shows them (interface-gaps.md §9).
import { t } from "elysia";
import { idShape, nullable, oneOf, pageShapeOf, timeShape } from "../http/answer-shapes.ts";
import type { Secrets } from "../secrets.ts";
import type { KeySetRow, WorkspaceRow } from "./queries.ts";

export const trackingShape = oneOf("ENABLED", "DISABLED", "MARKETING_ONLY");

export const workspaceShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    tracking: trackingShape,
    language: t.String(),
    postalAddress: nullable(t.String()),
    doubleOptIn: t.Boolean(),
    publicKeys: t.Object({ update: t.Boolean(), unsubscribe: t.Boolean() }),
    fromAddress: nullable(t.String()),
    fromName: nullable(t.String()),
    webhookSecret: nullable(t.String()),
    createdAt: timeShape,
    updatedAt: timeShape,
  },
  { title: "Workspace" },
);

const keySetFields = {
  id: idShape,
  name: nullable(t.String()),
  domains: nullable(t.Array(t.String())),
  projectId: idShape,
  createdAt: timeShape,
};
export const keySetsShape = pageShapeOf(t.Object(keySetFields, { title: "KeySet" }));

/** The one time that the keys themselves are shown. */
export const mintedShape = t.Object({ ...keySetFields, public: t.String(), secret: t.String() });

/** `secrets` null = the webhook secret is not for the one who asks. */
export function workspaceRecord(workspace: WorkspaceRow, secrets: Secrets | null): typeof workspaceShape.static {
  const { webhook_secret: secret } = workspace;
  return {
    id: workspace.id,
    name: workspace.name,
    tracking: workspace.tracking,
    language: workspace.language,
    postalAddress: workspace.postal_address,
    doubleOptIn: workspace.double_opt_in === 1,
    publicKeys: { update: workspace.public_update === 1, unsubscribe: workspace.public_unsubscribe === 1 },
    fromAddress: workspace.from_address,
    fromName: workspace.from_name,
    webhookSecret: secret === null || secrets === null ? null : secrets.decrypt(secret),
    createdAt: workspace.created_at,
    updatedAt: workspace.updated_at,
  };
}

/** Without its keys, of which only the hashes are kept. */
export function keySetRecord(row: KeySetRow) {
  return {
    id: row.id,
    name: row.name,
    domains: row.domains === null ? null : (JSON.parse(row.domains) as string[]),
    projectId: row.workspace_id,
    createdAt: row.created_at,
  };
}
