// The rules that say which mails leave by which ways, as owners see and send them.
import { t } from "elysia";
import { ifUpdatedAtShape, updatedByShape } from "../../tenant/access/saving-shape.ts";
import { idShape, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { addressShape, idInputShape, optional, recordNameShape } from "../../http/schemas.ts";
import { PROVIDER_NAMES } from "../../mail/statistics/providers.ts";
import type { KeptRule } from "../../ground/ways/rule-queries.ts";

const KINDS = ["TRANSACTIONAL", "MARKETING"] as const;

export const ruleShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    workspaceId: t.Union([idShape, t.Null()], { description: "null = emails of any workspace." }),
    domain: t.Union([t.String(), t.Null()], { description: "Of the sender; null = any." }),
    kind: t.Union([oneOf(...KINDS), t.Null()], { description: "null = both." }),
    tag: t.Union([t.String(), t.Null()], { description: "null = with any tags, or none." }),
    provider: t.Union([oneOf(...PROVIDER_NAMES), t.Null()], { description: "Of the recipient's mailbox; null = any." }),
    ways: t.Array(
      t.Object({
        name: t.String(),
        weight: t.Number({
          minimum: 0,
          description:
            "Of the first choice, beside the weights of the others; 0 = only if those before it do not work.",
        }),
      }),
    ),
    others: t.Boolean({ description: "After its ways come the others in their order; false = its emails wait." }),
  },
  { title: "WayRule" },
);
export type RuleRecord = typeof ruleShape.static;

const ruledWay = t.Object({
  name: t.String({ minLength: 1, maxLength: 30 }),
  weight: optional(t.Integer({ minimum: 0, maximum: 100 }), "Of the first choice. Without any, the first way has all."),
});

const ruleInput = t.Object({
  id: optional(
    idInputShape,
    "Of the rule that it replaces: it keeps the emails that wait for it. Without it, the rule of the same name.",
  ),
  name: recordNameShape,
  workspaceId: optional(idInputShape),
  domain: optional(t.String({ minLength: 1, maxLength: 253 }), "Of the sender."),
  kind: optional(t.Union(KINDS.map((one) => t.Literal(one)))),
  tag: optional(t.String({ minLength: 1, maxLength: 100 })),
  provider: optional(t.Union(PROVIDER_NAMES.map((one) => t.Literal(one))), "Of the recipient's mailbox."),
  ways: t.Array(ruledWay, { minItems: 1, maxItems: 11 }),
  others: optional(t.Boolean(), "Whether the other ways follow. Default: true."),
});

export const rulesInput = t.Object(
  { rules: t.Array(ruleInput, { maxItems: 50 }), ifUpdatedAt: ifUpdatedAtShape },
  {
    examples: [
      { rules: [{ name: "Newsletters", kind: "MARKETING", ways: [{ name: "default", weight: 80 }], others: false }] },
    ],
  },
);

export const mailInput = t.Object(
  {
    workspaceId: optional(idInputShape),
    from: addressShape,
    to: addressShape,
    kind: optional(t.Union(KINDS.map((one) => t.Literal(one))), "Default: TRANSACTIONAL."),
    tags: optional(t.Array(t.String({ maxLength: 100 }), { maxItems: 20 })),
  },
  { examples: [{ from: "shop@shop.example", to: "ada@gmail.com", kind: "MARKETING", tags: ["spring"] }] },
);

export const previewShape = t.Object(
  {
    rule: t.Union([t.Object({ id: idShape, name: t.String() }), t.Null()], {
      description: "null = no rule is about it.",
    }),
    provider: oneOf(...PROVIDER_NAMES),
    ways: t.Array(
      t.Object({
        name: t.String(),
        share: t.Number({ minimum: 0, maximum: 100, description: "Per cent of such emails whose first choice it is." }),
        isUsable: t.Boolean({ description: "It would get email at this moment." }),
      }),
      { description: "In the order in which they follow each other." },
    ),
    waits: t.Boolean({ description: "None of them can be used at this moment: the email waits." }),
  },
  { title: "WayPreview" },
);

export function ruleRecord({ id, name, workspaceId, domain, kind, tag, provider, ways, others }: KeptRule): RuleRecord {
  const known = provider as RuleRecord["provider"];
  return { id, name, workspaceId, domain, kind, tag, provider: known, ways: [...ways], others };
}

export const rulesShape = t.Object(
  {
    data: t.Array(ruleShape, { description: "The first one that an email meets counts." }),
    updatedAt: t.String({
      ...timeShape,
      description: "When the list was saved last; 1970-01-01T00:00:00.000Z = never.",
    }),
    updatedBy: t.Union([updatedByShape, t.Null()]),
  },
  { title: "WayRules" },
);
