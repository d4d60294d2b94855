// /contacts/duplicates: contacts that may be the same person.
import { t } from "elysia";
import type { Access } from "../../../tenant/access/auth.ts";
import { post, route, routes } from "../../../tenant/access/route-table.ts";
import { contactsNumbered } from "../../../programs/campaigns/audience-queries.ts";
import { findContact } from "../../../audience/contacts/contact.ts";
import { contactRecord, contactShape } from "../../../audience/contacts/record.ts";
import { invalidField } from "../../../base/errors.ts";
import { idShape, nullable, oneOf, pageShapeOf, timeShape } from "../../../http/answer-shapes.ts";
import { idInputShape, pageShape } from "../../../http/schemas.ts";
import { newId } from "../../../base/ids.ts";
import { openedShape } from "../jobs/record.ts";
import { pageFrom } from "../../../store/page.ts";
import { refuseWhileMerging } from "./merge-all.ts";
import * as queries from "./queries.ts";
import { DUPLICATES } from "./search.ts";

const groupShape = t.Object(
  {
    reason: {
      ...oneOf("address", "name"),
      description: "`address`: their addresses reach one mailbox. `name`: the same name at the same domain.",
    },
    contacts: t.Array(contactShape),
  },
  { title: "DuplicateGroup" },
);
const listShape = t.Object(
  {
    ...pageShapeOf(groupShape).properties,
    status: { ...oneOf("NONE", "RUNNING", "COMPLETED"), description: "NONE: nobody has looked for duplicates yet." },
    isComplete: t.Boolean({ description: "False: more than 10,000 groups were found, and these are kept." }),
    foundAt: nullable(timeShape),
    mergeJobId: nullable({ ...idShape, description: "Of the last job that merges all of them with the same mailbox." }),
  },
  { title: "DuplicatePage" },
);

const example = "0199a3b4-0000-7000-8000-000000000000";
const others = t.Object(
  { contactIds: t.Array(idInputShape, { minItems: 2, maxItems: 11 }) },
  { examples: [{ contactIds: [example, "0199a3b4-0000-7000-8000-000000000001"] }] },
);

export function duplicateRoutes(access: Access) {
  const { store } = access;
  return routes(access, [
    post(
      "/contacts/duplicates",
      {
        name: "findDuplicates",
        summary: "Look for contacts that may be the same person",
        answers: { 202: openedShape },
        permission: "people.write",
        refuses: ["CONFLICT"],
        description:
          "Goes through all contacts in the background; `GET /contacts/duplicates` says when it is done. One search of a workspace runs at a time, and none while all with the same mailbox are being merged.",
      },
      async (tx, { caller }) => {
        tx.signal(DUPLICATES);
        const jobId = await queries.beginSearch(tx, caller.workspace, newId(tx.nowMs));
        await refuseWhileMerging(tx, caller.workspace);
        return { jobId };
      },
    ),
    route(
      "GET",
      "/contacts/duplicates",
      {
        name: "listDuplicates",
        summary: "List contacts that may be the same person",
        answers: { 200: listShape },
        permission: "read",
        query: t.Object(pageShape),
        description: "As the last search has found them, without those who were merged, erased or dismissed since.",
      },
      ({ query, caller }) =>
        store.read(async (reader) => {
          const { workspace } = caller;
          const search = await queries.searchOf(reader, workspace);
          const groups = await pageFrom(query, {
            total: () => queries.countGroups(reader, workspace),
            items: async (...piece) => {
              const found = await queries.groupsPage(reader, workspace, ...piece);
              const seqs = [...new Set(found.flatMap(({ contacts }) => contacts))];
              const contacts = new Map((await contactsNumbered(reader, seqs)).map((one) => [one.seq, one]));
              return found.map(({ reason, contacts: those }) => ({
                reason,
                contacts: those.flatMap((seq) => contacts.get(seq) ?? []).map((one) => contactRecord(one, caller)),
              }));
            },
          });
          const { state = "NONE", isCut = 0, foundAt = null, mergeJob: mergeJobId = null } = search ?? {};
          return { ...groups, status: state, isComplete: isCut === 0, foundAt, mergeJobId };
        }),
    ),
    post(
      "/contacts/duplicates/dismiss",
      {
        name: "dismissDuplicates",
        summary: "Say that contacts are not the same person",
        answers: { 204: null },
        permission: "people.write",
        body: others,
        refuses: ["CONTACT_NOT_FOUND"],
        description: "They are not offered together again.",
      },
      async (tx, { body, caller: { workspace } }) => {
        const ids = [...new Set(body.contactIds)];
        if (ids.length < 2) throw invalidField("contactIds", "Name at least two contacts.", "too_small");
        const seqs: number[] = [];
        for (const id of ids) seqs.push((await findContact(tx, workspace, id)).seq);
        seqs.sort((one, other) => one - other);
        const pairs = seqs.flatMap((one, at) => seqs.slice(at + 1).map((other) => [one, other] as const));
        await queries.insertDismissed(tx, pairs);
        for (const number of await queries.groupsWithin(tx, workspace, seqs))
          await queries.deleteGroup(tx, workspace, number);
      },
    ),
  ]);
}
