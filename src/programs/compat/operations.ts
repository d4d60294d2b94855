// The operations of ours that calls of other services map to, with the shapes that their routes declare.
import type { AnswerShape } from "../../http/answers.ts";
import { contactPageShape } from "../../audience/contacts/list/page-shape.ts";
import { contactShape } from "../../audience/contacts/record.ts";
import { upsertedContactShape } from "../../audience/contacts/routes.ts";
import { segmentShape } from "../../audience/segments/record.ts";
import { addedSuppressionShape, suppressionPageShape } from "../../audience/suppressions/routes.ts";
import { suppressionShape } from "../../audience/suppressions/record.ts";
import { topicShape } from "../../audience/topics/record.ts";
import { currentTemplateShape } from "../../content/templates/record.ts";
import { domainShape } from "../../tenant/domains/record.ts";
import { workspaceShape } from "../../tenant/workspaces/record.ts";
import { campaignAnswerShape } from "../campaigns/record.ts";
import { cancelledCampaignShape } from "../campaigns/run/routes.ts";
import { creationShape } from "../campaigns/shape.ts";
import { endpointShape } from "../webhooks/endpoints/record.ts";
import { endpointListShape } from "../webhooks/endpoints/routes.ts";

/** The shape of each operation's answer. Null: no call here reads it. */
export const ANSWERS = {
  listContacts: contactPageShape,
  getContact: contactShape,
  upsertContact: upsertedContactShape,
  updateContact: contactShape,
  deleteContact: null,
  listSegments: null,
  getSegment: segmentShape,
  createSegment: segmentShape,
  updateSegment: segmentShape,
  deleteSegment: null,
  addSegmentMembers: null,
  removeSegmentMembers: null,
  listTopics: null,
  getTopic: topicShape,
  createTopic: topicShape,
  updateTopic: topicShape,
  deleteTopic: null,
  listSuppressions: suppressionPageShape,
  getSuppression: suppressionShape,
  addSuppression: addedSuppressionShape,
  liftSuppression: null,
  listTemplates: null,
  getTemplate: currentTemplateShape,
  createTemplate: currentTemplateShape,
  updateTemplate: currentTemplateShape,
  publishTemplate: currentTemplateShape,
  duplicateTemplate: currentTemplateShape,
  deleteTemplate: null,
  listDomains: null,
  getDomain: domainShape,
  createDomain: domainShape,
  verifyDomain: domainShape,
  deleteDomain: null,
  getWorkspace: workspaceShape,
  listCampaigns: null,
  getCampaign: campaignAnswerShape,
  createCampaign: campaignAnswerShape,
  updateCampaign: campaignAnswerShape,
  duplicateCampaign: campaignAnswerShape,
  deleteCampaign: null,
  sendCampaign: campaignAnswerShape,
  cancelCampaign: cancelledCampaignShape,
  unscheduleCampaign: campaignAnswerShape,
  listWebhooks: endpointListShape,
  getWebhook: endpointShape,
  createWebhook: endpointShape,
  updateWebhook: endpointShape,
  rotateSecretOfWebhook: endpointShape,
  deleteWebhook: null,
} satisfies Readonly<Record<string, AnswerShape>>;

/** The shapes of the bodies that a call here checks by itself. */
export const BODIES = { createCampaign: creationShape };

export type OperationName = keyof typeof ANSWERS;

export type OperationAnswer<Name extends OperationName> = (typeof ANSWERS)[Name] extends {
  readonly static: infer Answer;
}
  ? Answer
  : unknown;

export type OperationBody<Name extends keyof typeof BODIES> = (typeof BODIES)[Name]["static"];
