// The dry run of an import in the API.
import { t } from "elysia";
import { countShape, nullable, oneOf } from "../../../http/answer-shapes.ts";
import { STANDINGS } from "../../../audience/csv/consent.ts";
import { LEFT_OUT } from "../../../audience/csv/packed/files.ts";
import { PROOF_KINDS } from "../../../audience/csv/proof.ts";
import { ENCODINGS } from "../../../audience/csv/records.ts";
import { formatShape, rowFields, skippedShape, warningsShape } from "../jobs/record.ts";

/** A list or an object is shown as its JSON. */
const shownShape = nullable(t.Union([t.String(), t.Number(), t.Boolean()]));

const standingShape = oneOf(...STANDINGS);

const rowCounts = {
  created: countShape,
  updated: countShape,
  unchanged: countShape,
  repeated: {
    ...countShape,
    description: "Rows whose address came before in the file: each of them changes the contact again.",
  },
  failed: countShape,
};

export const checkShape = t.Object(
  {
    isComplete: t.Boolean({ description: "False: the file has more rows than were checked." }),
    rows: countShape,
    ...rowCounts,
    resubscribed: {
      ...countShape,
      description: "Of those updated: contacts who had unsubscribed or are suppressed, and would be subscribed again.",
    },
    undecided: {
      ...countShape,
      description: "Of those created: neither the file nor `marketing` says whether they may get marketing email.",
    },
    statuses: t.Object(
      { subscribed: countShape, unsubscribed: countShape, pending: countShape, suppressed: countShape },
      {
        description:
          "What the people in the file would be after the import; they add up to those created, updated and unchanged.",
      },
    ),
    encoding: oneOf(...ENCODINGS),
    product: t.Optional(t.String({ description: "The product whose exports have such columns." })),
    standing: t.Optional({
      ...standingShape,
      description: "What the name and the columns of a single file say of everybody in it; absent = each row says it.",
    }),
    files: t.Optional(
      t.Array(
        t.Object({
          name: t.String(),
          standing: nullable({
            ...standingShape,
            description: "What its name and its columns say of everybody in it; null = each row says it.",
          }),
          leftOut: nullable({
            ...oneOf(...LEFT_OUT),
            description: "Why it is not read: it is neither CSV nor a workbook, or no column has addresses.",
          }),
          ...rowCounts,
        }),
        {
          description:
            "The files of an archive, in its order. If a person is in several, the worst state is kept: no file subscribes a person who complained, bounced or unsubscribed in another one.",
        },
      ),
    ),
    columns: t.Array(
      t.Object({
        name: t.String(),
        field: nullable(
          t.String({
            description:
              "`email`, `subscribed`, `data`, `data.` and a key, or `topic:` and the key of a topic; null = left out.",
          }),
        ),
        type: nullable(oneOf("string", "number", "boolean", "date", "object")),
        format: nullable({
          ...formatShape,
          description: "How the cells are read, which `columns` can change; null if they do not become data.",
        }),
        otherwise: nullable({ ...formatShape, description: "The cells could be read so, too." }),
        isConsent: t.Boolean({
          description: "The column says who may be mailed, in the terms of the product that made the file.",
        }),
        proves: nullable({
          ...oneOf(...PROOF_KINDS),
          description:
            "When, or from which IP address, a person agreed: it becomes data `joinedAt` of contacts without one, and evidence in the ledger of consent.",
        }),
        filled: countShape,
        examples: t.Array(t.String()),
        values: t.Array(shownShape, {
          description: "What the examples become; null = the cell is left out.",
        }),
        replaced: t.Object(
          {
            count: countShape,
            samples: t.Array(t.Object({ ...rowFields, email: t.String(), before: shownShape, after: shownShape })),
          },
          {
            description:
              "Values that contacts have and would lose to others; three of them before and after. A list that only grows loses nothing.",
          },
        ),
      }),
    ),
    errors: t.Array(t.Object({ ...rowFields, email: t.String(), error: t.String() })),
    skippedCellCount: countShape,
    skippedCells: skippedShape,
    warnings: t.Optional(warningsShape),
  },
  { title: "ImportCheck" },
);
