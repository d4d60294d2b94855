// /keys/{id}/scheduled: a key set's scheduled mail and campaigns; and DELETE /keys/{id}, which may cancel them.
import { t } from "elysia";
import type { Access } from "../../../tenant/access/auth.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { refuseUnknownKeys, revokeOwnKeys } from "../../../tenant/access/key-set.ts";
import { route, routes } from "../../../tenant/access/route-table.ts";
import { iso } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import { notifyChangeAt } from "../../../tenant/events/notify.ts";
import { countShape, idShape, nullable, timeShape } from "../../../http/answer-shapes.ts";
import { parameter, wholeNumber } from "../../../http/schemas.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { readFilter } from "../list/filter.ts";
import { listMails } from "../list/list.ts";
import { byCursor } from "../list/routes.ts";
import { emailRecord } from "../record.ts";
import { returnPathOf, type ReturnPathOptions } from "../return-path.ts";
import { campaignsOfKey } from "./queries.ts";
import { cancelScheduled, countScheduled } from "./scheduled.ts";

const DEFAULT_LIMIT = 20;
const MOST_CAMPAIGNS = 100;
/** A hundred thousand emails take some ten seconds without an answer. */
const IDLE_TIMEOUT_SECONDS = 255;

const campaignShape = t.Object({ id: idShape, name: t.String(), scheduledFor: timeShape });
const listShape = t.Object(
  {
    ...byCursor.properties,
    total: nullable({ ...countShape, description: "How many there are in all; only on the first page." }),
    campaigns: t.Array(campaignShape, {
      description:
        "SCHEDULED campaigns that a key of the set has written or changed last, up to 100; `POST /campaigns/{id}/cancel` cancels one.",
    }),
  },
  { title: "ScheduledByKey" },
);
const cancelledShape = t.Object(
  {
    cancelled: countShape,
    inHand: t.Number({
      minimum: 0,
      multipleOf: 1,
      description: "Emails of the set that were being handed over just then: they are not cancelled.",
    }),
  },
  { title: "CancelledWithKey" },
);

const listing = t.Object({
  limit: parameter(wholeNumber(1, 100, DEFAULT_LIMIT), "How many emails a page has at most."),
  cursor: parameter(t.String({ maxLength: 100 }), "The `cursor` of the page before."),
});
const revoking = t.Object({
  cancelScheduled: parameter(t.Boolean(), "`true`: cancels the emails as well that its keys have scheduled."),
});

export function scheduledRoutes(access: Access, returnPath: ReturnPathOptions) {
  const { store } = access;
  return routes(access, [
    route(
      "GET",
      "/keys/:id/scheduled",
      {
        name: "listKeyScheduled",
        summary: "List what a key set has scheduled",
        answers: { 200: listShape },
        permission: "keys",
        managers: true,
        query: listing,
        refuses: ["KEY_NOT_FOUND"],
        description:
          "Emails that its keys sent and that wait for the time they were scheduled for, newest first; also of a set that has expired or was revoked. A page may have fewer emails than `limit`, or none, while `hasMore` is true: go on with its `cursor`.",
      },
      async ({ params: { id }, query: { limit = DEFAULT_LIMIT, cursor = null }, caller: { workspace } }) => {
        await store.read((reader) => refuseUnknownKeys(reader, workspace, id));
        const scheduled = { is: true, at: iso(store.clock.nowMs()) };
        const filter = await store.read((reader) => readFilter(reader, workspace, { keyId: id, scheduled }));
        const { mails, ...rest } = await listMails(store, filter, { limit, cursor, search: "" });
        return {
          data: mails.map((mail) => emailRecord(mail, returnPathOf(returnPath, mail))),
          ...rest,
          total: cursor === null ? await countScheduled(store, { workspace, key: id }) : null,
          campaigns: await store.read((reader) => campaignsOfKey(reader, { workspace, key: id }, MOST_CAMPAIGNS)),
        };
      },
    ),
    route(
      "POST",
      "/keys/:id/scheduled/cancel",
      {
        name: "cancelKeyScheduled",
        summary: "Cancel what a key set has scheduled",
        answers: { 200: cancelledShape },
        permission: "keys",
        proof: true,
        harmless: true,
        managers: true,
        refuses: ["KEY_NOT_FOUND"],
        description:
          "Cancels the emails that its keys sent and that wait for the time they were scheduled for; also of a set that has expired or was revoked. A repeated call cancels what is left.",
      },
      async ({ params: { id }, caller, request, server }) => {
        server?.timeout(request, IDLE_TIMEOUT_SECONDS);
        await noting(store, caller, id, (tx) => refuseUnknownKeys(tx, caller.workspace, id));
        return cancelScheduled(store, { workspace: caller.workspace, key: id }, caller.by);
      },
    ),
    route(
      "DELETE",
      "/keys/:id",
      {
        name: "revokeKey",
        summary: "Revoke a key set",
        answers: { 204: null, 200: cancelledShape },
        permission: "keys",
        proof: true,
        managers: true,
        query: revoking,
        refuses: ["KEY_NOT_FOUND", "CONFLICT"],
        description:
          "Emails that its keys have scheduled are still sent, unless `cancelScheduled` is true; the answer is then 200 and counts them.",
      },
      async ({ params: { id }, query, caller, request, server, set }) => {
        server?.timeout(request, IDLE_TIMEOUT_SECONDS);
        await noting(store, caller, id, (tx) => revoke(tx, caller, id));
        if (query.cancelScheduled) return cancelScheduled(store, { workspace: caller.workspace, key: id }, caller.by);
        set.status = 204;
        return undefined;
      },
    ),
  ]);
}

/** Its mails are cancelled in many transactions: the audit entry of the call is written before them. */
function noting(store: Store, caller: Caller, id: string, work: (tx: Tx) => Promise<void>): Promise<void> {
  return store.write(async (tx) => {
    await work(tx);
    await caller.note?.(tx, { id });
    notifyChangeAt(tx, "/keys/:id", caller.workspace);
  });
}

/** A set that was revoked before may still have mails: the error names the call that cancels them. */
async function revoke(tx: Tx, { workspace }: Caller, id: string): Promise<void> {
  try {
    await revokeOwnKeys(tx, workspace, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "KEY_NOT_FOUND") throw error;
    throw new AppError("KEY_NOT_FOUND", error.message, {
      suggestion: "POST /keys/{id}/scheduled/cancel cancels what a set has scheduled that was revoked before.",
    });
  }
}
