// The results of a search, as the interface shows them.
import { t } from "elysia";
import { emailStatusShape } from "../../mail/emails/shape.ts";
import { emailAddressShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";

const name = t.String();

export const foundShape = t.Object(
  {
    contacts: t.Array(
      t.Object({
        id: idShape,
        email: emailAddressShape,
        subscribed: t.Boolean(),
        name: nullable(t.String({ description: "As the data of the contact has it." })),
        formerEmail: nullable(t.String({ description: "The address that it had before, if it was found by that." })),
      }),
    ),
    emails: t.Array(
      t.Object({ id: idShape, to: t.String(), subject: t.String(), status: emailStatusShape, createdAt: timeShape }),
    ),
    campaigns: t.Array(
      t.Object({ id: idShape, name, status: oneOf("DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED") }),
    ),
    templates: t.Array(t.Object({ id: idShape, name, type: oneOf("TRANSACTIONAL", "MARKETING") })),
    segments: t.Array(t.Object({ id: idShape, name, type: oneOf("STATIC", "DYNAMIC") })),
    topics: t.Array(
      t.Object({ id: idShape, key: t.String(), name: t.String({ description: "That it was found by." }) }),
    ),
    forms: t.Array(t.Object({ id: idShape, name, enabled: t.Boolean() })),
    workflows: t.Array(t.Object({ id: idShape, name, enabled: t.Boolean() })),
    domains: t.Array(t.Object({ id: idShape, domain: t.String(), verified: t.Boolean() })),
    keys: t.Array(t.Object({ id: idShape, name })),
  },
  { title: "Found" },
);

export type SearchResult = typeof foundShape.static;
