// A contact in the API.
import { t } from "elysia";
import { emailAddressShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { dataShape } from "../../http/schemas.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { reasonShape } from "../suppressions/record.ts";
import { choicesRecord, choicesShape } from "../topics/record.ts";
import type { Contact } from "./queries.ts";

/** The mail that a contact may get (selection-queries.ts). */
export const standingShape = oneOf("SUBSCRIBED", "UNSUBSCRIBED", "PENDING", "SUPPRESSED");
/** The effect of an import on a contact (selection-queries.ts). */
export const importedShape = oneOf("ADDED", "FOUND");

export const contactShape = t.Object(
  {
    id: idShape,
    email: emailAddressShape,
    subscribed: t.Boolean(),
    data: dataShape,
    status: oneOf("ACTIVE", "PENDING"),
    suppressed: nullable({
      ...reasonShape,
      description:
        "Why its address is suppressed. Its domain may be as well: see `GET /suppressions?address={address}`.",
    }),
    topics: choicesShape,
    pausedUntil: nullable({
      ...timeShape,
      description: "Marketing email waits until then. A time that has passed is no pause, and becomes null soon.",
    }),
    expiresAt: nullable(timeShape),
    projectId: idShape,
    createdAt: timeShape,
    updatedAt: timeShape,
  },
  { title: "Contact" },
);

export function contactRecord(
  contact: Contact,
  { workspaceId, topics }: Pick<Caller, "workspaceId" | "topics">,
): typeof contactShape.static {
  return {
    id: contact.id,
    email: contact.email,
    subscribed: contact.subscribed,
    data: contact.data,
    status: contact.status,
    suppressed: contact.suppressed,
    topics: choicesRecord(contact.topics, topics),
    pausedUntil: contact.pausedUntil,
    expiresAt: contact.expiresAt,
    projectId: workspaceId,
    createdAt: contact.createdAt,
    updatedAt: contact.updatedAt,
  };
}
