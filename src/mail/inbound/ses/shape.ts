// A message of Amazon SNS as it is posted to an endpoint ("HTTP/HTTPS notification JSON format").
import { t } from "elysia";

const short = t.String({ minLength: 1, maxLength: 2_000 });

export const snsShape = t.Object({
  Type: t.Union([
    t.Literal("Notification"),
    t.Literal("SubscriptionConfirmation"),
    t.Literal("UnsubscribeConfirmation"),
  ]),
  MessageId: t.String({ pattern: "^[\\w-]{1,100}$" }),
  TopicArn: short,
  Timestamp: t.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$" }),
  Message: t.String(),
  Subject: t.Optional(t.Union([t.String(), t.Null()])),
  Token: t.Optional(short),
  SubscribeURL: t.Optional(short),
  SignatureVersion: t.Union([t.Literal("1"), t.Literal("2")]),
  Signature: t.String({ pattern: "^[A-Za-z0-9+/]{300,1400}={0,2}$" }),
  SigningCertURL: short,
});

export type SnsMessage = typeof snsShape.static;
