// /contacts/duplicates/merge: all contacts with the same mailbox become one each, after a preview.
import { t } from "elysia";
import type { Access } from "../../../tenant/access/auth.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { route, routes } from "../../../tenant/access/route-table.ts";
import { openedShape } from "../jobs/record.ts";
import { contactRecord, contactShape } from "../../../audience/contacts/record.ts";
import type { CatchUp } from "../../../tenant/events/dispatch.ts";
import { countShape, idShape } from "../../../http/answer-shapes.ts";
import { answerOnce, foundBefore } from "../../../http/idempotency.ts";
import { idInputShape } from "../../../http/schemas.ts";
import { openMergeAll } from "./merge-all.ts";
import { previewMergeAll, type MergePreview } from "./merge-preview.ts";
import { countGroups } from "./queries.ts";

const sampleShape = t.Object({
  into: contactShape,
  from: t.Array(contactShape, { description: "Who become `into`." }),
  subscribed: t.Boolean({ description: "Of the contact that stays, afterwards: only if all are." }),
  added: t.Record(t.String(), t.Unknown(), { description: "Data that it gets from the others." }),
  lost: t.Array(t.Object({ contactId: idShape, key: t.String(), value: t.Unknown() }), {
    description: "Data of the others that does not stay, because the contact that stays has another value.",
  }),
});

const previewShape = t.Object(
  {
    searchId: { ...idShape, description: "Of the search that has found them." },
    groups: { ...countShape, description: "Groups with the reason `address` that would be merged." },
    contacts: { ...countShape, description: "Contacts of them that become others." },
    unsubscribing: {
      ...countShape,
      description: "Groups of which one is subscribed and another is not: the person is not subscribed afterwards.",
    },
    refused: t.Object(
      { pending: countShape, dismissed: countShape },
      {
        description:
          "Groups that would be left out: one has not confirmed the subscription, or somebody has said that two of them are not the same person.",
      },
    ),
    samples: t.Array(sampleShape, { description: "The first three." }),
  },
  { title: "DuplicateMergePreview" },
);

const input = t.Object(
  { searchId: { ...idInputShape, description: "That of the preview." } },
  { examples: [{ searchId: "0199a3b4-0000-7000-8000-000000000000" }] },
);

export function mergeAllRoutes(access: Access, catchUp: CatchUp) {
  const { store } = access;
  return routes(access, [
    route(
      "GET",
      "/contacts/duplicates/merge",
      {
        name: "previewDuplicateMerge",
        summary: "See what merging all with the same mailbox would do",
        answers: { 200: previewShape },
        permission: "read",
        refuses: ["CONFLICT"],
        description: "It is 409 until a search for duplicates is done.",
      },
      async ({ caller }) => previewRecord(await previewMergeAll(store, caller.workspace), caller),
    ),
    route(
      "POST",
      "/contacts/duplicates/merge",
      {
        name: "mergeDuplicates",
        summary: "Merge all contacts with the same mailbox",
        answers: { 202: openedShape },
        permission: "people.bulk",
        body: input,
        refuses: ["CONFLICT"],
        description:
          "Group by group, as `POST /contacts/merge` into the oldest contact; each merge can be undone by itself. `GET /contacts/bulk/{jobId}` counts groups, and lists those that were left out by the contact that would have stayed. " +
          "It is 409 if duplicates have been looked for again since the preview.",
      },
      async ({ body, caller, request, set }) => {
        const { workspace, by: madeBy } = caller;
        await catchUp(workspace);
        const total = await foundBefore(() =>
          store.read((reader) => countGroups(reader, workspace, "address"), { longFor: workspace }),
        );
        const job = () => ({ searchId: body.searchId, total: total(), madeBy });
        const open = async (tx: Parameters<typeof openMergeAll>[0]) => ({
          jobId: await openMergeAll(tx, workspace, job()),
        });
        return answerOnce(store, { body, caller, request, set }, open, 202);
      },
    ),
  ]);
}

function previewRecord({ samples, ...counts }: MergePreview, caller: Caller): typeof previewShape.static {
  const told = samples.map(({ into, from, lost, ...rest }) => ({
    ...rest,
    into: contactRecord(into, caller),
    from: from.map((one) => contactRecord(one, caller)),
    lost: lost.map(({ contact, key, value }) => ({ contactId: contact.id, key, value })),
  }));
  return { ...counts, samples: told };
}
