// A suppression in the API.
import { t } from "elysia";
import { emailAddressShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import type { SuppressionEntry } from "./listing-queries.ts";
import type { Suppression } from "./queries.ts";

export const reasonShape = oneOf("bounce", "complaint", "soft-bounces", "manual", "import", "erased");
export const scopeShape = oneOf("all", "marketing");

export const suppressionShape = t.Object(
  {
    id: idShape,
    address: nullable(emailAddressShape),
    domain: nullable(t.String({ description: "Of all its addresses, but not of those of its subdomains." })),
    reason: reasonShape,
    scope: scopeShape,
    until: nullable({ ...timeShape, description: "It is lifted then. null = never by itself." }),
    note: nullable(t.String()),
    contactId: nullable({ ...idShape, description: "The contact that has the address." }),
    projectId: idShape,
    createdAt: timeShape,
    updatedAt: timeShape,
  },
  { title: "Suppression", description: "Of an erased person, `address` and `domain` are null: only a hash is kept." },
);

export type SuppressionRecord = typeof suppressionShape.static;

export function suppressionRecord(
  one: Omit<Suppression, "seq" | "former"> & Partial<Pick<SuppressionEntry, "contactId">>,
  workspaceId: string,
): SuppressionRecord {
  return {
    id: one.id,
    address: one.kind === "address" ? one.target : null,
    domain: one.kind === "domain" ? one.target : null,
    reason: one.reason,
    scope: one.scope,
    until: one.until,
    note: one.note,
    contactId: one.contactId ?? null,
    projectId: workspaceId,
    createdAt: one.createdAt,
    updatedAt: one.updatedAt,
  };
}
