// A template as the interface shows it.
import { t } from "elysia";
import { idShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";
import { updatedByShape } from "../workspaces/saving-shape.ts";
import { designShape } from "./design-shape.ts";
import { TEMPLATE_TYPES, type Template } from "./queries.ts";

export const templateTypeShape = oneOf(...TEMPLATE_TYPES);

export const templateShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    description: nullable(t.String()),
    subject: t.String(),
    preheader: nullable(t.String()),
    body: t.String(),
    text: nullable(t.String()),
    from: nullable(t.String()),
    fromName: nullable(t.String()),
    replyTo: nullable(t.String()),
    type: templateTypeShape,
    design: designShape,
    projectId: idShape,
    createdAt: timeShape,
    updatedAt: timeShape,
    updatedBy: updatedByShape,
  },
  { title: "Template" },
);

export function templateRecord(template: Template, workspaceId: string): typeof templateShape.static {
  return {
    id: template.id,
    name: template.name,
    description: template.description,
    subject: template.subject,
    preheader: template.preheader,
    body: template.body,
    text: template.text,
    from: template.fromAddress,
    fromName: template.fromName,
    replyTo: template.replyTo,
    type: template.type,
    design: template.design,
    projectId: workspaceId,
    createdAt: template.createdAt,
    updatedAt: template.updatedAt,
    updatedBy: template.updatedBy,
  };
}
