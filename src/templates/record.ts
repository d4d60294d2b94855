// A template as the interface shows it.
import { t } from "elysia";
import { idShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";
import { updatedByShape } from "../access/saving-shape.ts";
import { TEMPLATE_TYPES, type Template } from "./queries.ts";
import { writtenProperties } from "./written-shape.ts";
import { asInput, writtenIn } from "./written.ts";

export const templateTypeShape = oneOf(...TEMPLATE_TYPES);

export const templateShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    description: nullable(t.String()),
    ...writtenProperties,
    type: templateTypeShape,
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
    ...asInput(writtenIn(template)),
    type: template.type,
    projectId: workspaceId,
    createdAt: template.createdAt,
    updatedAt: template.updatedAt,
    updatedBy: template.updatedBy,
  };
}
