// POST /v1/send: queues a mail for each recipient (docs/sending.md).
import { t } from "elysia";
import { idShape, timeShape, wrapped } from "../../../http/answer-shapes.ts";
import { noteWarnings } from "../../../http/body/body-notes.ts";
import { idempotent } from "../../../http/idempotency.ts";
import { success } from "../../../http/replies.ts";
import type { Tx } from "../../../store/store.ts";
import { secretKeyWithAttachments, type Access } from "../../../tenant/access/auth.ts";
import { route, routes } from "../../../tenant/access/route-table.ts";
import { acceptedOf, acceptedShape, skippedShape } from "./answer-shape.ts";
import { batchRoute } from "./batch-routes.ts";
import { readSendRequest, type SendRequest } from "./request.ts";
import { notingIgnored } from "./ignored.ts";
import { send, type SendOrder, type SendOutcome } from "./send.ts";
import { sendShape } from "./shape.ts";

const sentShape = t.Object({
  emails: t.Array(acceptedShape, { description: "One item a recipient, in the order of `to`, `cc`, `bcc`." }),
  group: t.Optional({ ...idShape, description: "What the emails of one message share." }),
  skipped: t.Optional(skippedShape),
  timestamp: timeShape,
});

/** A larger request is stored by itself: others would wait for it. */
const SMALL_CHARS = 64 * 1024;

const answerSent = idempotent(async (tx: Tx, sending: SendOrder) => answerOf(tx, await send(tx, sending)), 200);

function answerOf(tx: Tx, sent: SendOutcome) {
  return success({ ...acceptedOf(sent), timestamp: tx.now });
}

function isLarge({ html, text, attachments }: SendRequest): boolean {
  return attachments.length > 0 || (html?.length ?? 0) + (text?.length ?? 0) > SMALL_CHARS;
}

type SendResponse = ReturnType<typeof answerOf>;

export function sendRoutes(access: Access) {
  const sending = route(
    "POST",
    "/v1/send",
    {
      name: "sendEmail",
      summary: "Send an email to up to 50 recipients",
      answers: { 200: wrapped(sentShape) },
      permission: "mail.send",
      forSenders: true,
      body: sendShape,
      description:
        "Each recipient in `to` gets an email of its own. With `cc`, `bcc` or `group` it is one message to all of them. The answer comes once the emails are stored; they leave in the background.",
      refuses: [
        "DOMAIN_NOT_VERIFIED",
        "DOMAIN_NOT_ALLOWED",
        "TEMPLATE_NOT_FOUND",
        "VERSION_NOT_FOUND",
        "CONTACT_UNSUBSCRIBED",
        "RECIPIENT_SUPPRESSED",
        "MARKETING_STOPPED",
      ],
    },
    ({ body, caller, request, set }) => {
      const input = readSendRequest(body, { nowMs: access.clock.nowMs(), storesData: caller.storesSendData });
      noteWarnings(body, input.warnings);
      const origin = { requestId: String(set.headers["x-request-id"]), by: caller.by };
      const leftOut = new Set<string>();
      const noteLeftOut = (contact: string) => void leftOut.add(contact);
      const about = ({ data }: SendResponse) => [...data.emails.map(({ contact }) => contact.id), ...leftOut];
      const post = { body, caller, request, set, about };
      const noteIgnored = notingIgnored(access, { caller, request, requestId: origin.requestId });
      const asked = { caller, request: input, origin, body, noteIgnored, noteLeftOut };
      return answerSent(access.store, post, asked, isLarge(input));
    },
  );
  return routes(access, [sending, batchRoute(access)], secretKeyWithAttachments);
}
