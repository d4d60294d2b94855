// /workspace and /keys (interface-gaps.md §9).
import { Elysia, t } from "elysia";
import { answers } from "../http/answers.ts";
import { answerOnce } from "../http/idempotency.ts";
import { idParams, nameShape, optional, recordNameShape, pageShape } from "../http/schemas.ts";
import { asBody, asQuery } from "../http/shape.ts";
import type { Secrets } from "../secrets.ts";
import { pageFrom } from "../store/page.ts";
import type { Reader, Tx } from "../store/store.ts";
import { secretKey, type Access } from "./auth.ts";
import { createKeySet, mustManage, revokeOwnKeys, type Caller, type KeySetWish } from "./key-set.ts";
import { countKeySets, keySetsPage } from "./queries.ts";
import { keySetRecord, keySetsShape, mintedShape, trackingShape, workspaceRecord, workspaceShape } from "./record.ts";
import { rotateWebhookSecret } from "./webhook-secret.ts";
import { changeWorkspace, ownWorkspace } from "./workspace.ts";

const settings = t.Object(
  {
    name: optional(t.String({ minLength: 1, maxLength: 100 })),
    tracking: optional(trackingShape),
    language: optional(t.String({ minLength: 1, maxLength: 35 })),
    postalAddress: optional(t.String({ maxLength: 500 })),
    doubleOptIn: optional(t.Boolean(), "Who signs up has to confirm it."),
    publicKeys: optional(
      t.Object({ update: optional(t.Boolean()), unsubscribe: optional(t.Boolean()) }),
      "What a public key, which everybody can read, may do with a contact that exists.",
    ),
    fromAddress: optional(t.String({ maxLength: 320 }), "Whom confirmation mails come from."),
    fromName: optional(nameShape),
  },
  { examples: [{ language: "de", postalAddress: "Example GmbH, Hauptstraße 1, 53111 Bonn" }] },
);

const keySet = t.Object(
  {
    name: optional(recordNameShape),
    // An empty list is a mistake: whoever means every domain names none.
    domains: optional(t.Array(t.String({ maxLength: 300 }), { minItems: 1, maxItems: 100 })),
  },
  { examples: [{ name: "Shop", domains: ["shop.example.com"] }] },
);
const listing = t.Object(pageShape);

const SECRET_SHOWN = "The webhook secret is shown to a key that is not scoped to domains; it is null to others.";

export function workspaceRoutes(access: Access, secrets: Secrets) {
  const { store } = access;
  const shown = async (reader: Reader, { workspace, domains }: Caller) =>
    workspaceRecord(await ownWorkspace(reader, workspace), domains === null ? secrets : null);
  return new Elysia({ prefix: "/workspace" })
    .use(secretKey(access))
    .get("", ({ caller }) => store.read((reader) => shown(reader, caller)), {
      detail: answers("Look at the workspace", { 200: workspaceShape }, { description: SECRET_SHOWN }),
    })
    .patch(
      "",
      ({ body, caller }) => {
        mustManage(caller);
        return store.write(async (tx) => workspaceRecord(await changeWorkspace(tx, caller.workspace, body), secrets));
      },
      {
        body: asBody(settings),
        detail: answers(
          "Change the workspace",
          { 200: workspaceShape },
          { refuses: ["FORBIDDEN", "CONFLICT", "DOMAIN_NOT_VERIFIED"] },
        ),
      },
    )
    .post(
      "/rotate-webhook-secret",
      ({ body, caller, request, set }) => {
        mustManage(caller);
        const work = async (tx: Tx) => {
          await rotateWebhookSecret(tx, secrets, caller.workspace);
          return shown(tx, caller);
        };
        return answerOnce(store, { body, caller, request, set, sealedBy: secrets }, work, 200);
      },
      { detail: answers("Replace the webhook secret", { 200: workspaceShape }, { refuses: ["FORBIDDEN"] }) },
    );
}

export function keyRoutes(access: Access, secrets: Secrets) {
  const { store } = access;
  return new Elysia({ prefix: "/keys" })
    .use(secretKey(access))
    .get(
      "",
      ({ query, caller }) => {
        mustManage(caller);
        return store.read((reader) =>
          pageFrom(query, {
            total: async () => (await countKeySets(reader, caller.workspace)).total,
            items: async (...piece) => (await keySetsPage(reader, caller.workspace, ...piece)).map(keySetRecord),
          }),
        );
      },
      {
        query: asQuery(listing),
        detail: answers("List the key sets in use", { 200: keySetsShape }, { refuses: ["FORBIDDEN"] }),
      },
    )
    .post(
      "",
      ({ body, caller, request, set }) => {
        mustManage(caller);
        const work = (tx: Tx) => mintedKeys(tx, caller, body);
        return answerOnce(store, { body, caller, request, set, sealedBy: secrets }, work, 201);
      },
      {
        body: asBody(keySet),
        detail: answers(
          "Make a key set",
          { 201: mintedShape },
          { refuses: ["FORBIDDEN"], description: "Its keys are shown this once." },
        ),
      },
    )
    .delete(
      "/:id",
      async ({ params, caller, set }) => {
        mustManage(caller);
        await store.write((tx) => revokeOwnKeys(tx, caller.workspace, params.id));
        set.status = 204;
      },
      {
        params: idParams,
        detail: answers(
          "Revoke a key set: its keys are refused from then on",
          { 204: null },
          { refuses: ["FORBIDDEN", "KEY_NOT_FOUND", "CONFLICT"] },
        ),
      },
    );
}

async function mintedKeys(tx: Tx, { workspace, workspaceId }: Caller, wish: KeySetWish) {
  const { id, public: publicKey, secret, domains } = await createKeySet(tx, workspace, wish);
  const name = wish.name ?? null;
  return { id, name, domains, public: publicKey, secret, projectId: workspaceId, createdAt: tx.now };
}
