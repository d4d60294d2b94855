// A contact as the interface shows it (interface.md "Contact").
import { t } from "elysia";
import { idShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";
import { dataShape } from "../http/schemas.ts";
import { sql, type Sql } from "../store/sql.ts";
import type { ContactRow } from "./queries.ts";

export const contactShape = t.Object(
  {
    id: idShape,
    email: t.String(),
    subscribed: t.Boolean(),
    data: dataShape,
    status: oneOf("ACTIVE", "PENDING"),
    expiresAt: nullable(timeShape),
    projectId: idShape,
    createdAt: timeShape,
    updatedAt: timeShape,
  },
  { title: "Contact" },
);

export function contactRecord(contact: ContactRow, workspaceId: string): typeof contactShape.static {
  return {
    id: contact.id,
    email: contact.email,
    subscribed: contact.subscribed === 1,
    data: JSON.parse(contact.data) as Record<string, unknown>,
    status: contact.status,
    expiresAt: contact.expires_at,
    projectId: workspaceId,
    createdAt: contact.created_at,
    updatedAt: contact.updated_at,
  };
}

/** The same as JSON text that the store makes of a row of `contacts`. */
export function contactJson(workspaceId: string): Sql {
  return sql`concat(
    '{"id":"', id, '","email":', json_quote(email), ',"subscribed":', case subscribed when 1 then 'true' else 'false' end,
    ',"data":', json(data), ',"status":"', status, '","expiresAt":', json_quote(expires_at),
    ',"projectId":"', cast(${workspaceId} as text), '","createdAt":"', created_at, '","updatedAt":"', updated_at, '"}')`;
}
