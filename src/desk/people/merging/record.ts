// A merge as the interface answers it.
import { t } from "elysia";
import { iso } from "../../../base/clock.ts";
import { emailAddressShape, idShape, nullable, oneOf, timeShape } from "../../../http/answer-shapes.ts";
import type { Contact } from "../../../audience/contacts/queries.ts";
import type { MergeSource, Merge } from "../../../audience/contacts/past/merge-queries.ts";
import { UNDONE_WITHIN_MS } from "./undo.ts";

const personShape = t.Object({ id: idShape, email: emailAddressShape });

export const mergeShape = t.Object(
  {
    id: idShape,
    status: {
      ...oneOf("MOVING", "MOVED", "UNDOING"),
      description: "MOVING: the rest of the history is on its way. UNDOING: it is on its way back.",
    },
    into: { ...personShape, description: "The contact that stays." },
    from: t.Array(personShape, { description: "Who was merged into it, with the former ids and addresses." }),
    by: t.Object(
      { kind: oneOf("PERSON", "KEY", "COMMAND_LINE"), id: nullable(idShape), name: nullable(t.String()) },
      { description: "Who merged them." },
    ),
    undoableUntil: timeShape,
    createdAt: timeShape,
  },
  { title: "ContactMerge" },
);

type MergeContacts = { readonly into: Pick<Contact, "id" | "email">; readonly from: readonly MergeSource[] };

export function mergeRecord(merge: Merge, { into, from }: MergeContacts): typeof mergeShape.static {
  return {
    id: merge.id,
    status: merge.state,
    into: { id: into.id, email: into.email },
    from: from.map(({ id, snapshot }) => ({ id, email: snapshot.email })),
    by: merge.madeBy,
    undoableUntil: iso(Date.parse(merge.createdAt) + UNDONE_WITHIN_MS),
    createdAt: merge.createdAt,
  };
}
