// POST /v1/send: queues a mail for each recipient (docs/sending.md).
import { t } from "elysia";
import { emailAddressShape, idShape, timeShape, wrapped } from "../../http/answer-shapes.ts";
import { answers } from "../../http/answers.ts";
import { answerOnce } from "../../http/idempotency.ts";
import { success } from "../../http/replies.ts";
import type { Tx } from "../../store/store.ts";
import { secretKeyWithAttachments, type Access } from "../../workspaces/auth.ts";
import { route, routes } from "../../workspaces/route-table.ts";
import { readSendRequest } from "./request.ts";
import { send } from "./send.ts";
import { sendShape } from "./shape.ts";

const accepted = t.Object({ contact: t.Object({ id: idShape, email: emailAddressShape }), email: idShape });
const sent = answers(
  "sendEmail",
  "Send a mail to up to 50 recipients",
  { 200: wrapped(t.Object({ emails: t.Array(accepted), timestamp: timeShape })) },
  {
    permission: "mail.send",
    body: sendShape,
    description:
      "Each recipient gets a mail of its own. The answer comes once the mails are stored; they leave in the background.",
    refuses: [
      "DOMAIN_NOT_VERIFIED",
      "DOMAIN_NOT_ALLOWED",
      "TEMPLATE_NOT_FOUND",
      "CONTACT_UNSUBSCRIBED",
      "MARKETING_STOPPED",
    ],
  },
);

export function sendRoutes(access: Access) {
  const sending = route("POST", "/v1/send", sent, ({ body, caller, request, set }) => {
    const input = readSendRequest(body, access.clock.nowMs());
    const origin = { requestId: String(set.headers["x-request-id"]), by: caller.by };
    const work = async (tx: Tx) => success({ emails: await send(tx, caller, input, origin), timestamp: tx.now });
    const about = ({ data }: Awaited<ReturnType<typeof work>>) => data.emails.map(({ contact }) => contact.id);
    return answerOnce(access.store, { body, caller, request, set, about }, work, 200);
  });
  return routes(access, [sending], secretKeyWithAttachments);
}
