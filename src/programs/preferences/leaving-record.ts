// A reason for leaving in the API.
import { t } from "elysia";
import { emailAddressShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { LEAVING_REASONS } from "../../base/languages/questions.ts";
import type { LeavingAnswer } from "../../audience/contacts/past/leaving-queries.ts";

export const leavingReasonShape = oneOf(...LEAVING_REASONS);

export const answerShape = t.Object(
  {
    id: idShape,
    reason: leavingReasonShape,
    words: nullable(t.String({ description: "What the person wrote. It goes when the person is erased." })),
    topic: nullable(t.String({ description: "The key of the topic that the person left; null = everything." })),
    contactId: nullable(idShape),
    email: nullable(emailAddressShape),
    emailId: nullable(idShape),
    campaign: nullable(t.Object({ id: idShape, name: t.String() })),
    answeredAt: timeShape,
  },
  { title: "LeavingAnswer" },
);

export function answerRecord(answer: LeavingAnswer): typeof answerShape.static {
  const { id, reason, words, topic, contactId, address, emailId, campaignId, campaignName, answeredAt } = answer;
  const campaign = campaignId === null ? null : { id: campaignId, name: campaignName ?? "" };
  return { id, reason, words, topic, contactId, email: address, emailId, campaign, answeredAt };
}
