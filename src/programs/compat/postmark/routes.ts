// /compat/postmark: the calls of Postmark's API that its clients send with, over the verbs of emails/
// (docs/compat/postmark.md).
import { AppError, invalidField, invalidParameter } from "../../../base/errors.ts";
import { answerOnce } from "../../../http/idempotency.ts";
import type { Declaration } from "../../../http/answers.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { secretKeyIn, type Access } from "../../../tenant/access/auth.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { get, route, routes } from "../../../tenant/access/route-table.ts";
import { findEmail } from "../../../mail/emails/email.ts";
import { membersOf } from "../../../mail/emails/past-queries.ts";
import { countMails, mailsPage } from "../../../mail/emails/queries.ts";
import { MOST_EMAILS } from "../../../mail/emails/send/batch-shape.ts";
import { sendBatch, type EmailBatch } from "../../../mail/emails/send/batch.ts";
import { findTemplate } from "../../../content/templates/template.ts";
import {
  asOne,
  emailContent,
  nameAllIgnored,
  nameBatchWarnings,
  orRefusal,
  originOf,
  readTranslated,
} from "../emails.ts";
import { listIn, objectIn, refuseFilters } from "../fields.ts";
import type { OwnCalls } from "../own-calls.ts";
import { emailFrom } from "./fields.ts";
import { countInactive, inactiveAmong } from "./inactive.ts";
import { bounceRecord, messageRecord } from "./record.ts";
import { suppressionCalls } from "./suppressions.ts";
import { templateRecord, templatesIn } from "./templates.ts";
import { POSTMARK, refusalOf, saidOf } from "./refusals.ts";

/** Not a call of ours: /openapi.json does not describe it. */
const call = (name: string) =>
  ({ name, summary: name, answers: { 200: null }, permission: "read", dialect: true }) satisfies Declaration;
const sending = (name: string) => ({ ...call(name), permission: "mail.send", forSenders: true }) satisfies Declaration;

/** All mail is in one stream. */
const PAGING = ["count", "offset", "messagestream"];
const LARGEST_PAGE = 500;
/** The end of Postmark's lists. */
const FARTHEST = 10_000;

type PostmarkRequest = Parameters<Parameters<typeof route>[3]>[0];

export function postmarkRoutes(access: Access, ours: OwnCalls) {
  const { store, clock } = access;
  const sent = async (
    { body, caller, request, set }: PostmarkRequest,
    emails: readonly unknown[],
    isBatch: boolean,
  ) => {
    if (emails.length === 0 || emails.length > MOST_EMAILS)
      throw invalidField("Messages", `A batch has 1 to ${MOST_EMAILS} messages.`, "invalid");
    const read = emails.map((one) => orRefusal(() => emailFrom(one)));
    nameAllIgnored(set.headers, read);
    const items = readTranslated(read, { nowMs: clock.nowMs(), storesData: caller.storesSendData });
    const [first] = items;
    if (!isBatch && first instanceof AppError) throw first;
    const leftOut = new Set<string>();
    const batch: EmailBatch = {
      caller,
      mode: isBatch ? "each" : "all",
      items,
      origin: originOf(set.headers, caller),
      skipsSuppressed: "some",
      labelsGiveWay: true,
      noteLeftOut: (contact) => void leftOut.add(contact),
    };
    // Answers name addresses: a kept answer is deleted when its person is erased.
    let contacts: readonly string[] = [];
    const sendMails = async (tx: Tx) => {
      const sent = sendBatch(tx, batch);
      const results = await (isBatch ? sent : asOne(sent));
      contacts = results.flatMap((one) => (one instanceof AppError ? [] : one.emails.map(({ contact }) => contact.id)));
      const answers = answersOf(tx, results, emails);
      return isBatch ? answers : answers[0];
    };
    const answer = await answerOnce(
      store,
      { body, caller, request, set, about: () => [...contacts, ...leftOut] },
      sendMails,
      200,
    );
    nameBatchWarnings(set.headers, items);
    return answer;
  };
  const single = (path: "/email" | "/email/withTemplate", name: string) =>
    route("POST", at(path), sending(name), ({ body, caller, request, set }) =>
      sent({ body, caller, request, set } as PostmarkRequest, [body], false),
    );
  const listRoute = (path: "/messages/outbound" | "/bounces", name: string, status: "BOUNCED" | null) =>
    get(at(path), call(name), async (reader, { request, caller }) => {
      const { count, offset } = pieceIn(request);
      refuseFilters(request, PAGING);
      const filter = { workspace: caller.workspace, status };
      const mails = await mailsPage(reader, filter, count, offset);
      const total = await countMails(reader, filter);
      if (status !== null) {
        const inactive = await inactiveAmong(reader, mails, clock.nowMs());
        return { TotalCount: total, Bounces: mails.map((mail) => bounceRecord(mail, inactive.has(mail.toAddress))) };
      }
      const received = await countMails(reader, { workspace: caller.workspace, status: "RECEIVED" });
      const sentMails = mails.filter((mail) => mail.status !== "RECEIVED");
      return { TotalCount: total - received, Messages: sentMails.map((mail) => messageRecord(mail, [])) };
    });
  return routes(
    access,
    [
      single("/email", "postmarkSendEmail"),
      single("/email/withTemplate", "postmarkSendWithTemplate"),
      route("POST", at("/email/batch"), sending("postmarkSendBatch"), ({ body, caller, request, set }) =>
        sent({ body, caller, request, set } as PostmarkRequest, listIn("request", body), true),
      ),
      route("POST", at("/email/batchWithTemplates"), sending("postmarkSendBatchWithTemplates"), (asked) => {
        const { body, caller, request, set } = asked;
        const messages = listIn("Messages", objectIn("request", body)["Messages"]);
        return sent({ body, caller, request, set } as PostmarkRequest, messages, true);
      }),
      listRoute("/messages/outbound", "postmarkListMessages", null),
      listRoute("/bounces", "postmarkListBounces", "BOUNCED"),
      get(at("/messages/outbound/:id/details"), call("postmarkGetMessage"), (reader, { params, caller }) =>
        detailsOf(reader, caller, params.id),
      ),
      // The first path is in Postmark's documentation, the second in its client.
      get(at("/deliverystats"), call("postmarkDeliveryStats"), (reader, { caller }) => statsOf(reader, caller)),
      get(at("/deliveryStats"), call("postmarkDeliveryStatsOfClient"), (reader, { caller }) => statsOf(reader, caller)),
      get(at("/templates"), call("postmarkListTemplates"), (reader, { request, caller }) => {
        refuseFilters(request, PAGING);
        return templatesIn(reader, caller.workspace, pieceIn(request));
      }),
      get(at("/templates/:id"), call("postmarkGetTemplate"), async (reader, { params, caller }) =>
        templateRecord(await findTemplate(reader, caller.workspace, params.id)),
      ),
      ...ours.routes(POSTMARK, suppressionCalls({ ours, store })),
    ],
    secretKeyIn("X-Postmark-Server-Token"),
  );
}

function at<Path extends string>(path: Path): `/compat/postmark${Path}` {
  return `${POSTMARK.at as "/compat/postmark"}${path}`;
}

/** A message to a group has the id of its first recipient's email. */
function answersOf(tx: Tx, results: Awaited<ReturnType<typeof sendBatch>>, emails: readonly unknown[]) {
  return results.map((one, index) => {
    if (one instanceof AppError) return refusalOf(one);
    const { To, Cc, Bcc } = emails[index] as Readonly<Record<string, unknown>>;
    const recipients = Object.fromEntries(Object.entries({ To, Cc, Bcc }).filter(([, value]) => value != null));
    const Message = saidOf(one);
    return { ...recipients, SubmittedAt: tx.now, MessageID: one.emails[0]?.email, ErrorCode: 0, Message };
  });
}

async function detailsOf(reader: Reader, { workspace }: Caller, id: string) {
  const mail = await findEmail(reader, workspace, id);
  const members = mail.group === null ? [] : await membersOf(reader, mail.content);
  const { html, text } = await emailContent(reader, mail);
  return { ...messageRecord(mail, members), HtmlBody: html, TextBody: text, MessageEvents: [] };
}

async function statsOf(reader: Reader, { workspace }: Caller) {
  const Count = await countMails(reader, { workspace, status: "BOUNCED" });
  return { InactiveMails: await countInactive(reader, workspace), Bounces: [{ Name: "All", Count }] };
}

function pieceIn({ url }: Request): { readonly count: number; readonly offset: number } {
  const query = new URL(url).searchParams;
  const [count, offset] = [Number(query.get("count") ?? 100), Number(query.get("offset") ?? 0)];
  if (!Number.isInteger(count) || count < 1 || count > LARGEST_PAGE)
    throw invalidParameter("count", `A page has 1 to ${LARGEST_PAGE} messages.`);
  if (!Number.isInteger(offset) || offset < 0 || count + offset > FARTHEST)
    throw invalidParameter("offset", `A list goes on to its ${FARTHEST}th message.`);
  return { count, offset };
}
