// POST /webhooks/ses: the endpoint to which Amazon SNS delivers notices of Amazon SES. They carry no key; their
// signature is checked instead.
import { Elysia, t } from "elysia";
import { AppError } from "../../../base/errors.ts";
import { WITH_BODY, type Declaration } from "../../../http/answers.ts";
import { readJson } from "../../../http/body/body.ts";
import { asBody } from "../../../http/body/shape.ts";
import type { SharedBytes } from "../../../base/brakes/shared-bytes.ts";
import type { SesNotices } from "./notices.ts";
import { snsShape } from "./shape.ts";

/** A message has 256 KB at most, and is a JSON text inside another. */
const BODY_BYTES = 640 * 1024;

const messages = asBody(snsShape);

const HOST = "https://sns.eu-west-1.amazonaws.com";
const TOPIC = "arn:aws:sns:eu-west-1:123456789012:posthorn";
/** The first message of a subscription. */
const CONFIRMATION = {
  Type: "SubscriptionConfirmation",
  MessageId: "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
  TopicArn: TOPIC,
  Timestamp: "2026-03-01T09:00:00.000Z",
  Message: `You have chosen to subscribe to the topic ${TOPIC}.`,
  Token: "2336412f37",
  SubscribeURL: `${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f37`,
  SignatureVersion: "2",
  Signature: "EXAMPLEpH+…",
  SigningCertURL: `${HOST}/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem`,
};

const TAKEN: Declaration = {
  name: "receiveSesNotice",
  summary: "Receive a notice of Amazon SES from Amazon SNS",
  answers: { 204: null },
  key: "none",
  takes: { type: "text/plain", schema: t.String({ examples: [JSON.stringify(CONFIRMATION)] }) },
  refuses: ["ROUTE_NOT_FOUND", "FORBIDDEN", "NOTICE_EARLY", ...WITH_BODY],
  description:
    "Only signed messages of the configured topics are accepted, each once; their subscriptions are confirmed. Without topics this route does not exist.",
};

/** `bodyMemory`: for bodies that are being read. */
export function sesRoutes(notices: SesNotices, bodyMemory: SharedBytes) {
  const room = { limitBytes: BODY_BYTES, memory: bodyMemory, holder: "notices of SES" };
  return new Elysia().post(
    "/webhooks/ses",
    async ({ request, set }) => {
      if (!notices.areTaken) throw new AppError("ROUTE_NOT_FOUND", "There is no such route.");
      const body = await readJson(request, room);
      await notices.take(messages["~standard"].validate(body).value);
      set.status = 204;
    },
    { detail: TAKEN },
  );
}
