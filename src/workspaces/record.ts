// Workspaces and key sets as the interface shows them.
import { t } from "elysia";
import { idShape, nullable, oneOf, pageShapeOf, timeShape } from "../http/answer-shapes.ts";
import { LANGUAGES } from "../languages/language.ts";
import type { Secrets } from "../secrets.ts";
import type { KeySet, Workspace } from "./queries.ts";

export const trackingShape = oneOf("ENABLED", "DISABLED", "MARKETING_ONLY");

export const workspaceShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    tracking: trackingShape,
    language: oneOf(...LANGUAGES),
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
const lastUsedAt = t.Union([timeShape, t.Null()], {
  description: "To the minute, and up to a minute late; null = no program has come with a key of the set.",
});
export const keySetsShape = pageShapeOf(t.Object({ ...keySetFields, lastUsedAt }, { title: "KeySet" }));

/** The one time that the keys themselves are shown. */
export const mintedShape = t.Object({ ...keySetFields, public: t.String(), secret: t.String() });

/** `secrets` null: the caller may not see the webhook secret. */
export function workspaceRecord(workspace: Workspace, secrets: Secrets | null): typeof workspaceShape.static {
  return {
    id: workspace.id,
    name: workspace.name,
    tracking: workspace.tracking,
    language: workspace.language,
    postalAddress: workspace.postalAddress,
    doubleOptIn: workspace.doubleOptIn,
    publicKeys: { update: workspace.publicUpdate, unsubscribe: workspace.publicUnsubscribe },
    fromAddress: workspace.fromAddress,
    fromName: workspace.fromName,
    webhookSecret: secrets === null ? null : secrets.decrypt(workspace.webhookSecret),
    createdAt: workspace.createdAt,
    updatedAt: workspace.updatedAt,
  };
}

/** Without its keys, of which only the hashes are kept. */
export function keySetRecord(keySet: KeySet) {
  return {
    id: keySet.id,
    name: keySet.name,
    domains: keySet.domains === null ? null : [...keySet.domains],
    projectId: keySet.workspaceId,
    createdAt: keySet.createdAt,
    lastUsedAt: keySet.lastUsedAt,
  };
}
