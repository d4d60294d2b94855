// A template as the interface shows it (interface.md "Template").
import { t } from "elysia";
import { idShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";
import { TEMPLATE_TYPES, type TemplateRow } from "./queries.ts";

export const templateTypeShape = oneOf(...TEMPLATE_TYPES);

export const templateShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    description: nullable(t.String()),
    subject: t.String(),
    body: t.String(),
    text: nullable(t.String()),
    from: nullable(t.String()),
    fromName: nullable(t.String()),
    replyTo: nullable(t.String()),
    type: templateTypeShape,
    projectId: idShape,
    createdAt: timeShape,
    updatedAt: timeShape,
  },
  { title: "Template" },
);

export function templateRecord(template: TemplateRow, workspaceId: string): typeof templateShape.static {
  return {
    id: template.id,
    name: template.name,
    description: template.description,
    subject: template.subject,
    body: template.body,
    text: template.text,
    from: template.from_address,
    fromName: template.from_name,
    replyTo: template.reply_to,
    type: template.type,
    projectId: workspaceId,
    createdAt: template.created_at,
    updatedAt: template.updated_at,
  };
}
