// A template in the API.
import { t } from "elysia";
import { idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { updatedByShape } from "../../tenant/access/saving-shape.ts";
import { TEMPLATE_TYPES, type Template } from "./queries.ts";
import { writtenProperties } from "./written-shape.ts";
import { asInput, writtenIn } from "./written.ts";

export const templateTypeShape = oneOf(...TEMPLATE_TYPES);

export const templateShape = t.Object(
  {
    id: idShape,
    alias: nullable(t.String({ description: "Taken in place of the id, by calls and workflows." })),
    name: t.String(),
    description: nullable(t.String()),
    ...writtenProperties,
    type: templateTypeShape,
    publishManually: t.Boolean({ description: "Changes are sent once they are published." }),
    publishedAt: nullable(timeShape),
    hasUnpublishedChanges: t.Boolean(),
    projectId: idShape,
    createdAt: timeShape,
    updatedAt: timeShape,
    updatedBy: updatedByShape,
  },
  { title: "Template" },
);

/** Includes its version. */
export const currentTemplateShape = t.Object(
  {
    ...templateShape.properties,
    version: nullable(
      t.Number({
        minimum: 1,
        multipleOf: 1,
        description: "The number of the version that it is now: `receipt@3` sends version 3, whatever changes later.",
      }),
    ),
  },
  { title: "CurrentTemplate" },
);

export function templateRecord(template: Template, workspaceId: string): typeof templateShape.static {
  return {
    id: template.id,
    alias: template.alias,
    name: template.name,
    description: template.description,
    ...asInput(writtenIn(template)),
    type: template.type,
    publishManually: template.publishedVersion !== null,
    publishedAt: template.publishedAt,
    hasUnpublishedChanges: template.isChanged,
    projectId: workspaceId,
    createdAt: template.createdAt,
    updatedAt: template.updatedAt,
    updatedBy: template.updatedBy,
  };
}
