// /keys: a workspace's key sets. Their revocation may cancel mails as well: emails/scheduled/routes.ts.
import { t } from "elysia";
import { idShape, nullable, pageShapeOf, timeShape } from "../../http/answer-shapes.ts";
import { oneOf } from "../../http/answer-shapes.ts";
import { notifyChangeAt } from "../events/notify.ts";
import { optional, pageShape, parameter, recordNameShape, timeInputShape, wholeNumber } from "../../http/schemas.ts";
import { noteWarning } from "../../http/body/body-notes.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Tx } from "../../store/store.ts";
import type { Access } from "./auth.ts";
import type { Caller } from "./caller.ts";
import { KEY_PERMISSIONS } from "./key-limits.ts";
import { countKeySets, countRevoked, domainsAmong, keySetsPage, revokedPage, type KeySet } from "./key-queries.ts";
import { changeKeys, createKeySet, rotateSecret, type KeySetInput } from "./key-set.ts";
import { page, post, route, routes } from "./route-table.ts";
import { ifUpdatedAtShape } from "./saving-shape.ts";

const keySetFields = {
  id: idShape,
  name: nullable(t.String()),
  domains: nullable(t.Array(t.String())),
  permissions: oneOf(...KEY_PERMISSIONS),
  allowedIps: nullable(t.Array(t.String())),
  expiresAt: nullable(timeShape),
  projectId: idShape,
  createdAt: timeShape,
};
const lastUsedAt = t.Union([timeShape, t.Null()], {
  description: "To the minute, and up to a minute late; null = no program has come with a key of the set.",
});
const formerSecretUntil = t.Union([timeShape, t.Null()], {
  description: "Until when the secret before the last rotation is taken as well; null = it was never rotated.",
});
const revokedAt = nullable(timeShape);
const keySetShape = t.Object(
  { ...keySetFields, updatedAt: timeShape, formerSecretUntil, lastUsedAt, revokedAt },
  { title: "KeySet" },
);

/** The only answer that shows the keys themselves. */
const mintedShape = t.Object({ ...keySetFields, public: t.String(), secret: t.String() });

const rotatedShape = t.Object({ ...keySetShape.properties, secret: t.String() });

const limits = {
  name: optional(recordNameShape),
  allowedIps: optional(
    t.Array(t.String({ maxLength: 50 }), { maxItems: 50 }),
    'Addresses and networks, such as "192.0.2.1" or "10.0.0.0/8", that its keys may be used from; null = any.',
  ),
  expiresAt: optional(timeInputShape, "From then on its keys are refused; null = never."),
};
const keySet = t.Object(
  {
    ...limits,
    permissions: optional(
      oneOf(...KEY_PERMISSIONS),
      "`send`: POST /v1/send, /v1/send/batch, /v1/track and /v1/verify, and SMTP. `read`: what changes nothing and sends nothing. `content`: email as code, the calls of /content alone. `full`, unless given: everything.",
    ),
    // An empty list is a mistake: leave the field out for a key set that is not scoped.
    domains: optional(t.Array(t.String({ maxLength: 300 }), { minItems: 1, maxItems: 100 })),
  },
  { examples: [{ name: "Shop", domains: ["shop.example.com"], permissions: "send" }] },
);
const change = t.Object({ ...limits, ifUpdatedAt: ifUpdatedAtShape }, { examples: [{ allowedIps: ["192.0.2.0/24"] }] });
const rotation = t.Object(
  { overlapHours: optional(wholeNumber(0, 72, 24), "How long the secret before is taken as well.") },
  { examples: [{ overlapHours: 24 }] },
);
const OVERLAP_HOURS = 24;

export function keyRoutes(access: Access, secrets: Secrets) {
  return routes(access, [
    page(
      "/keys",
      {
        name: "listKeys",
        summary: "List active key sets, or revoked ones",
        answers: { 200: pageShapeOf(keySetShape) },
        permission: "keys",
        query: t.Object({
          ...pageShape,
          revoked: parameter(t.Boolean(), "`true`: the revoked sets instead, newest first."),
        }),
        managers: true,
      },
      async (reader, { caller: { workspace }, query: { revoked = false } }) => ({
        total: async () => (revoked ? countRevoked(reader, workspace) : (await countKeySets(reader, workspace)).total),
        items: async (...piece) =>
          (await (revoked ? revokedPage : keySetsPage)(reader, workspace, ...piece)).map(keySetRecord),
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
      async (tx, { body, caller }) => {
        const minted = await mintedKeys(tx, caller, body);
        await warnOfDomains(tx, caller, body, minted.domains ?? []);
        return minted;
      },
      { sealedBy: secrets },
    ),
    route(
      "PATCH",
      "/keys/:id",
      {
        name: "updateKey",
        summary: "Change the name, addresses or end of a key set",
        answers: { 200: keySetShape },
        permission: "keys",
        proof: true,
        body: change,
        managers: true,
        refuses: ["KEY_NOT_FOUND", "CONFLICT"],
      },
      ({ params, body, caller, request, server }) => {
        const { id: keySet } = caller.by;
        const { ip: address } = access.clients.whereabouts({ request, server });
        const by = caller.person === null && keySet !== null ? { keySet, address } : null;
        return access.store.write(async (tx) => {
          const changed = keySetRecord(await changeKeys(tx, caller.workspace, params.id, { ...body, by }));
          await caller.note?.(tx, changed);
          notifyChangeAt(tx, "/keys/:id", caller.workspace);
          return changed;
        });
      },
    ),
    post(
      "/keys/:id/rotate",
      {
        name: "rotateKey",
        summary: "Replace the secret key of a set",
        answers: { 200: rotatedShape },
        permission: "keys",
        proof: true,
        body: rotation,
        managers: true,
        refuses: ["KEY_NOT_FOUND", "CONFLICT"],
        description:
          "The new secret is shown this once. The public key stays as it is. While the secret before an earlier rotation is taken, only `overlapHours` 0 rotates: it ends both.",
      },
      async (tx, { params, body, caller }) => {
        const wish = { id: params.id, overlapHours: body.overlapHours ?? OVERLAP_HOURS };
        const { secret, ...rotated } = await rotateSecret(tx, caller.workspace, wish);
        return { ...keySetRecord(rotated), secret };
      },
      { sealedBy: secrets },
    ),
  ]);
}

/** A key that may use unknown domains sends nothing from them. */
async function warnOfDomains(tx: Tx, { workspace }: Caller, body: object, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const own = new Set(await domainsAmong(tx, workspace, names));
  for (const name of names.filter((one) => !own.has(one)))
    noteWarning(body, {
      field: "domains",
      message: `The workspace has no sender domain ${name}: add it, or nothing can be sent from it.`,
    });
}

async function mintedKeys(tx: Tx, { workspace, workspaceId }: Caller, input: KeySetInput) {
  const keys = await createKeySet(tx, workspace, input);
  return { ...keys, name: input.name ?? null, projectId: workspaceId, createdAt: tx.now };
}

/** Without its keys, which are kept as hashes alone. */
function keySetRecord(keySet: KeySet) {
  return {
    id: keySet.id,
    name: keySet.name,
    domains: keySet.domains === null ? null : [...keySet.domains],
    permissions: keySet.permissions,
    allowedIps: keySet.allowedIps === null ? null : [...keySet.allowedIps],
    expiresAt: keySet.expiresAt,
    formerSecretUntil: keySet.formerSecretUntil,
    projectId: keySet.workspaceId,
    createdAt: keySet.createdAt,
    updatedAt: keySet.updatedAt,
    lastUsedAt: keySet.lastUsedAt,
    revokedAt: keySet.revokedAt,
  };
}
