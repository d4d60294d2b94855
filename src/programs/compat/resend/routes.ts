// /compat/resend: the calls of Resend's API that its clients send with, over the verbs of emails/
// (docs/compat/resend.md).
import { AppError, invalidField, invalidParameter } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import { answerOnce } from "../../../http/idempotency.ts";
import type { Declaration } from "../../../http/answers.ts";
import { cursorOf } from "../../../store/page.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { secretKeyWithByteLists, type Access } from "../../../tenant/access/auth.ts";
import { patch, post, route, routes } from "../../../tenant/access/route-table.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { cancelEmail } from "../../../mail/emails/actions/cancel.ts";
import { findEmail } from "../../../mail/emails/email.ts";
import { readFilter } from "../../../mail/emails/list/filter.ts";
import { listMails } from "../../../mail/emails/list/list.ts";
import { moveEmail } from "../../../mail/emails/actions/move.ts";
import { membersOf } from "../../../mail/emails/past-queries.ts";
import { MOST_EMAILS } from "../../../mail/emails/send/batch-shape.ts";
import { readBatch, sendBatch, type EmailBatch } from "../../../mail/emails/send/batch.ts";
import { sendTime } from "../../../mail/emails/send-time.ts";
import { listIn, objectIn, textIn } from "../fields.ts";
import {
  asOne,
  emailContent,
  nameAllIgnored,
  nameBatchWarnings,
  nameSkipped,
  orRefusal,
  originOf,
  readTranslated,
} from "../emails.ts";
import { listOf, pieceIn } from "./lists.ts";
import { emailFrom } from "./fields.ts";
import { emailRecord } from "./record.ts";
import { messageOf, RESEND } from "./refusals.ts";
import { topicsNamed } from "./topic-fields.ts";

/** Not a call of ours: /openapi.json does not describe it. */
const call = (name: string, permission: "read" | "mail.send") =>
  ({ name, summary: name, answers: { 200: null }, permission, dialect: true }) satisfies Declaration;
const sending = (name: string) => ({ ...call(name, "mail.send"), forSenders: true }) satisfies Declaration;

/** The limit of idempotency keys, in characters. */
const longestKey = 256;

const ALL = "/emails";
const ONE = "/emails/:id";

export function resendRoutes(access: Access) {
  const { store, clock } = access;
  const terms = (caller: Caller) => ({ nowMs: clock.nowMs(), storesData: caller.storesSendData });
  return routes(
    access,
    [
      route("POST", at(ALL), sending("resendSendEmail"), async ({ body, caller, request, set }) => {
        const topics = await topicsNamed(store, caller.workspace, [body]);
        const read = emailFrom(body, topics);
        const items = readBatch([read.body], terms(caller));
        nameAllIgnored(set.headers, [read]);
        const skipsSuppressed = "some";
        const origin = originOf(set.headers, caller);
        const batch = { caller, mode: "all", items, origin, skipsSuppressed, labelsGiveWay: true } as const;
        const sendSingle = async (tx: Tx) => (await idsOf(tx, batch, set.headers)).data[0];
        const answer = await answerOnce(
          store,
          { body, caller, request, set, longestKey },
          (tx) => asOne(sendSingle(tx)),
          200,
        );
        nameBatchWarnings(set.headers, items);
        return answer;
      }),
      route("POST", at("/emails/batch"), sending("resendSendBatch"), async ({ body, caller, request, set }) => {
        const emails = listIn("request", body);
        if (emails.length === 0 || emails.length > MOST_EMAILS)
          throw invalidField("request", `A batch has 1 to ${MOST_EMAILS} emails.`, "invalid");
        const isPermissive = request.headers.get("x-batch-validation") === "permissive";
        const topics = await topicsNamed(store, caller.workspace, emails);
        const read = emails.map((one) => orRefusal(() => emailFrom(one, topics)));
        nameAllIgnored(set.headers, read);
        const items = readTranslated(read, terms(caller));
        const batch: EmailBatch = {
          caller,
          mode: isPermissive ? "each" : "all",
          items,
          origin: originOf(set.headers, caller),
          labelsGiveWay: true,
          skipsSuppressed: isPermissive ? "some" : "all",
        };
        const work = async (tx: Tx) => {
          const { data, errors } = await idsOf(tx, batch, set.headers);
          return isPermissive ? { data, errors } : { data };
        };
        const answer = await answerOnce(store, { body, caller, request, set, longestKey }, work, 200);
        nameBatchWarnings(set.headers, items);
        return answer;
      }),
      route("GET", at(ALL), call("resendListEmails", "read"), async ({ request, caller }) => {
        const { limit, after, before } = pieceIn(request);
        if (before !== null) throw invalidParameter("before", "Posthorn's list of emails goes on with after.");
        const { filter, cursor } = await store.read(async (reader) => ({
          filter: await readFilter(reader, caller.workspace, { sourceType: "TRANSACTIONAL" }),
          cursor: await cursorAfter(reader, caller.workspace, after),
        }));
        const page = await listMails(store, filter, { limit, cursor, search: "" });
        const data = page.mails.map((mail) => emailRecord(mail, [], clock.nowMs()));
        return listOf(data, page.hasMore);
      }),
      route("GET", at(ONE), call("resendGetEmail", "read"), ({ params, caller }) =>
        store.read(async (reader) => {
          const mail = await findEmail(reader, caller.workspace, params.id);
          const members = mail.group === null ? [] : await membersOf(reader, mail.content);
          return {
            object: "email",
            ...emailRecord(mail, members, clock.nowMs()),
            ...(await emailContent(reader, mail)),
          };
        }),
      ),
      patch(at(ONE), call("resendUpdateEmail", "mail.send"), async (tx, { params, body, caller }) => {
        const { scheduled_at } = objectIn("request", body);
        const mail = await moveEmail(
          tx,
          caller.workspace,
          params.id,
          sendTime("scheduled_at", textIn("scheduled_at", scheduled_at), tx.nowMs),
        );
        return { object: "email", id: mail.id };
      }),
      post(at("/emails/:id/cancel"), call("resendCancelEmail", "mail.send"), async (tx, { params, caller }) => {
        await cancelMessage(tx, caller, params.id);
        return { object: "email", id: params.id };
      }),
    ],
    secretKeyWithByteLists,
  );
}

function at<Path extends string>(path: Path): `/compat/resend${Path}` {
  return `${RESEND.at as "/compat/resend"}${path}`;
}

/**
 * A message to a group has the id of its first recipient's email. An email without recipients, as all are suppressed,
 * has an id of its own, so that each of the others keeps its place.
 */
async function idsOf(tx: Tx, batch: EmailBatch, headers: Record<string, string | number>) {
  const results = await sendBatch(tx, batch);
  nameSkipped(headers, results);
  const data = results.flatMap((one) =>
    one instanceof AppError ? [] : [{ id: one.emails[0]?.email ?? newId(tx.nowMs) }],
  );
  const errors = results.flatMap((one, index) => (one instanceof AppError ? [{ index, message: messageOf(one) }] : []));
  return { data, errors };
}

async function cursorAfter(reader: Reader, workspace: number, after: string | null): Promise<string | null> {
  return after === null ? null : cursorOf("emails", (await findEmail(reader, workspace, after)).seq);
}

/** All emails of a message that still wait. @throws AppError EMAIL_NOT_FOUND, EMAIL_STATE if the one named does not */
async function cancelMessage(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { group, content } = await findEmail(tx, caller.workspace, id);
  await cancelEmail(tx, caller, id);
  const others = group === null ? [] : (await membersOf(tx, content)).filter((one) => one.id !== id);
  for (const one of others) if (one.status === "QUEUED") await cancelEmail(tx, caller, one.id);
}
