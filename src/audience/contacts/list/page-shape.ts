// A page of contacts in the API.
import { t } from "elysia";
import { countShape, nullable } from "../../../http/answer-shapes.ts";
import { contactShape } from "../record.ts";
import { MOST_COUNTED } from "./list.ts";

export const contactPageShape = t.Object(
  {
    data: t.Array(contactShape),
    cursor: nullable(t.String({ description: "Of the next page; null on the last." })),
    hasMore: t.Boolean(),
    total: t.Optional({ ...countShape, description: "On the first page only." }),
    totalIsLeast: t.Optional(
      t.Boolean({ description: `True: a search finds more than the ${MOST_COUNTED} that \`total\` has.` }),
    ),
  },
  { title: "ContactPage" },
);
