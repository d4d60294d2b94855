// Email as code in the API: the items of a directory, and the changes of an apply.
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { dataShape, optional, timeInputShape } from "../../http/schemas.ts";

/** Each refers only to kinds before it. */
export const KINDS = ["topics", "segments", "templates", "blocks", "brand", "forms", "workflows", "webhooks"] as const;
export type FileKind = (typeof KINDS)[number];

export const MOST_ITEMS = 500;

const kindShape = { ...oneOf(...KINDS), description: "Its directory." };
const shownName = t.String({ description: "Of its files, without their ending." });
const nameShape = t.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\s./\\\\:*?"<>|@\\u0000-\\u001f\\u007f][^\\s/\\\\:*?"<>|@\\u0000-\\u001f\\u007f]*$',
  description: "Of its files, without their ending: the alias of a template, the key of a topic.",
});
const fieldsShape = t.Record(t.String(), t.Unknown(), {
  description: "As in the body that creates one, with the names of files in place of ids. What is left out is none.",
});
const ifUpdatedAt = optional(
  timeInputShape,
  "The `updatedAt` of the last pull. Whoever saved it later is not overwritten, unless that was an apply.",
);

export const inputShape = t.Object(
  {
    items: t.Array(
      t.Object({
        kind: kindShape,
        name: nameShape,
        fields: optional(dataShape, "Left out: it is as `ifUpdatedAt` has seen it, and only noted as kept in files."),
        ifUpdatedAt,
      }),
      { maxItems: MOST_ITEMS, description: `With \`remove\`, up to ${MOST_ITEMS}.` },
    ),
    remove: optional(
      t.Array(t.Object({ kind: kindShape, name: nameShape, ifUpdatedAt }), { maxItems: MOST_ITEMS }),
      "To be deleted. What is not there is passed over.",
    ),
  },
  {
    examples: [
      { items: [{ kind: "topics", name: "product-news", fields: { name: { en: "Product news" }, visible: true } }] },
    ],
  },
);
export type FilesInput = typeof inputShape.static;
export type FileItem = FilesInput["items"][number];

export const keptShape = t.Object({
  kind: kindShape,
  name: shownName,
  id: t.String({ description: "Of what it is; `brand` of the brand." }),
  updatedAt: timeShape,
  appliedAt: t.Union([timeShape, t.Null()], {
    description: "When an apply last changed it, or named it first; null = none has named it.",
  }),
  isChanged: t.Boolean({ description: "Somebody has changed it since, on screen or by another call." }),
});
export const keptListShape = t.Object({ projectId: idShape, items: t.Array(keptShape) }, { title: "KeptInFiles" });

export const pieceShape = t.Object(
  {
    items: t.Array(t.Object({ kind: kindShape, name: shownName, updatedAt: timeShape, fields: fieldsShape })),
    next: t.Union([t.String(), t.Null()], { description: "The `after` of the next piece; null on the last." }),
  },
  { title: "FileItems" },
);

const peopleShape = t.Object(
  {
    enter: countShape,
    leave: countShape,
    stay: t.Number({
      minimum: 0,
      multipleOf: 1,
      description: "Inside a workflow: they go on by the version on which they started.",
    }),
    approximate: t.Boolean({ description: "True if the numbers come from a sample." }),
  },
  { title: "FilesPeople" },
);

export const changesShape = t.Object(
  {
    changes: t.Array(
      t.Object({
        kind: kindShape,
        name: shownName,
        action: oneOf("create", "change", "delete"),
        before: nullable(fieldsShape),
        after: nullable(fieldsShape),
        people: t.Union([peopleShape, t.Null()], { description: "null: nobody, or not known before the apply." }),
        conflict: t.Union([t.Object({ updatedAt: timeShape, by: nullable(t.String()) }), t.Null()], {
          description: "It was saved since the last pull and the last apply: an apply is refused.",
        }),
      }),
    ),
    unchanged: countShape,
  },
  { title: "FileChanges" },
);
export type FileChanges = typeof changesShape.static;
export type FileChange = FileChanges["changes"][number];
export type FilePeople = typeof peopleShape.static;
