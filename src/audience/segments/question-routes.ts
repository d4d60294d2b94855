// Previews of conditions and explanations of memberships; the condition need not be saved.
import { t } from "elysia";
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import { invalidField } from "../../base/errors.ts";
import { addressShape, dataShape, optional, shownAs } from "../../http/schemas.ts";
import type { Reader } from "../../store/store.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { route } from "../../tenant/access/route-table.ts";
import { conditionInputShape } from "./condition/record.ts";
import { contactAsked, explain, explainMember } from "./explain.ts";
import { explanationRecord, explanationShape } from "./explain-record.ts";
import { previewOf } from "./preview.ts";
import { previewInputShape, previewRecord, previewShape } from "./preview-record.ts";
import { acceptCondition } from "./references.ts";
import { findSegment } from "./segment.ts";

const conditionShape = shownAs(dataShape, conditionInputShape);
const plan = { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] };
const question = t.Object(
  {
    condition: optional(conditionShape, "Either this,"),
    segmentId: optional(t.String(), "or a segment."),
    contactId: optional(t.String(), "Either this,"),
    email: optional(addressShape, "or the contact's address."),
  },
  { examples: [{ condition: plan, email: "ada@example.com" }] },
);

export function questionRoutes({ store, clock }: Access, catchUp: CatchUp) {
  return [
    route(
      "POST",
      "/segments/preview",
      {
        name: "previewSegment",
        summary: "Count whom a condition would find",
        answers: { 200: previewShape },
        permission: "read",
        body: t.Object(
          { condition: conditionShape, ...previewInputShape },
          { examples: [{ condition: plan, sample: 4, perFilter: true }] },
        ),
        harmless: true,
      },
      async ({ body, caller }) => {
        const { workspace } = caller;
        await catchUp(workspace);
        const previewCondition = async (reader: Reader) => {
          const { condition } = await acceptCondition(reader, workspace, body.condition);
          return previewOf(reader, store, { workspace, nowMs: clock.nowMs(), whom: { condition }, input: body });
        };
        return previewRecord(await store.read(previewCondition, { longFor: workspace }), caller);
      },
    ),
    route(
      "POST",
      "/segments/explain",
      {
        name: "explainSegment",
        summary: "Explain why a contact is or is not in a segment",
        answers: { 200: explanationShape },
        permission: "read",
        body: question,
        refuses: ["CONTACT_NOT_FOUND", "SEGMENT_NOT_FOUND"],
        harmless: true,
      },
      async ({ body, caller: { workspace } }) => {
        oneOf(body.condition, body.segmentId, "condition");
        oneOf(body.contactId, body.email, "contactId");
        await catchUp(workspace);
        return explanationRecord(
          await store.read((reader) => explanation(reader, { ...body, workspace, nowMs: clock.nowMs() }), {
            longFor: workspace,
          }),
        );
      },
    ),
  ];
}

type SegmentQuestion = typeof question.static & { readonly workspace: number; readonly nowMs: number };

async function explanation(reader: Reader, { workspace, nowMs, condition, segmentId, ...who }: SegmentQuestion) {
  const contact = () => contactAsked(reader, workspace, who);
  if (segmentId) {
    const segment = await findSegment(reader, workspace, segmentId);
    return explainMember(reader, segment, { workspace, nowMs, contact: await contact() });
  }
  const accepted = await acceptCondition(reader, workspace, condition);
  return explain(reader, accepted.condition, { workspace, nowMs, contact: await contact() });
}

/** @throws AppError VALIDATION_ERROR unless exactly one of two is given */
function oneOf(one: unknown, other: unknown, field: "condition" | "contactId"): void {
  const isGiven = (value: unknown) => value !== undefined && value !== null;
  if (isGiven(one) !== isGiven(other)) return;
  const names = field === "condition" ? "condition or segmentId" : "contactId or email";
  throw invalidField(field, `Expected either ${names}.`, isGiven(one) ? "invalid" : "required");
}
