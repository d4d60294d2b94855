// Authored content in the API, in templates, campaigns and versions.
import { t } from "elysia";
import { nullable } from "../../http/answer-shapes.ts";
import { labelsShown } from "../../http/label-shapes.ts";
import { optional } from "../../http/schemas.ts";
import { topicKeyShape } from "../../audience/topics/record.ts";
import { designInputShape, designShape } from "./design/design-shape.ts";

/** Further fields of requests. */
export const writtenOptions = {
  design: designInputShape,
  topic: optional(topicKeyShape, "The key of the topic that its marketing email is of: who has left it is left out."),
};

export const writtenProperties = {
  subject: t.String(),
  preheader: nullable(t.String()),
  body: t.String(),
  text: nullable(t.String()),
  from: nullable(t.String()),
  fromName: nullable(t.String()),
  replyTo: nullable(t.String()),
  design: designShape,
  topic: nullable(t.String({ description: "The key of the topic that its marketing email is of." })),
  ...labelsShown,
};
