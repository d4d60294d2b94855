// /compat/sendgrid: SendGrid's v3/mail/send, and returned emails, over the verbs of emails/ (docs/compat/sendgrid.md).
import { AppError, invalidField } from "../../../base/errors.ts";
import { answerOnce } from "../../../http/idempotency.ts";
import type { Declaration } from "../../../http/answers.ts";
import type { Tx } from "../../../store/store.ts";
import { secretKeyWithAttachments, type Access } from "../../../tenant/access/auth.ts";
import { route, routes } from "../../../tenant/access/route-table.ts";
import { MOST_EMAILS } from "../../../mail/emails/send/batch-shape.ts";
import { readBatch, sendBatch } from "../../../mail/emails/send/batch.ts";
import { newId } from "../../../base/ids.ts";
import { asOne, nameAllIgnored, nameBatchWarnings, nameSkipped, originOf } from "../emails.ts";
import type { OwnCalls } from "../own-calls.ts";
import { suppressionRoutes } from "./calls.ts";
import { mailFrom } from "./fields.ts";
import { SENDGRID } from "./refusals.ts";

/** Not a call of ours: /openapi.json does not describe it. */
const call = (name: string) =>
  ({ name, summary: name, answers: { 200: null }, permission: "read", dialect: true }) satisfies Declaration;
const sending = { ...call("sendgridSendMail"), permission: "mail.send", forSenders: true } satisfies Declaration;

const ACCEPTED = 202;

export function sendgridRoutes(access: Access, ours: OwnCalls) {
  const { store, clock } = access;
  return routes(
    access,
    [
      route("POST", at("/v3/mail/send"), sending, async ({ body, caller, request, set }) => {
        const { emails, ignored, said, isSandbox } = mailFrom(body);
        if (emails.length === 0 || emails.length > MOST_EMAILS)
          throw invalidField("personalizations", `An email has 1 to ${MOST_EMAILS} personalizations.`, "invalid");
        nameAllIgnored(set.headers, [{ body: {}, ignored, said }]);
        const items = readBatch(emails, { nowMs: clock.nowMs(), storesData: caller.storesSendData });
        const refused = items.find((one) => one instanceof AppError);
        if (refused instanceof AppError) throw refused;
        if (isSandbox) return new Response(null, { status: 200 });
        // SendGrid takes an email to a suppressed address, and drops it.
        const skipsSuppressed = "all";
        const origin = originOf(set.headers, caller);
        const batch = { caller, mode: "all", items, origin, skipsSuppressed, labelsGiveWay: true } as const;
        const sendMails = async (tx: Tx) => {
          const asked = sendBatch(tx, batch);
          const sent = await (emails.length === 1 ? asOne(asked) : asked);
          nameSkipped(set.headers, sent);
          const [first] = sent.flatMap((one) => (one instanceof AppError ? [] : one.emails));
          return { id: first?.email ?? newId(tx.nowMs) };
        };
        const { id } = await answerOnce(store, { body, caller, request, set }, sendMails, ACCEPTED);
        set.headers["x-message-id"] = id;
        nameBatchWarnings(set.headers, items);
        return "";
      }),
      ...suppressionRoutes({ ours, store }),
    ],
    secretKeyWithAttachments,
  );
}

function at<Path extends string>(path: Path): `/compat/sendgrid${Path}` {
  return `${SENDGRID.at as "/compat/sendgrid"}${path}`;
}
