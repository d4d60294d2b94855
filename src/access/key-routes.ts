// /keys: a workspace's key sets.
import { t } from "elysia";
import { idShape, nullable, pageShapeOf, timeShape } from "../http/answer-shapes.ts";
import { optional, pageShape, recordNameShape } from "../http/schemas.ts";
import type { Secrets } from "../secrets.ts";
import type { Tx } from "../store/store.ts";
import type { Access } from "./auth.ts";
import type { Caller } from "./caller.ts";
import { countKeySets, keySetsPage, type KeySet } from "./key-queries.ts";
import { createKeySet, revokeOwnKeys, type KeySetInput } from "./key-set.ts";
import { page, post, remove, routes } from "./route-table.ts";

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
const keySetsShape = pageShapeOf(t.Object({ ...keySetFields, lastUsedAt }, { title: "KeySet" }));

/** The one time that the keys themselves are shown. */
const mintedShape = t.Object({ ...keySetFields, public: t.String(), secret: t.String() });

const keySet = t.Object(
  {
    name: optional(recordNameShape),
    // An empty list is a mistake: leave the field out for a key set that is not scoped.
    domains: optional(t.Array(t.String({ maxLength: 300 }), { minItems: 1, maxItems: 100 })),
  },
  { examples: [{ name: "Shop", domains: ["shop.example.com"] }] },
);

export function keyRoutes(access: Access, secrets: Secrets) {
  return routes(access, [
    page(
      "/keys",
      {
        name: "listKeys",
        summary: "List active key sets",
        answers: { 200: keySetsShape },
        permission: "keys",
        query: t.Object(pageShape),
        managers: true,
      },
      async (reader, { caller }) => ({
        total: async () => (await countKeySets(reader, caller.workspace)).total,
        items: async (...piece) => (await keySetsPage(reader, caller.workspace, ...piece)).map(keySetRecord),
      }),
    ),
    post(
      "/keys",
      {
        name: "createKey",
        summary: "Create a key set",
        answers: { 201: mintedShape },
        permission: "keys",
        proof: true,
        body: keySet,
        managers: true,
        description: "Its keys are shown this once.",
      },
      (tx, { body, caller }) => mintedKeys(tx, caller, body),
      { sealedBy: secrets },
    ),
    remove(
      "/keys/:id",
      {
        name: "revokeKey",
        summary: "Revoke a key set",
        answers: { 204: null },
        permission: "keys",
        proof: true,
        managers: true,
        refuses: ["KEY_NOT_FOUND", "CONFLICT"],
      },
      (tx, { params, caller }) => revokeOwnKeys(tx, caller.workspace, params.id),
    ),
  ]);
}

async function mintedKeys(tx: Tx, { workspace, workspaceId }: Caller, input: KeySetInput) {
  const { id, public: publicKey, secret, domains } = await createKeySet(tx, workspace, input);
  const name = input.name ?? null;
  return { id, name, domains, public: publicKey, secret, projectId: workspaceId, createdAt: tx.now };
}

/** Without its keys, of which only the hashes are kept. */
function keySetRecord(keySet: KeySet) {
  return {
    id: keySet.id,
    name: keySet.name,
    domains: keySet.domains === null ? null : [...keySet.domains],
    projectId: keySet.workspaceId,
    createdAt: keySet.createdAt,
    lastUsedAt: keySet.lastUsedAt,
  };
}
