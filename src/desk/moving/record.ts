// A move in the API: its state, the request for a step, and the answer.
import { t } from "elysia";
import { STANDINGS } from "../../audience/csv/consent.ts";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { optional, wholeNumber } from "../../http/schemas.ts";
import { PRODUCT_NAMES } from "./products.ts";
import { RECORD_GROUPS } from "./source.ts";

export const MOST_EXAMPLES = 5;
/** Reasons with words of the data in them are many. */
export const MOST_GAPS = 500;

export const COUNTS = ["read", "added", "changed", "known", "refused"] as const;
const text = { maxLength: 500 };

function each<Name extends string, Shape extends Parameters<typeof t.Object>[0][string]>(
  names: readonly Name[],
  shape: Shape,
) {
  return t.Object(recordOf(names, () => shape));
}

export function recordOf<Name extends string, Value>(names: readonly Name[], value: () => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value()])) as Record<Name, Value>;
}

/** The state of a move: what the next step needs, and the results of the steps before. */
export const stateShape = t.Object(
  {
    id: idShape,
    product: oneOf(...PRODUCT_NAMES),
    from: t.String({ ...text, description: "The address of the product's API." }),
    into: { ...idShape, description: "The workspace." },
    startedAt: timeShape,
    finishedAt: nullable(timeShape),
    part: wholeNumber(0, 100),
    at: t.String({ ...text, description: "Where in this part the next page begins." }),
    seen: t.String({ maxLength: 30, description: "The page before, by its hash." }),
    topics: t.Record(t.String(text), t.String(text), {
      maxProperties: 1_000,
      description: "Keys of topics, by theirs.",
    }),
    segments: t.Record(t.String(text), t.String(text), { maxProperties: 10_000, description: "Ids, by theirs." }),
    counts: {
      ...each(RECORD_GROUPS, each(COUNTS, countShape)),
      description:
        "`added` and `changed` here, `known`: was here already, `refused`: did not come. In a dry run, what would be.",
    },
    standings: each(STANDINGS, countShape),
    gaps: t.Array(
      t.Object({
        what: oneOf(...RECORD_GROUPS),
        why: t.String(text),
        count: countShape,
        examples: t.Array(t.String(text), { maxItems: MOST_EXAMPLES }),
      }),
      { maxItems: MOST_GAPS, description: "What did not come, or not as it was." },
    ),
    imports: t.Array(t.String(text), { maxItems: 10_000, description: "The imports of people, which can be undone." }),
  },
  { title: "Move" },
);

export type MoveState = typeof stateShape.static;

export const stepShape = t.Object(
  {
    product: oneOf(...PRODUCT_NAMES),
    key: t.String({ minLength: 1, maxLength: 1_000, description: "The product's key. It is not stored or logged." }),
    baseUrl: optional(t.String({ maxLength: 500 }), "Where the product is, if it is on a server of yours."),
    dryRun: optional(t.Boolean(), "`true`: nothing is written."),
    state: optional(stateShape, "That of the answer before; a new move without it."),
  },
  { examples: [{ product: "listmonk", key: "reader:secret", baseUrl: "https://lists.example.com", dryRun: true }] },
);

export const progressShape = t.Object(
  {
    state: stateShape,
    waitSeconds: nullable({
      ...countShape,
      description: "The product, or an import, asks to wait so long before the next call.",
    }),
    report: nullable(t.String({ description: "In Markdown, once the move is finished." })),
  },
  { title: "MoveProgress" },
);
